// Flex: six freedoms between any two bodies, to be held by springs: a cell of an elastic rod, a bushing.
// q = (position of F in J [m], unit quaternion w, x, y, z); u = (angular velocity in F's axes, velocity of F in J's axes),
// as of the free joint, but F is where the plan puts it.
// Springs feel the rotation vector phi of R = R_JF from rest and the position p of F in axes halfway between J and F,
//   e = (log(R_rest^-1 R), H^T p - H_rest^T p_rest),   H H = R
// so that neither body is preferred: a chain of such joints is the Cosserat rod to second order in the length of a cell, with
// e / h its strains. In J's own axes it would be of first order where the rod is bent and stretched at once.
//   d/dt (H^T p) = H^T v - w_H x (H^T p),   w = (1 + H^T) w_H,   (1 + H)^-1 = (1 - [c]) / 2,   c = tan(a/4) n,  phi = a n
#pragma once
#include "sinew/parts/joint/free.h"

namespace sinew::joint {

struct Flex : Free {
  static constexpr const char* name = "flex";
  // The rotation that turns half as far: (1 + w, x, y, z) normalised, of the sign of q with w >= 0.
  template <Real S>
  static Quat<S> half_of(const S* q) {
    const S sign = select(q[0] < S(0.0), S(-1.0), S(1.0));
    return normalized(Quat<S>{S(1.0) + sign * q[0], sign * q[1], sign * q[2], sign * q[3]});
  }
  template <Real S>
  static Vec3<S> halfway(const S* q) {  // H^T p
    return transpose_times(to_matrix(half_of(q + 3)), Vec3<S>(q[0], q[1], q[2]));
  }
  template <Real S>
  static void strain(const S* q, const S* q_rest, S* e) {
    Ball::displacement(q + 3, q_rest + 3, e);
    const Vec3<S> d = halfway(q) - halfway(q_rest);
    for (int i = 0; i < 3; i++) e[3 + i] = d[i];
  }
  template <Real S>
  static void spring_forces(const S* q, const S* e, S* f) {
    Ball::spring_forces(q, e, f);
    const Quat<S> half = half_of(q + 3);
    const Mat3<S> H = to_matrix(half);
    const Vec3<S> at{q[0], q[1], q[2]}, push{f[3], f[4], f[5]}, c = Vec3<S>(half.x, half.y, half.z) * (S(1.0) / half.w);
    const Vec3<S> x = cross(transpose_times(H, at), push), cx = cross(c, x), in_J = H * push;
    for (int i = 0; i < 3; i++) {
      f[i] -= S(0.5) * (x[i] - cx[i]);
      f[3 + i] = in_J[i];
    }
  }
};

}  // namespace sinew::joint
