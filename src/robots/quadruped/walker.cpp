#include "robots/quadruped/walker.h"

#include <algorithm>
#include <cmath>

namespace sinew::legged {

Walker::Walker(const Quadruped& robot) : robot_(robot), tail_(robot.tail) {
  const int most = 6 + tail_.n_z + 12;
  M_.resize(most * most);
  L_.resize(most * most);
  C_.resize(most);
  G_.resize(most);
  u_.resize(most);
  scratch_.resize(most);
  for (End& end : ends_) end.J.resize(most);
  at_.resize(most);
}

void Walker::set_plate_point(const Vec3d& x, End& end) const {
  for (int c = 0; c < 6; c++) end.J[c] = point_column(x, c);
  end.x = x;
  end.rate = plate_.v + cross(plate_.w, x);
  end.a0 = cross(plate_.w, cross(plate_.w, x));
}

// The bar of docs/theory/quadruped.md#stance; column c of the ends is speed at[c].
void Walker::add_bar(const End& one, const End& two, int cols, const int* at, double m) {
  const Vec3d f1 = one.a0 * (m / 3.0) + two.a0 * (m / 6.0), f2 = two.a0 * (m / 3.0) + one.a0 * (m / 6.0);
  const Vec3d weight = plate_.lift * (0.5 * m);
  for (int c = 0; c < cols; c++) {
    const Vec3d p1 = one.J[c] * (m / 3.0) + two.J[c] * (m / 6.0), p2 = two.J[c] * (m / 3.0) + one.J[c] * (m / 6.0);
    for (int r = 0; r < cols; r++) M_[at[r] * n_ + at[c]] += dot(one.J[r], p1) + dot(two.J[r], p2);
    C_[at[c]] += dot(one.J[c], f1) + dot(two.J[c], f2);
    G_[at[c]] += dot(one.J[c] + two.J[c], weight);
  }
  V_ += m * (0.5 * dot(plate_.lift, one.x + two.x) + robot_.g * plate_.p[2]);
  com_ += (one.x + two.x) * (0.5 * m);
}

bool Walker::add_leg(int i, const WalkerState& state) {
  const LegShape& s = robot_.leg[i];
  End &hip = ends_[0], &knee_end = ends_[1], &foot = ends_[2];
  set_plate_point(s.hip, hip);
  for (int c = 0; c < 6; c++) at_[c] = c;
  if (mode_[i] == LegMode::Held) {
    HeldLeg& leg = held_[i];
    hold_leg(s, plate_, state.foot[i], leg);
    if (leg.pose.reach != Reach::Good) return false;
    pose_[i] = leg.pose;
    std::copy_n(leg.J_k, 6, knee_end.J.begin());
    knee_end.x = s.hip + leg.pose.b;
    knee_end.a0 = leg.a_k0;
    std::fill_n(foot.J.begin(), 6, Vec3d::zero());
    foot.x = s.hip + leg.pose.s;
    foot.a0 = Vec3d::zero();
    add_bar(hip, knee_end, 6, at_.data(), s.m_th);
    add_bar(knee_end, foot, 6, at_.data(), s.m_sh);
    return true;
  }
  pose_[i] = pose_of(s, state.theta[i]);
  const LegPose& pose = pose_[i];
  set_plate_point(s.hip + pose.b, knee_end);
  set_plate_point(s.hip + pose.s, foot);
  int cols = 6;
  if (mode_[i] == LegMode::Free) {
    const BarTurn Q = bar_turn(s.l_th, pose.ha, pose.hb), Qc = bar_turn(s.l_sh, pose.ha, pose.g);
    const auto& rate = state.theta_rate[i];
    const double g_rate = rate[hb] - s.knee * rate[knee];
    for (int c = 0; c < 3; c++) {
      at_[6 + c] = column_[i] + c;
      u_[column_[i] + c] = rate[c];
      hip.J[6 + c] = Vec3d::zero();
    }
    knee_end.J[6] = Q.by_ha;
    knee_end.J[7] = Q.by_h;
    knee_end.J[8] = Vec3d::zero();
    const Mat3d J_s = foot_jacobian(s, pose);
    for (int c = 0; c < 3; c++) foot.J[6 + c] = J_s.col(c);
    const Vec3d b_rate = Q.by_ha * rate[ha] + Q.by_h * rate[hb];
    const Vec3d c_rate = Qc.by_ha * rate[ha] + Qc.by_h * g_rate;
    const Vec3d b_drift = bar_drift(s.l_th, pose.ha, pose.hb, rate[ha], rate[hb]);
    knee_end.a0 += cross(plate_.w, b_rate) * 2.0 + b_drift;
    foot.a0 += cross(plate_.w, b_rate + c_rate) * 2.0 + b_drift + bar_drift(s.l_sh, pose.ha, pose.g, rate[ha], g_rate);
    cols = 9;
  }
  add_bar(hip, knee_end, cols, at_.data(), s.m_th);
  add_bar(knee_end, foot, cols, at_.data(), s.m_sh);
  return true;
}

void Walker::add_tail_point(int i) {
  const TailPoints::Point& p = tail_.point[i];
  End& end = ends_[0];
  set_plate_point(p.x, end);
  std::copy_n(tail_.X(i), tail_.n_z, end.J.begin() + 6);
  end.a0 += cross(plate_.w, p.rate) * 2.0 + p.drift;
  for (int c = 0; c < 6 + tail_.n_z; c++) at_[c] = c;
  add_bar(end, end, 6 + tail_.n_z, at_.data(), p.mass);  // a bar without length is a point
}

void Walker::add_tail(const WalkerState& state) {
  place_tail(robot_.tail, state.tail.data(), state.tail_rate.data(), tail_);
  const int nz = tail_.n_z;
  for (int c = 0; c < nz; c++) u_[6 + c] = state.tail_rate[c];
  for (std::size_t i = 0; i < tail_.point.size(); i++) {
    const TailPoints::Point& p = tail_.point[i];
    if (p.bar > 0.0) {
      for (int side = 0; side < 2; side++) {
        const TailPoints::Point& end = tail_.point[i - 1 + side];
        set_plate_point(end.x, ends_[side]);
        std::copy_n(tail_.X(int(i) - 1 + side), nz, ends_[side].J.begin() + 6);
        ends_[side].a0 += cross(plate_.w, end.rate) * 2.0 + end.drift;
      }
      for (int c = 0; c < 6 + nz; c++) at_[c] = c;
      add_bar(ends_[0], ends_[1], 6 + nz, at_.data(), p.bar);
    }
    if (p.mass > 0.0) add_tail_point(int(i));
  }
}

bool Walker::evaluate(const WalkerState& state) {
  plate_.R = state.R;
  plate_.p = state.p;
  plate_.v = transpose_times(state.R, state.v);
  plate_.w = transpose_times(state.R, state.w);
  plate_.lift = Vec3d(state.R(2, 0), state.R(2, 1), state.R(2, 2)) * robot_.g;
  mode_ = state.mode;
  n_ = 6 + tail_.n_z;
  for (int i = 0; i < 4; i++) {
    column_[i] = mode_[i] == LegMode::Free ? n_ : -1;
    if (mode_[i] == LegMode::Free) n_ += 3;
  }
  std::fill_n(M_.begin(), n_ * n_, 0.0);
  std::fill_n(C_.begin(), n_, 0.0);
  std::fill_n(G_.begin(), n_, 0.0);
  std::fill_n(u_.begin(), n_, 0.0);
  V_ = robot_.m_b * robot_.g * plate_.p[2];
  com_ = Vec3d::zero();
  const Sym3d& I = robot_.I_b;
  const double inertia[3][3] = {{I.xx, I.xy, I.xz}, {I.xy, I.yy, I.yz}, {I.xz, I.yz, I.zz}};
  const Vec3d gyro = cross(plate_.w, I * plate_.w);
  for (int i = 0; i < 3; i++) {
    u_[i] = plate_.v[i];
    u_[3 + i] = plate_.w[i];
    M_[i * n_ + i] = robot_.m_b;
    G_[i] = robot_.m_b * plate_.lift[i];
    C_[3 + i] = gyro[i];
    for (int k = 0; k < 3; k++) M_[(3 + i) * n_ + 3 + k] = inertia[i][k];
  }
  add_tail(state);
  for (int i = 0; i < 4; i++)
    if (!add_leg(i, state)) return false;
  com_ = plate_.p + plate_.R * (com_ * (1.0 / robot_.mass()));
  T_ = 0.0;
  for (int i = 0; i < n_; i++)
    for (int k = 0; k < n_; k++) T_ += 0.5 * u_[i] * M_[i * n_ + k] * u_[k];
  return true;
}

// Cholesky of the first n rows.
bool Walker::factor(int n) {
  for (int j = 0; j < n; j++) {
    double d = M_[j * n_ + j];
    for (int k = 0; k < j; k++) d -= L_[j * n + k] * L_[j * n + k];
    if (!(d > 0.0)) return false;
    L_[j * n + j] = std::sqrt(d);
    for (int i = j + 1; i < n; i++) {
      double s = M_[i * n_ + j];
      for (int k = 0; k < j; k++) s -= L_[i * n + k] * L_[j * n + k];
      L_[i * n + j] = s / L_[j * n + j];
    }
  }
  return true;
}

void Walker::solve(int n, double* x) const {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) x[i] -= L_[i * n + k] * x[k];
    x[i] /= L_[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] -= L_[k * n + i] * x[k];
    x[i] /= L_[i * n + i];
  }
}

