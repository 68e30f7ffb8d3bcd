// Symmetric positive definite systems of a size known at compile time (1 to 6), for one joint's axes.
// 1 and 2: explicit inverse; larger: L D L^T with the inverse of D stored, no square roots, no pivoting.
#pragma once
#include <algorithm>

#include "sinew/math/lanes.h"

namespace sinew {

// In: the symmetric matrix D (row-major n x n, lower triangle used). Out: what solve_small needs.
template <int n, Real S>
void factor_small(S* D) {
  if constexpr (n == 1) {
    D[0] = S(1.0) / D[0];
  } else if constexpr (n == 2) {
    const S a = D[0], b = D[2], c = D[3];
    const S id = S(1.0) / (a * c - b * b);
    D[0] = c * id, D[1] = D[2] = -b * id, D[3] = a * id;
  } else {
    for (int j = 0; j < n; j++) {
      S pivot = D[j * n + j];
      for (int k = 0; k < j; k++) pivot -= D[k * n + j] * D[j * n + k];  // upper triangle holds D L^T
      const S inverse = S(1.0) / pivot;
      D[j * n + j] = inverse;
      for (int i = j + 1; i < n; i++) {
        S x = D[i * n + j];
        for (int k = 0; k < j; k++) x -= D[i * n + k] * D[k * n + j];
        D[j * n + i] = x;
        D[i * n + j] = x * inverse;
      }
    }
  }
}

// x <- D^-1 x
template <int n, Real S>
void solve_small(const S* D, S* x) {
  if constexpr (n == 1) {
    x[0] *= D[0];
  } else if constexpr (n == 2) {
    const S a = x[0], b = x[1];
    x[0] = D[0] * a + D[1] * b, x[1] = D[2] * a + D[3] * b;
  } else {
    for (int i = 1; i < n; i++)
      for (int k = 0; k < i; k++) x[i] -= D[i * n + k] * x[k];
    for (int i = 0; i < n; i++) x[i] *= D[i * n + i];
    for (int i = n - 2; i >= 0; i--)
      for (int k = i + 1; k < n; k++) x[i] -= D[k * n + i] * x[k];
  }
}

}  // namespace sinew
