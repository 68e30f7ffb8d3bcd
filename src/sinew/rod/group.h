// The groups a rod lives on: translations along a line (Line), motions of the plane (Plane), of space (Space).
// Boyer et al. 2012, II, with the adjoint of docs/theory/rods.md#errata. Twists and wrenches are linear first, in the frame's own axes:
//   Line (V_X)   Plane (V_X, V_Y, Omega_Z)   Space (V_X, V_Y, V_Z, Omega_X, Omega_Y, Omega_Z)
//   exp(u)        the element reached by the constant twist u in unit time
//   adjoint(g, x)          twist of the section -> same motion in the base's axes         Ad_g
//   adjoint_inverse(g, x)  base -> section                                                 Ad_{g^-1}
//   to_base(g, F)          wrench of the section -> same wrench at the base                Ad*_{g^-1}
//   to_section(g, F)       base -> section                                                 Ad*_g
//   bracket(x, y)          ad_x y;    cobracket(x, F)  ad*_x F = ad_x^T F
// None of these is written as a product of 6x6 matrices.
#pragma once
#include "sinew/math/elementary.h"
#include "sinew/math/spatial.h"
#include "sinew/rod/vec.h"

namespace sinew::rod {

template <Real S>
struct LineOf {
  template <Real T>
  using On = LineOf<T>;
  static constexpr int n = 1;
  static constexpr const char* components[n] = {"x"};
  using Twist = Vec<1, S>;
  S x = S(0.0);

  SINEW_INLINE static LineOf identity() { return {}; }
  SINEW_INLINE LineOf operator*(const LineOf& b) const { return {x + b.x}; }
  SINEW_INLINE LineOf inverse() const { return {-x}; }
  static Twist straight() { return {1.0}; }  // strain of the straight rod
  Posed pose() const { return {Mat3d::identity(), Vec3d(x, 0, 0)}; }
};

template <Real S>
struct PlaneOf {
  template <Real T>
  using On = PlaneOf<T>;
  static constexpr int n = 3;
  static constexpr const char* components[n] = {"x", "y", "turn"};
  using Twist = Vec<3, S>;
  S c = S(1.0), s = S(0.0);  // cosine and sine of the turn
  S x = S(0.0), y = S(0.0);

  SINEW_INLINE static PlaneOf identity() { return {}; }
  SINEW_INLINE PlaneOf operator*(const PlaneOf& b) const {
    return {c * b.c - s * b.s, s * b.c + c * b.s, x + c * b.x - s * b.y, y + s * b.x + c * b.y};
  }
  SINEW_INLINE PlaneOf inverse() const { return {c, -s, -(c * x + s * y), s * x - c * y}; }
  double turn() const { return math::atan2(s, c); }  // in (-pi, pi]
  static Twist straight() { return {1.0, 0.0, 0.0}; }
  Posed pose() const { return {Mat3d({c, s, 0}, {-s, c, 0}, {0, 0, 1}), Vec3d(x, y, 0)}; }
};

// A pose, with what the other groups have.
template <Real S>
struct SpaceOf : Pose<S> {
  template <Real T>
  using On = SpaceOf<T>;
  static constexpr int n = 6;
  static constexpr const char* components[n] = {"x", "y", "z", "turn_x", "turn_y", "turn_z"};
  using Twist = Vec<6, S>;