void Walker::actuate(const WalkerTorques& tau, double* Q) const {
  std::fill_n(Q, n_, 0.0);
  for (int c = 0; c < tail_.n_z; c++) Q[6 + c] = tau.tail[c];
  for (int i = 0; i < 4; i++)
    for (int a = 0; a < 3; a++) {
      if (mode_[i] == LegMode::Free) Q[column_[i] + a] += tau.leg[i][a];
      if (mode_[i] != LegMode::Held) continue;
      for (int c = 0; c < 6; c++) Q[c] += held_[i].j[a][c] * tau.leg[i][a];
    }
}

namespace {
void turn_to_world(const Mat3d& R, double* x) {
  for (int part = 0; part < 6; part += 3) {
    const Vec3d y = R * Vec3d(x[part], x[part + 1], x[part + 2]);
    for (int i = 0; i < 3; i++) x[part + i] = y[i];
  }
}
}  // namespace

void Walker::forward(const WalkerTorques& tau, std::span<double> u_rate) {
  actuate(tau, u_rate.data());
  for (int i = 0; i < n_; i++) u_rate[i] -= C_[i] + G_[i];
  factor(n_);
  solve(n_, u_rate.data());
  turn_to_world(plate_.R, u_rate.data());
}

// The plate's six rows have no torques: they give v' and w', the tail's rows then its torques.
void Walker::carry_tail(std::span<const double> z_accel, Vec3d& v_rate, Vec3d& w_rate, std::span<double> torque) {
  const int nz = tail_.n_z;
  double a[6];
  for (int i = 0; i < 6; i++) {
    a[i] = -C_[i] - G_[i];
    for (int c = 0; c < nz; c++) a[i] -= M_[i * n_ + 6 + c] * z_accel[c];
  }
  factor(6);
  solve(6, a);
  v_rate = plate_.R * Vec3d(a[0], a[1], a[2]);
  w_rate = plate_.R * Vec3d(a[3], a[4], a[5]);
  for (int r = 0; r < nz; r++) {
    torque[r] = C_[6 + r] + G_[6 + r];
    for (int i = 0; i < 6; i++) torque[r] += M_[(6 + r) * n_ + i] * a[i];
    for (int c = 0; c < nz; c++) torque[r] += M_[(6 + r) * n_ + 6 + c] * z_accel[c];
  }
}

