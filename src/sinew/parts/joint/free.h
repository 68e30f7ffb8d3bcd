// Free: six freedoms from the world. F sits at the body's centre of mass.
// q = (position of F in J [m], unit quaternion w, x, y, z); u = (angular velocity in F's axes, velocity of F in
// J's axes). A single body then has a constant mass matrix and exactly conserved linear momentum.
#pragma once
#include "sinew/math/check.h"
#include "sinew/parts/joint/ball.h"

namespace sinew::joint {

struct Free : Defaults {
  static constexpr const char* name = "free";
  static constexpr int nq = 7, nu = 6;
  static constexpr std::array<int, 0> angles{};
  static constexpr std::array dirs{Dir::Angular, Dir::Angular, Dir::Angular, Dir::Linear, Dir::Linear, Dir::Linear};
  static constexpr std::array<Dir, 1> row_dirs{};  // none
  template <Real S>
  SINEW_INLINE static Pose<S> place(const Pose<S>& X_WJ, const S* q, const SinCos<S>*) {
    SINEW_ASSERT(is_unit(read_quat(q + 3)));
    return {X_WJ.R * to_matrix(read_quat(q + 3)), X_WJ * Vec3<S>(q[0], q[1], q[2])};
  }
  template <Real S>
  static void neutral(S* q) {
    q[0] = q[1] = q[2] = S(0.0);
    write_quat(Quat<S>::identity(), q + 3);
  }
  template <Real S>
  SINEW_INLINE static void axes(const Mat3<S>& R_WJ, const Mat3<S>& R_WF, Vec3<S>* s) {
    for (int i = 0; i < 3; i++) {
      s[i] = R_WF.col(i);
      s[3 + i] = R_WJ.col(i);
    }
  }
  template <Real S>
  static void rows(const Mat3<S>&, const Mat3<S>&, Vec3<S>*) {}
  template <Real S>
  static void gap(const Pose<S>&, S*) {}
  template <Real S>
  static void coordinates(const Pose<S>& X_JF, S* q) {
    for (int i = 0; i < 3; i++) q[i] = X_JF.p[i];
    write_quat(to_quaternion(X_JF.R), q + 3);
  }
  template <Real S>
  static void advance(S* q, const S* u, const S& dt) {
    for (int i = 0; i < 3; i++) q[i] += dt * u[3 + i];
    advance_quat(q + 3, u, dt);
  }
  template <Real S>
  static void local_rate(const S* phi, const S* u, S* rate) {
    Ball::local_rate(phi, u, rate);
    for (int i = 3; i < 6; i++) rate[i] = u[i];
  }
  // the motion is (angles about z, y, x as for the ball joint; position of F in J)
  template <Real S>
  static void prescribe(const S* m, const S* d, const S* dd, S* q, S* u, S* u_rate) {
    Ball::prescribe(m, d, dd, q + 3, u, u_rate);
    for (int i = 0; i < 3; i++) {
      q[i] = m[3 + i];
      u[3 + i] = d[3 + i];
      u_rate[3 + i] = dd[3 + i];
    }
  }
  template <Real S>
  static void displacement(const S* q, const S* q_rest, S* e) {
    Ball::displacement(q + 3, q_rest + 3, e);
    for (int i = 0; i < 3; i++) e[3 + i] = q[i] - q_rest[i];
  }
  template <Real S>
  static void strain(const S* q, const S* q_rest, S* e) {
    displacement(q, q_rest, e);
  }
  template <Real S>
  static void spring_forces(const S* q, const S* e, S* f) {
    Ball::spring_forces(q, e, f);
  }
};

}  // namespace sinew::joint
