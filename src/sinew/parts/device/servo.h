// Servo: a proportional-differential drive with a torque limit on one joint axis.
//   up   = clamp( kp (e - play) + kd e_rate, 0, upper ),   down = clamp( kp (e + play) + kd e_rate, lower, 0 )
//   tau  = up + down,   e = m - q,   e_rate = m_rate - u
//   upper = limit clamp(1 - u / no_load_speed, 0, 1),   lower = -limit clamp(1 + u / no_load_speed, 0, 1)
// kp [N m/rad or N/m], kd [N m s/rad or N s/m], limit [N m or N]: at rest, and when it brakes; no_load_speed [rad/s or m/s]:
// at which nothing is left of it to drive. play [rad or m]: half of the free play between a motor without mass, which is
// at m, and the axis; the motor can only push. Without play tau = clamp( kp e + kd e_rate, lower, upper ), to the last bit.
#pragma once
#include <limits>

#include "sinew/math/check.h"
#include "sinew/math/lanes.h"

namespace sinew {

template <Real S>
struct Servo {
  S kp = S(0.0), kd = S(0.0), limit = S(std::numeric_limits<double>::infinity());
  S no_load_speed = S(std::numeric_limits<double>::infinity()), play = S(0.0);

  SINEW_INLINE S upper(S u) const { return limit * share(S(1.0) - u / no_load_speed); }
  SINEW_INLINE S lower(S u) const { return -limit * share(S(1.0) + u / no_load_speed); }
  SINEW_INLINE S wanted(S e, S e_rate) const { return kp * e + kd * e_rate; }
  SINEW_INLINE S torque(S e, S e_rate, S u) const {
    const S up = max(min(wanted(e - play, e_rate), upper(u)), S(0.0));
    const S down = min(max(wanted(e + play, e_rate), lower(u)), S(0.0));
    return up + down;
  }

  // For a linearly implicit stepper: tau at the end of a step is constant - slope u_E. The servo counts as a spring and a
  // damper where it pushes and is not at its limit. Both are judged by the torque predicted with the velocity u of
  // the start. e: from the place at the start to the target at the end.
  struct Line {
    S constant, slope;
  };
  Line line(const S& e, const S& target_rate, const S& u, const S& dt) const {
    SINEW_ASSERT(!any(limit < S(0.0)) && !any(play < S(0.0)) && !any(dt <= S(0.0)));
    const S above = wanted(e - dt * u - play, target_rate - u), below = wanted(e - dt * u + play, target_rate - u);
    const Mask<S> up = above >= S(0.0), pushes = up | (below <= S(0.0));
    const S predicted = select(up, above, select(pushes, below, S(0.0)));
    const S high = upper(u), low = lower(u);
    const Mask<S> soft = pushes & (predicted <= high) & (predicted >= low);
    return {select(soft, wanted(e - select(up, play, -play), target_rate), max(min(predicted, high), low)),
            select(soft, dt * kp + kd, S(0.0))};
  }

 private:
  SINEW_INLINE static S share(S x) { return max(min(x, S(1.0)), S(0.0)); }
};

}  // namespace sinew
