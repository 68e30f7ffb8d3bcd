// Dimensions and masses of the hexapod as keys (docs/theory/hexapod.md#robot).
#pragma once
#include <string_view>

#include "sinew/control/legs/segments.h"
#include "sinew/control/legs/step_cycle.h"
#include "sinew/model/keys.h"

namespace sinew::robots {

void describe_body(Keys& keys, legged::SegmentedBody& body);
// L, H, Vtr; tau is the gait's.
void describe_step(Keys& keys, legged::StepShape& shape);

// Number of a leg by its name, L1 to Ln and R1 to Rn, 1 at the front; -1: there is none.
int leg_number(std::string_view name, int segments);
std::string leg_name(int leg, int segments);

}  // namespace sinew::robots
