// What each foot of the hexapod should carry (docs/theory/hexapod.md#forces).
#pragma once
#include "robots/hexapod/servo_level.h"
#include "robots/hexapod/walk_control.h"
#include "sinew/control/legs/vertical_forces.h"
#include "sinew/math/qp.h"

namespace sinew::robots {

// part: of the way to new forces that is gone in this tick.
void share_forces(const HexapodControl& control, const legged::SegmentedBody& body, const Sight& see, double part,
                  SmallQp& qp, HexapodMemory& m);

}  // namespace sinew::robots
