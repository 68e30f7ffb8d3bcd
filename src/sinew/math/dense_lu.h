// Dense LU with row pivoting, in place and without allocation: for the systems of contact solvers, whose size changes
// from step to step. Columns are contiguous, column k at A + k * stride.
// Columns are finished in panels, and the rest of the matrix is updated once per panel, two columns at a time: it then
// stays in the near cache, which is worth a factor of three at 100 unknowns.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "sinew/math/check.h"
#include "sinew/math/four.h"

namespace sinew {
namespace lu {

inline constexpr int panel = 8;

// a, b -= L u, L v for rows [first, n); L: `panel` columns.
inline void subtract_panel(int first, int n, const double* L, std::size_t stride, const double* u, const double* v,
                           double* a, double* b) {
  SINEW_ASSERT(first >= 0 && stride >= std::size_t(n) && a != b);
  int i = first;
  for (; i + 4 <= n; i += 4) {
    Four x = load_four(a + i), y = load_four(b + i);
#pragma GCC unroll 8
    for (int k = 0; k < panel; k++) {
      const Four l = load_four(L + k * stride + i);
      x -= l * u[k];
      y -= l * v[k];
    }
    store_four(x, a + i);
    store_four(y, b + i);
  }
  for (; i < n; i++)
    for (int k = 0; k < panel; k++) {
      a[i] -= L[k * stride + i] * u[k];
      b[i] -= L[k * stride + i] * v[k];
    }
}

inline void subtract(int first, int n, const double* l, double factor, double* a) {
  int i = first;
  for (; i + 4 <= n; i += 4) store_four(load_four(a + i) - load_four(l + i) * factor, a + i);
  for (; i < n; i++) a[i] -= l[i] * factor;
}

// The columns [first, last) below and in their own rows. Rows are compared relative to row_scale.
inline bool factor_panel(int n, int first, int last, double* A, std::size_t stride, int* pivots, double* row_scale) {
  SINEW_ASSERT(first >= 0 && first <= last && last <= n && last - first <= panel);
  for (int k = first; k < last; k++) {
    double* column = A + k * stride;
    int pivot = k;
    double largest = std::abs(column[k]) * row_scale[k];
    for (int i = k + 1; i < n; i++) {
      const double size = std::abs(column[i]) * row_scale[i];
      if (size > largest) {
        largest = size;
        pivot = i;
      }
    }
    if (!(largest > 0.0)) return false;
    pivots[k] = pivot;
    if (pivot != k) {
      for (int c = first; c < last; c++) std::swap(A[c * stride + k], A[c * stride + pivot]);
      std::swap(row_scale[k], row_scale[pivot]);
    }
    const double inverse = 1.0 / column[k];
    for (int i = k + 1; i < n; i++) column[i] *= inverse;
    for (int c = k + 1; c < last; c++)
      if (A[c * stride + k] != 0.0) subtract(k + 1, n, column, A[c * stride + k], A + c * stride);
  }
  return true;
}

}  // namespace lu

// A becomes its factors; pivots and row_scale: n numbers each. Rows are compared relative to their largest entry, so that
// rows of different physical units may stand together. False: singular.
inline bool factor_dense(int n, double* A, int columns_apart, int* pivots, double* row_scale) {
  SINEW_ASSERT(n == 0 || (A && pivots && row_scale));
  SINEW_ASSERT(columns_apart >= n);
  const std::size_t stride = columns_apart;
  std::fill_n(row_scale, n, 0.0);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++) row_scale[i] = std::max(row_scale[i], std::abs(A[k * stride + i]));
  for (int i = 0; i < n; i++) {
    if (!(row_scale[i] > 0.0)) return false;
    row_scale[i] = 1.0 / row_scale[i];
  }
  for (int first = 0; first < n; first += lu::panel) {
    const int last = std::min(n, first + lu::panel);
    if (!lu::factor_panel(n, first, last, A, stride, pivots, row_scale)) return false;
    for (int c = 0; c < first; c++)
      for (int k = first; k < last; k++) std::swap(A[c * stride + k], A[c * stride + pivots[k]]);
    const auto finish_rows = [&](double* column) {  // of the panel, in a column right of it
      for (int k = first; k < last; k++) std::swap(column[k], column[pivots[k]]);
      for (int k = first; k < last; k++)
        for (int i = k + 1; i < last; i++) column[i] -= A[k * stride + i] * column[k];
    };
    int c = last;
    for (; c + 2 <= n; c += 2) {
      double *a = A + c * stride, *b = a + stride;
      finish_rows(a);
      finish_rows(b);
      lu::subtract_panel(last, n, A + first * stride, stride, a + first, b + first, a, b);
    }
    for (; c < n; c++) {
      double* a = A + c * stride;
      finish_rows(a);
      for (int k = first; k < last; k++) lu::subtract(last, n, A + k * stride, a[k], a);
    }
  }
  return true;
}

// b becomes the solution x of A x = b, for the factors of A.
inline void solve_factored(int n, const double* A, int columns_apart, const int* pivots, double* b) {
  SINEW_ASSERT(n == 0 || (A && pivots && b));
  SINEW_ASSERT(columns_apart >= n);
  const std::size_t stride = columns_apart;
  for (int k = 0; k < n; k++) std::swap(b[k], b[pivots[k]]);
  for (int k = 0; k < n; k++)
    if (b[k] != 0.0) lu::subtract(k + 1, n, A + k * stride, b[k], b);
  for (int k = n - 1; k >= 0; k--) {
    b[k] /= A[k * stride + k];
    lu::subtract(0, k, A + k * stride, b[k], b);
  }
}

}  // namespace sinew
