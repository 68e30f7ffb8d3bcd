// The pieces of the articulated-body recursion for one joint; see articulated.h for the formulas.
#pragma once
#include "sinew/dynamics/articulated.h"
#include "sinew/math/small_solve.h"

namespace sinew {

// I^A S_i for one axis
template <joint::Dir dir, Real S>
SINEW_INLINE Wrench<S> column(const ArticulatedInertia<S>& I, const Vec3<S>& s) {
  if constexpr (dir == joint::Dir::Angular)
    return {I.A * s, transpose_times(I.B, s)};
  else
    return {I.B * s, I.C * s};
}

template <Real S>
struct JointInput {  // of one joint; diag, reflected and bias may be null
  const Vec3<S>* axis;
  const S *tau, *diag;
  const S *reflected, *bias;  // as Frames::reflected, reflected_bias
};

// A joint's part of an array over all freedoms. None for a joint that moves as it is told: it is eliminated as a weld, and its
// place is in other arrays.
template <class J, class T>
SINEW_INLINE T* part_of(T* all, const Link& link) {
  return J::nu > 0 && all ? all + link.u : nullptr;
}
template <class J, Real S>
SINEW_INLINE JointInput<S> joint_input(const Frames<S>& frames, const Link& link, const S* tau, const S* diag) {
  const bool reflects = J::nu > 0 && !frames.reflected.empty();
  return {frames.axis.data() + link.axis, part_of<J>(tau, link), part_of<J>(diag, link),
          reflects ? frames.reflected.data() + 6 * link.axis : nullptr,
          reflects ? frames.reflected_bias.data() + link.axis : nullptr};
}

// D = S^T U + reflected + diag, factored
template <class J, Real S>
SINEW_INLINE void factor_axes(const JointInput<S>& joint, const Wrench<S>* U, S* D) {
  constexpr int n = J::nu;
  for (int r = 0; r < n; r++) {
    for (int c = 0; c <= r; c++) D[r * n + c] = dot(joint.axis[r], J::dirs[r] == joint::Dir::Angular ? U[c].n : U[c].f);
    if (joint.diag) D[r * n + r] += joint.diag[r];
  }
  if (joint.reflected)
    for (int r = 0; r < n; r++)
      for (int c = 0; c <= r; c++) D[r * n + c] += joint.reflected[r * n + c];
  factor_small<n>(D);
}

// Y = U D^-1, row by row
template <int n, Real S>
SINEW_INLINE void times_inverse(const Wrench<S>* U, const S* D, Wrench<S>* Y) {
  for (int k = 0; k < 3; k++) {
    S n_row[n], f_row[n];
    for (int c = 0; c < n; c++) {
      n_row[c] = U[c].n[k];
      f_row[c] = U[c].f[k];
    }
    solve_small<n>(D, n_row);
    solve_small<n>(D, f_row);
    for (int c = 0; c < n; c++) {
      Y[c].n[k] = n_row[c];
      Y[c].f[k] = f_row[c];
    }
  }
}

// e = tau - bias - S^T p, x = D^-1 e
template <class J, Real S>
SINEW_INLINE void axis_solve(const JointInput<S>& joint, const Wrench<S>& p, const S* D, S* e, S* x) {
  for (int c = 0; c < J::nu; c++) {
    e[c] = -dot(joint.axis[c], J::dirs[c] == joint::Dir::Angular ? p.n : p.f);
    if (joint.tau) e[c] += joint.tau[c];
    if (joint.bias) e[c] -= joint.bias[c];
    x[c] = e[c];
  }
  solve_small<J::nu>(D, x);
}

// A += k l^T + l' k^T for the column l -> l' of B that is shifted by r; k = r x unit vector of the column.
template <int column, Real S>
SINEW_INLINE void shift_column(const Vec3<S>& r, const Vec3<S>& before, const Vec3<S>& after, Sym3<S>& A) {
  if constexpr (column == 0) {
    A.xy += before[0] * r[2];
    A.xz -= before[0] * r[1];
    A.yy += (before[1] + after[1]) * r[2];
    A.zz -= (before[2] + after[2]) * r[1];
    A.yz += after[2] * r[2] - before[1] * r[1];
  } else if constexpr (column == 1) {
    A.xy -= after[1] * r[2];
    A.yz += before[1] * r[0];
    A.xx -= (before[0] + after[0]) * r[2];
    A.zz += (before[2] + after[2]) * r[0];
    A.xz += before[0] * r[0] - after[2] * r[2];
  } else {
    A.xz += after[2] * r[1];
    A.yz -= after[2] * r[0];
    A.xx += (before[0] + after[0]) * r[1];
    A.yy -= (before[1] + after[1]) * r[0];
    A.xy += after[1] * r[1] - before[0] * r[0];
  }
}

// I about the parent's origin:  B' = B + r x C,  A' = A + r x B'^T + (r x B^T)^T.
// Column by column, so that few numbers are alive at a time.
template <Real S>
SINEW_INLINE void shift(const Vec3<S>& r, ArticulatedInertia<S>& I) {
  const Sym3<S>& C = I.C;
  Vec3<S> before = I.B.col(0);
  I.B.col(0) += cross(r, {C.xx, C.xy, C.xz});
  shift_column<0>(r, before, I.B.col(0), I.A);
  before = I.B.col(1);
  I.B.col(1) += cross(r, {C.xy, C.yy, C.yz});
  shift_column<1>(r, before, I.B.col(1), I.A);
  before = I.B.col(2);
  I.B.col(2) += cross(r, {C.xz, C.yz, C.zz});
  shift_column<2>(r, before, I.B.col(2), I.A);
}

// A free root: its axes span every motion, so I itself is factored, in world axes and by blocks of three.
//   a = -C^-1 f - G^T alpha,  alpha = (A - G B^T)^-1 (G f - n),  G = B C^-1
// The factor is kept as A <- (A - G B^T)^-1, B <- G, C <- C^-1.
template <Real S>
SINEW_INLINE ArticulatedInertia<S> factor_free(const ArticulatedInertia<S>& I) {
  const Sym3<S> C = inverse(I.C);
  const Mat3<S> G{I.B * Vec3<S>(C.xx, C.xy, C.xz), I.B * Vec3<S>(C.xy, C.yy, C.yz), I.B * Vec3<S>(C.xz, C.yz, C.zz)};
  Sym3<S> A = I.A;
  for (int k = 0; k < 3; k++) A.subtract_outer(G.col(k), I.B.col(k));
  return {inverse(A), G, C};
}
template <Real S>
SINEW_INLINE Twist<S> solve_free(const ArticulatedInertia<S>& factor, const Wrench<S>& p) {
  const Vec3<S> alpha = factor.A * (factor.B * p.f - p.n);
  return {alpha, -(factor.C * p.f) - transpose_times(factor.B, alpha)};
}
// I + sum_i diag_i s_i s_i^T: what the additions per freedom are in world axes
template <Real S>
void add_diagonal(const Vec3<S>* axis, const S* diag, ArticulatedInertia<S>& I) {
  for (int i = 0; i < 3; i++) {
    I.A.subtract_outer(axis[i] * -diag[i], axis[i]);
    I.C.subtract_outer(axis[3 + i] * -diag[3 + i], axis[3 + i]);
  }
}
template <Real S>
SINEW_INLINE Twist<S> move_free(const ArticulatedInertia<S>& factor, const Wrench<S>& p, const Vec3<S>* axis, S* du) {
  const Twist<S> a = solve_free(factor, p);
  for (int i = 0; i < 3; i++) {
    du[i] = dot(axis[i], a.w);
    du[3 + i] = dot(axis[3 + i], a.v);
  }
  return a;
}

}  // namespace sinew
