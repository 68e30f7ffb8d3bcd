// Dry friction of a joint axis: the impulse that holds it is bounded. Set-valued at rest: below the bound the axis stands still.
//   -(torque + load |T|) f(v) dt <= P <= (backward + load |T|) f(v) dt,   f(v) = 1 + (static_ratio - 1) exp(-(v / stribeck_speed)^2)
// torque against motion forward, backward against motion backward [N m or N], T what the drive transmits [N m or N], v velocity of the axis at the
// start of the step [rad/s or m/s]. Without details: |P| <= torque dt. Friction that grows with speed is the joint's damper.
// Sources: docs/theory/laws.md#friction-of-joints.
#pragma once
#include "sinew/math/check.h"
#include "sinew/math/elementary.h"
#include "sinew/parts/law/axis_law.h"

namespace sinew::law {

struct DryFriction {
  static constexpr const char* name = "dry friction";
  static constexpr const char* doc = "friction that holds each axis up to this much";
  static constexpr AxisUnit unit = AxisUnit::Force;
  static constexpr double low = 0.0, high = unbounded;
  static constexpr Account account = Account::Friction;

  // What is left of the excess at rest.
  template <Real S>
  SINEW_INLINE static S stribeck(const FrictionDetails<S>& f, const S& rate) {
    const auto has = (f.static_ratio > S(1.0)) & (f.stribeck_speed > S(0.0));
    if (!any(has)) return S(1.0);
    const S x = rate / select(has, f.stribeck_speed, S(1.0));
    const S left = each_lane(-(x * x), [](double e) { return math::exp(e); });
    return select(has, S(1.0) + (f.static_ratio - S(1.0)) * left, S(1.0));
  }

  template <Real S>
  static AxisLaw<S> at(const S& torque, const AxisMotion<S>& now) {
    SINEW_ASSERT(!any(torque < S(0.0)));
    const FrictionDetails<S>& f = now.friction;
    const S backward = select(f.backward < S(0.0), torque, f.backward);
    const S more = f.load * abs(now.transmitted), share = stribeck(f, now.rate);
    return {-((torque + more) * share) * now.dt, (backward + more) * share * now.dt, S(0.0), S(0.0)};
  }
};

}  // namespace sinew::law
