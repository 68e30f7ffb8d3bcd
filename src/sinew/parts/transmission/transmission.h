// Transmissions: how far the drives of a joint go for its coordinates.
//   s = s(q),  ds/dt = J u,  d2s/dt2 = J du/dt + drift,  tau = J^T F
// q, u coordinates [rad] and velocities of the joint's one or two axes, s strokes of as many drives [m; of a differential: rad], J = ds/dq,
// F forces of the drives [N; N m]. Rods: drive i moves the ball point A = b + s k along the unit vector k; a rod of length l joins it to the ball
// point C = R(q) c of the moving part, R = R(first, q_0) R(second, q_1). From |A - C| = l, with D = C - b, a = D.k, rho = C - A:
//   s = a + sqrt(l^2 - |D - a k|^2),   J_i = (C x rho)^T E / (rho.k),   drift_i = (rho.C'' + |C' - s' k|^2) / (rho.k)
// E has the joint's axes in the base frame as columns; C'' is taken with du/dt = 0. All in axes of the base, origin at the joint's centre.
// Differential: a = ratio (q_0 + q_1), b = ratio (q_0 - q_1).
// Source: Konyev 2011, chapters 3 and 4; docs/theory/transmissions.md.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "sinew/math/check.h"
#include "sinew/math/spatial.h"
#include "sinew/math/trig.h"

