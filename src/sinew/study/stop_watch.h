// StopWatch: ends a run when a formula of signals passes a number, as in stop_when = "body.head.p.z < 0.05". Looked at whenever a row of the
// recording would be taken, every output.every seconds.
#pragma once
#include <optional>

#include "sinew/sim/experiment.h"
#include "sinew/sim/watcher.h"
#include "sinew/world/observe.h"

namespace sinew::study {

class StopWatch : public sim::Watcher {
 public:
  // Throws InputError if the text is no such condition.
  StopWatch(const std::string& text, const sim::Experiment& experiment);

  void look(const World<double>& world) override;
  void keep() override { kept_ = hit_; }
  void drop() override { hit_ = kept_; }
  bool wants_to_stop() const override { return kept_ && hit_; }
  bool was_hit() const { return hit_; }

 private:
  const sim::Experiment& experiment_;
  sim::Formula formula_;
  bool below_ = true;
  double limit_ = 0.0;
  Observer<double> observer_;
  bool hit_ = false, kept_ = false;
};

}  // namespace sinew::study
