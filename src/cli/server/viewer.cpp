#include "cli/server/viewer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/headers.h"
#include "cli/page.h"
#include "cli/terminal.h"
#include "sinew/sim/errors.h"
#include "sinew/text/library.h"

namespace cli {
namespace {

namespace fs = std::filesystem;
namespace sim = sinew::sim;
namespace text = sinew::text;
using OrderedJson = nlohmann::ordered_json;

std::string scenarios_json(const std::string& folder, const std::map<std::string, std::string>& pictures) {
  OrderedJson all = OrderedJson::array();
  for (const sim::Scenario& s : scenario_headers(folder)) {
    if (sim::is_bench(s)) continue;  // there is nothing to be seen
    OrderedJson picture = nullptr;
    if (pictures.contains(s.name)) picture = fmt::format("/pictures/{}.webp", s.name);
    all.push_back({{"name", s.name}, {"title", s.title}, {"source", s.source}, {"picture", picture}});
  }
  return all.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace

sinew::view::Content viewer_content() {
  sinew::view::Content content;
  content.page = read_page();
  const std::string folder = scenario_folder(), pictures = viewer_files().pictures;
  for (const auto& found : text::built_in_scenarios(folder)) {
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
    throw sinew::InputError(
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

}  // namespace cli
