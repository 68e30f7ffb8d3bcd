// Forces of the ground, energies, and both as functions of the torques (docs/theory/quadruped.md#stance).
#include <cmath>

#include "robots/quadruped/stance.h"
#include "sinew/math/small_solve.h"

namespace sinew::legged {
namespace {

// x with A^T x = b, by the columns of A.
Vec3d solve_transposed(const Mat3d& A, const Vec3d& b) {
  const Vec3d c0 = cross(A.col(1), A.col(2)), c1 = cross(A.col(2), A.col(0)), c2 = cross(A.col(0), A.col(1));
  return (c0 * b[0] + c1 * b[1] + c2 * b[2]) * (1.0 / dot(A.col(0), c0));
}

}  // namespace

// The leg's own three joint equations: J_s^T f = K3^T (...) + J_s^T (...) - tau.
Vec3d foot_force(const LegShape& s, const HeldLeg& leg, const PlateMotion& plate, const Vec3d& v_rate,
                 const Vec3d& w_rate, const Vec3d& tau) {
  Vec3d a_k = leg.a_k0;
  for (int c = 0; c < 3; c++) a_k += leg.J_k[c] * v_rate[c] + leg.J_k[3 + c] * w_rate[c];
  const Vec3d a_h = leg.a_h0 + v_rate + cross(w_rate, s.hip);
  const double both = s.m_th + s.m_sh;
  const Vec3d on_knee = a_k * (both / 3.0) + a_h * (s.m_th / 6.0) + plate.lift * (0.5 * both);
  const Vec3d rest(dot(leg.turn.by_ha, on_knee) - tau[0], dot(leg.turn.by_h, on_knee) - tau[1], -tau[2]);
  return a_k * (s.m_sh / 6.0) + plate.lift * (0.5 * s.m_sh) + solve_transposed(foot_jacobian(s, leg.pose), rest);
}

Feet foot_forces(const Quadruped& robot, const Stance& stance, const Vec8& u_rate, const Vec14& tau) {
  const Mat3d& R = stance.plate.R;
  const Vec3d v_rate = transpose_times(R, Vec3d(u_rate[0], u_rate[1], u_rate[2]));
  const Vec3d w_rate = transpose_times(R, Vec3d(u_rate[3], u_rate[4], u_rate[5]));
  Feet out;
  for (int i = 0; i < 4; i++) {
    const int* at = actuator_of[i];
    out[i] = R * foot_force(robot.leg[i], stance.leg[i], stance.plate, v_rate, w_rate,
                            {tau[at[ha]], tau[at[hb]], tau[at[knee]]});
  }
  return out;
}

StanceEnergy energy_of(const Quadruped& robot, const Stance& stance, const Feet& feet, const Vec14& tau) {
  const PlateMotion& plate = stance.plate;
  const Vec3d up = plate.lift;  // g times z of S, in P: g z of a point x is up . x + g p_z
  const auto height = [&](const Vec3d& x) { return dot(up, x) + robot.g * plate.p[2]; };
  StanceEnergy e{};
  e.power = tau[6] * stance.tail_rate[0] + tau[7] * stance.tail_rate[1];
  const Vec3d tip = plate.v + cross(plate.w, stance.tail.x) + stance.tail.rate;
  e.T = 0.5 * (robot.m_b * dot(plate.v, plate.v) + dot(plate.w, robot.I_b * plate.w) + robot.tail.tip * dot(tip, tip));
  e.V = robot.m_b * height(Vec3d::zero()) + robot.tail.tip * height(stance.tail.x);
  for (int i = 0; i < 4; i++) {
    const LegShape& s = robot.leg[i];
    const HeldLeg& leg = stance.leg[i];
    const Vec3d hip = plate.v + cross(plate.w, s.hip), x_k = s.hip + leg.pose.b;
    const Vec3d k = plate.v + cross(plate.w, x_k) + leg.turn.by_ha * leg.rate[ha] + leg.turn.by_h * leg.rate[hb];
    e.T += s.m_th / 6.0 * (dot(hip, hip) + dot(k, k) + dot(hip, k)) + s.m_sh / 6.0 * dot(k, k);
    e.V += 0.5 * s.m_th * (height(s.hip) + height(x_k)) + 0.5 * s.m_sh * (height(x_k) + robot.g * feet[i][2]);
    for (int a = 0; a < 3; a++) e.power += tau[actuator_of[i][a]] * leg.rate[a];
  }
  return e;
}

void affine_of(const Quadruped& robot, const Stance& stance, AffineStance& out) {
  StanceTerms t;
  terms_of(robot, stance, t);
  double M[64];
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 8; k++) M[8 * i + k] = t.M[i][k];
  factor_small<8>(M);
  double x[8];
  for (int i = 0; i < 8; i++) x[i] = -t.C[i] - t.G[i];
  solve_small<8>(M, x);
  Vec8 a0;
  for (int i = 0; i < 8; i++) out.a0[i] = a0[i] = x[i];
  const Vec14 none{};
  const Feet at_rest = foot_forces(robot, stance, a0, none);
  for (int i = 0; i < 12; i++) out.f0[i] = at_rest[i / 3][i % 3];
  for (int a = 0; a < 14; a++) {
    for (int i = 0; i < 8; i++) x[i] = t.J[a][i];
    solve_small<8>(M, x);
    Vec8 u_rate;
    for (int i = 0; i < 8; i++) {
      out.A[i][a] = x[i];
      u_rate[i] = a0[i] + x[i];
    }
    Vec14 unit{};
    unit[a] = 1.0;
    const Feet f = foot_forces(robot, stance, u_rate, unit);
    for (int i = 0; i < 12; i++) out.F[i][a] = f[i / 3][i % 3] - out.f0[i];
  }
}

double friction_demand(const Vec3d& f) { return std::sqrt(f[0] * f[0] + f[1] * f[1]) / f[2]; }

}  // namespace sinew::legged