void Walker::reconstruct(std::span<const double> tail_rate, Vec3d& v, Vec3d& w) {
  double a[6];
  for (int i = 0; i < 6; i++) {
    a[i] = 0.0;
    for (int c = 0; c < tail_.n_z; c++) a[i] -= M_[i * n_ + 6 + c] * tail_rate[c];
  }
  factor(6);
  solve(6, a);
  v = plate_.R * Vec3d(a[0], a[1], a[2]);
  w = plate_.R * Vec3d(a[3], a[4], a[5]);
}

Feet Walker::foot_forces(std::span<const double> u_rate, const WalkerTorques& tau) const {
  const Vec3d v_rate = transpose_times(plate_.R, Vec3d(u_rate[0], u_rate[1], u_rate[2]));
  const Vec3d w_rate = transpose_times(plate_.R, Vec3d(u_rate[3], u_rate[4], u_rate[5]));
  Feet f;
  for (int i = 0; i < 4; i++) {
    f[i] = Vec3d::zero();
    if (mode_[i] != LegMode::Held) continue;
    const Vec3d t(tau.leg[i][ha], tau.leg[i][hb], tau.leg[i][knee]);
    f[i] = plate_.R * foot_force(robot_.leg[i], held_[i], plate_, v_rate, w_rate, t);
  }
  return f;
}