  SINEW_INLINE SpaceOf() : Pose<S>(Pose<S>::identity()) {}
  SINEW_INLINE explicit SpaceOf(const Pose<S>& X) : Pose<S>(X) {}
  SINEW_INLINE static SpaceOf identity() { return SpaceOf(); }
  SINEW_INLINE SpaceOf operator*(const SpaceOf& b) const { return SpaceOf(Pose<S>::operator*(b)); }
  SINEW_INLINE SpaceOf inverse() const { return SpaceOf(Pose<S>::inverse()); }
  static Twist straight() { return {1.0, 0.0, 0.0, 0.0, 0.0, 0.0}; }
  Posed pose() const { return *this; }
};

using Line = LineOf<double>;
using Plane = PlaneOf<double>;
using Space = SpaceOf<double>;

// As SINEW_FOR_SCALARS (math/lanes.h), for what is written once for a group.
#define SINEW_FOR_GROUPS(INSTANTIATE) INSTANTIATE(Line) INSTANTIATE(Plane) INSTANTIATE(Space)

// Parts of twists and wrenches in space.
template <Real S>
SINEW_INLINE Vec3<S> linear(const Vec<6, S>& a) {
  return {a[0], a[1], a[2]};
}
template <Real S>
SINEW_INLINE Vec3<S> angular(const Vec<6, S>& a) {
  return {a[3], a[4], a[5]};
}
template <Real S>
SINEW_INLINE Vec<6, S> join(const Vec3<S>& v, const Vec3<S>& w) {
  return {v[0], v[1], v[2], w[0], w[1], w[2]};
}

template <Real S>
SINEW_INLINE LineOf<S> exponential(const LineOf<S>&, const Vec<1, S>& u) {
  return {u[0]};
}
template <Real S>
SINEW_INLINE Vec<1, S> adjoint(const LineOf<S>&, const Vec<1, S>& x) {
  return x;
}
template <Real S>
SINEW_INLINE Vec<1, S> adjoint_inverse(const LineOf<S>&, const Vec<1, S>& x) {
  return x;
}
template <Real S>
SINEW_INLINE Vec<1, S> to_base(const LineOf<S>&, const Vec<1, S>& F) {
  return F;
}
template <Real S>
SINEW_INLINE Vec<1, S> to_section(const LineOf<S>&, const Vec<1, S>& F) {
  return F;
}
template <Real S>
SINEW_INLINE Vec<1, S> bracket(const Vec<1, S>&, const Vec<1, S>&) {
  return {0.0};
}
template <Real S>
SINEW_INLINE Vec<1, S> cobracket(const Vec<1, S>&, const Vec<1, S>&) {
  return {0.0};
}

// sin(a)/a, (1 - cos a)/a^2, (a - sin a)/a^3 for a^2 < 0.09: the next term of each series is below 1e-16.
template <Real S>
SINEW_INLINE S sine_series(S a2) {
  return 1.0 + a2 * (-1.0 / 6 + a2 * (1.0 / 120 + a2 * (-1.0 / 5040 + a2 * (1.0 / 362880 - a2 * (1.0 / 39916800)))));
}
template <Real S>
SINEW_INLINE S versine_series(S a2) {
  return 0.5 +
         a2 * (-1.0 / 24 + a2 * (1.0 / 720 + a2 * (-1.0 / 40320 + a2 * (1.0 / 3628800 - a2 * (1.0 / 479001600)))));
}
template <Real S>
SINEW_INLINE S rest_series(S a2) {
  return 1.0 / 6 +
         a2 * (-1.0 / 120 + a2 * (1.0 / 5040 + a2 * (-1.0 / 362880 + a2 * (1.0 / 39916800 - a2 * (1.0 / 6227020800)))));
}

// sin(a)/a and (1 - cos(a))/a, without loss near zero
struct PlaneArc {
  double sine, versine;
};
SINEW_INLINE PlaneArc plane_arc(double a, double s, double c) {
  if (std::abs(a) < 1e-2) {
    const double a2 = a * a;
    return {1.0 - a2 / 6.0 * (1.0 - a2 / 20.0 * (1.0 - a2 / 42.0)), a / 2.0 * (1.0 - a2 / 12.0 * (1.0 - a2 / 30.0))};
  }
  return {s / a, c > 0.0 ? s * s / (1.0 + c) / a : (1.0 - c) / a};
}
// By the series, for turns with a^2 < 0.09: no sine and no quotient in a pass along a rod.
template <Real S>
SINEW_INLINE PlaneOf<S> exponential_near(const Vec<3, S>& u) {
  const S a = u[2], a2 = a * a, sine = sine_series(a2), versine = a * versine_series(a2);
  return {1.0 - a * versine, a * sine, sine * u[0] - versine * u[1], versine * u[0] + sine * u[1]};
}
SINEW_INLINE Plane exponential(const Plane&, const Vec<3>& u) {
  const double a = u[2];
  if (a * a < 0.09) return exponential_near(u);
  double s, c;
  sincos(a, s, c);
  const PlaneArc k = plane_arc(a, s, c);
  return {c, s, k.sine * u[0] - k.versine * u[1], k.versine * u[0] + k.sine * u[1]};
}
template <Real S>
SINEW_INLINE Vec<3, S> adjoint(const PlaneOf<S>& g, const Vec<3, S>& x) {
  return {g.c * x[0] - g.s * x[1] + g.y * x[2], g.s * x[0] + g.c * x[1] - g.x * x[2], x[2]};
}
template <Real S>
SINEW_INLINE Vec<3, S> adjoint_inverse(const PlaneOf<S>& g, const Vec<3, S>& x) {
  const double a = x[0] - g.y * x[2], b = x[1] + g.x * x[2];
  return {g.c * a + g.s * b, g.c * b - g.s * a, x[2]};
}
template <Real S>
SINEW_INLINE Vec<3, S> to_base(const PlaneOf<S>& g, const Vec<3, S>& F) {
  const double a = g.c * F[0] - g.s * F[1], b = g.s * F[0] + g.c * F[1];
  return {a, b, F[2] + g.x * b - g.y * a};
}
template <Real S>
SINEW_INLINE Vec<3, S> to_section(const PlaneOf<S>& g, const Vec<3, S>& F) {
  return {g.c * F[0] + g.s * F[1], g.c * F[1] - g.s * F[0], F[2] - g.x * F[1] + g.y * F[0]};
}
template <Real S>
SINEW_INLINE Vec<3, S> bracket(const Vec<3, S>& x, const Vec<3, S>& y) {
  return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], 0.0};
}
template <Real S>
SINEW_INLINE Vec<3, S> cobracket(const Vec<3, S>& x, const Vec<3, S>& F) {
  return {x[2] * F[1], -x[2] * F[0], x[1] * F[0] - x[0] * F[1]};
}

