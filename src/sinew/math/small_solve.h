// Symmetric positive definite systems of a size known at compile time (1 to 6), for one joint's axes.
// 1 and 2: explicit inverse; larger: L D L^T with the inverse of D stored, no square roots, no pivoting.
#pragma once
#include <algorithm>

#include "sinew/math/linear.h"

namespace sinew {

// Inverse of a symmetric positive definite matrix by cofactors: one division and short chains of operations.
template <Real S>
SINEW_INLINE Sym3<S> inverse(const Sym3<S>& a) {
  const S xx = a.yy * a.zz - a.yz * a.yz, xy = a.xz * a.yz - a.xy * a.zz, xz = a.xy * a.yz - a.xz * a.yy;
  const S d = S(1.0) / (a.xx * xx + a.xy * xy + a.xz * xz);
  return {xx * d,
          xy * d,
          xz * d,
          (a.xx * a.zz - a.xz * a.xz) * d,
          (a.xy * a.xz - a.xx * a.yz) * d,
          (a.xx * a.yy - a.xy * a.xy) * d};
}

// The same of a matrix that is not symmetric.
template <Real S>
SINEW_INLINE Mat3<S> inverse(const Mat3<S>& m) {
  const Vec3<S> r0 = cross(m.col(1), m.col(2)), r1 = cross(m.col(2), m.col(0)), r2 = cross(m.col(0), m.col(1));
  const S d = S(1.0) / dot(m.col(0), r0);
  return transpose(Mat3<S>{r0 * d, r1 * d, r2 * d});
}

// L D L^T of a symmetric matrix (row-major n x n, lower triangle used) in place: its column j, with the inverse
// of its pivot, which the diagonal keeps. The upper triangle keeps D L^T.
template <Real S>
SINEW_INLINE void factor_column(int n, int j, const S& inverse, S* D) {
  D[j * n + j] = inverse;
  for (int i = j + 1; i < n; i++) {
    S x = D[i * n + j];
    for (int k = 0; k < j; k++) x -= D[i * n + k] * D[k * n + j];
    D[j * n + i] = x;
    D[i * n + j] = x * inverse;
  }
}
// x <- (L D L^T)^-1 x
template <Real S>
SINEW_INLINE void solve_ldlt(int n, const S* D, S* x) {
  for (int i = 1; i < n; i++)
    for (int k = 0; k < i; k++) x[i] -= D[i * n + k] * x[k];
  for (int i = 0; i < n; i++) x[i] *= D[i * n + i];
  for (int i = n - 2; i >= 0; i--)
    for (int k = i + 1; k < n; k++) x[i] -= D[k * n + i] * x[k];
}

// In: the symmetric matrix D (row-major n x n, lower triangle used). Out: what solve_small needs.
template <int n, Real S>
SINEW_INLINE void factor_small(S* D) {
  if constexpr (n == 1) {
    D[0] = S(1.0) / D[0];
  } else if constexpr (n == 2) {
    const S a = D[0], b = D[2], c = D[3];
    const S id = S(1.0) / (a * c - b * b);
    D[0] = c * id;
    D[1] = D[2] = -b * id;
    D[3] = a * id;
  } else {
    for (int j = 0; j < n; j++) {
      S pivot = D[j * n + j];
      for (int k = 0; k < j; k++) pivot -= D[k * n + j] * D[j * n + k];  // upper triangle holds D L^T
      const S inverse = S(1.0) / pivot;
      factor_column(n, j, inverse, D);
    }
  }
}

// x <- D^-1 x
template <int n, Real S>
SINEW_INLINE void solve_small(const S* D, S* x) {
  if constexpr (n == 1) {
    x[0] *= D[0];
  } else if constexpr (n == 2) {
    const S a = x[0], b = x[1];
    x[0] = D[0] * a + D[1] * b;
    x[1] = D[2] * a + D[3] * b;
  } else {
    solve_ldlt(n, D, x);
  }
}

}  // namespace sinew
