// Vectors and matrices of three on the scalar S.
// By hand and forced inline: with Eigen's fixed-size expressions the same recursions were measured 1.3 to 1.5 times
// slower and took twice as long to compile, because the compiler stops inlining inside large functions.
#pragma once
#include <cmath>
#include <vector>

#include "sinew/math/inline.h"
#include "sinew/math/lanes.h"

namespace sinew {

template <Real S>
struct Vec3 {
  S e[3];

  Vec3() = default;
  SINEW_INLINE Vec3(S x, S y, S z) : e{x, y, z} {}
  SINEW_INLINE static Vec3 zero() { return {S(0.0), S(0.0), S(0.0)}; }

  // A copy made number by number: a block copy right after its parts were stored waits until they reach the cache.
  SINEW_INLINE Vec3 numbers() const { return {e[0], e[1], e[2]}; }

  SINEW_INLINE S& operator[](int i) { return e[i]; }
  SINEW_INLINE const S& operator[](int i) const { return e[i]; }
  SINEW_INLINE Vec3& operator+=(const Vec3& b) { return e[0] += b[0], e[1] += b[1], e[2] += b[2], *this; }
  SINEW_INLINE Vec3& operator-=(const Vec3& b) { return e[0] -= b[0], e[1] -= b[1], e[2] -= b[2], *this; }
};
using Vec3d = Vec3<double>;

template <Real S>
SINEW_INLINE Vec3<S> operator+(const Vec3<S>& a, const Vec3<S>& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
template <Real S>
SINEW_INLINE Vec3<S> operator-(const Vec3<S>& a, const Vec3<S>& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
template <Real S>
SINEW_INLINE Vec3<S> operator-(const Vec3<S>& a) {
  return {-a[0], -a[1], -a[2]};
}
template <Real S>
SINEW_INLINE Vec3<S> operator*(const Vec3<S>& a, S s) {
  return {a[0] * s, a[1] * s, a[2] * s};
}
template <Real S>
SINEW_INLINE Vec3<S> cross(const Vec3<S>& a, const Vec3<S>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <Real S>
SINEW_INLINE S dot(const Vec3<S>& a, const Vec3<S>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <Real S>
SINEW_INLINE S norm(const Vec3<S>& a) {
  return sqrt(dot(a, a));
}
template <Real S>
Vec3<S> normalized(const Vec3<S>& a) {
  return a * (S(1.0) / norm(a));
}
inline bool is_finite(const Vec3d& a) { return std::isfinite(a[0]) && std::isfinite(a[1]) && std::isfinite(a[2]); }
// For assertions: of length 1 but for rounding, in every lane. What is no number passes: a step that diverged reports it.
template <Real S>
bool is_unit(const Vec3<S>& a) {
  return !any(abs(dot(a, a) - S(1.0)) > S(1e-6));
}

// 3x3 matrix, stored by columns.
template <Real S>
struct Mat3 {
  Vec3<S> c[3];

  Mat3() = default;
  SINEW_INLINE Mat3(const Vec3<S>& c0, const Vec3<S>& c1, const Vec3<S>& c2) : c{c0, c1, c2} {}
  SINEW_INLINE static Mat3 identity() {
    const S o = S(0.0), i = S(1.0);
    return {{i, o, o}, {o, i, o}, {o, o, i}};
  }

  SINEW_INLINE S& operator()(int row, int column) { return c[column][row]; }
  SINEW_INLINE const S& operator()(int row, int column) const { return c[column][row]; }
  SINEW_INLINE Vec3<S>& col(int i) { return c[i]; }
  SINEW_INLINE const Vec3<S>& col(int i) const { return c[i]; }
  SINEW_INLINE Mat3& operator+=(const Mat3& b) { return c[0] += b.c[0], c[1] += b.c[1], c[2] += b.c[2], *this; }
};
using Mat3d = Mat3<double>;

template <Real S>
SINEW_INLINE Vec3<S> operator*(const Mat3<S>& m, const Vec3<S>& v) {
  return {m(0, 0) * v[0] + m(0, 1) * v[1] + m(0, 2) * v[2], m(1, 0) * v[0] + m(1, 1) * v[1] + m(1, 2) * v[2],
          m(2, 0) * v[0] + m(2, 1) * v[1] + m(2, 2) * v[2]};
}
template <Real S>
SINEW_INLINE Mat3<S> operator*(const Mat3<S>& a, const Mat3<S>& b) {
  return {a * b.c[0], a * b.c[1], a * b.c[2]};
}
// m^T v and m^T b without forming the transpose
template <Real S>
SINEW_INLINE Vec3<S> transpose_times(const Mat3<S>& m, const Vec3<S>& v) {
  return {dot(m.c[0], v), dot(m.c[1], v), dot(m.c[2], v)};
}
template <Real S>
SINEW_INLINE Mat3<S> transpose_times(const Mat3<S>& m, const Mat3<S>& b) {
  return {transpose_times(m, b.c[0]), transpose_times(m, b.c[1]), transpose_times(m, b.c[2])};
}
template <Real S>
SINEW_INLINE Mat3<S> transpose(const Mat3<S>& m) {
  return {{m(0, 0), m(0, 1), m(0, 2)}, {m(1, 0), m(1, 1), m(1, 2)}, {m(2, 0), m(2, 1), m(2, 2)}};
}
// [a]x b = a x b
template <Real S>
SINEW_INLINE Mat3<S> skew(const Vec3<S>& a) {
  const S o = S(0.0);
  return {{o, a[2], -a[1]}, {-a[2], o, a[0]}, {a[1], -a[0], o}};
}

// Symmetric 3x3 matrix, six numbers.
template <Real S>
struct Sym3 {
  S xx, xy, xz, yy, yz, zz;

  SINEW_INLINE static Sym3 diagonal(S d) { return {d, S(0.0), S(0.0), d, S(0.0), d}; }

  SINEW_INLINE Sym3& operator+=(const Sym3& b) {
    return xx += b.xx, xy += b.xy, xz += b.xz, yy += b.yy, yz += b.yz, zz += b.zz, *this;
  }
  // this -= a b^T, where the caller knows the product to be symmetric once all terms are in
  SINEW_INLINE void subtract_outer(const Vec3<S>& a, const Vec3<S>& b) {
    xx -= a[0] * b[0];
    xy -= a[0] * b[1];
    xz -= a[0] * b[2];
    yy -= a[1] * b[1];
    yz -= a[1] * b[2];
    zz -= a[2] * b[2];
  }
};
using Sym3d = Sym3<double>;

template <Real S>
SINEW_INLINE Vec3<S> operator*(const Sym3<S>& m, const Vec3<S>& v) {
  return {m.xx * v[0] + m.xy * v[1] + m.xz * v[2], m.xy * v[0] + m.yy * v[1] + m.yz * v[2],
          m.xz * v[0] + m.yz * v[1] + m.zz * v[2]};
}
// R a R^T
template <Real S>
SINEW_INLINE Sym3<S> rotate(const Mat3<S>& R, const Sym3<S>& a) {
  const Vec3<S> r0{R(0, 0), R(0, 1), R(0, 2)}, r1{R(1, 0), R(1, 1), R(1, 2)}, r2{R(2, 0), R(2, 1), R(2, 2)};
  const Vec3<S> a0 = a * r0, a1 = a * r1, a2 = a * r2;
  return {dot(r0, a0), dot(r0, a1), dot(r0, a2), dot(r1, a1), dot(r1, a2), dot(r2, a2)};
}

// The same numbers in every lane.
template <Real S>
Vec3<S> broadcast(const Vec3d& a) {
  return {S(a[0]), S(a[1]), S(a[2])};
}
template <Real S>
Mat3<S> broadcast(const Mat3d& a) {
  return {broadcast<S>(a.c[0]), broadcast<S>(a.c[1]), broadcast<S>(a.c[2])};
}
template <Real S>
Sym3<S> broadcast(const Sym3d& a) {
  return {S(a.xx), S(a.xy), S(a.xz), S(a.yy), S(a.yz), S(a.zz)};
}

}  // namespace sinew
