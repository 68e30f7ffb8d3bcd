// How much the ground gives under each foot of a walker on four feet and more, from its joint angles and the normal forces that it feels (docs/theory/hexapod.md#stiffness-under-a-foot).
// Between two moments of rest a foot that stood all the time has moved under the body by
//   dz_j = -c_j dF_j - (a + b x_j + d y_j)        c_j compliance [m/N]; F_j normal force [N]; a, b, d: how the body has moved, the same for all feet
// so that with P, which takes the plane of least squares away, P (dz + diag(dF) c) = 0: linear in c, and more than nothing where four feet stand.
//   A <- w A + D P D,   r <- w r - D P dz,   D = diag(dF),   (A + (sigma / s)^2 I) c = r
// F_j is taken with a lag, as ground that damps gives way with one. w: what is long ago counts less; s: spread of c before anything is known; sigma: error of dz. Deviation of c_j: sigma sqrt(((A + ...)^-1)_jj).
#pragma once
#include <array>
#include <span>

#include "sinew/control/legs/gait_table.h"
#include "sinew/math/linear.h"

namespace sinew::legged {

struct FootOnGround {
  Vec3d p = Vec3d::zero();             // in the axes of the body [m]
  double force = 0.0;                  // normal [N]
  bool stands = false, lands = false;  // lands: on its way down
};

// Doubles alone, so that it fits into a block of State::memory.
struct GroundCompliance {
  std::array<double, most_legs> stiffness{}, deviation{};  // [N/m]; 0: not known, or hard
  std::array<double, most_legs * most_legs> A{};
  std::array<double, most_legs> r{};
  struct Foot {
    double in = 0.0, z = 0.0, F = 0.0;         // at the last moment of rest; in: 1, has stood since
    double smooth_before = 0.0, smooth = 0.0;  // force with a lag, a tick ago and now [N]
    double z_now = 0.0, F_now = 0.0;           // of the last tick
  };
  std::array<Foot, most_legs> foot{};
  double quiet = 0.0, begun = 0.0;  // ticks of rest; 1: there was a tick
};

struct GroundComplianceRule {
  double lag = 0.03, rest = 0.5,
         quiet = 0.05;  // of smoothed forces [s]; by which they change at most at rest [N]; for so long [s]
  double least = 1.0,
         touches = 0.5;  // change of force that is worth a look; force of a foot that has met the ground [N]
  double way = 2e-5, spread = 2e-3, keep = 0.98;  // sigma [m], s [m/N], w
  double sure = 0.25;                             // deviation over stiffness, above which nothing is said
};

// One tick.
void feel_ground(GroundCompliance& ground, std::span<const FootOnGround> feet, double tick,
                 const GroundComplianceRule& rule = {});

}  // namespace sinew::legged
