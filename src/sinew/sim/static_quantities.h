// Numbers of a robot as it stands, besides any motion: model.M, model.frequencies, control.gain, ... and signals in the pose in which
// it would hang still (take = "rest"). They may stand in results like signals, but cannot be recorded.
#pragma once
#include <span>
#include <string_view>

#include "sinew/sim/scenario.h"

namespace sinew::sim {

// What they are found from.
struct Standing {
  const Scenario& scenario;
  PlannedTree moving;  // its moving_plan()
  const Stepper& stepper;
  const Controller* controller;
};

struct StaticQuantity {
  std::string_view name, unit, description;
  std::vector<double> (*of)(const Standing&, const ResultPlan&);  // throws PlanError
};

std::span<const StaticQuantity> static_quantities();
const StaticQuantity* find_static_quantity(std::string_view name);  // nullptr: there is none

// results_of() with the numbers of those that need no run. Throws PlanError where there are none.
std::vector<ResultPlan> known_results(const Standing& robot);

}  // namespace sinew::sim
