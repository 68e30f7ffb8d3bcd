// Wrenches from outside on the parts of a standing quadruped, as its equations see them (docs/theory/quadruped.md#stance). The velocity of a part
// is that of the plate at its place and what the joints between them add. So by virtual work a wrench on it is the same wrench on the
// plate, and a torque on each of these joints:
//   tau_a = axis_a . (n + (x - pivot_a) x f)
#pragma once
#include <span>

#include "robots/quadruped/stance.h"
#include "sinew/math/spatial.h"

namespace sinew::legged {

inline constexpr int part_count = 10;  // plate, thigh 1, shank 1, ..., tail

struct StancePush {
  Vec3d f = Vec3d::zero(), n = Vec3d::zero();  // on the plate, about its centre, in P [N, N m]
  Vec14 tau{};                                 // as actuators would give, without their power

  double power(const Stance& stance) const;  // [W]
};

// wrench: of each part, about its centre (of the tail: its tip), in S; empty: none.
StancePush push_of(const Quadruped& robot, const StanceState& state, const Stance& stance,
                   std::span<const Wrench<double>> wrench);

}  // namespace sinew::legged
