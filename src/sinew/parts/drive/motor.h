// A motor on its rotor axes (docs/theory/drives.md#motor; Konyev 2011, section 4.2).
//   u_d = R i_d + L i_d' - w_e L i_q,   u_q = R i_q + L i_q' + w_e L i_d + k_e w,   torque = K i_q,   power c (u_d i_d + u_q i_q)
// u [V], i [A], R resistance [Ohm], L inductance [H], w speed of the rotor [rad/s], w_e = p w, p pairs of poles, k_e back-EMF [V s],
// K = c k_e torque constant [N m/A]; c = 3/2 with three phases in amplitude-invariant axes, 1 for a DC motor, which has no d axis.
// Over an interval h with constant u and w the currents move by the midpoint rule. Its account closes to round-off: what goes in is
// copper, torque times speed and the change of c/2 L i^2, all with the mean current.
#pragma once
#include "sinew/math/lanes.h"
#include "sinew/parts/drive/park.h"

namespace sinew::drive {

template <Real S>
struct Motor {
  S R = S(0.0), L = S(0.0), k_e = S(1.0), c = S(1.0), pairs = S(1.0);

  SINEW_INLINE S torque_constant() const { return c * k_e; }
  SINEW_INLINE S stored(const Dq<S>& i) const { return S(0.5) * c * L * (i.d * i.d + i.q * i.q); }
  SINEW_INLINE S power(const Dq<S>& u, const Dq<S>& i) const { return c * (u.d * i.d + u.q * i.q); }
  SINEW_INLINE S copper(const Dq<S>& i) const { return c * R * (i.d * i.d + i.q * i.q); }

  // Moves i over h and returns its mean. Without inductance the current is that of the voltage at once.
  SINEW_INLINE Dq<S> advance(const Dq<S>& u, S w, S h, Dq<S>& i) const {
    const auto has_L = L > S(0.0);
    const S x = select(has_L, S(2.0) * L / h, S(0.0));
    const S a = x + R, b = pairs * w * L;
    const S from_d = u.d + x * i.d, from_q = u.q - k_e * w + x * i.q;
    const S det = S(1.0) / (a * a + b * b);
    const Dq<S> mean{(a * from_d + b * from_q) * det, (a * from_q - b * from_d) * det};
    i.d = select(has_L, S(2.0) * mean.d - i.d, mean.d);
    i.q = select(has_L, S(2.0) * mean.q - i.q, mean.q);
    return mean;
  }

  // The voltage that holds a constant current at constant speed.
  SINEW_INLINE Dq<S> holding(const Dq<S>& i, S w) const {
    const S b = pairs * w * L;
    return {R * i.d - b * i.q, R * i.q + b * i.d + k_e * w};
  }

  // Currents i_q with i_d = 0 that a voltage of magnitude V can hold at speed w: (b i)^2 + (R i + k_e w)^2 <= V^2. Where none can, the one
  // that needs least.
  struct Bounds {
    S low, high;
  };
  // V_2: square of V.
  SINEW_INLINE Bounds reach(S V_2, S w) const {
    const S b = pairs * w * L, e = k_e * w, Z2 = R * R + b * b;
    const auto is_free = Z2 <= S(0.0);  // nothing holds the current back
    const S inverse = S(1.0) / select(is_free, S(1.0), Z2);
    const S root = sqrt(max(V_2 * Z2 - b * b * e * e, S(0.0))), middle = -R * e;
    return {select(is_free, S(-1e300), (middle - root) * inverse),
            select(is_free, S(1e300), (middle + root) * inverse)};
  }

  // The current of shorted phases at constant speed: u = 0.
  SINEW_INLINE Dq<S> shorted(S w) const {
    const S b = pairs * w * L, Z2 = R * R + b * b, e = k_e * w;
    const S inverse = S(1.0) / select(Z2 > S(0.0), Z2, S(1.0));
    return {-b * e * inverse, -R * e * inverse};
  }
};

// Proportional-integral control of both currents, synchronous with the pulses of the inverter:
//   U(z) / e(z) = P + I / (1 - 1/z),   P = L w_c,   I = R w_c T   (the zero cancels the pole of the winding)
// limited to the magnitude V: u_d gets what it needs, u_q what is left, and the integrator of what is cut is held. (Shortening both would leave an
// i_d that nobody wants, the larger the more i_q is out of reach.) w_c: bandwidth [rad/s], T: period [s]. The voltage acts one period later:
// the caller keeps it until then. Decoupling adds the terms of the rotation, which the winding takes out again.
template <Real S>
struct CurrentLoop {
  S w_c, V;
  bool decouple = true;

  struct Seen {
    Dq<S> want, i;  // [A]
    S w;            // speed of the rotor [rad/s]
  };
  // sum: the integrators. Returns the next voltage; is_limited: it is at V.
  SINEW_INLINE Dq<S> update(const Motor<S>& m, const Seen& seen, double T, Dq<S>& sum, Mask<S>& is_limited) const {
    const auto& [want, i, w] = seen;
    const S P = m.L * w_c, I = m.R * w_c * S(T);
    const Dq<S> e{want.d - i.d, want.q - i.q}, next{sum.d + e.d, sum.q + e.q};
    Dq<S> u{P * e.d + I * next.d, P * e.q + I * next.q};
    if (decouple) {
      const S b = m.pairs * w * m.L;
      u.d = u.d - b * i.q;
      u.q = u.q + b * i.d + m.k_e * w;
    }
    is_limited = u.d * u.d + u.q * u.q > V * V;
    if (!any(is_limited)) {
      sum = next;
      return u;
    }
    const S d = min(max(u.d, -V), V), room = sqrt(max(V * V - d * d, S(0.0))), q = min(max(u.q, -room), room);
    sum.d = select(is_limited & (abs(u.d) > V), sum.d, next.d);
    sum.q = select(is_limited & (abs(u.q) > room), sum.q, next.q);
    return {select(is_limited, d, u.d), select(is_limited, q, u.q)};
  }
};

}  // namespace sinew::drive