// Coefficients of the exponential of a turn by the angle a, a2 = a^2:
//   sine sin(a)/a, versine (1 - cos a)/a^2, rest (a - sin a)/a^3
template <Real S>
struct SpaceArcOf {
  S sine, versine, rest;
};
using SpaceArc = SpaceArcOf<double>;
SINEW_INLINE SpaceArc space_arc(double a2) {
  if (a2 < 0.09) return {sine_series(a2), versine_series(a2), rest_series(a2)};
  const double a = std::sqrt(a2);
  double s, c, s2, c2;
  sincos(a, s, c);
  sincos(0.5 * a, s2, c2);
  return {s / a, 2.0 * s2 * s2 / a2, (a - s) / (a2 * a)};
}
template <Real S>
SINEW_INLINE SpaceOf<S> exponential(const Vec<6, S>& u, S a2, const SpaceArcOf<S>& k) {
  const Vec3<S> v = linear(u), w = angular(u), wv = cross(w, v);
  SpaceOf<S> g;
  g.p = v + wv * k.versine + cross(w, wv) * k.rest;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) g.R(i, j) = k.versine * w[i] * w[j];
  const S d = 1.0 - k.versine * a2;
  for (int i = 0; i < 3; i++) g.R(i, i) += d;
  g.R(0, 1) -= k.sine * w[2];
  g.R(1, 0) += k.sine * w[2];
  g.R(0, 2) += k.sine * w[1];
  g.R(2, 0) -= k.sine * w[1];
  g.R(1, 2) -= k.sine * w[0];
  g.R(2, 1) += k.sine * w[0];
  return g;
}
SINEW_INLINE Space exponential(const Space&, const Vec<6>& u) {
  const Vec3d w = angular(u);
  const double a2 = dot(w, w);
  return exponential(u, a2, space_arc(a2));
}
template <Real S>
SINEW_INLINE SpaceOf<S> exponential_near(const Vec<6, S>& u) {
  const Vec3<S> w = angular(u);
  const S a2 = dot(w, w);
  return exponential<S>(u, a2, {sine_series(a2), versine_series(a2), rest_series(a2)});
}
template <Real S>
SINEW_INLINE LineOf<S> exponential_near(const Vec<1, S>& u) {
  return {u[0]};
}
template <Real S>
SINEW_INLINE Vec<6, S> adjoint(const SpaceOf<S>& g, const Vec<6, S>& x) {
  const Vec3<S> w = g.R * angular(x);
  return join(g.R * linear(x) + cross(g.p, w), w);
}
// The same of a pure turn w, whose linear part is zero.
template <Real S>
SINEW_INLINE Vec<1, S> adjoint_turn(const LineOf<S>&, const Vec<1, S>&) {
  return {0.0};
}
template <Real S>
SINEW_INLINE Vec<3, S> adjoint_turn(const PlaneOf<S>& g, const Vec<3, S>& x) {
  return {g.y * x[2], -g.x * x[2], x[2]};
}
template <Real S>
SINEW_INLINE Vec<6, S> adjoint_turn(const SpaceOf<S>& g, const Vec<6, S>& x) {
  const Vec3<S> w = g.R * angular(x);
  return join(cross(g.p, w), w);
}
template <Real S>
SINEW_INLINE Vec<6, S> adjoint_inverse(const SpaceOf<S>& g, const Vec<6, S>& x) {
  const Vec3<S> w = angular(x);
  return join(transpose_times(g.R, linear(x) - cross(g.p, w)), transpose_times(g.R, w));
}
template <Real S>
SINEW_INLINE Vec<6, S> to_base(const SpaceOf<S>& g, const Vec<6, S>& F) {
  const Vec3<S> f = g.R * linear(F);
  return join(f, g.R * angular(F) + cross(g.p, f));
}
template <Real S>
SINEW_INLINE Vec<6, S> to_section(const SpaceOf<S>& g, const Vec<6, S>& F) {
  const Vec3<S> f = linear(F);
  return join(transpose_times(g.R, f), transpose_times(g.R, angular(F) - cross(g.p, f)));
}
template <Real S>
SINEW_INLINE Vec<6, S> bracket(const Vec<6, S>& x, const Vec<6, S>& y) {
  const Vec3<S> v = linear(x), w = angular(x);
  return join(cross(w, linear(y)) + cross(v, angular(y)), cross(w, angular(y)));
}
template <Real S>
SINEW_INLINE Vec<6, S> cobracket(const Vec<6, S>& x, const Vec<6, S>& F) {
  const Vec3<S> v = linear(x), w = angular(x), f = linear(F);
  return join(cross(f, w), cross(f, v) + cross(angular(F), w));
}

