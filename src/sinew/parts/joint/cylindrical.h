// Cylindrical: F turns about J's z axis by q_0 [rad] and slides along it by q_1 [m]: a sleeve on a round rod.
// A screw is this joint with one equation more, q_1 = pitch / (2 pi) q_0 (JointTie in model/plan.h).
#pragma once
#include "sinew/parts/joint/revolute.h"

namespace sinew::joint {

struct Cylindrical : Additive<Cylindrical> {
  static constexpr const char* name = "cylindrical";
  static constexpr int nq = 2, nu = 2;
  static constexpr std::array<int, 1> angles{0};
  static constexpr std::array dirs{Dir::Angular, Dir::Linear};
  static constexpr std::array row_dirs{Dir::Angular, Dir::Angular, Dir::Linear, Dir::Linear};
  template <Real S>
  SINEW_INLINE static Pose<S> place(const Pose<S>& X_WJ, const S* q, const SinCos<S>* trig) {
    return {turned_z(X_WJ.R, trig[0]), X_WJ.p + X_WJ.R.col(2) * q[1]};
  }
  template <Real S>
  SINEW_INLINE static void axes(const Mat3<S>& R_WJ, const Mat3<S>&, Vec3<S>* s) {
    s[0] = s[1] = R_WJ.col(2);
  }
  template <Real S>
  static void rows(const Mat3<S>& R_WJ, const Mat3<S>&, Vec3<S>* e) {
    for (int i = 0; i < 4; i++) e[i] = R_WJ.col(i % 2);
  }
  template <Real S>
  static void gap(const Pose<S>& X_JF, S* g) {
    tilt_gap(X_JF.R, g);
    g[2] = X_JF.p[0];
    g[3] = X_JF.p[1];
  }
  template <Real S>
  static void coordinates(const Pose<S>& X_JF, S* q) {
    Revolute::coordinates(X_JF, q);
    q[1] = X_JF.p[2];
  }
};

}  // namespace sinew::joint
