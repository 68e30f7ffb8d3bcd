// What a joint kind is. A joint leads from frame J (fixed in the parent) to frame F (fixed in the child).
//   X_WF = place(X_WJ, q, trig)                  q: nq coordinates; trig: sine and cosine of those listed in angles
//   V_WF = V_W(parent at F) + sum_i axis_i u_i   u: nu velocities; every axis is purely angular or purely linear
// The 6 - nu directions that remain are the rows of the same joint when it is cut (maximal coordinates, loops):
//   gap(X_JF) = 0 and row_i . V_rel = 0, V_rel the velocity of F relative to J's body, at F's origin.
// Motion axes are orthonormal, so u_i = axis_i . V_rel and a joint force tau_i acts as tau_i axis_i.
#pragma once
#include <array>
#include <concepts>
#include <utility>

#include "sinew/math/check.h"
#include "sinew/math/spatial.h"

namespace sinew::joint {

enum class Dir { Angular, Linear };

// Defaults shared by the kinds: coordinates that add like numbers, axes that do not turn with the joint.
struct Defaults {
  // d/dt axis_i as seen from the parent, summed with u_i: the joint's own part of the drift acceleration. drifts: it is
  // not always zero, and angular.
  static constexpr bool drifts = false;
  template <Real S>
  static Twist<S> drift(const Vec3<S>*, const S*) {
    return Twist<S>::zero();
  }
  // Rows and axes that do not stand still in the parent, and their d/dt as seen from there for F's angular velocity
  // relative to J; the other entries are left alone.
  static constexpr std::array<int, 0> turning_rows{}, turning_axes{};
  template <Real S>
  static void rows_rate(const Mat3<S>&, const Mat3<S>&, const Vec3<S>&, Vec3<S>*) {}
  template <Real S>
  static void axes_rate(const Mat3<S>&, const Mat3<S>&, const Vec3<S>&, Vec3<S>*) {}
  // Makes forces f_i = -k_i e_i along the strains e (below) forces along the axes: the transpose of d/dt e = T(q) u. Here
  // the strains' rates are the velocities.
  template <Real S>
  static void spring_forces(const S*, const S*, S*) {}
  // JointPlan::axis2 is an axis of its own, perpendicular to the first, and no mere direction of y.
  static constexpr bool has_second_axis = false;
};

template <class J>
struct Additive : Defaults {
  template <Real S>
  static void rows(const Mat3<S>& R_WJ, const Mat3<S>&, Vec3<S>* e) {
    for (int i = 0; i < 6 - J::nu; i++) e[i] = R_WJ.col(i % 3);
  }
  template <Real S>
  static void neutral(S* q) {
    for (int i = 0; i < J::nq; i++) q[i] = S(0.0);
  }
  template <Real S>
  static void advance(S* q, const S* u, const S& dt) {
    for (int i = 0; i < J::nu; i++) q[i] += dt * u[i];
  }
  // coordinates, velocities and accelerations of a joint driven by the motion m(t) of its axes
  template <Real S>
  static void prescribe(const S* m, const S* m_rate, const S* m_accel, S* q, S* u, S* u_rate) {
    for (int i = 0; i < J::nu; i++) {
      q[i] = m[i];
      u[i] = m_rate[i];
      u_rate[i] = m_accel[i];
    }
  }
  // rate of the displacement phi in q = q_0 (+) phi: what a Runge-Kutta stage sums up
  template <Real S>
  static void local_rate(const S*, const S* u, S* rate) {
    for (int i = 0; i < J::nu; i++) rate[i] = u[i];
  }
  // q minus q_rest as a velocity-like vector: q = q_rest (+) e
  template <Real S>
  static void displacement(const S* q, const S* q_rest, S* e) {
    for (int i = 0; i < J::nu; i++) e[i] = q[i] - q_rest[i];
  }
  // what a spring feels: zero at q_rest
  template <Real S>
  static void strain(const S* q, const S* q_rest, S* e) {
    J::displacement(q, q_rest, e);
  }
};

// Which way a joint moves, known at compile time.
template <class J, Dir dir>
inline constexpr int first_along = [] {  // first axis of this direction, nu if there is none
  int i = 0;
  while (i < J::nu && J::dirs[i] != dir) i++;
  return i;
}();
template <class J, Dir dir>
inline constexpr bool moves_along = first_along<J, dir> < J::nu;

// Calls f.operator()<i>() for each axis i.
template <class J, class F>
SINEW_INLINE void each_axis(F&& f) {
  [&]<int... i>(std::integer_sequence<int, i...>) SINEW_INLINE_LAMBDA { (f.template operator()<i>(), ...); }
  (std::make_integer_sequence<int, J::nu>());
}

// Sum of axis_i u_i over the axes of one direction; the joint has some. No zero to start from: x + 0.0 is no no-op.
template <class J, Dir dir, Real S>
SINEW_INLINE Vec3<S> sum_along(const Vec3<S>* axis, const S* u) {
  constexpr int first = first_along<J, dir>;
  Vec3<S> sum = axis[first] * u[first];
  each_axis<J>([&]<int i>() SINEW_INLINE_LAMBDA {
    if constexpr (i > first && J::dirs[i] == dir) sum += axis[i] * u[i];
  });
  return sum;
}
// V += the motion with velocities u along the axes
template <class J, Real S>
SINEW_INLINE void add_motion(const Vec3<S>* axis, const S* u, Twist<S>& V) {
  if constexpr (moves_along<J, Dir::Angular>) V.w += sum_along<J, Dir::Angular>(axis, u);
  if constexpr (moves_along<J, Dir::Linear>) V.v += sum_along<J, Dir::Linear>(axis, u);
}

// R turned about its own z (or y) axis by an angle
template <Real S>
SINEW_INLINE Mat3<S> turned_z(const Mat3<S>& R, const SinCos<S>& a) {
  Mat3<S> T;
  for (int i = 0; i < 3; i++) {
    T(i, 0) = R(i, 0) * a.cos + R(i, 1) * a.sin;
    T(i, 1) = R(i, 1) * a.cos - R(i, 0) * a.sin;
    T(i, 2) = R(i, 2);
  }
  return T;
}
template <Real S>
SINEW_INLINE Mat3<S> turned_y(const Mat3<S>& R, const SinCos<S>& a) {
  Mat3<S> T;
  for (int i = 0; i < 3; i++) {
    T(i, 0) = R(i, 0) * a.cos - R(i, 2) * a.sin;
    T(i, 1) = R(i, 1);
    T(i, 2) = R(i, 2) * a.cos + R(i, 0) * a.sin;
  }
  return T;
}

template <Real S>
Quat<S> read_quat(const S* q) {
  return {q[0], q[1], q[2], q[3]};
}
template <Real S>
void write_quat(const Quat<S>& a, S* q) {
  q[0] = a.w;
  q[1] = a.x;
  q[2] = a.y;
  q[3] = a.z;
}
// q <- q exp(dt w), w in body axes
template <Real S>
void advance_quat(S* q, const S* w, const S& dt) {
  SINEW_ASSERT(is_unit(read_quat(q)));
  const Vec3<S> phi{w[0] * dt, w[1] * dt, w[2] * dt};
  write_quat(normalized(read_quat(q) * quaternion_exp(phi)), q);
}

template <class J>
concept Joint = requires(const Pose<double>& X, const Mat3<double>& R, double* q, Vec3<double>* s,
                         const SinCos<double>* trig) {
  { J::name } -> std::convertible_to<const char*>;
  { J::nq } -> std::convertible_to<int>;
  { J::nu } -> std::convertible_to<int>;
  { J::angles.size() } -> std::convertible_to<std::size_t>;
  { J::dirs[0] } -> std::convertible_to<Dir>;
  { J::row_dirs[0] } -> std::convertible_to<Dir>;
  { J::place(X, q, trig) } -> std::same_as<Pose<double>>;
  J::neutral(q);
  J::axes(R, R, s);
  J::rows(R, R, s);
  J::gap(X, q);
  J::coordinates(X, q);
  J::advance(q, q, 1.0);
  J::displacement(q, q, q);
  J::strain(q, q, q);
  J::spring_forces(q, q, q);
  J::prescribe(q, q, q, q, q, q);
  J::local_rate(q, q, q);
};

}  // namespace sinew::joint
