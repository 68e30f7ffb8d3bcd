// Everything is placed by layout.h, also texts, ticks and legends: gnuplot draws, and decides nothing.
#include "sinew/figure/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sinew/figure/layout.h"
#include "sinew/figure/text.h"
#include "sinew/figure/thin.h"

namespace sinew::figure {
namespace {

constexpr int png_scale = 2;  // pixels of a PNG to one of the layout: sharp in print
// Fonts of a PNG are measured in points of 1/72 inch, pixels are 1/96 inch.
constexpr double png_font_scale = png_scale * 72.0 / 96.0;

// Okabe and Ito's colours, told apart by all eyes; without their yellow, which is lost on white.
constexpr std::array<std::string_view, 7> colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                  "#E69F00", "#56B4E9", "#000000"};
// Dashes and points tell curves apart in grey print. One more than colours, so that pairs repeat late.
constexpr std::array<std::string_view, 8> dashes{"solid",  "(14,5)", "(3,4)",         "(14,4,3,4)",
                                                 "(24,5)", "(8,4)",  "(8,3,2,3,2,3)", "(20,4,3,4,3,4)"};
constexpr std::array<int, 8> points{7, 5, 9, 13, 11, 6, 4, 8};

// A text for gnuplot. Single quotes: nothing in it has a meaning, but the quote itself.
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : clean(text)) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

struct Pen {
  std::string line, point;  // for gnuplot: colour and dashes; colour and symbol
};

Pen pen_of(std::size_t index, const Curve& curve) {
  const std::string_view colour = curve.colour.empty() ? colours[index % colours.size()] : curve.colour;
  if (!curve.colour.empty())  // a shade that means something: nothing else tells it apart
    return {fmt::format("lc rgb '{}' lw {}", colour, curve.filled ? 9.0 : 1.2),
            fmt::format("lc rgb '{}' pt 7 ps 0.55", colour)};
  return {fmt::format("lc rgb '{}' lw 1.7 dt {}", colour, dashes[index % dashes.size()]),
          fmt::format("lc rgb '{}' pt {} ps 0.55", colour, points[index % points.size()])};
}

// Data of a curve: connected pieces, and points that stand alone.
struct Pieces {
  std::string lines, dots;
};

Pieces pieces_of(const Curve& curve, const Canvas& canvas) {
  const std::size_t n = std::min(curve.x.size(), curve.y.size());
  Pieces out;
  const auto drawn = [&](std::size_t i) { return is_drawn(curve.x[i]) && is_drawn(curve.y[i]); };
  for (std::size_t first = 0, end; first < n; first = end) {
    end = first + 1;
    if (!drawn(first)) continue;
    while (end < n && drawn(end)) end++;
    const std::span x(curve.x.data() + first, end - first), y(curve.y.data() + first, end - first);
    std::string& data = x.size() == 1 ? out.dots : out.lines;
    for (const std::size_t i : thin(x, y, canvas)) data += fmt::format("{} {}\n", x[i], y[i]);
    data += "\n";  // an empty line is a gap
  }
  return out;
}

class Writer {
 public:
  Writer(const Figure& figure, const Layout& layout) : figure_(figure), layout_(layout) {}

  std::string write() {
    double y = 14.0;
    for (const std::string& line : layout_.title) {
      label(line, 14.0, y += 20.0, "left", fmt::format("font 'sans-serif:Bold,{}'", title_size));
      y += 4.0;
    }
    for (const std::string& line : layout_.subtitle) {
      label(line, 14.0, y += 14.0, "left", fmt::format("font 'sans-serif,{}' tc rgb '#444444'", text_size));
      y += 4.0;
    }
    for (std::size_t i = 0; i < figure_.panels.size(); i++) write_panel(figure_.panels[i], layout_.panels[i]);
    if (figure_.panels.empty()) write_empty();
    return text_;
  }

 private:
  void add(const std::string& line) { text_ += line + "\n"; }
  std::string at(double x, double y) const {
    return fmt::format("screen {:.6f}, screen {:.6f}", x / layout_.width, 1.0 - y / layout_.height);
  }
  // y: of the line that the letters stand on
  void label(const std::string& text, double x, double y, std::string_view align, const std::string& look) {
    add(fmt::format("set label {} at {} {} {} noenhanced", quoted(text), at(x, y - 0.35 * text_size), align, look));
  }

  void write_panel(const Panel& panel, const PanelLayout& box);
  void write_axes(const PanelLayout& box);
  void write_legend(const Panel& panel, const PanelLayout& box);
  void write_empty();

  const Figure& figure_;
  const Layout& layout_;
  std::string text_;
};

std::string tick_list(const Ticks& ticks, bool with_text) {
  std::string list;
  for (const Tick& t : ticks.list)
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", quoted(with_text ? t.text : ""), t.at);
  return list;
}

