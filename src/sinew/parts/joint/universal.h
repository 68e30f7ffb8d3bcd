// Universal (cardan): F turns about J's z axis by q_0, then about its own y axis by q_1 [rad].
//   R_JF = Rz(q_0) Ry(q_1),   w_rel = z_J u_0 + y_F u_1
// Cut: three position rows and one angular row, z_J . y_F = 0.
#pragma once
#include "sinew/parts/joint/joint.h"

namespace sinew::joint {

struct Universal : Additive<Universal> {
  static constexpr const char* name = "universal";
  static constexpr int nq = 2, nu = 2;
  static constexpr std::array<int, 2> angles{0, 1};
  static constexpr std::array dirs{Dir::Angular, Dir::Angular};
  static constexpr std::array row_dirs{Dir::Angular, Dir::Linear, Dir::Linear, Dir::Linear};
  template <Real S>
  SINEW_INLINE static Pose<S> place(const Pose<S>& X_WJ, const S*, const SinCos<S>* trig) {
    return {turned_y(turned_z(X_WJ.R, trig[0]), trig[1]), X_WJ.p};
  }
  template <Real S>
  SINEW_INLINE static void axes(const Mat3<S>& R_WJ, const Mat3<S>& R_WF, Vec3<S>* s) {
    s[0] = R_WJ.col(2);
    s[1] = R_WF.col(1);
  }
  // y_F turns with u_0 about z_J
  static constexpr bool drifts = true;
  template <Real S>
  SINEW_INLINE static Twist<S> drift(const Vec3<S>* s, const S* u) {
    return {cross(s[0], s[1]) * (u[0] * u[1]), Vec3<S>::zero()};
  }
  template <Real S>
  static void rows(const Mat3<S>& R_WJ, const Mat3<S>& R_WF, Vec3<S>* e) {
    e[0] = cross(R_WF.col(1), R_WJ.col(2));
    for (int i = 0; i < 3; i++) e[1 + i] = R_WJ.col(i);
  }
  static constexpr bool has_second_axis = true;
  static constexpr std::array<int, 1> turning_rows{0}, turning_axes{1};
  template <Real S>
  static void axes_rate(const Mat3<S>&, const Mat3<S>& R_WF, const Vec3<S>& w_rel, Vec3<S>* s_rate) {
    s_rate[1] = cross(w_rel, R_WF.col(1));
  }
  template <Real S>
  static void rows_rate(const Mat3<S>& R_WJ, const Mat3<S>& R_WF, const Vec3<S>& w_rel, Vec3<S>* e_rate) {
    e_rate[0] = cross(cross(w_rel, R_WF.col(1)), R_WJ.col(2));
  }
  template <Real S>
  static void gap(const Pose<S>& X_JF, S* g) {
    g[0] = X_JF.R(2, 1);
    for (int i = 0; i < 3; i++) g[1 + i] = X_JF.p[i];
  }
  template <Real S>
  static void coordinates(const Pose<S>& X_JF, S* q) {
    q[0] = angle_of(-X_JF.R(0, 1), X_JF.R(1, 1));
    q[1] = angle_of(-X_JF.R(2, 0), X_JF.R(2, 2));
  }
};

}  // namespace sinew::joint
