#include "cli/viewer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/headers.h"
#include "cli/terminal.h"
#include "sinew/files/file_writer.h"
#include "sinew/io/errors.h"
#include "sinew/io/library.h"

namespace cli {
namespace {

namespace fs = std::filesystem;
namespace io = sinew::io;
using OrderedJson = nlohmann::ordered_json;

std::string scenarios_json(const std::string& folder, const std::map<std::string, std::string>& pictures) {
  OrderedJson all = OrderedJson::array();
  for (const io::Scenario& s : scenario_headers(folder)) {
    OrderedJson picture = nullptr;
    if (pictures.contains(s.name)) picture = fmt::format("/pictures/{}.webp", s.name);
    all.push_back({{"name", s.name}, {"title", s.title}, {"source", s.source}, {"picture", picture}});
  }
  return all.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

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
    throw io::FileError(fmt::format(
        "{}: the page of the view is not built: in a clone run scripts/build_viewer, or use ./sinew, which does",
        file));
  return page;
}

sinew::view::Content viewer_content() {
  sinew::view::Content content;
  content.page = read_page();
  const std::string folder = scenario_folder(), pictures = viewer_files().pictures;
  for (const auto& found : io::built_in_scenarios(folder)) {
    const fs::path picture = fs::path(pictures) / (found.name + ".webp");
    std::error_code error;
    if (fs::is_regular_file(picture, error)) content.pictures[found.name] = picture.string();
  }
  content.scenarios = [folder, known = content.pictures] { return scenarios_json(folder, known); };
  return content;
}

sinew::view::Address address_of(const std::optional<std::int64_t>& port) {
  sinew::view::Address address;
  if (!port) return address;
  if (*port < 0 || *port > 65535)
    throw io::InputError(
        fmt::format("--port {}: not a port: it must be from 1 to 65535; 0 is any that is free", *port));
  address.port = std::uint16_t(*port);
  address.is_port_fixed = true;
  return address;
}

void open_browser(const std::string& url) {
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value && *value;
  };
  if (!is_terminal(STDOUT_FILENO) || !(is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"))) return;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0);
  // A session of its own, so that Ctrl-C is not for the browser, and signals as they were before main() changed them.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF);
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGPIPE, SIGXFSZ, SIGCHLD}) sigaddset(&signals, signal);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  std::signal(SIGCHLD, SIG_IGN);  // nobody waits for it
  std::string program = "xdg-open", address = url;
  char* arguments[] = {program.data(), address.data(), nullptr};
  posix_spawnp(nullptr, program.c_str(), &files, &attributes, arguments,
               environ);  // none there: the address is printed
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
}

void write_html(const std::string& recording, const std::string& file) {
  const std::string page = read_page();
  const std::size_t place = page.rfind("</body>");
  if (place == std::string::npos)
    throw io::FileError(fmt::format("{}: this is not the page of the view: build it again with scripts/build_viewer",
                                    viewer_files().page));
  std::ifstream stream(recording, std::ios::binary);
  sinew::FileWriter html(file);
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
  if (!stream.eof()) throw io::FileError(fmt::format("{}: cannot be read to its end: try again", recording));
  html.write("</script>\n");
  html.write(std::string_view(page).substr(place));
  html.finish();
}

}  // namespace cli
