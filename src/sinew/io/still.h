// Numbers of a robot as it stands, besides any motion: model.M, model.frequencies, control.gain, ... and signals in the pose in which
// it would hang still (take = "rest"). They may stand in results like signals, but cannot be recorded.
#pragma once
#include <span>
#include <string_view>

#include "sinew/io/scenario.h"

namespace sinew::io {

struct StillQuantity {
  std::string_view name, unit, description;
  std::vector<double> (*of)(const Scenario&, const ResultPlan&);  // throws PlanError
};

std::span<const StillQuantity> still_quantities();
const StillQuantity* find_still_quantity(std::string_view name);  // nullptr: there is none

// results_of() with the numbers of those that need no run. Throws PlanError where there are none.
std::vector<ResultPlan> known_results(const Scenario& scenario);

}  // namespace sinew::io
