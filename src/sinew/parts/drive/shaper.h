// Set-point shaper of second order, exact in discrete time (docs/theory/drives.md#shaper; Konyev 2011, section 4.3).
//   D = |r - x| / (a T^2),   n = floor((sqrt(1 + 8 D) - 1) / 2),   v_d = (n + (D - n (n + 1) / 2) / (n + 1)) a T
//   v_d <- sign(r - x) min(v_d, v_max, |r - x| / T),   v <- v + clamp(v_d - v, +-a T),   x <- x + T v
// r: target, x, v: shaped place and speed, T: period [s], v_max, a: most speed and acceleration. After n + 1 steps that each take a T off
// the speed x is at r exactly: no overshoot, and neither speed nor acceleration is ever above its limit.
#pragma once
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/math/lanes.h"

namespace sinew::drive {

template <Real S>
struct Shaper {
  S v_max, a_max;

  SINEW_INLINE void step(const S& r, double T, S& x, S& v) const {
    SINEW_ASSERT(T > 0.0 && all(a_max > S(0.0)) && all(v_max > S(0.0)));
    const S way = r - x, far = abs(way), a_T = a_max * S(T);
    const S D = far / (a_T * S(T));
    const S n = floored((sqrt(S(1.0) + S(8.0) * D) - S(1.0)) * S(0.5));
    S v_d = (n + (D - n * (n + S(1.0)) * S(0.5)) / (n + S(1.0))) * a_T;
    v_d = min(min(v_d, v_max), far / S(T));
    v_d = select(way < S(0.0), -v_d, v_d);
    v = v + min(max(v_d - v, -a_T), a_T);
    x = x + S(T) * v;
  }

 private:
  static double floored(double x) { return std::floor(x); }  // exact, so the same on every machine
  SINEW_INLINE static Lanes floored(const Lanes& x) {
    return each_lane(x, [](double v) { return std::floor(v); });
  }
};

}  // namespace sinew::drive
