// A given motion of one joint axis: where a driven joint is, or what a servo aims at.
//   m(t) = offset + rate t + amplitude s((t - start) / ramp) sin(2 pi frequency t + phase),   0 before start,
//          + c((t - passage.begin) / passage.time) + table(t)
// s rises from 0 to 1 over the ramp time (math/ramp.h); ramp = 0 starts at full amplitude. At `start` a motion without a ramp may jump, as the soft
// start of docs/theory/snake.md#gait-and-start does. c is what is left of a motion that this one has replaced; see Passage.
// Units: rad or m, s, Hz; of a torque N m or N.
#pragma once
#include <numbers>

#include "sinew/math/ramp.h"
#include "sinew/math/trig.h"
#include "sinew/parts/device/motion_table.h"

namespace sinew {

// What leads from one motion over to another: c(x) = (1 - x)^3 (c0 + c1 x + c2 x^2) for x from 0 to 1, then 0. At x = 0 it is
// their difference, with its rate and acceleration; at x = 1 all three are 0.
template <Real S>
struct Passage {
  S begin = S(0.0), time = S(0.0), c0 = S(0.0), c1 = S(0.0), c2 = S(0.0);  // time 0: there is none

  void add(double t, S& m, S& m_rate, S& m_accel) const {
    const auto is = time > S(0.0);
    const S T = select(is, time, S(1.0));
    const S x = select(is, min(max((S(t) - begin) / T, S(0.0)), S(1.0)), S(1.0));
    const S y = S(1.0) - x, p = c0 + x * (c1 + x * c2), p_rate = c1 + S(2.0) * c2 * x;
    m = select(is, m + y * y * y * p, m);
    m_rate = select(is, m_rate + y * y * (y * p_rate - S(3.0) * p) / T, m_rate);
    m_accel = select(is, m_accel + y * (S(2.0) * y * y * c2 - S(6.0) * y * p_rate + S(6.0) * p) / (T * T), m_accel);
  }
};

template <Real S>
struct Motion {
  S offset = S(0.0), rate = S(0.0), amplitude = S(0.0), frequency = S(0.0), phase = S(0.0), ramp = S(0.0),
    start = S(0.0);
  Passage<S> passage = {};
  std::shared_ptr<const MotionTable> table = {};  // the same for all lanes; nullptr: none

  void evaluate(double t, S& m, S& m_rate, S& m_accel) const {
    m = offset + rate * S(t);
    m_rate = rate;
    m_accel = S(0.0);
    if (any(abs(amplitude) > S(0.0))) add_wave(t, m, m_rate, m_accel);  // joints under a controller have none
    if (table) [[unlikely]] {
      double at, at_rate, at_accel;
      table->evaluate(t, at, at_rate, at_accel);
      m += S(at);
      m_rate += S(at_rate);
      m_accel += S(at_accel);
    }
    const auto waits = S(t) < start;
    m = select(waits, S(0.0), m);
    m_rate = select(waits, S(0.0), m_rate);
    m_accel = select(waits, S(0.0), m_accel);
    if (any(passage.time > S(0.0))) [[unlikely]]
      passage.add(t, m, m_rate, m_accel);
  }

  void add_wave(double t, S& m, S& m_rate, S& m_accel) const {
    const S omega = frequency * S(2.0 * std::numbers::pi);
    S sin, cos;
    sincos(omega * S(t) + phase, sin, cos);
    const auto soft = ramp > S(0.0);
    const S T = select(soft, ramp, S(1.0));
    const S x = select(soft, min((S(t) - start) / T, S(1.0)), S(1.0));
    const Ramp<S> s = smooth_ramp(x, T);
    m += amplitude * s.value * sin;
    m_rate += amplitude * (s.rate * sin + s.value * omega * cos);
    m_accel += amplitude * (s.accel * sin + S(2.0) * s.rate * omega * cos - s.value * omega * omega * sin);
  }
};

template <Real S>
Motion<S> broadcast(const Motion<double>& a) {
  const Passage<double>& p = a.passage;
  return {S(a.offset), S(a.rate), S(a.amplitude), S(a.frequency),
          S(a.phase),  S(a.ramp), S(a.start),     {S(p.begin), S(p.time), S(p.c0), S(p.c1), S(p.c2)},
          a.table};
}

// `to`, but at time t where `from` is, as fast and with the same acceleration; after `time` seconds it is `to` and nothing
// else.
inline Motion<double> take_over(const Motion<double>& from, const Motion<double>& to, double t, double time) {
  Motion<double> out = to;
  out.passage = {};
  double m, m_rate, m_accel, n, n_rate, n_accel;
  from.evaluate(t, m, m_rate, m_accel);
  out.evaluate(t, n, n_rate, n_accel);
  const double d = m - n, d_rate = (m_rate - n_rate) * time, d_accel = (m_accel - n_accel) * time * time;
  out.passage = {t, time, d, d_rate + 3.0 * d, 0.5 * d_accel + 3.0 * d_rate + 6.0 * d};
  return out;
}

}  // namespace sinew
