// What there is to see in a scenario: bodies with their shapes, joints, ground and obstacles, as one JSON object.
// docs/view-protocol.md has its fields.
#pragma once
#include <string>

#include "sinew/sim/experiment.h"

namespace sinew::report {

std::string scene_json(const sim::Experiment& experiment);

}  // namespace sinew::report
