// What gnuplot makes of our figures: SVG is read back as text, PNG by its header.
#include "sinew/figure/figure.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "sinew/figure/axis.h"
#include "sinew/figure/script.h"
#include "sinew/files/file_writer.h"

namespace sinew::figure {
namespace figure_test {

namespace fs = std::filesystem;

Figure sine() {
  Figure f{"a title", "a subtitle", {{{"time", "s"}, {"body.bob.p", "m"}, {{"body.bob.p.x", {}, {}}}}}};
  for (int i = 0; i <= 200; i++) {
    f.panels[0].curves[0].x.push_back(0.05 * i);
    f.panels[0].curves[0].y.push_back(std::sin(0.05 * i));
  }
  return f;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) n++;
  return n;
}

// All corners of the lines of one colour.
std::vector<std::pair<double, double>> corners(const std::string& svg, const std::string& colour) {
  std::vector<std::pair<double, double>> out;
  const std::string path = "<path stroke='" + colour + "'";
  for (auto at = svg.find(path); at != svg.npos; at = svg.find(path, at + 1)) {
    const auto start = svg.find(" d='", at) + 4;
    std::istringstream d(svg.substr(start, svg.find('\'', start) - start));
    char letter, comma;
    for (double x, y; d >> letter >> x >> comma >> y;) out.emplace_back(x, y);
  }
  return out;
}

const std::string first_colour = "rgb(  0, 114, 178)";

class Folder : public testing::Test {
 protected:
  void SetUp() override {
    path_ = fs::temp_directory_path() / ("sinew-figure-" + std::to_string(getpid()));
    fs::create_directories(path_);
  }
  void TearDown() override { fs::remove_all(path_); }
  std::size_t files() const { return std::size_t(std::distance(fs::directory_iterator(path_), {})); }
  fs::path path_;
};
using FigureFile = Folder;

TEST(Figure, labels_units_and_titles_are_in_the_svg) {
  const std::string svg = draw(sine(), Format::Svg);
  for (const char* text : {"a title", "a subtitle", "time [s]", "body.bob.p [m]", "body.bob.p.x"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
}

TEST(Figure, names_are_shown_as_they_are) {
  Figure f = sine();
  f.title = "x_1^2 {a} \\n <b> & 'c' \"d\" $HOME `date` %g @";
  const std::string svg = draw(f, Format::Svg);
  EXPECT_NE(svg.find("x_1^2 {a} \\n &lt;b> &amp; 'c' \"d\" $HOME `date` %g @</text>"), std::string::npos);
}

TEST(Figure, the_same_figure_gives_the_same_bytes) {
  EXPECT_EQ(draw(sine(), Format::Svg), draw(sine(), Format::Svg));
  EXPECT_EQ(draw(sine(), Format::Png), draw(sine(), Format::Png));
}

TEST(Figure, a_png_has_the_size_of_the_layout) {
  const std::string png = draw(sine(), Format::Png);
  const auto number = [&](std::size_t at) {
    int n = 0;
    for (std::size_t i = 0; i < 4; i++) n = n << 8 | static_cast<unsigned char>(png[at + i]);
    return n;
  };
  ASSERT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  const Script script = script_of(sine(), Format::Png);
  EXPECT_EQ(number(16), script.width);
  EXPECT_EQ(number(20), script.height);
  EXPECT_GT(script.width, 1200);
}

TEST(Figure, a_long_series_keeps_its_extremes) {
  Figure f = sine();
  Curve& c = f.panels[0].curves[0];
  c.label.clear(), c.x.clear(), c.y.clear();
  for (int i = 0; i < 400000; i++) c.x.push_back(i * 1e-4), c.y.push_back(0.1 * std::sin(i));
  c.y[300000] = 1.0;
  const std::string svg = draw(f, Format::Svg);
  EXPECT_LT(svg.size(), 300000u);
  const auto points = corners(svg, first_colour);
  ASSERT_GT(points.size(), 1000u);
  const auto top = *std::ranges::min_element(points, {}, &std::pair<double, double>::second);
  const auto left = std::ranges::min_element(points)->first, right = std::ranges::max_element(points)->first;
  EXPECT_NEAR((top.first - left) / (right - left), 0.75, 0.01);
  EXPECT_GT(std::ranges::count_if(points, [&](const auto& p) { return p.second > top.second + 100.0; }), 1000);
}

TEST(Figure, what_is_not_finite_is_a_gap) {
  Figure f = sine();
  EXPECT_EQ(count(draw(f, Format::Svg), "NaN"), 0u);
  const auto whole = corners(draw(f, Format::Svg), first_colour).size();
  auto& y = f.panels[0].curves[0].y;
  for (int i = 50; i < 100; i++) y[i] = i % 2 ? std::numeric_limits<double>::infinity() : std::nan("");
  const std::string svg = draw(f, Format::Svg);
  EXPECT_EQ(corners(svg, first_colour).size(), whole - 50);
}

TEST(Figure, nothing_to_draw_is_said_and_a_single_sample_is_a_point) {
  Figure f{"", "", {{{"time", "s"}, {"y", "m"}, {{"none", {0, 1}, {std::nan(""), INFINITY}}}}}};
  EXPECT_NE(draw(f, Format::Svg).find("no data"), std::string::npos);
  f.panels[0].curves = {{"one", {1.0}, {2.0}}};
  const std::string svg = draw(f, Format::Svg);
  EXPECT_EQ(svg.find("no data"), std::string::npos);
  EXPECT_EQ(count(svg, "<use xlink:href='#gpPt6'"), 2u);  // the point, and its legend
  EXPECT_NE(draw({"only a title", "", {}}, Format::Svg).find("only a title"), std::string::npos);
}

TEST(Figure, constant_and_extreme_values_are_drawn_without_complaint) {
  for (const double value : {0.0, 5.0, -1e-12, 1e12, 1e300, -1e299, 5e-324}) {
    Figure f{"", "", {{{"time", "s"}, {"y", "m"}, {{"c", {0, 1}, {value, value}}}}}};
    EXPECT_EQ(corners(draw(f, Format::Svg), first_colour).size() % 2, 0u) << value;
    f.panels[0].curves[0].y[1] = -value;
    EXPECT_NE(draw(f, Format::Svg).find("</svg>"), std::string::npos) << value;
  }
}

TEST(Figure, no_text_leaves_the_picture) {
  Figure f = sine();
  f.title = std::string(40, 'W') + " " + std::string(300, 'M');
  f.panels[0].y.label = std::string(60, 'y');
  f.panels[0].curves[0].label = std::string(80, 'x');
  f.panels.push_back(f.panels[0]);
  const Script one = script_of(sine(), Format::Svg), two = script_of(f, Format::Svg);
  EXPECT_GT(two.width, one.width + 400);
  EXPECT_GT(two.height, 2 * one.height);
  const std::string svg = draw(f, Format::Svg);
  EXPECT_NE(svg.find("xxxxx</text>"), std::string::npos);
  EXPECT_EQ(count(svg, "time [s]"), 1u);  // one axis for both
}

TEST(Figure, equal_axes_show_a_circle_as_a_circle) {
  Figure f{"", "", {{{"x", "m"}, {"y", "m"}, {{"", {}, {}}}, true}}};
  for (int i = 0; i <= 400; i++) {
    f.panels[0].curves[0].x.push_back(3.0 + 2.0 * std::cos(0.0157 * i));
    f.panels[0].curves[0].y.push_back(2.0 * std::sin(0.0157 * i));
  }
  Extent x, y;
  for (const auto& p : corners(draw(f, Format::Svg), first_colour)) x.add(p.first), y.add(p.second);
  EXPECT_GT(y.span(), 200.0);
  EXPECT_NEAR(y.span() / x.span(), 1.0, 0.01);
}

TEST_F(FigureFile, is_written_whole_by_its_ending) {
  render(sine(), path_ / "a.svg");
  render(sine(), path_ / "b.png");
  EXPECT_EQ(files(), 2u);
  std::ostringstream text;
  text << std::ifstream(path_ / "a.svg").rdbuf();
  EXPECT_EQ(text.str(), draw(sine(), Format::Svg));
  EXPECT_THROW(render(sine(), path_ / "c.pdf"), FileError);
  EXPECT_EQ(files(), 2u);
}

TEST_F(FigureFile, that_cannot_be_written_leaves_nothing_behind) {
  EXPECT_THROW(render(sine(), path_ / "missing" / "a.svg"), FileError);
  EXPECT_THROW(render(sine(), "/dev/null/a.svg"), FileError);
  EXPECT_THROW(write_file("/dev/full", svg_file, "text"), FileError);  // and the device stays
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  fs::create_directory(path_ / "folder.svg");
  EXPECT_THROW(render(sine(), path_ / "folder.svg"), FileError);
  EXPECT_EQ(files(), 1u);
}

TEST_F(FigureFile, a_link_stays_a_link) {
  write_file(path_ / "real.svg", svg_file, "<svg>old");
  fs::create_symlink(path_ / "real.svg", path_ / "link.svg");
  write_file(path_ / "link.svg", svg_file, "<svg>new");
  EXPECT_TRUE(fs::is_symlink(path_ / "link.svg"));
  std::string text;
  std::ifstream(path_ / "real.svg") >> text;
  EXPECT_EQ(text, "<svg>new");
}

TEST_F(FigureFile, without_gnuplot_the_package_is_named) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", path_.c_str(), 1);
  std::string what;
  try {
    draw(sine(), Format::Svg);
  } catch (const FileError& e) {
    what = e.what();
  }
  setenv("PATH", path.c_str(), 1);
  EXPECT_NE(what.find("apt-get install gnuplot-nox"), std::string::npos) << what;
}

TEST_F(FigureFile, a_failing_gnuplot_is_reported) {
  const std::string path = std::getenv("PATH");
  std::ofstream(path_ / "gnuplot") << "#!/bin/sh\necho 'line 3: no such thing' >&2\nexit 1\n";
  fs::permissions(path_ / "gnuplot", fs::perms::all);
  setenv("PATH", (path_.string() + ":" + path).c_str(), 1);
  std::string what;
  try {
    render(sine(), path_ / "a.svg");
  } catch (const FileError& e) {
    what = e.what();
  }
  setenv("PATH", path.c_str(), 1);
  EXPECT_NE(what.find("line 3: no such thing"), std::string::npos) << what;
  EXPECT_EQ(files(), 1u);
}

}  // namespace figure_test
}  // namespace sinew::figure
