// Dry friction of a joint axis: the impulse that holds it is bounded, whatever the load.
//   |P| <= torque dt
#pragma once
#include "sinew/math/check.h"
#include "sinew/parts/law/axis_law.h"

namespace sinew::law {

struct DryFriction {
  static constexpr const char* name = "dry friction";
  static constexpr const char* doc = "friction that holds each axis up to this much";
  static constexpr AxisUnit unit = AxisUnit::Force;
  static constexpr double low = 0.0, high = unbounded;
  static constexpr Account account = Account::Friction;

  template <Real S>
  static AxisLaw<S> at(const S& torque, const AxisMotion<S>& now) {
    SINEW_ASSERT(!any(torque < S(0.0)));
    return {-torque * now.dt, torque * now.dt, S(0.0), S(0.0)};
  }
};

}  // namespace sinew::law