template <class G>
SINEW_INLINE G exponential(const typename G::Twist& u) {
  return exponential(G{}, u);
}

// u with exp(u) = g; turns below half a circle.
inline Vec<1> logarithm(const Line& g) { return {g.x}; }
inline Vec<3> logarithm(const Plane& g) {
  const double a = g.turn();
  const PlaneArc k = plane_arc(a, g.s, g.c);
  const double d = k.sine * k.sine + k.versine * k.versine;
  return {(k.sine * g.x + k.versine * g.y) / d, (k.sine * g.y - k.versine * g.x) / d, a};
}
inline Vec<6> logarithm(const Space& g) {
  const Vec3d w = quaternion_log(to_quaternion(g.R));
  const double a2 = dot(w, w);
  const SpaceArc k = space_arc(a2);
  // (1 - a cot(a/2) / 2) / a^2, by (1 - sine / (2 versine)) / a^2
  const double f =
      a2 < 1e-4 ? 1.0 / 12.0 * (1.0 + a2 / 60.0 * (1.0 + a2 / 42.0)) : (1.0 - k.sine / (2.0 * k.versine)) / a2;
  const Vec3d wp = cross(w, g.p);
  return join(g.p - wp * 0.5 + cross(w, wp) * f, w);
}

// Rate of u in g = g_0 exp(u) for a body twist x of g, up to the fifth order of u: enough for Runge-Kutta stages of order 4.
template <int n>
SINEW_INLINE Vec<n> local_rate(const Vec<n>& u, const Vec<n>& x) {
  const Vec<n> a = bracket(u, x), b = bracket(u, a);
  return x + a * 0.5 + b * (1.0 / 12.0) - bracket(u, bracket(u, b)) * (1.0 / 720.0);
}

// Fourth-order Magnus step of g' = g xi over the length h, from the strains at the two Gauss points h (1/2 -+ sqrt(3)/6).
template <class G>
SINEW_INLINE typename G::Twist magnus(const typename G::Twist& xi_a, const typename G::Twist& xi_b, double h) {
  constexpr double s = 0.14433756729740643;  // sqrt(3) / 12
  return (xi_a + xi_b) * (0.5 * h) + bracket(xi_a, xi_b) * (s * h * h);
}

}  // namespace sinew::rod
