// What an actuator makes of a command (docs/theory/control.md#actuators): a limit, which may fall with the angle of its joint, then a lag
// of first order. The torque is held until the next command.
//   u <- clamp(u, +-M),   M = limit max(0, 1 - |angle| / limit_angle),   torque <- u + (torque - u) exp(-period / lag)
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"

namespace sinew {

struct Actuator {
  double limit = std::numeric_limits<double>::infinity();        // [N m or N]
  double limit_angle = std::numeric_limits<double>::infinity();  // [rad or m]
  double lag = 0.0;                                              // [s]

  double torque(double command, double angle, double before, double period) const {
    SINEW_ASSERT(!(limit < 0.0) && !(lag < 0.0) && !(period < 0.0));
    double most = limit;
    if (std::isfinite(limit_angle)) most *= std::max(0.0, 1.0 - std::abs(angle) / limit_angle);
    const double u = std::clamp(command, -most, most);
    return lag > 0.0 ? u + (before - u) * math::exp(-period / lag) : u;
  }
};

}  // namespace sinew
