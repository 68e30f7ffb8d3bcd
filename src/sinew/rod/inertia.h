// Inertia of a stretch of rod seen from the head: the integral of Ad*_k M Ad_k over the sections, M diagonal (Boyer et al.
// 2012, (19)). It is that of a rigid body, so it is kept as mass, first moment and inertia about the head's origin.
#pragma once
#include "sinew/rod/group.h"

namespace sinew::rod {

template <class G>
struct Inertia;

template <Real S>
struct Inertia<LineOf<S>> {
  S m, x;

  SINEW_INLINE static Inertia zero() { return {S(0.0), S(0.0)}; }
  SINEW_INLINE static Inertia at(const LineOf<S>& g, const Vec<1>& d) { return {d[0], d[0] * g.x}; }
  SINEW_INLINE void add(const Inertia& b, S s) {
    m += s * b.m;
    x += s * b.x;
  }
  SINEW_INLINE Vec<1, S> operator*(const Vec<1, S>& u) const { return {m * u[0]}; }
  Vec3d moment() const { return Vec3d(x, 0, 0); }
};

template <Real S>
struct Inertia<PlaneOf<S>> {
  S m, x, y, J;

  SINEW_INLINE static Inertia zero() { return {S(0.0), S(0.0), S(0.0), S(0.0)}; }
  SINEW_INLINE static Inertia at(const PlaneOf<S>& g, const Vec<3>& d) {
    return {d[0], d[0] * g.x, d[0] * g.y, d[2] + d[0] * (g.x * g.x + g.y * g.y)};
  }
  SINEW_INLINE void add(const Inertia& b, S s) {
    m += s * b.m;
    x += s * b.x;
    y += s * b.y;
    J += s * b.J;
  }
  SINEW_INLINE Vec<3, S> operator*(const Vec<3, S>& u) const {
    return {m * u[0] - y * u[2], m * u[1] + x * u[2], x * u[1] - y * u[0] + J * u[2]};
  }
  Vec3d moment() const { return Vec3d(x, y, 0); }
};

template <Real S>
struct Inertia<SpaceOf<S>> {
  S m;
  Vec3<S> c;  // first moment
  Sym3<S> J;

  SINEW_INLINE static Inertia zero() { return {S(0.0), Vec3<S>::zero(), Sym3<S>::diagonal(S(0.0))}; }
  SINEW_INLINE static Inertia at(const SpaceOf<S>& g, const Vec<6>& d) {
    // of the moments the second is that of a ball: the axes are orthonormal
    const Vec3<S>&a = g.R.c[0], &e = g.R.c[2], &p = g.p;
    const S m = d[0], p2 = m * dot(p, p) + d[4];
    const Vec3<S> a_d = a * S(d[3] - d[4]), e_d = e * S(d[5] - d[4]), p_m = p * m;
    const auto entry = [&](int i, int j) SINEW_INLINE_LAMBDA { return a_d[i] * a[j] + e_d[i] * e[j] - p_m[i] * p[j]; };
    return {m,
            p_m.numbers(),
            {entry(0, 0) + p2, entry(0, 1), entry(0, 2), entry(1, 1) + p2, entry(1, 2), entry(2, 2) + p2}};
  }
  SINEW_INLINE void add(const Inertia& b, S s) {
    m += s * b.m;
    c += b.c * s;
    J += Sym3<S>{s * b.J.xx, s * b.J.xy, s * b.J.xz, s * b.J.yy, s * b.J.yz, s * b.J.zz};
  }
  SINEW_INLINE Vec<6, S> operator*(const Vec<6, S>& u) const {
    const Vec3<S> v = linear(u), w = angular(u);
    return join(v * m + cross(w, c), cross(c, v) + J * w);
  }
  Vec3d moment() const { return c; }
};

template <class G>
Mat<G::n> matrix_of(const Inertia<G>& a) {
  Mat<G::n> M;
  for (int j = 0; j < G::n; j++) {
    const Vec<G::n> column = a * Vec<G::n>::unit(j);
    for (int i = 0; i < G::n; i++) M(i, j) = column[i];
  }
  return M;
}

// The linear part of a group: how many directions, where a frame is, how it turns vectors.
template <class G>
inline constexpr int directions = G::n == 1   ? 1
                                  : G::n == 3 ? 2
                                              : 3;
template <class G>
using Lin = Vec<directions<G>>;

SINEW_INLINE Vec<1> place(const Line& g) { return {g.x}; }
SINEW_INLINE Vec<2> place(const Plane& g) { return {g.x, g.y}; }
SINEW_INLINE Vec<3> place(const Space& g) { return {g.p[0], g.p[1], g.p[2]}; }
SINEW_INLINE Vec<1> turned(const Line&, const Vec<1>& v) { return v; }
SINEW_INLINE Vec<2> turned(const Plane& g, const Vec<2>& v) {
  return {g.c * v[0] - g.s * v[1], g.s * v[0] + g.c * v[1]};
}
SINEW_INLINE Vec<3> turned(const Space& g, const Vec<3>& v) {
  const Vec3d a = g.R * Vec3d(v[0], v[1], v[2]);
  return {a[0], a[1], a[2]};
}
SINEW_INLINE Vec<1> turned_back(const Line&, const Vec<1>& v) { return v; }
SINEW_INLINE Vec<2> turned_back(const Plane& g, const Vec<2>& v) {
  return {g.c * v[0] + g.s * v[1], g.c * v[1] - g.s * v[0]};
}
SINEW_INLINE Vec<3> turned_back(const Space& g, const Vec<3>& v) {
  const Vec3d a = transpose_times(g.R, Vec3d(v[0], v[1], v[2]));
  return {a[0], a[1], a[2]};
}
template <class G>
SINEW_INLINE Lin<G> linear_of(const typename G::Twist& a) {
  Lin<G> v;
  for (int i = 0; i < directions<G>; i++) v[i] = a[i];
  return v;
}
template <class G>
SINEW_INLINE Lin<G> from3(const Vec3d& a) {
  Lin<G> v;
  for (int i = 0; i < directions<G>; i++) v[i] = a[i];
  return v;
}

}  // namespace sinew::rod
