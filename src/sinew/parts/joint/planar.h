// Planar: F moves in J's x-y plane. q = (x, y [m], angle about z [rad]); u: their rates.
#pragma once
#include "sinew/parts/joint/revolute.h"

namespace sinew::joint {

struct Planar : Additive<Planar> {
  static constexpr const char* name = "planar";
  static constexpr int nq = 3, nu = 3;
  static constexpr std::array<int, 1> angles{2};
  static constexpr std::array dirs{Dir::Linear, Dir::Linear, Dir::Angular};
  static constexpr std::array row_dirs{Dir::Angular, Dir::Angular, Dir::Linear};
  template <Real S>
  SINEW_INLINE static Pose<S> place(const Pose<S>& X_WJ, const S* q, const SinCos<S>* trig) {
    return {turned_z(X_WJ.R, trig[0]), X_WJ.p + X_WJ.R.col(0) * q[0] + X_WJ.R.col(1) * q[1]};
  }
  template <Real S>
  SINEW_INLINE static void axes(const Mat3<S>& R_WJ, const Mat3<S>&, Vec3<S>* s) {
    for (int i = 0; i < 3; i++) s[i] = R_WJ.col(i);
  }
  template <Real S>
  static void gap(const Pose<S>& X_JF, S* g) {
    tilt_gap(X_JF.R, g);
    g[2] = X_JF.p[2];
  }
  template <Real S>
  static void coordinates(const Pose<S>& X_JF, S* q) {
    q[0] = X_JF.p[0];
    q[1] = X_JF.p[1];
    Revolute::coordinates(X_JF, q + 2);
  }
};

}  // namespace sinew::joint
