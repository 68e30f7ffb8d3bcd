// The stiffness of a contact against the motion of its link, about the link's origin.
#pragma once
#include "sinew/dynamics/unsymmetric.h"
#include "sinew/solve/rows.h"

namespace sinew {

// c.n k_n c.n^T + [t1 t2] K [t1 t2]^T, symmetric
template <Real S>
SINEW_INLINE Mat3<S> in_world(const ContactRow<S>& c, S k_n, const LocalBlock<S>& b) {
  const Vec3<S> k1 = c.t1 * b.xx + c.t2 * b.xy, k2 = c.t1 * b.xy + c.t2 * b.yy, n = c.n * k_n;
  Mat3<S> K;
  for (int k = 0; k < 3; k++) K.col(k) = n * c.n[k] + k1 * c.t1[k] + k2 * c.t2[k];
  return K;
}

// What resists the motion of the point at r as the stiffness K against its velocity, K_ang against turning, and the
// torque m against its velocity along n; about the origin:
//   C = K,  E = -K [r],  B = [r] K + m n^T,  A = [r] E + K_ang - m (n x r)^T
template <Real S>
SINEW_INLINE void add_point(const Vec3<S>& r, const Mat3<S>& K, Block6<S>& I) {
  const Vec3<S> E[3] = {K.col(2) * r[1] - K.col(1) * r[2], K.col(0) * r[2] - K.col(2) * r[0],
                        K.col(1) * r[0] - K.col(0) * r[1]};
  for (int k = 0; k < 3; k++) {
    I.C.col(k) += K.col(k);
    I.E.col(k) += E[k];
    I.B.col(k) += cross(r, K.col(k));
    I.A.col(k) += cross(r, E[k]);
  }
}
// The same for K = k 1, with the same bits: a contact that sticks resists alike in all directions.
template <Real S>
SINEW_INLINE void add_firm_point(const Vec3<S>& r, S k, Block6<S>& I) {
  const S x = k * r[0], y = k * r[1], z = k * r[2];
  I.C(0, 0) += k;
  I.C(1, 1) += k;
  I.C(2, 2) += k;
  I.E(1, 0) -= z;
  I.E(2, 0) += y;
  I.E(0, 1) += z;
  I.E(2, 1) -= x;
  I.E(0, 2) -= y;
  I.E(1, 2) += x;
  I.B(1, 0) += z;
  I.B(2, 0) -= y;
  I.B(0, 1) -= z;
  I.B(2, 1) += x;
  I.B(0, 2) += y;
  I.B(1, 2) -= x;
  I.A(0, 0) += r[1] * y + r[2] * z;
  I.A(1, 0) -= r[0] * y;
  I.A(2, 0) -= r[0] * z;
  I.A(0, 1) -= r[1] * x;
  I.A(1, 1) += r[2] * z + r[0] * x;
  I.A(2, 1) -= r[1] * z;
  I.A(0, 2) -= r[2] * x;
  I.A(1, 2) -= r[2] * y;
  I.A(2, 2) += r[0] * x + r[1] * y;
}
template <Real S>
SINEW_INLINE void add_turning(const Vec3<S>& r, const Vec3<S>& n, const Mat3<S>& K_ang, const Vec3<S>& m,
                              Block6<S>& I) {
  const Vec3<S> nr = cross(n, r);
  for (int k = 0; k < 3; k++) {
    I.B.col(k) += m * n[k];
    I.A.col(k) += K_ang.col(k) - m * nr[k];
  }
}

}  // namespace sinew
