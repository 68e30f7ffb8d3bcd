// sinew view, and the server's side of web_view.h.
#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <thread>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/models.h"
#include "cli/server/live_run.h"
#include "cli/server/study_page.h"
#include "cli/server/viewer.h"
#include "cli/terminal.h"
#include "cli/web_view.h"
#include "sinew/record/reader.h"
#include "sinew/sim/errors.h"
#include "sinew/text/library.h"
#include "sinew/text/load_scenario.h"
#include "view/guard.h"
#include "view/session.h"

namespace cli {
namespace {

namespace text = sinew::text;
namespace view = sinew::view;

// By its first bytes, or where it has none by its name.
bool is_recording(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string start(8, '\0');
  stream.read(start.data(), std::streamsize(start.size()));
  return start == "\x89HDF\r\n\x1a\n" || file.ends_with(".h5");
}

// Loads what the user has named; on a page's wish only a built-in scenario, by its full name: no path comes from there.
// A study's rows have names too.
view::Session::Load loader(const std::string& named, const text::ModelOptions& model, StudyPage* study) {
  return [=, told = false](const std::string& name, const std::vector<std::string>& sets) mutable {
    if (study && is_row_name(name)) return study->experiment(name);
    const std::string folder = scenario_folder();
    if (!named.empty() && name == named) {
      const auto found = text::find_scenario(name, folder);
      std::vector<std::string> notes;
      auto experiment = text::load_experiment(found.file, found.name, sets, {model, &notes});
      if (!told) print_notes(notes);
      told = true;
      return experiment;
    }
    for (const auto& built_in : text::built_in_scenarios(folder))
      if (built_in.name == name) return text::load_experiment(built_in.file, name, sets);
    throw sinew::InputError(fmt::format("{}: no built-in scenario: sinew list names all", name));
  };
}

view::Address address_of(const ViewArguments& arguments) {
  view::Address address = cli::address_of(arguments.port);
  if (arguments.listen.empty()) return address;
  address.ip = arguments.listen;
  if (!view::is_loopback(address.ip)) address.token = view::make_token();
  return address;
}

void check_recording(const std::string& file) {
  const sinew::record::Reader reader(file);  // throws what is wrong with it
  if (reader.columns().size() == 1)
    throw sinew::InputError(fmt::format(
        "{}: it is of a test bench, or has no signals: there is no motion to be seen; sinew plot draws results", file));
}

// What is looked at; without any of them the page lists the built-in scenarios.
struct Shown {
  std::unique_ptr<StudyPage> study;
  std::unique_ptr<view::Session> session;
  std::string recording;
};

Shown open_shown(const ViewArguments& arguments) {
  Shown out;
  const std::string& what = arguments.what;
  const bool is_studied = !what.empty() && is_study(what);
  const bool is_recorded = !what.empty() && !is_studied && is_recording(what);
  if (!arguments.sets.empty() && (is_studied || is_recorded || what.empty()))
    throw sinew::InputError(
        "command line: --set needs a scenario that is computed: write sinew view SCENARIO --set ...");
  if (is_studied) {
    out.study = std::make_unique<StudyPage>(what);
  } else if (is_recorded) {
    check_recording(what);
    out.recording = what;
  } else if (!what.empty()) {
    out.session = std::make_unique<view::Session>(what, arguments.sets, loader(what, arguments.model, nullptr));
  }
  return out;
}

int view_it(const ViewArguments& arguments) {
  const view::Address address = address_of(arguments);
  const Shown shown = open_shown(arguments);
  view::Content content = viewer_content();
  content.recording = shown.recording;
  content.source = shown.session.get();
  if (StudyPage* study = shown.study.get()) content.study = [study] { return study->json(); };
  content.open = [study = shown.study.get()](const std::string& name) {
    return std::make_unique<view::Session>(name, std::vector<std::string>{}, loader("", {}, study));
  };
  const std::atomic<bool>* stop = stop_on_interrupt();
  view::Server server(address, std::move(content));
  write_out(fmt::format("{}\nCtrl-C ends it.\n", server.url()));
  if (!arguments.no_open) open_browser(server.url());
  while (!*stop) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  server.finish(std::chrono::milliseconds(500));
  return interrupted;
}

const WebView with_server{view_it, watch_run};

}  // namespace

const WebView* const web_view = &with_server;

}  // namespace cli
