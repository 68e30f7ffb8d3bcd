// `sinew run --live`: a server beside a run, for as long as it lasts.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "sinew/io/run.h"

namespace cli {

class LiveRun {
 public:
  // Takes the place of the watcher in the hooks, which sees the same as before. Throws FileError, InputError.
  LiveRun(const sinew::io::Scenario& scenario, sinew::io::RunHooks& hooks, const std::optional<std::int64_t>& port);
  ~LiveRun();
  std::string url() const;

  // Pages are shown the end of the run, and told why it failed if it did.
  void finish(const sinew::io::RunResult& result);

 private:
  struct Own;
  std::unique_ptr<Own> own_;
};

}  // namespace cli
