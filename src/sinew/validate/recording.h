// Records the run of a case, beside whoever else watches it.
#pragma once
#include <string>

#include "sinew/report/recorder.h"
#include "sinew/sim/run.h"

namespace sinew::validate {

class Recording : public sim::Watcher {
 public:
  // To folder/NAME.h5, with the folders in between. `other` may be nullptr.
  Recording(const sim::Experiment& experiment, const std::string& folder, const std::string& version,
            sim::Watcher* other);

  void look(const World<double>& world) override;
  void keep() override;
  void drop() override;
  bool wants_to_stop() const override { return recorder_.wants_to_stop(); }

  // Throws FileError.
  void finish(const sim::RunResult& result);

 private:
  std::string file_, version_;
  sim::Watcher* other_;
  report::Recorder recorder_;
};

}  // namespace sinew::validate
