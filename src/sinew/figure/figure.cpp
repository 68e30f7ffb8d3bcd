#include "sinew/figure/figure.h"

#include <fmt/format.h>

#include "sinew/figure/gnuplot.h"
#include "sinew/figure/layout.h"
#include "sinew/figure/script.h"
#include "sinew/figure/text.h"
#include "sinew/files/file_writer.h"

namespace sinew::figure {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string escaped(std::string text) {
  replace_all(text, "&", "&amp;");
  replace_all(text, "<", "&lt;");
  replace_all(text, ">", "&gt;");
  return text;
}

}  // namespace

std::optional<Format> format_of(std::string_view path) {
  if (path.ends_with(".svg")) return Format::Svg;
  if (path.ends_with(".png")) return Format::Png;
  return std::nullopt;
}

std::string draw(const Figure& figure, Format format) {
  std::string picture = run_gnuplot(script_of(figure, format).text);
  const std::string_view end = format == Format::Svg ? "</svg>" : "IEND";
  if (picture.find(end) == std::string::npos) throw FileError("gnuplot: its picture has no end: try again");
  if (format == Format::Svg) {
    // what browsers show as a tip and read aloud; the title in bold, for which gnuplot has no way in SVG
    replace_all(picture, "<title>Gnuplot</title>", "<title>" + escaped(clean(figure.title)) + "</title>");
    const std::string size = fmt::format("font-size=\"{:.2f}\"", title_size);
    replace_all(picture, size, size + " font-weight=\"bold\"");
  }
  return picture;
}

void render(const Figure& figure, const std::string& path) {
  const auto format = format_of(path);
  if (!format) throw FileError(path + ": unknown ending: name a file that ends in .svg or .png");
  write_file(path, *format == Format::Svg ? svg_file : png_file, draw(figure, *format));
}

}  // namespace sinew::figure