void Writer::write_axes(const PanelLayout& box) {
  add(fmt::format("set lmargin at screen {:.6f}", box.left / layout_.width));
  add(fmt::format("set rmargin at screen {:.6f}", (box.left + box.width) / layout_.width));
  add(fmt::format("set tmargin at screen {:.6f}", 1.0 - box.top / layout_.height));
  add(fmt::format("set bmargin at screen {:.6f}", 1.0 - (box.top + box.height) / layout_.height));
  add(fmt::format("set xrange [{}:{}]\nset yrange [{}:{}]", box.x.low, box.x.high, box.y.low, box.y.high));
  const bool has_axis = !box.x_text.empty() || &box == &layout_.panels.back();
  add(fmt::format("set xtics ({}) font 'sans-serif,{}'", tick_list(box.x_ticks, has_axis), tick_size));
  add(fmt::format("set ytics ({}) font 'sans-serif,{}'", tick_list(box.y_ticks, true), tick_size));
  label(box.x_text, box.left + 0.5 * box.width, box.top + box.height + 42.0, "center", "");
  label(box.y_text, 14.0 + 0.5 * text_size, box.top + 0.5 * box.height + 0.35 * text_size, "center", "rotate by 90");
}

void Writer::write_legend(const Panel& panel, const PanelLayout& box) {
  const double x = box.left + box.width + 14.0;
  double y = box.top + 4.0;
  const auto entry = [&](const std::string& text, std::string_view line, std::string_view point) {
    if (text.empty()) return;
    const double middle = y + 0.5 * row_height - 2.0;
    if (!line.empty())
      add(fmt::format("set arrow from {} to {} nohead {}", at(x, middle), at(x + sample_width, middle), line));
    if (!point.empty()) add(fmt::format("set label '' at {} point {}", at(x + 0.5 * sample_width, middle), point));
    label(text, x + sample_width + 8.0, middle + 0.35 * text_size, "left", "");
    y += row_height;
  };
  for (std::size_t i = 0; i < panel.curves.size(); i++) {
    const Pen pen = pen_of(i, panel.curves[i]);
    const bool dots = panel.curves[i].y.size() == 1 || panel.curves[i].dotted;
    entry(panel.curves[i].label, dots ? "" : pen.line, dots ? pen.point : "");
  }
}

void Writer::write_panel(const Panel& panel, const PanelLayout& box) {
  write_axes(box);
  write_legend(panel, box);
  const Canvas canvas{box.x, box.y, box.width, box.height};
  std::string plots;
  const auto plot = [&](const std::string& data, const std::string& how) {
    if (data.empty()) return;
    const std::size_t n = std::size_t(std::ranges::count(plots, '$'));
    add(fmt::format("$d{} << EOD\n{}EOD", n, data));
    plots += fmt::format("{}$d{} using 1:2 with {} notitle", plots.empty() ? "" : ", ", n, how);
  };
  for (std::size_t i = 0; i < panel.curves.size(); i++) {
    const Curve& curve = panel.curves[i];
    const Pen pen = pen_of(i, curve);
    const Pieces pieces = pieces_of(curve, canvas);
    const std::string_view colour = curve.colour.empty() ? colours[i % colours.size()] : curve.colour;
    plot(pieces.lines, curve.filled   ? fmt::format("filledcurves closed lc rgb '{}'", colour)
                       : curve.dotted ? "points " + pen.point
                                      : "lines " + pen.line);
    plot(pieces.dots, "points " + pen.point);
  }
  if (plots.empty()) {
    label("no data", box.left + 0.5 * box.width, box.top + 0.5 * box.height, "center", "tc rgb '#777777'");
    plots = "NaN notitle";
  }
  add("plot " + plots);
  add("unset label\nunset arrow");
}

// Only titles: a plot of nothing brings them to paper.
void Writer::write_empty() { add("unset border\nunset tics\nset xrange [0:1]\nset yrange [0:1]\nplot NaN notitle"); }

}  // namespace

Script script_of(const Figure& figure, Format format) {
  const Layout layout = lay_out(figure);
  Script script{"", int(layout.width), int(layout.height)};
  const std::string common = fmt::format("noenhanced background rgb 'white' font 'sans-serif,{}'", text_size);
  if (format == Format::Svg) {
    script.text = fmt::format("set terminal svg size {},{} fixed {}\n", script.width, script.height, common);
  } else {
    script.width *= png_scale;
    script.height *= png_scale;
    script.text = fmt::format("set terminal pngcairo size {},{} {} fontscale {} linewidth {} pointscale {}\n",
                              script.width, script.height, common, png_font_scale, png_scale, png_scale);
  }
  script.text +=
      "set encoding utf8\nunset key\nset border 3 lc rgb '#555555' lw 1\nset tics out nomirror scale 0.5\n"
      "set grid back lt 1 lc rgb '#D4D4D4' lw 0.6 dt solid, lt 1 lc rgb '#D4D4D4' lw 0.6 dt solid\nset multiplot\n";
  script.text += Writer(figure, layout).write();
  script.text += "unset multiplot\n";
  return script;
}

}  // namespace sinew::figure
