// Numbers that are about a run and not about a moment of it: run.distance, run.torque_max, ... They may stand in results
// like signals, but cannot be recorded.
#pragma once
#include <span>
#include <string_view>

#include "sinew/sim/progress.h"
#include "sinew/world/observe.h"

namespace sinew::sim {

// A run that has come this far.
struct RunSoFar {
  const Progress& progress;
  const World<double>& world;
  const Observation<double>& seen;  // of the world
};

struct RunQuantity {
  std::string_view name, unit, description;
  double (*of)(const RunSoFar&);
};

// The time that the run itself took is no quantity of the simulation: who has the clock puts it in.
inline constexpr std::string_view wall_time = "run.wall_time";

std::span<const RunQuantity> run_quantities();
const RunQuantity* find_run_quantity(std::string_view name);  // nullptr: there is none

}  // namespace sinew::sim
