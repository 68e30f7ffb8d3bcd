// Robots for tests of the bridge.
#pragma once
#include "sinew/bridge/layout.h"
#include "tests/support/shipped.h"

namespace sinew::test {

inline sim::Experiment load(const std::string& name, const std::vector<std::string>& sets = {}) {
  return shipped_experiment(name, sets);
}

// With two steps a cycle of a millisecond, asked in every step.
inline sim::Experiment pendulum(const std::vector<std::string>& more = {}) {
  std::vector<std::string> sets{"integrator.step=5e-4", "duration=0.5"};
  sets.insert(sets.end(), more.begin(), more.end());
  return load("basics/pendulum", sets);
}

}  // namespace sinew::test
