// What there is to see in a scenario: bodies with their shapes, joints, ground and obstacles, as one JSON object.
// docs/view-protocol.md has its fields.
#pragma once
#include <string>

#include "sinew/sim/scenario.h"

namespace sinew::report {

// model: of make_world(scenario)
std::string scene_json(const sim::Scenario& scenario, const Model& model);

}  // namespace sinew::report
