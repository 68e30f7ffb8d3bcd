// A given motion of one joint axis: where a driven joint is, or what a servo aims at.
//   m(t) = offset + rate t + amplitude s((t - start) / ramp) sin(2 pi frequency t + phase),   0 before start
// s rises from 0 to 1 over the ramp time with zero velocity and acceleration at both ends
// (s = x^3 (10 - 15 x + 6 x^2)); ramp = 0 starts at full amplitude. At `start` a motion without a ramp may jump, as the soft
// start of the snake spec, section 9, does.
// Units: rad or m, s, Hz.
#pragma once
#include <numbers>

#include "sinew/math/trig.h"

namespace sinew {

template <Real S>
struct Motion {
  S offset = S(0.0), rate = S(0.0), amplitude = S(0.0), frequency = S(0.0), phase = S(0.0), ramp = S(0.0),
    start = S(0.0);

  void evaluate(double t, S& m, S& m_rate, S& m_accel) const {
    const S omega = frequency * S(2.0 * std::numbers::pi);
    S sin, cos;
    sincos(omega * S(t) + phase, sin, cos);
    const auto soft = ramp > S(0.0);
    const S T = select(soft, ramp, S(1.0));
    const S x = select(soft, min((S(t) - start) / T, S(1.0)), S(1.0));
    const S y = x * (S(1.0) - x);  // 0 once the ramp is over
    const S s = x * x * x * (S(10.0) - x * (S(15.0) - S(6.0) * x));
    const S s_rate = S(30.0) * y * y / T;
    const S s_accel = S(60.0) * y * (S(1.0) - x - x) / (T * T);
    m = offset + rate * S(t) + amplitude * s * sin;
    m_rate = rate + amplitude * (s_rate * sin + s * omega * cos);
    m_accel = amplitude * (s_accel * sin + S(2.0) * s_rate * omega * cos - s * omega * omega * sin);
    const auto waits = S(t) < start;
    m = select(waits, S(0.0), m);
    m_rate = select(waits, S(0.0), m_rate);
    m_accel = select(waits, S(0.0), m_accel);
  }
};

template <Real S>
Motion<S> broadcast(const Motion<double>& a) {
  return {S(a.offset), S(a.rate), S(a.amplitude), S(a.frequency), S(a.phase), S(a.ramp), S(a.start)};
}

}  // namespace sinew
