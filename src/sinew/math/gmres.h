// Linear systems A x = b of which only products with A are known, by GMRES [1], preconditioned from the right [2].
//   apply(v, z, w): z = M v with M near to the inverse of A, w = A z; M may differ from call to call
// x is the combination of all z with the least |b - A x|. No restarts: where `most` products are not enough, x is the best so far.
// Sums are in one order, whatever the processor.
// [1] Saad, Schultz: GMRES. SIAM Journal on Scientific and Statistical Computing 7 (1986).
// [2] Saad: A flexible inner-outer preconditioned GMRES algorithm. SIAM Journal on Scientific Computing 14 (1993).
#pragma once
#include <cmath>
#include <cstddef>
#include <vector>

#include "sinew/math/check.h"
#include "sinew/math/four.h"

namespace sinew {

// Grows with the largest system seen.
struct GmresWork {
  std::vector<double> v, z;              // a vector after the other
  std::vector<double> H, cos, sin, rhs;  // triangle of the least squares, column k at k (most + 1); its rotations
};

namespace gmres_detail {

inline double dot(int n, const double* a, const double* b) {
  Four sum = {0.0, 0.0, 0.0, 0.0};
  int i = 0;
  for (; i + 4 <= n; i += 4) sum += load_four(a + i) * load_four(b + i);
  double out = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  for (; i < n; i++) out += a[i] * b[i];
  return out;
}
inline void add(int n, double factor, const double* from, double* to) {
  int i = 0;
  for (; i + 4 <= n; i += 4) store_four(load_four(to + i) + load_four(from + i) * factor, to + i);
  for (; i < n; i++) to[i] += factor * from[i];
}

// Column k of H into the triangle, and the right side with it.
inline void rotate(int k, GmresWork& w, double* h) {
  for (int i = 0; i < k; i++) {
    const double a = h[i], b = h[i + 1];
    h[i] = w.cos[i] * a + w.sin[i] * b;
    h[i + 1] = w.cos[i] * b - w.sin[i] * a;
  }
  const double size = std::sqrt(h[k] * h[k] + h[k + 1] * h[k + 1]);
  w.cos[k] = size > 0.0 ? h[k] / size : 1.0;
  w.sin[k] = size > 0.0 ? h[k + 1] / size : 0.0;
  h[k] = size;
  w.rhs[k + 1] = -w.sin[k] * w.rhs[k];
  w.rhs[k] *= w.cos[k];
}

}  // namespace gmres_detail

struct GmresLimits {
  double goal;  // of |b - A x|
  int most;     // products with A
};

// Returns how many products it took.
template <class Apply>
int gmres(int n, const double* b, const GmresLimits& limits, GmresWork& w, double* x, Apply apply) {
  using gmres_detail::add, gmres_detail::dot;
  const auto [goal, most] = limits;
  SINEW_ASSERT(n >= 0 && most > 0 && b && x && b != x);
  const std::size_t size = n, column = std::size_t(most) + 1;
  if (w.v.size() < size * column) w.v.resize(size * column);
  if (w.z.size() < size * std::size_t(most)) w.z.resize(size * std::size_t(most));
  w.H.resize(column * std::size_t(most));
  w.cos.resize(most);
  w.sin.resize(most);
  w.rhs.assign(column, 0.0);
  for (int i = 0; i < n; i++) x[i] = 0.0;
  const double start = std::sqrt(dot(n, b, b));
  if (!(start > goal)) return 0;
  for (int i = 0; i < n; i++) w.v[i] = b[i] / start;
  w.rhs[0] = start;
  int k = 0;
  for (bool goes_on = true; goes_on && k < most; k++) {
    double *next = w.v.data() + size * (std::size_t(k) + 1), *h = w.H.data() + column * std::size_t(k);
    apply(w.v.data() + size * std::size_t(k), w.z.data() + size * std::size_t(k), next);
    const double before = dot(n, next, next);
    for (int i = 0; i <= k; i++) {
      const double* v = w.v.data() + size * std::size_t(i);
      h[i] = dot(n, next, v);
      add(n, -h[i], v, next);
    }
    h[k + 1] = std::sqrt(dot(n, next, next));
    const double length = h[k + 1];
    gmres_detail::rotate(k, w, h);
    goes_on = length * length > 1e-28 * before && std::abs(w.rhs[k + 1]) > goal;  // else: solved
    if (goes_on)
      for (int i = 0; i < n; i++) next[i] /= length;
  }
  for (int i = k - 1; i >= 0; i--) {
    for (int j = i + 1; j < k; j++) w.rhs[i] -= w.H[column * std::size_t(j) + i] * w.rhs[j];
    const double pivot = w.H[column * std::size_t(i) + i];
    w.rhs[i] = pivot > 0.0 ? w.rhs[i] / pivot : 0.0;
  }
  for (int i = 0; i < k; i++) add(n, w.rhs[i], w.z.data() + size * std::size_t(i), x);
  return k;
}

}  // namespace sinew
