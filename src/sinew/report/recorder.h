// Records a run while it goes on. The stepping thread only copies the state into a ring of samples; another thread works out
// the signals and writes them.
#pragma once
#include <memory>
#include <string>

#include "sinew/sim/experiment.h"
#include "sinew/sim/watcher.h"

namespace sinew::report {

// Rows reach the disk at least every 0.25 s of simulated time, or one by one where output.every is above 0.2 s: a killed run loses
// no more, once the file is there. Before that the run does not wait, and all is lost.
class Recorder : public sim::Watcher {
 public:
  // Starts to make the file. What goes wrong with it is thrown by finish().
  Recorder(const sim::Experiment& experiment, const std::string& file, const std::string& version);
  ~Recorder() override;

  void look(const World<double>& world) override;  // allocates nothing
  void keep() override;
  void drop() override;
  bool wants_to_stop() const override;  // the file cannot be written

  // Waits until all rows are on disk; adds the run's JSON report. Throws FileError.
  void finish(const std::string& json);

 private:
  struct Own;
  std::unique_ptr<Own> own_;
};

// A folder of its own for the next recording: runs/NAME-DATE-TIME/recording.h5 below the working directory. Throws FileError.
std::string new_recording_path(const std::string& scenario_name);

}  // namespace sinew::report