namespace sinew {

namespace transmission {
enum class Kind : std::uint8_t { Direct, Differential, Rods };
}

template <Real S>
struct DriveRod {
  Vec3<S> b = Vec3<S>::zero();               // of A at stroke 0 [m]
  Vec3<S> c = Vec3<S>::zero();               // of C on the moving part at q = 0 [m]
  Vec3<S> along = {S(0.0), S(0.0), S(1.0)};  // k
  S length = S(0.1);                         // l [m]
};

template <Real S>
struct Transmission {
  transmission::Kind kind = transmission::Kind::Direct;
  int n = 1;                                 // axes, and as many drives: 1 or 2
  S ratio = S(1.0);                          // direct, differential: turns of a drive for one of the joint
  Vec3<S> first = {S(0.0), S(1.0), S(0.0)};  // unit axes at q = 0, perpendicular
  Vec3<S> second = {S(1.0), S(0.0), S(0.0)};
  DriveRod<S> rod[2] = {};
};

template <Real S>
struct Strokes {
  S s[2] = {S(0.0), S(0.0)};
  S J[4] = {S(0.0), S(0.0), S(0.0), S(0.0)};  // row by row, of n x n
  S drift[2] = {S(0.0), S(0.0)};              // dJ/dt u
  S room = S(1.0);                            // least l^2 - |D - a k|^2 of a rod [m^2]; below 0: outside the workspace
  S upright = S(1.0);                         // least cosine of the angle between a rod and its drive; 0: singular
  S lean[2] = {S(1.0), S(1.0)};               // this cosine of each rod
};

namespace transmission {

inline constexpr double most_tilt = 0.45;  // of a rod in its ball joints, against the drive [rad]
inline constexpr double cos_most_tilt = 0.9004471023526769;
inline constexpr double cos_watched_tilt = 0.9008816175907802;  // 0.449 rad: where the switch of a drive sees the stop
inline constexpr double most_step = 0.3;                        // of Newton's method [rad]
inline constexpr int most_iterations = 10;

// v turned about the unit vector e (Rodrigues)
template <Real S>
SINEW_INLINE Vec3<S> turned(const Vec3<S>& v, const Vec3<S>& e, const SinCos<S>& angle) {
  return v * angle.cos + cross(e, v) * angle.sin + e * (dot(e, v) * (S(1.0) - angle.cos));
}

template <Real S>
SINEW_INLINE void rod_stroke(const Transmission<S>& t, int i, const Vec3<S>* E, const Vec3<S>& C, const S* u,
                             Strokes<S>& out) {
  const DriveRod<S>& rod = t.rod[i];
  const Vec3<S>& k = rod.along;
  const Vec3<S> D = C - rod.b;
  const S a = dot(D, k);
  const Vec3<S> across = D - k * a;
  const S room = rod.length * rod.length - dot(across, across);
  const S rise = sqrt(max(room, S(0.0)));  // of A above C along k
  const Vec3<S> rho = across - k * rise;   // C - A
  const auto is_regular = rise > S(0.0);
  const S inverse = select(is_regular, S(-1.0) / select(is_regular, rise, S(1.0)), S(0.0));  // 1 / (rho.k)
  const Vec3<S> moment = cross(C, rho);
  out.s[i] = a + rise;
  Vec3<S> w = Vec3<S>::zero();
  S rate = S(0.0);
  for (int j = 0; j < t.n; j++) {
    const S J = dot(moment, E[j]) * inverse;
    out.J[i * t.n + j] = J;
    rate += J * u[j];
    w += E[j] * u[j];
  }
  Vec3<S> C_rate = cross(w, C), C_accel = cross(w, C_rate);
  if (t.n == 2) C_accel += cross(cross(E[0], E[1]) * (u[0] * u[1]), C);
  const Vec3<S> slip = C_rate - k * rate;
  out.drift[i] = (dot(rho, C_accel) + dot(slip, slip)) * inverse;
  out.room = i == 0 ? room : min(out.room, room);
  const S upright = rise / rod.length;
  out.lean[i] = upright;
  out.upright = i == 0 ? upright : min(out.upright, upright);
}

// angle: sine and cosine of the coordinates q.
template <Real S>
Strokes<S> strokes(const Transmission<S>& t, const S* q, const SinCos<S>* angle, const S* u) {
  SINEW_ASSERT((t.n == 1 || t.n == 2) && q && u);
  Strokes<S> out;
  if (t.kind == Kind::Direct) {
    for (int i = 0; i < t.n; i++) {
      out.s[i] = t.ratio * q[i];
      out.J[i * t.n + i] = t.ratio;
    }
    return out;
  }
  if (t.kind == Kind::Differential) {
    SINEW_ASSERT(t.n == 2);
    out.s[0] = t.ratio * (q[0] + q[1]);
    out.s[1] = t.ratio * (q[0] - q[1]);
    out.J[0] = out.J[1] = out.J[2] = t.ratio;
    out.J[3] = -t.ratio;
    return out;
  }
  Vec3<S> E[2] = {t.first, t.second};
  if (t.n == 2) E[1] = turned(t.second, t.first, angle[0]);
  for (int i = 0; i < t.n; i++) {
    Vec3<S> C = t.rod[i].c;
    if (t.n == 2) C = turned(C, t.second, angle[1]);
    rod_stroke(t, i, E, turned(C, t.first, angle[0]), u, out);
  }
  return out;
}

template <Real S>
Strokes<S> strokes(const Transmission<S>& t, const S* q, const S* u) {
  SinCos<S> angle[2] = {};
  for (int i = 0; i < t.n; i++) sincos(q[i], angle[i].sin, angle[i].cos);
  return strokes(t, q, angle, u);
}
template <Real S>
Strokes<S> strokes(const Transmission<S>& t, const S* q) {
  const S still[2] = {S(0.0), S(0.0)};
  return strokes(t, q, still);
}

template <Real S>
SINEW_INLINE S determinant(const Transmission<S>& t, const Strokes<S>& at) {
  return t.n == 1 ? at.J[0] : at.J[0] * at.J[3] - at.J[1] * at.J[2];
}

// tau = J^T F: virtual work, tau.u = F.(J u).
template <Real S>
SINEW_INLINE void torques(const Transmission<S>& t, const Strokes<S>& at, const S* F, S* tau) {
  for (int j = 0; j < t.n; j++) {
    tau[j] = at.J[j] * F[0];
    if (t.n == 2) tau[j] += at.J[2 + j] * F[1];
  }
}
// F = J^-T tau: the forces that give these torques; none where J is singular.
template <Real S>
SINEW_INLINE void drive_forces(const Transmission<S>& t, const Strokes<S>& at, const S* tau, S* F) {
  const S det = determinant(t, at);
  const auto is_regular = abs(det) > S(0.0);
  const S inverse = select(is_regular, S(1.0) / select(is_regular, det, S(1.0)), S(0.0));
  if (t.n == 1) {
    F[0] = tau[0] * inverse;
    return;
  }
  F[0] = (at.J[3] * tau[0] - at.J[2] * tau[1]) * inverse;
  F[1] = (at.J[0] * tau[1] - at.J[1] * tau[0]) * inverse;
}
// ds/dt = J u
template <Real S>
SINEW_INLINE void stroke_rates(const Transmission<S>& t, const Strokes<S>& at, const S* u, S* rate) {
  for (int i = 0; i < t.n; i++) {
    rate[i] = at.J[i * t.n] * u[0];
    if (t.n == 2) rate[i] += at.J[i * t.n + 1] * u[1];
  }
}
// What the moving masses m of the drives [kg; of a differential kg m^2] are on the axes: A = J^T diag(m) J, bias = J^T diag(m) drift.
template <Real S>
SINEW_INLINE void reflected_inertia(const Transmission<S>& t, const Strokes<S>& at, const S* m, S* A, S* bias) {
  for (int r = 0; r < t.n; r++) {
    bias[r] = S(0.0);
    for (int c = 0; c < t.n; c++) A[r * t.n + c] = S(0.0);
    for (int i = 0; i < t.n; i++) {
      const S mJ = m[i] * at.J[i * t.n + r];
      for (int c = 0; c < t.n; c++) A[r * t.n + c] += mJ * at.J[i * t.n + c];
      bias[r] += mJ * at.drift[i];
    }
  }
  if (t.n == 2) A[1] = A[2];  // symmetric to the last bit
}

template <Real S>
struct Solved {
  S q[2];
  S iterations;  // that moved q
  Mask<S>
      converged;  // false: singular, outside the workspace, or not within the steps allowed; q is the last that was tried
};

// Coordinates for measured strokes: Newton's method from `start`, steps of at most most_step.
template <Real S>
Solved<S> forward(const Transmission<S>& t, const S* stroke, const S* start, double tolerance = 1e-14) {
  Solved<S> out{{start[0], t.n == 2 ? start[1] : S(0.0)}, S(0.0), mask_of<S>(false)};
  for (int k = 0; k <= most_iterations; k++) {
    const Strokes<S> at = strokes(t, out.q);
    S error[2] = {S(0.0), S(0.0)}, worst = S(0.0);
    for (int i = 0; i < t.n; i++) {
      error[i] = at.s[i] - stroke[i];
      worst = max(worst, abs(error[i]));
    }
    out.converged = out.converged | (worst <= S(tolerance) * (S(1.0) + abs(stroke[0])));
    if (k == most_iterations || !any(negate(out.converged))) break;
    const S det = determinant(t, at);
    const auto moves = negate(out.converged) & (abs(det) > S(0.0)) & (at.room > S(0.0));
    const S inverse = select(moves, S(1.0) / select(moves, det, S(1.0)), S(0.0));
    S step[2] = {-error[0] * inverse, S(0.0)};
    if (t.n == 2) {
      step[0] = (at.J[1] * error[1] - at.J[3] * error[0]) * inverse;
      step[1] = (at.J[2] * error[0] - at.J[0] * error[1]) * inverse;
    }
    const S length = sqrt(step[0] * step[0] + step[1] * step[1]);
    const S share = S(most_step) / max(length, S(most_step));
    for (int i = 0; i < t.n; i++) out.q[i] += step[i] * share;
    out.iterations += select(moves, S(1.0), S(0.0));
  }
  return out;
}

// A slider-crank on one axis, in the plane across it: crank of radius r [m] that stands at the angle beta [rad] at q = 0, rod l [m], drive
// along `along` whose line passes the axis at the distance `offset` [m], counted along `ahead`; perpendicular unit vectors.
//   C = -r cos(q + beta) ahead + r sin(q + beta) along,   s = C_along + sqrt(l^2 - (C_ahead - offset)^2) - (the same at 0)
// about the axis along x ahead.
struct CrankNumbers {
  double radius, angle, offset, length;
};
Transmission<double> crank(const CrankNumbers& numbers, const Vec3d& ahead, const Vec3d& along);

// Konyev's axes are x left, y up, z forward; here x is forward, y left, z up.
inline Vec3d from_left_up_forward(double left, double up, double forward) { return {forward, left, up}; }

// Of the biped ROTTO (Konyev 2011, chapter 4), with dimensions that are assumptions: docs/theory/transmissions.md#check-values.
Transmission<double> ankle();       // axes: pitch about y, then roll about the foot's x
Transmission<double> hip();         // axes: roll about x, then pitch about the thigh's y
Transmission<double> knee();        // flexion about y
Transmission<double> pelvis_yaw();  // about z
Transmission<double> differential(double ratio = 1.0);

}  // namespace transmission

template <Real S>
Transmission<S> broadcast(const Transmission<double>& t);

}  // namespace sinew
