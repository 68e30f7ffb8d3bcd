// Servo: a proportional-differential drive with a torque limit on one joint axis.
//   tau = clamp( kp (m - q) + kd (m_rate - u), -limit, limit )
// kp [N m/rad or N/m], kd [N m s/rad or N s/m], limit [N m or N].
// Inside the limit a linearly implicit stepper adds K = kp and D = kd; at the limit the torque is constant. It judges the
// limit by the torque predicted with the velocity at the start of the step.
#pragma once
#include "sinew/math/lanes.h"

namespace sinew {

template <Real S>
struct Servo {
  S kp = S(0.0), kd = S(0.0), limit = S(std::numeric_limits<double>::infinity());
  S wanted(S e, S e_rate) const { return kp * e + kd * e_rate; }
  S torque(S e, S e_rate) const { return clamp(wanted(e, e_rate)); }
  S clamp(S tau) const { return max(min(tau, limit), -limit); }
};

}  // namespace sinew
