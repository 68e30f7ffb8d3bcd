// The sub-commands. Each lives in its own file src/cli/<command>.cpp: options, help and examples beside what they do.
// main.cpp only lists them.
#pragma once
#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace cli {

enum ExitCode { done = 0, internal_error = 1, bad_input = 2, failed = 3, file_error = 4, interrupted = 130 };

// What `add_<command>` gives back: its place on the command line, and what runs it once that has been read. `run` returns
// the exit code of the program; bad input and file errors come as exceptions.
struct Command {
  CLI::App* app = nullptr;  // owned by the program's
  std::function<int()> run;
  std::function<bool()> needs_server = {};  // the web view's, as it was called: see web_view.h. Empty: never
};

Command add_list(CLI::App& program);
Command add_show(CLI::App& program);
Command add_run(CLI::App& program);
Command add_check(CLI::App& program);
Command add_new(CLI::App& program);
Command add_import(CLI::App& program);
Command add_upgrade(CLI::App& program);
Command add_replay(CLI::App& program);
Command add_plot(CLI::App& program);
Command add_export(CLI::App& program);
Command add_view(CLI::App& program);
Command add_sweep(CLI::App& program);
Command add_optimize(CLI::App& program);
Command add_identify(CLI::App& program);
Command add_study(CLI::App& program);
Command add_solve(CLI::App& program);
Command add_validate(CLI::App& program);
Command add_bridge(CLI::App& program);
Command add_ethercat(CLI::App& program);
Command add_python(CLI::App& program);

// Folder of the built-in scenarios: SINEW_SCENARIOS, else beside an installed binary, else the source tree.
std::string scenario_folder();

// Folder of the templates of `sinew new`: SINEW_TEMPLATES, else as above.
std::string template_folder();

// The page of the web view and the folder of its pictures: in SINEW_VIEWER, else as above.
struct ViewerFiles {
  std::string page, pictures;
};
ViewerFiles viewer_files();

}  // namespace cli
