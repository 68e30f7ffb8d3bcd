// Ball (spherical): F turns freely about J's origin. q: unit quaternion (w, x, y, z); u: angular velocity of F
// relative to J in F's axes [rad/s]. Driven: the motion is three angles about z, then y, then x (all of F as it turns).
#pragma once
#include "sinew/math/check.h"
#include "sinew/parts/joint/joint.h"

namespace sinew::joint {

struct Ball : Defaults {
  static constexpr const char* name = "ball";
  static constexpr int nq = 4, nu = 3;
  static constexpr std::array<int, 0> angles{};
  static constexpr std::array dirs{Dir::Angular, Dir::Angular, Dir::Angular};
  static constexpr std::array row_dirs{Dir::Linear, Dir::Linear, Dir::Linear};
  template <Real S>
  SINEW_INLINE static Pose<S> place(const Pose<S>& X_WJ, const S* q, const SinCos<S>*) {
    SINEW_ASSERT(is_unit(read_quat(q)));
    return {X_WJ.R * to_matrix(read_quat(q)), X_WJ.p};
  }
  template <Real S>
  static void neutral(S* q) {
    write_quat(Quat<S>::identity(), q);
  }
  template <Real S>
  SINEW_INLINE static void axes(const Mat3<S>&, const Mat3<S>& R_WF, Vec3<S>* s) {
    for (int i = 0; i < 3; i++) s[i] = R_WF.col(i);
  }
  template <Real S>
  static void rows(const Mat3<S>& R_WJ, const Mat3<S>&, Vec3<S>* e) {
    for (int i = 0; i < 3; i++) e[i] = R_WJ.col(i);
  }
  template <Real S>
  static void gap(const Pose<S>& X_JF, S* g) {
    for (int i = 0; i < 3; i++) g[i] = X_JF.p[i];
  }
  template <Real S>
  static void coordinates(const Pose<S>& X_JF, S* q) {
    write_quat(to_quaternion(X_JF.R), q);
  }
  template <Real S>
  static void advance(S* q, const S* u, const S& dt) {
    advance_quat(q, u, dt);
  }
  // inverse of the exponential's derivative up to phi^2; phi is one step's rotation, so the rest is beyond order 4
  template <Real S>
  static void local_rate(const S* phi, const S* u, S* rate) {
    const Vec3<S> p{phi[0], phi[1], phi[2]}, w{u[0], u[1], u[2]}, pw = cross(p, w), ppw = cross(p, pw);
    for (int i = 0; i < 3; i++) rate[i] = u[i] + S(0.5) * pw[i] + S(1.0 / 12.0) * ppw[i];
  }
  // R = Rz(m_0) Ry(m_1) Rx(m_2); u and its rate in F's axes
  template <Real S>
  static void prescribe(const S* m, const S* d, const S* dd, S* q, S* u, S* u_rate) {
    S sz, cz, sy, cy, sx, cx;
    sincos(m[0] * S(0.5), sz, cz);
    sincos(m[1] * S(0.5), sy, cy);
    sincos(m[2] * S(0.5), sx, cx);
    const S o = S(0.0);
    write_quat(Quat<S>{cz, o, o, sz} * Quat<S>{cy, o, sy, o} * Quat<S>{cx, sx, o, o}, q);
    sincos(m[1], sy, cy);
    sincos(m[2], sx, cx);
    u[0] = d[2] - d[0] * sy;
    u[1] = d[1] * cx + d[0] * cy * sx;
    u[2] = -d[1] * sx + d[0] * cy * cx;
    u_rate[0] = dd[2] - dd[0] * sy - d[0] * d[1] * cy;
    u_rate[1] = dd[1] * cx - d[1] * d[2] * sx + dd[0] * cy * sx - d[0] * d[1] * sy * sx + d[0] * d[2] * cy * cx;
    u_rate[2] = -dd[1] * sx - d[1] * d[2] * cx + dd[0] * cy * cx - d[0] * d[1] * sy * cx - d[0] * d[2] * cy * sx;
  }
  // rotation vector from q_rest to q: the gradient of |phi|^2 / 2 is phi itself
  template <Real S>
  static void displacement(const S* q, const S* q_rest, S* e) {
    const Vec3<S> phi = quaternion_log(conjugate(read_quat(q_rest)) * read_quat(q));
    for (int i = 0; i < 3; i++) e[i] = phi[i];
  }
  template <Real S>
  static void strain(const S* q, const S* q_rest, S* e) {
    displacement(q, q_rest, e);
  }
  // Forces along the components of the rotation vector phi become a torque about F's axes: the transpose of
  // d/dt phi = (1 + [phi]/2 + c [phi]^2) w. Without it unequal springs would not conserve energy.
  //   c = (1 - (a/2) cot(a/2)) / a^2,   a = |phi|
  template <Real S>
  static void spring_forces(const S*, const S* phi, S* f) {
    const Vec3<S> p{phi[0], phi[1], phi[2]}, x{f[0], f[1], f[2]}, px = cross(p, x), ppx = cross(p, px);
    const S a2 = dot(p, p);
    const auto small = a2 < S(1e-4);
    const S safe = select(small, S(1.0), a2), half = S(0.5) * sqrt(safe);
    S sin, cos;
    sincos(half, sin, cos);
    const S c = select(small, S(1.0 / 12.0) + a2 * S(1.0 / 720.0), (S(1.0) - half * cos / sin) / safe);
    for (int i = 0; i < 3; i++) f[i] = x[i] - S(0.5) * px[i] + c * ppx[i];
  }
};

}  // namespace sinew::joint
