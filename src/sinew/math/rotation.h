// Rotations: unit quaternions (w, x, y, z) for storage, matrices for work.
//   exp: rotation vector [rad] -> quaternion;  log: quaternion -> rotation vector, |.| <= pi
#pragma once
#include "sinew/math/linear.h"
#include "sinew/math/trig.h"

namespace sinew {

template <Real S>
struct Quat {
  S w, x, y, z;
  static Quat identity() { return {S(1.0), S(0.0), S(0.0), S(0.0)}; }
};
using Quatd = Quat<double>;

template <Real S>
SINEW_INLINE Quat<S> operator*(const Quat<S>& a, const Quat<S>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <Real S>
Quat<S> conjugate(const Quat<S>& a) {
  return {a.w, -a.x, -a.y, -a.z};
}
template <Real S>
Quat<S> normalized(const Quat<S>& a) {
  const S s = S(1.0) / sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
  return {a.w * s, a.x * s, a.y * s, a.z * s};
}

// As is_unit of a vector.
template <Real S>
bool is_unit(const Quat<S>& a) {
  return !any(abs(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z - S(1.0)) > S(1e-6));
}

template <Real S>
SINEW_INLINE Mat3<S> to_matrix(const Quat<S>& a) {
  const S x2 = a.x + a.x, y2 = a.y + a.y, z2 = a.z + a.z;
  const S xx = a.x * x2, yy = a.y * y2, zz = a.z * z2, xy = a.x * y2, xz = a.x * z2, yz = a.y * z2;
  const S wx = a.w * x2, wy = a.w * y2, wz = a.w * z2, one = S(1.0);
  Mat3<S> R;
  R(0, 0) = one - yy - zz;
  R(0, 1) = xy - wz;
  R(0, 2) = xz + wy;
  R(1, 0) = xy + wz;
  R(1, 1) = one - xx - zz;
  R(1, 2) = yz - wx;
  R(2, 0) = xz - wy;
  R(2, 1) = yz + wx;
  R(2, 2) = one - xx - yy;
  return R;
}

// Robust for every rotation: take the largest of w, x, y, z and the rest from products with it.
template <Real S>
Quat<S> to_quaternion(const Mat3<S>& R) {
  const S one = S(1.0);
  const S ww = one + R(0, 0) + R(1, 1) + R(2, 2), xx = one + R(0, 0) - R(1, 1) - R(2, 2);
  const S yy = one - R(0, 0) + R(1, 1) - R(2, 2), zz = one - R(0, 0) - R(1, 1) + R(2, 2);
  const S wx = R(2, 1) - R(1, 2), wy = R(0, 2) - R(2, 0), wz = R(1, 0) - R(0, 1);
  const S xy = R(0, 1) + R(1, 0), xz = R(0, 2) + R(2, 0), yz = R(1, 2) + R(2, 1);
  Quat<S> a{ww, wx, wy, wz};
  S best = ww;
  const auto prefer = [&](S candidate, const Quat<S>& b) {
    const auto better = candidate > best;
    a = {select(better, b.w, a.w), select(better, b.x, a.x), select(better, b.y, a.y), select(better, b.z, a.z)};
    best = select(better, candidate, best);
  };
  prefer(xx, {wx, xx, xy, xz});
  prefer(yy, {wy, xy, yy, yz});
  prefer(zz, {wz, xz, yz, zz});
  return normalized(a);
}

template <Real S>
Quat<S> quaternion_exp(const Vec3<S>& phi) {
  const S angle2 = dot(phi, phi);
  const S angle = sqrt(angle2);
  S s, c;
  sincos(angle * S(0.5), s, c);
  // sin(a/2)/a by its series where the quotient would lose digits
  const auto small = angle2 < S(1e-6);
  const S series = S(0.5) - angle2 * (S(1.0 / 48.0) - angle2 * S(1.0 / 3840.0));
  const S f = select(small, series, s / select(small, S(1.0), angle));
  return {c, phi[0] * f, phi[1] * f, phi[2] * f};
}

template <Real S>
Vec3<S> quaternion_log(const Quat<S>& a) {
  const S sign = select(a.w < S(0.0), S(-1.0), S(1.0));
  const S n2 = a.x * a.x + a.y * a.y + a.z * a.z;
  const S n = sqrt(n2), w = a.w * sign;
  const auto small = n2 < S(1e-17);  // the series' next term, n2 / 3 of this one, is below round-off
  const S f =
      sign * select(small, S(2.0) / select(small, w, S(1.0)), S(2.0) * angle_of(n, w) / select(small, S(1.0), n));
  return {a.x * f, a.y * f, a.z * f};
}

}  // namespace sinew
