// Revolute: F turns about J's z axis by q [rad].
#pragma once
#include "sinew/parts/joint/joint.h"

namespace sinew::joint {

// Tilt of F's z axis against J's, about J's x and y: zero when both coincide. Shared with the planar joint.
template <Real S>
void tilt_gap(const Mat3<S>& R_JF, S* g) {
  g[0] = -R_JF(1, 2);
  g[1] = R_JF(0, 2);
}

struct Revolute : Additive<Revolute> {
  static constexpr const char* name = "revolute";
  static constexpr int nq = 1, nu = 1;
  static constexpr std::array<int, 1> angles{0};
  static constexpr std::array dirs{Dir::Angular};
  static constexpr std::array row_dirs{Dir::Angular, Dir::Angular, Dir::Linear, Dir::Linear, Dir::Linear};
  template <Real S>
  SINEW_INLINE static Pose<S> place(const Pose<S>& X_WJ, const S*, const SinCos<S>* trig) {
    return {turned_z(X_WJ.R, trig[0]), X_WJ.p};
  }
  template <Real S>
  SINEW_INLINE static void axes(const Mat3<S>& R_WJ, const Mat3<S>&, Vec3<S>* s) {
    s[0] = R_WJ.col(2);
  }
  template <Real S>
  static void rows(const Mat3<S>& R_WJ, const Mat3<S>&, Vec3<S>* e) {
    e[0] = R_WJ.col(0);
    e[1] = R_WJ.col(1);
    for (int i = 0; i < 3; i++) e[2 + i] = R_WJ.col(i);
  }
  template <Real S>
  static void gap(const Pose<S>& X_JF, S* g) {
    tilt_gap(X_JF.R, g);
    for (int i = 0; i < 3; i++) g[2 + i] = X_JF.p[i];
  }
  template <Real S>
  static void coordinates(const Pose<S>& X_JF, S* q) {
    q[0] = angle_of(X_JF.R(1, 0) - X_JF.R(0, 1), X_JF.R(0, 0) + X_JF.R(1, 1));
  }
};

}  // namespace sinew::joint
