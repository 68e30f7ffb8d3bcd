// Park's transform between the three phases of a machine and the axes d, q of its rotor (docs/theory/drives.md#park).
//   x_A = x_d sin phi + x_q cos phi,   B and C with phi - 2 pi/3 and phi + 2 pi/3,   phi = p theta: electrical angle [rad]
//   x_d = 2/3 (x_A sin phi + x_B sin(phi - 2 pi/3) + x_C sin(phi + 2 pi/3)),   x_q likewise with cos
// The factor 2/3 keeps amplitudes: i_q is the amplitude of the phase currents. Konyev 2011, eqs. (4.1) and (4.3), prints 3/2, which gives
// 9/4 of the currents, and currents on one side of a relation between voltages; both are corrected here.
#pragma once
#include "sinew/math/trig.h"

namespace sinew::drive {

template <Real S>
struct Dq {
  S d = S(0.0), q = S(0.0);
};

template <Real S>
struct Phases {
  S a, b, c;
};

inline constexpr double half_root_3 = 0.86602540378443864676;  // sin(2 pi / 3)

template <Real S>
SINEW_INLINE Phases<S> to_phases(const Dq<S>& x, S phi) {
  S s, c;
  sincos(phi, s, c);
  const S h(0.5), r(half_root_3);
  const S s_b = -h * s - r * c, c_b = -h * c + r * s;  // of phi - 2 pi/3
  const S s_c = -h * s + r * c, c_c = -h * c - r * s;  // of phi + 2 pi/3
  return {x.d * s + x.q * c, x.d * s_b + x.q * c_b, x.d * s_c + x.q * c_c};
}

template <Real S>
SINEW_INLINE Dq<S> to_dq(const Phases<S>& x, S phi) {
  S s, c;
  sincos(phi, s, c);
  const S h(0.5), r(half_root_3), k(2.0 / 3.0);
  const S s_b = -h * s - r * c, c_b = -h * c + r * s, s_c = -h * s + r * c, c_c = -h * c - r * s;
  return {k * (x.a * s + x.b * s_b + x.c * s_c), k * (x.a * c + x.b * c_b + x.c * c_c)};
}

// Two phases are measured, the third follows: without a neutral wire their sum is zero.
template <Real S>
SINEW_INLINE Dq<S> to_dq_of_two(S a, S b, S phi) {
  return to_dq(Phases<S>{a, b, -a - b}, phi);
}

// What is (d, q) in axes at the electrical angle phi, in axes at phi_other; delta = phi_other - phi.
template <Real S>
SINEW_INLINE Dq<S> turned(const Dq<S>& x, S delta) {
  S s, c;
  sincos(delta, s, c);
  return {x.d * c + x.q * s, x.q * c - x.d * s};
}

}  // namespace sinew::drive
