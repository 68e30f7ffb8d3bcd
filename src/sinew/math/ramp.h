// A smooth ramp from 0 to 1, without velocity and acceleration at both ends:
//   s = x^3 (10 - 15 x + 6 x^2)
#pragma once
#include "sinew/math/lanes.h"

namespace sinew {

template <Real S>
struct Ramp {
  S value, rate, accel;
};

// x from 0 to 1, which T seconds take.
template <Real S>
SINEW_INLINE Ramp<S> smooth_ramp(const S& x, const S& T) {
  const S y = x * (S(1.0) - x);
  return {x * x * x * (S(10.0) - x * (S(15.0) - S(6.0) * x)), S(30.0) * y * y / T,
          S(60.0) * y * (S(1.0) - x - x) / (T * T)};
}

// After the time t on a ramp of T seconds; 0 before it begins, 1 once it is over and where T = 0. Its rates are the same polynomials,
// multiplied in the order that runs of rods and quadrupeds have in their bits.
inline Ramp<double> ramp_at(double t, double T) {
  if (!(T > 0.0 && t < T)) return {1.0, 0.0, 0.0};
  const double x = t > 0.0 ? t / T : 0.0, y = 1.0 - x;
  return {smooth_ramp(x, T).value, 30.0 * x * x * y * y / T, 60.0 * x * y * (1.0 - 2.0 * x) / (T * T)};
}

}  // namespace sinew
