// Prismatic: F slides along J's z axis by q [m].
#pragma once
#include "sinew/parts/joint/joint.h"

namespace sinew::joint {

struct Prismatic : Additive<Prismatic> {
  static constexpr const char* name = "prismatic";
  static constexpr int nq = 1, nu = 1;
  static constexpr std::array<int, 0> angles{};
  static constexpr std::array dirs{Dir::Linear};
  static constexpr std::array row_dirs{Dir::Angular, Dir::Angular, Dir::Angular, Dir::Linear, Dir::Linear};
  template <Real S>
  SINEW_INLINE static Pose<S> place(const Pose<S>& X_WJ, const S* q, const SinCos<S>*) {
    return {X_WJ.R, X_WJ.p + X_WJ.R.col(2) * q[0]};
  }
  template <Real S>
  SINEW_INLINE static void axes(const Mat3<S>& R_WJ, const Mat3<S>&, Vec3<S>* s) {
    s[0] = R_WJ.col(2);
  }
  template <Real S>
  static void gap(const Pose<S>& X_JF, S* g) {
    const Vec3<S> phi = quaternion_log(to_quaternion(X_JF.R));
    for (int i = 0; i < 3; i++) g[i] = phi[i];
    g[3] = X_JF.p[0];
    g[4] = X_JF.p[1];
  }
  template <Real S>
  static void coordinates(const Pose<S>& X_JF, S* q) {
    q[0] = X_JF.p[2];
  }
};

}  // namespace sinew::joint
