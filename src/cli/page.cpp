#include "cli/page.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string_view>

#include "cli/commands.h"
#include "sinew/files/errors.h"
#include "sinew/files/file_writer.h"
#include "sinew/sim/errors.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

// Bytes as letters, four for three.
void write_base64(std::string_view bytes, std::string& text) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto byte = [&](std::size_t i) {
    return i < bytes.size() ? unsigned(static_cast<unsigned char>(bytes[i])) : 0u;
  };
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const unsigned three = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    text += letters[three >> 18];
    text += letters[three >> 12 & 63];
    text += i + 1 < bytes.size() ? letters[three >> 6 & 63] : '=';
    text += i + 2 < bytes.size() ? letters[three & 63] : '=';
  }
}

std::string escaped(const std::string& name) {
  std::string text;
  for (const char c : name)
    text += c == '"' ? "&quot;" : c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return text;
}

}  // namespace

std::string read_page() {
  const std::string file = viewer_files().page;
  std::ifstream stream(file, std::ios::binary);
  std::string page{std::istreambuf_iterator<char>(stream), {}};
  if (page.empty())
    throw sinew::FileError(fmt::format(
        "{}: the page of the view is not built: in a clone run scripts/build_viewer, or use ./sinew, which does",
        file));
  return page;
}

void write_html(const std::string& recording, const std::string& file) {
  const std::string page = read_page();
  const std::size_t place = page.rfind("</body>");
  if (place == std::string::npos)
    throw sinew::FileError(fmt::format("{}: this is not the page of the view: build it again with scripts/build_viewer",
                                       viewer_files().page));
  std::ifstream stream(recording, std::ios::binary);
  sinew::FileWriter html(file, sinew::html_file);
  html.write(std::string_view(page).substr(0, place));
  html.write(fmt::format(R"(<script id="recording" type="application/octet-stream;base64" data-name="{}">)",
                         escaped(fs::path(recording).filename().string())));
  std::string bytes(3 << 20, '\0'), text;  // whole groups of three
  while (stream) {
    stream.read(bytes.data(), std::streamsize(bytes.size()));
    text.clear();
    write_base64(std::string_view(bytes).substr(0, std::size_t(stream.gcount())), text);
    html.write(text);
  }
  if (!stream.eof()) throw sinew::FileError(fmt::format("{}: cannot be read to its end: try again", recording));
  html.write("</script>\n");
  html.write(std::string_view(page).substr(place));
  html.finish();
}

}  // namespace cli
