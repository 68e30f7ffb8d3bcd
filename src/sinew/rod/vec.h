// Short vectors and matrices whose size follows from the group: 1 on the line, 3 in the plane, 6 in space.
#pragma once
#include <cmath>

#include "sinew/math/linear.h"

namespace sinew::rod {

template <int n, class S = double>
struct Vec {
  S e[n];

  SINEW_INLINE static Vec zero() {
    Vec a;
    for (int i = 0; i < n; i++) a.e[i] = S(0.0);
    return a;
  }
  SINEW_INLINE static Vec unit(int k) {
    Vec a = zero();
    a.e[k] = S(1.0);
    return a;
  }
  SINEW_INLINE S& operator[](int i) { return e[i]; }
  SINEW_INLINE const S& operator[](int i) const { return e[i]; }
  SINEW_INLINE Vec& operator+=(const Vec& b) {
    for (int i = 0; i < n; i++) e[i] += b.e[i];
    return *this;
  }
  SINEW_INLINE Vec& operator-=(const Vec& b) {
    for (int i = 0; i < n; i++) e[i] -= b.e[i];
    return *this;
  }
  SINEW_INLINE Vec operator+(const Vec& b) const { return Vec(*this) += b; }
  SINEW_INLINE Vec operator-(const Vec& b) const { return Vec(*this) -= b; }
  SINEW_INLINE Vec operator-() const { return *this * S(-1.0); }
  SINEW_INLINE Vec operator*(S s) const {
    Vec a;
    for (int i = 0; i < n; i++) a.e[i] = e[i] * s;
    return a;
  }
};

template <int n, class S>
SINEW_INLINE S dot(const Vec<n, S>& a, const Vec<n, S>& b) {
  S sum = a[0] * b[0];
  for (int i = 1; i < n; i++) sum += a[i] * b[i];
  return sum;
}
template <int n>
SINEW_INLINE double norm(const Vec<n>& a) {
  return std::sqrt(dot(a, a));
}

// Stored row by row.
template <int n>
struct Mat {
  double e[n][n];

  SINEW_INLINE static Mat zero() {
    Mat a;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) a.e[i][j] = 0.0;
    return a;
  }
  SINEW_INLINE double& operator()(int i, int j) { return e[i][j]; }
  SINEW_INLINE const double& operator()(int i, int j) const { return e[i][j]; }
  SINEW_INLINE void add(const Mat& b, double s) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) e[i][j] += s * b.e[i][j];
  }
  SINEW_INLINE Vec<n> operator*(const Vec<n>& x) const {
    Vec<n> y;
    for (int i = 0; i < n; i++) {
      y[i] = e[i][0] * x[0];
      for (int j = 1; j < n; j++) y[i] += e[i][j] * x[j];
    }
    return y;
  }
};

// x with A x = b for symmetric positive definite A (Cholesky).
template <int n>
Vec<n> solve_positive(Mat<n> A, Vec<n> b) {
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++) A(j, j) -= A(j, k) * A(j, k);
    A(j, j) = std::sqrt(A(j, j));
    for (int i = j + 1; i < n; i++) {
      for (int k = 0; k < j; k++) A(i, j) -= A(i, k) * A(j, k);
      A(i, j) /= A(j, j);
    }
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) b[i] -= A(i, k) * b[k];
    b[i] /= A(i, i);
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) b[i] -= A(k, i) * b[k];
    b[i] /= A(i, i);
  }
  return b;
}

}  // namespace sinew::rod
