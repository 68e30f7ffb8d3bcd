// The server of the web view. Only the program sinew-view has it: it takes long to compile, and few commands need it. `sinew`
// declares the same commands and goes on in sinew-view when one of them is to show something.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/text/load_model.h"

#include "sinew/sim/run.h"

namespace cli {

// The command line of `sinew view`.
struct ViewArguments {
  std::string what;
  std::vector<std::string> sets;
  std::optional<std::int64_t> port;
  std::string listen;
  bool no_open = false;
  sinew::text::ModelOptions model;
};

// `sinew run --live`: a server beside a run, for as long as it lasts.
class LiveRun {
 public:
  virtual ~LiveRun() = default;
  virtual std::string url() const = 0;
  // What people read beside the speed; asked for from another thread. It outlives this.
  virtual void set_note(std::function<std::string()> note) = 0;

  // Pages are shown the end of the run, and told why it failed if it did.
  virtual void finish(const sinew::sim::RunResult& result) = 0;
};

struct WebView {
  int (*view)(const ViewArguments& arguments);  // returns the exit code

  // Takes the place of the watcher in the hooks, which sees the same as before. Throws FileError, InputError.
  std::unique_ptr<LiveRun> (*watch)(const sinew::sim::Experiment& experiment, sinew::sim::RunHooks& hooks,
                                    const std::optional<std::int64_t>& port);
};

// Null in `sinew`.
extern const WebView* const web_view;

// Replaces this process by sinew-view, beside the binary or on the PATH, with the same arguments. Throws FileError.
[[noreturn]] void continue_in_view_program(char** argv);

}  // namespace cli
