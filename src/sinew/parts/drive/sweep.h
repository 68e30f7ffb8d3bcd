// A sweep through frequencies, to learn how a loop answers: a sine whose frequency grows by equal factors in equal times.
//   x(t) = A sin(2 pi f_0 T / ln r (r^(t/T) - 1)),   r = f_1 / f_0,   from t = 0 to T, then 0
#pragma once
#include <cmath>
#include <numbers>

#include "sinew/math/elementary.h"

namespace sinew::drive {

struct Sweep {
  double amplitude = 0.0;        // A [as the set-point]; 0: none
  double from = 1.0, to = 10.0;  // f_0, f_1 [Hz]
  double time = 1.0;             // T [s]

  double at(double t) const {
    if (amplitude == 0.0 || t < 0.0 || t >= time) return 0.0;
    const double rate = math::log(to / from);
    const double turns = rate == 0.0 ? from * t : from * time / rate * (math::exp(rate * t / time) - 1.0);
    return amplitude * math::sin(2.0 * std::numbers::pi * (turns - std::floor(turns)));
  }
  bool operator==(const Sweep&) const = default;
};

}  // namespace sinew::drive