Vec3d Walker::linear_momentum() const {
  double x[3];
  for (int i = 0; i < 3; i++) {
    x[i] = 0.0;
    for (int k = 0; k < n_; k++) x[i] += M_[i * n_ + k] * u_[k];
  }
  return plate_.R * Vec3d(x[0], x[1], x[2]);
}

Vec3d Walker::angular_momentum() const {
  double x[3];
  for (int i = 0; i < 3; i++) {
    x[i] = 0.0;
    for (int k = 0; k < n_; k++) x[i] += M_[(3 + i) * n_ + k] * u_[k];
  }
  return plate_.R * Vec3d(x[0], x[1], x[2]) - cross(com_ - plate_.p, linear_momentum());
}

Walker::Composite Walker::composite() const {
  // mass matrix of the plate's speeds: m, m c and the inertia about P's origin; the tail's part is taken out again
  double m = M_[0];
  Vec3d mc(M_[5 * n_ + 1], M_[3 * n_ + 2], M_[4 * n_ + 0]);
  const auto I_at = [&](int i, int k) { return M_[(3 + i) * n_ + 3 + k]; };
  Sym3d I{I_at(0, 0), I_at(0, 1), I_at(0, 2), I_at(1, 1), I_at(1, 2), I_at(2, 2)};
  const auto take = [&](const Vec3d& x, double mass) {
    const double square = dot(x, x) * mass;
    I.xx -= square;
    I.yy -= square;
    I.zz -= square;
    I.subtract_outer(x * -mass, x);
  };
  for (std::size_t i = 0; i < tail_.point.size(); i++) {
    const TailPoints::Point& p = tail_.point[i];
    m -= p.mass + p.bar;
    mc -= p.x * p.mass;
    take(p.x, p.mass);
    if (p.bar == 0.0) continue;
    const Vec3d& a = tail_.point[i - 1].x;  // a bar weighs like 1/6, 2/3, 1/6 at ends and middle
    mc -= (a + p.x) * (0.5 * p.bar);
    take(a, p.bar / 6.0);
    take(p.x, p.bar / 6.0);
    take((a + p.x) * 0.5, p.bar * 2.0 / 3.0);
  }
  const Vec3d c = mc * (1.0 / m);
  take(c, m);
  return {m, c, I};
}

}  // namespace sinew::legged
