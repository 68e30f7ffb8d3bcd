#include "robots/quadruped/stance.h"

#include <cmath>
#include <numeric>

#include "sinew/math/elementary.h"
#include "sinew/math/small_solve.h"

namespace sinew::legged {

double Quadruped::mass() const {
  double sum = m_b + tail.tip + std::accumulate(tail.mass.begin(), tail.mass.end(), 0.0);
  for (const LegShape& l : leg) sum += l.m_th + l.m_sh;
  return sum;
}

Mat3d rotation_of(const Vec3d& phi) {
  SinCos<double> x, y, z;
  sincos(phi[0], x.sin, x.cos);
  sincos(phi[1], y.sin, y.cos);
  sincos(phi[2], z.sin, z.cos);
  return {Vec3d(z.cos * y.cos, z.sin * y.cos, -y.sin),
          Vec3d(z.cos * y.sin * x.sin - z.sin * x.cos, z.sin * y.sin * x.sin + z.cos * x.cos, y.cos * x.sin),
          Vec3d(z.cos * y.sin * x.cos + z.sin * x.sin, z.sin * y.sin * x.cos - z.cos * x.sin, y.cos * x.cos)};
}

Vec3d angles_of(const Mat3d& R) {
  return {math::atan2(R(2, 1), R(2, 2)), math::atan2(-R(2, 0), std::sqrt(R(0, 0) * R(0, 0) + R(1, 0) * R(1, 0))),
          math::atan2(R(1, 0), R(0, 0))};
}

// det E = cos phi_y: the caller keeps away from 0.
Vec3d rates_of(const Vec3d& phi, const Vec3d& w) {
  SinCos<double> y, z;
  sincos(phi[1], y.sin, y.cos);
  sincos(phi[2], z.sin, z.cos);
  const double x_rate = (z.cos * w[0] + z.sin * w[1]) / y.cos;
  return {x_rate, z.cos * w[1] - z.sin * w[0], w[2] + y.sin * x_rate};
}

Vec3d turn_of(const Vec3d& phi, const Vec3d& r) {
  SinCos<double> y, z;
  sincos(phi[1], y.sin, y.cos);
  sincos(phi[2], z.sin, z.cos);
  return {z.cos * y.cos * r[0] - z.sin * r[1], z.sin * y.cos * r[0] + z.cos * r[1], r[2] - y.sin * r[0]};
}

Vec3d turn_rate_of(const Vec3d& phi, const Vec3d& r, const Vec3d& a) {
  SinCos<double> y, z;
  sincos(phi[1], y.sin, y.cos);
  sincos(phi[2], z.sin, z.cos);
  const Vec3d drift((-z.sin * y.cos * r[2] - z.cos * y.sin * r[1]) * r[0] - z.cos * r[2] * r[1],
                    (z.cos * y.cos * r[2] - z.sin * y.sin * r[1]) * r[0] - z.sin * r[2] * r[1], -y.cos * r[1] * r[0]);
  return turn_of(phi, a) + drift;
}

StanceState stance_of(const Vec8& q, const Vec8& u) {
  StanceState s;
  s.p = Vec3d(q[0], q[1], q[2]);
  s.R = rotation_of({q[3], q[4], q[5]});
  s.v = Vec3d(u[0], u[1], u[2]);
  s.w = Vec3d(u[3], u[4], u[5]);
  for (int i = 0; i < 2; i++) {
    s.tail[i] = q[6 + i];
    s.tail_rate[i] = u[6 + i];
  }
  return s;
}

void evaluate(const Quadruped& robot, const StanceState& state, const Feet& feet, Stance& out) {
  PlateMotion& plate = out.plate;
  plate.R = state.R;
  plate.p = state.p;
  plate.v = transpose_times(state.R, state.v);
  plate.w = transpose_times(state.R, state.w);
  plate.lift = Vec3d(state.R(2, 0), state.R(2, 1), state.R(2, 2)) * robot.g;
  out.reach = Reach::Good;
  for (int i = 0; i < 4; i++) {
    hold_leg(robot.leg[i], plate, feet[i], out.leg[i]);
    if (out.leg[i].pose.reach != Reach::Good) out.reach = out.leg[i].pose.reach;
  }
  for (int c = 0; c < 2; c++) out.tail_rate[c] = state.tail_rate[c];
  place_tip(robot.tail, state.tail, state.tail_rate, out.tail);
  const Vec3d& w = plate.w;
  out.tip_a0 = cross(w, cross(w, out.tail.x)) + cross(w, out.tail.rate) * 2.0 + out.tail.drift;
}

namespace {

// (v, w) of a wrench at the plate's centre: f at x.
void add_force(const Vec3d& x, const Vec3d& f, double* Q) {
  const Vec3d n = cross(x, f);
  for (int i = 0; i < 3; i++) {
    Q[i] += f[i];
    Q[3 + i] += n[i];
  }
}
void add_knee_force(const HeldLeg& leg, const Vec3d& f, double* Q) {
  for (int i = 0; i < 6; i++) Q[i] += dot(leg.J_k[i], f);
}

// Virtual work of a leg (docs/theory/quadruped.md#stance) for accelerations of hip and knee, and for its weight.
void add_leg(const LegShape& s, const HeldLeg& leg, const Vec3d& a_h, const Vec3d& a_k, const Vec3d& lift, double* Q) {
  const double both = s.m_th + s.m_sh;
  add_knee_force(leg, a_k * (both / 3.0) + a_h * (s.m_th / 6.0) + lift * (0.5 * both), Q);
  add_force(s.hip, a_h * (s.m_th / 3.0) + a_k * (s.m_th / 6.0) + lift * (0.5 * s.m_th), Q);
}
void add_tip(const Quadruped& robot, const TailTip& tail, const Vec3d& a, double* Q) {
  const Vec3d f = a * robot.tail.tip;
  add_force(tail.x, f, Q);
  for (int c = 0; c < 2; c++) Q[6 + c] += dot(tail.X[c], f);
}

Vec3d knee_acceleration(const HeldLeg& leg, const double* u_rate) {
  Vec3d a = leg.a_k0;
  for (int i = 0; i < 6; i++) a += leg.J_k[i] * u_rate[i];
  return a;
}
Vec3d point_acceleration(const Vec3d& x, const double* u_rate) {
  return Vec3d(u_rate[0], u_rate[1], u_rate[2]) + cross(Vec3d(u_rate[3], u_rate[4], u_rate[5]), x);
}

// M in P, lower triangle.
void mass_of(const Quadruped& robot, const Stance& stance, double M[8][8]) {
  for (int i = 0; i < 8; i++)
    for (int k = 0; k <= i; k++) M[i][k] = 0.0;
  for (int i = 0; i < 3; i++) M[i][i] = robot.m_b;
  const Sym3d& I = robot.I_b;
  M[3][3] = I.xx;
  M[4][3] = I.xy;
  M[4][4] = I.yy;
  M[5][3] = I.xz;
  M[5][4] = I.yz;
  M[5][5] = I.zz;
  for (int l = 0; l < 4; l++) {
    const LegShape& s = robot.leg[l];
    const HeldLeg& leg = stance.leg[l];
    // m_h Jh'Jh + m_k Jk'Jk + m_x (Jh'Jk + Jk'Jh) = Jk' (m_k Jk + m_x Jh) + Jh' (m_h Jh + m_x Jk)
    const double m_k = (s.m_th + s.m_sh) / 3.0, m_h = s.m_th / 3.0, m_x = s.m_th / 6.0;
    for (int k = 0; k < 6; k++) {
      const Vec3d h = point_column(s.hip, k), f_k = leg.J_k[k] * m_k + h * m_x, f_h = h * m_h + leg.J_k[k] * m_x;
      const Vec3d n_h = cross(s.hip, f_h);
      for (int i = k; i < 6; i++) M[i][k] += dot(leg.J_k[i], f_k) + (i < 3 ? f_h[i] : n_h[i - 3]);
    }
  }
  const double m = robot.tail.tip;
  Vec3d column[8];
  for (int k = 0; k < 6; k++) column[k] = point_column(stance.tail.x, k);
  column[6] = stance.tail.X[0];
  column[7] = stance.tail.X[1];
  for (int k = 0; k < 8; k++)
    for (int i = k; i < 8; i++) M[i][k] += m * dot(column[i], column[k]);
}

// u' = 0: velocity terms (with lift = 0: those alone).
void bias_of(const Quadruped& robot, const Stance& stance, bool motion, bool weight, double* Q) {
  const Vec3d zero = Vec3d::zero(), lift = weight ? stance.plate.lift : zero;
  for (int i = 0; i < 8; i++) Q[i] = 0.0;
  for (int l = 0; l < 4; l++)
    add_leg(robot.leg[l], stance.leg[l], motion ? stance.leg[l].a_h0 : zero, motion ? stance.leg[l].a_k0 : zero, lift,
            Q);
  add_tip(robot, stance.tail, (motion ? stance.tip_a0 : zero) + lift, Q);
  const Vec3d n = motion ? cross(stance.plate.w, robot.I_b * stance.plate.w) : zero;
  for (int i = 0; i < 3; i++) {
    Q[i] += robot.m_b * lift[i];
    Q[3 + i] += n[i];
  }
}

// Components of P -> S of a vector of speeds or forces; only the first six turn.
void to_world(const Mat3d& R, const double* in, double* out) {
  for (int part = 0; part < 6; part += 3) {
    const Vec3d x = R * Vec3d(in[part], in[part + 1], in[part + 2]);
    for (int i = 0; i < 3; i++) out[part + i] = x[i];
  }
  out[6] = in[6];
  out[7] = in[7];
}
void to_plate(const Mat3d& R, const double* in, double* out) {
  for (int part = 0; part < 6; part += 3) {
    const Vec3d x = transpose_times(R, Vec3d(in[part], in[part + 1], in[part + 2]));
    for (int i = 0; i < 3; i++) out[part + i] = x[i];
  }
  out[6] = in[6];
  out[7] = in[7];
}

// J_tau^T tau in P.
void actuate(const Stance& stance, const Vec14& tau, double* Q) {
  for (int i = 0; i < 6; i++) Q[i] = 0.0;
  Q[6] = tau[6];
  Q[7] = tau[7];
  for (int l = 0; l < 4; l++)
    for (int a = 0; a < 3; a++) {
      const double t = tau[actuator_of[l][a]];
      for (int i = 0; i < 6; i++) Q[i] += stance.leg[l].j[a][i] * t;
    }
}

}  // namespace

void actuation_of(const Stance& stance, double J[14][8]) {
  double row[8];
  row[6] = row[7] = 0.0;
  for (int l = 0; l < 4; l++)
    for (int a = 0; a < 3; a++) {
      for (int i = 0; i < 6; i++) row[i] = stance.leg[l].j[a][i];
      to_world(stance.plate.R, row, J[actuator_of[l][a]]);
    }
  for (int i = 0; i < 8; i++) {
    J[6][i] = i == 6 ? 1.0 : 0.0;
    J[7][i] = i == 7 ? 1.0 : 0.0;
  }
}

void terms_of(const Quadruped& robot, const Stance& stance, StanceTerms& out) {
  double M[8][8], half[8][8], Q[8];
  mass_of(robot, stance, M);
  for (int i = 0; i < 8; i++)
    for (int k = i + 1; k < 8; k++) M[i][k] = M[k][i];
  const Mat3d& R = stance.plate.R;
  for (int i = 0; i < 8; i++) to_world(R, M[i], half[i]);  // M T^T
  for (int k = 0; k < 8; k++) {
    double column[8], turned[8];
    for (int i = 0; i < 8; i++) column[i] = half[i][k];
    to_world(R, column, turned);
    for (int i = 0; i < 8; i++) out.M[i][k] = turned[i];
  }
  bias_of(robot, stance, true, false, Q);
  to_world(R, Q, out.C);
  bias_of(robot, stance, false, true, Q);
  to_world(R, Q, out.G);
  actuation_of(stance, out.J);
}

Vec8 required(const Quadruped& robot, const Stance& stance, const Vec8& u_rate) {
  double a[8], Q[8] = {};
  to_plate(stance.plate.R, u_rate.data(), a);
  const Vec3d& lift = stance.plate.lift;
  for (int l = 0; l < 4; l++) {
    const HeldLeg& leg = stance.leg[l];
    add_leg(robot.leg[l], leg, leg.a_h0 + point_acceleration(robot.leg[l].hip, a), knee_acceleration(leg, a), lift, Q);
  }
  const TailTip& tail = stance.tail;
  add_tip(robot, tail, stance.tip_a0 + point_acceleration(tail.x, a) + tail.X[0] * a[6] + tail.X[1] * a[7] + lift, Q);
  const Vec3d& w = stance.plate.w;
  const Vec3d n = robot.I_b * Vec3d(a[3], a[4], a[5]) + cross(w, robot.I_b * w);
  for (int i = 0; i < 3; i++) {
    Q[i] += robot.m_b * (a[i] + lift[i]);
    Q[3 + i] += n[i];
  }
  Vec8 out;
  to_world(stance.plate.R, Q, out.data());
  return out;
}

Vec8 forward(const Quadruped& robot, const Stance& stance, const Vec14& tau, const Vec3d& f, const Vec3d& n) {
  double M[8][8], Q[8], push[8];
  mass_of(robot, stance, M);
  bias_of(robot, stance, true, true, Q);
  actuate(stance, tau, push);
  for (int i = 0; i < 8; i++) push[i] -= Q[i];
  for (int i = 0; i < 3; i++) {
    push[i] += f[i];
    push[3 + i] += n[i];
  }
  factor_small<8>(&M[0][0]);
  solve_small<8>(&M[0][0], push);
  Vec8 out;
  to_world(stance.plate.R, push, out.data());
  return out;
}

}  // namespace sinew::legged
