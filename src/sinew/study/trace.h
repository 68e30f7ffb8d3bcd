// SignalTrace: some signals of a run at every step, to be compared with what was measured at other times.
#pragma once
#include <algorithm>
#include <vector>

#include "sinew/sim/experiment.h"
#include "sinew/sim/watcher.h"
#include "sinew/world/observe.h"

namespace sinew::study {

class SignalTrace : public sim::Watcher {
 public:
  SignalTrace(const sim::Experiment& experiment, const std::vector<int>& signals)
      : experiment_(experiment), signals_(signals), observer_(experiment.model()) {}
  void look(const World<double>& world) override {
    t.push_back(world.state.t);
    const Observation<double>& seen = observer_.observe(world);
    for (const int s : signals_) values.push_back(sim::evaluate(experiment_.signals()[std::size_t(s)], world, seen));
  }
  void keep() override { kept_ = t.size(); }
  void drop() override {
    t.resize(kept_);
    values.resize(kept_ * signals_.size());
  }
  // Between two steps by a line; before the first and after the last: these.
  double at(double time, std::size_t signal) const {
    const std::size_t n = signals_.size(), k = std::size_t(std::ranges::lower_bound(t, time) - t.begin());
    if (k == 0) return values[signal];
    if (k >= t.size()) return values[(t.size() - 1) * n + signal];
    const double share = (time - t[k - 1]) / (t[k] - t[k - 1]);
    return values[(k - 1) * n + signal] + share * (values[k * n + signal] - values[(k - 1) * n + signal]);
  }
  std::vector<double> t, values;

 private:
  const sim::Experiment& experiment_;
  const std::vector<int>& signals_;
  Observer<double> observer_;
  std::size_t kept_ = 0;
};

}  // namespace sinew::study
