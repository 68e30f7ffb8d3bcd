// Gravity of a homogeneous ellipsoid with semi-axes e along the world's axes, at X from its centre (docs/theory/forces.md#gravity):
//   A_i = e_i^2 + lambda,   lambda = 0 inside, outside the largest root of  sum X_i^2 / (e_i^2 + lambda) = 1
//   acceleration_i = -GM X_i R_D(A_j, A_k, A_i)
//   potential per mass = -(3/2) GM ( R_F(A_1, A_2, A_3) - (1/3) sum X_i^2 R_D,i )
// R_F, R_D are Carlson's symmetric integrals, by duplication: every step replaces x by (x + s)/4, s = sum of the products of the roots,
// until the three are equal but for a difference whose sixth power is round-off (B. C. Carlson, Numerical computation of real or
// complex elliptic integrals, 1995). A fixed number of steps, so that lanes give the same bits.
#pragma once
#include "sinew/math/check.h"
#include "sinew/math/linear.h"

namespace sinew {

template <Real S>
struct Carlson {
  S F;        // R_F(x, y, z)
  Vec3<S> D;  // R_D with x, y, z in the last place
};

// Arguments within a factor of 1e6 of each other: after n duplications their relative differences are below 4^-n 1e6.
template <Real S>
Carlson<S> carlson(Vec3<S> a) {
  SINEW_ASSERT(!any((a[0] <= S(0.0)) | (a[1] <= S(0.0)) | (a[2] <= S(0.0))));
  constexpr int steps = 16;
  Vec3<S> sum = Vec3<S>::zero();
  S scale = S(1.0);
  for (int n = 0; n < steps; n++) {
    const Vec3<S> root{sqrt(a[0]), sqrt(a[1]), sqrt(a[2])};
    const S s = root[0] * root[1] + root[0] * root[2] + root[1] * root[2];
    for (int i = 0; i < 3; i++) {
      sum[i] += scale / (root[i] * (a[i] + s));
      a[i] = (a[i] + s) * S(0.25);
    }
    scale = scale * S(0.25);
  }
  // all equal but for 4^-16 of their differences: the series' first terms are round-off, the means count
  const S mean = (a[0] + a[1] + a[2]) * S(1.0 / 3.0);
  Carlson<S> out;
  out.F = S(1.0) / sqrt(mean);
  for (int i = 0; i < 3; i++) {
    const S weighted = (a[0] + a[1] + a[2] + a[i] * S(2.0)) * S(0.2);
    out.D[i] = S(3.0) * sum[i] + scale / (weighted * sqrt(weighted));
  }
  return out;
}

// lambda: Newton's method from the left, where the function is convex, converges from one side. |X|^2 - largest e^2 is
// to the left of the root, and close to it far away.
template <Real S>
SINEW_INLINE S confocal(const Vec3<S>& axes2, const Vec3<S>& X) {
  const S largest = max(max(axes2[0], axes2[1]), axes2[2]);
  S lambda = max(S(0.0), dot(X, X) - largest);
  for (int n = 0; n < 12; n++) {
    S f = S(-1.0), slope = S(0.0);
    for (int i = 0; i < 3; i++) {
      const S rate = S(1.0) / (axes2[i] + lambda), part = X[i] * X[i] * rate;
      f += part;
      slope += part * rate;
    }
    lambda += select(f > S(0.0), f / select(slope > S(0.0), slope, S(1.0)), S(0.0));
  }
  return lambda;
}

template <Real S>
struct EllipsoidField {
  Vec3<S> acceleration;  // [m/s^2]
  S potential;           // per mass [m^2/s^2]
};

template <Real S>
EllipsoidField<S> ellipsoid_field(const Vec3<S>& axes, const S& GM, const Vec3<S>& X) {
  const Vec3<S> axes2{axes[0] * axes[0], axes[1] * axes[1], axes[2] * axes[2]};
  const S lambda = confocal(axes2, X);
  const Carlson<S> R = carlson(Vec3<S>{axes2[0] + lambda, axes2[1] + lambda, axes2[2] + lambda});
  EllipsoidField<S> field{Vec3<S>::zero(), R.F};
  for (int i = 0; i < 3; i++) {
    field.acceleration[i] = -GM * X[i] * R.D[i];
    field.potential -= X[i] * X[i] * R.D[i] * S(1.0 / 3.0);
  }
  field.potential = field.potential * (S(-1.5) * GM);
  return field;
}

}  // namespace sinew
