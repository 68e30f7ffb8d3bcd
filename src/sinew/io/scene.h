// What there is to see in a scenario: bodies with their shapes, joints, ground and obstacles, as one JSON object.
// docs/view-protocol.md has its fields.
#pragma once
#include <string>

#include "sinew/io/scenario.h"

namespace sinew::io {

// model: of make_world(scenario)
std::string scene_json(const Scenario& scenario, const Model& model);

}  // namespace sinew::io
