#include "robots/quadruped/stance_run.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/butcher.h"
#include "sinew/math/eigenvalues.h"
#include "sinew/math/elementary.h"

namespace sinew::legged {

void StanceReference::evaluate(double t, Vec8& q, Vec8& q_rate, Vec8& q_accel) const {
  for (int i = 0; i < 8; i++) {
    double sine, cosine;
    sincos(omega[i] * t + phase[i], sine, cosine);
    q[i] = offset[i] + amplitude[i] * sine;
    q_rate[i] = amplitude[i] * omega[i] * cosine;
    q_accel[i] = -amplitude[i] * omega[i] * omega[i] * sine;
  }
}

Vec8 coordinate_rates(RateMap map, const Vec8& q, const Vec8& u) {
  Vec8 rate = u;
  if (map == RateMap::Paper) return rate;
  const Vec3d phi_rate = rates_of({q[3], q[4], q[5]}, {u[3], u[4], u[5]});
  for (int i = 0; i < 3; i++) rate[3 + i] = phi_rate[i];
  return rate;
}

Vec8 speeds_of(RateMap map, const Vec8& q, const Vec8& q_rate) {
  Vec8 u = q_rate;
  if (map == RateMap::Paper) return u;
  const Vec3d w = turn_of({q[3], q[4], q[5]}, {q_rate[3], q_rate[4], q_rate[5]});
  for (int i = 0; i < 3; i++) u[3 + i] = w[i];
  return u;
}

namespace {

bool feedforward(const StanceSetup& s, double t, Vec14& tau) {
  Vec8 q, q_rate, q_accel;
  s.program.reference.evaluate(t, q, q_rate, q_accel);
  const Vec8 u = speeds_of(s.map, q, q_rate);
  Vec8 u_rate = q_accel;
  if (s.map == RateMap::Exact) {
    const Vec3d w_rate =
        turn_rate_of({q[3], q[4], q[5]}, {q_rate[3], q_rate[4], q_rate[5]}, {q_accel[3], q_accel[4], q_accel[5]});
    for (int i = 0; i < 3; i++) u_rate[3 + i] = w_rate[i];
  }
  Stance stance;
  evaluate(s.robot, stance_of(q, u), s.feet, stance);
  if (stance.reach != Reach::Good) return false;
  double J[14][8];
  actuation_of(stance, J);
  const Vec8 req = required(s.robot, stance, u_rate);
  std::array<double, 6> tau_p;
  std::copy_n(s.program.tau.begin() + 8, 6, tau_p.begin());
  const Torques found = s.program.sharing == Sharing::MinNorm ? share_min_norm(J, req) : share_given(J, req, tau_p);
  tau = found.tau;
  return found.found;
}

bool feedback(const StanceSetup& s, double t, const Vec8& q, const Vec8& u, Vec8& tau_c) {
  Vec8 want, want_rate, want_accel;
  s.program.reference.evaluate(t, want, want_rate, want_accel);
  const Vec8 rate = coordinate_rates(s.map, q, u);
  Vec8 e;
  for (int i = 0; i < 8; i++) e[i] = s.program.kp * (want[i] - q[i]) + s.program.kd * (want_rate[i] - rate[i]);
  e = speeds_of(s.map, q, e);
  Stance stance;
  evaluate(s.robot, stance_of(q, u), s.feet, stance);
  if (stance.reach != Reach::Good) return false;
  StanceTerms terms;
  terms_of(s.robot, stance, terms);
  Vec8 push{};
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 8; k++) push[i] += terms.M[i][k] * e[k];
  const Torques found = share_given(terms.J, push, {});
  std::copy_n(found.tau.begin(), 8, tau_c.begin());
  return found.found;
}

bool program_torques(const StanceSetup& s, double t, const Vec8& q, const Vec8& u, Vec14& tau, Vec8* tau_c) {
  const StanceProgram& p = s.program;
  if (p.drive == StanceDrive::Torque && p.profile) return p.profile(t, tau), true;
  if (p.drive == StanceDrive::Torque) {
    for (int i = 0; i < 14; i++) {
      double sine, cosine;
      sincos(p.tau_omega[i] * t, sine, cosine);
      tau[i] = p.tau[i] + p.tau_sin[i] * sine;
    }
    return true;
  }
  if (!feedforward(s, t, tau)) return false;
  if (p.drive == StanceDrive::Feedforward) return true;
  Vec8 more{};
  if (!feedback(s, t, q, u, more)) return false;
  for (int i = 0; i < 8; i++) tau[i] += more[i];
  if (tau_c) *tau_c = more;
  return true;
}

}  // namespace

bool torques_at(const StanceSetup& s, double t, const Vec8& q, const Vec8& u, Vec14& tau, Vec8* tau_c) {
  const bool found = program_torques(s, t, q, u, tau, tau_c);
  for (int i = 0; i < 14; i++) tau[i] += s.command[i];
  return found;
}

bool step(const StanceSetup& setup, double dt, StanceRun& run) {
  constexpr auto &node = butcher::classical.node, &weight = butcher::classical.weight;
  Vec8 q = run.q, u = run.u, dq{}, du{}, q_rate{}, u_rate{};
  double work = 0.0, external = 0.0;
  Vec14 tau{};
  for (int stage = 0; stage < 4; stage++) {
    if (stage > 0)
      for (int i = 0; i < 8; i++) {
        q[i] = run.q[i] + node[stage] * dt * q_rate[i];
        u[i] = run.u[i] + node[stage] * dt * u_rate[i];
      }
    if ((stage == 0 || !setup.program.hold) && !torques_at(setup, run.t + node[stage] * dt, q, u, tau)) {
      run.reach = Reach::TooFar;
      return false;
    }
    Stance stance;
    const StanceState state = stance_of(q, u);
    evaluate(setup.robot, state, setup.feet, stance);
    if (stance.reach != Reach::Good || (setup.map == RateMap::Exact && std::abs(math::cos(q[4])) < 0.05)) {
      run.reach = stance.reach != Reach::Good ? stance.reach : Reach::OnAxis;
      return false;
    }
    const StancePush push = push_of(setup.robot, state, stance, setup.external);
    Vec14 all = tau;
    for (int i = 0; i < 14; i++) all[i] += push.tau[i];
    u_rate = forward(setup.robot, stance, all, push.f, push.n);
    external += weight[stage] * dt * push.power(stance);
    q_rate = coordinate_rates(setup.map, q, u);
    work += weight[stage] * dt * energy_of(setup.robot, stance, setup.feet, tau).power;
    for (int i = 0; i < 8; i++) {
      dq[i] += weight[stage] * dt * q_rate[i];
      du[i] += weight[stage] * dt * u_rate[i];
    }
  }
  for (int i = 0; i < 8; i++) {
    run.q[i] += dq[i];
    run.u[i] += du[i];
  }
  run.t += dt;
  run.work += work;
  run.external += external;
  return true;
}

// By central differences of q' and u'.
double growth_rate(const StanceSetup& setup, const Vec8& q, const Vec8& u, const Vec14& tau) {
  Matrix A(16, 16);
  constexpr double eps = 1e-6;
  for (int c = 0; c < 16; c++) {
    Vec8 rate[2][2];
    for (int side = 0; side < 2; side++) {
      Vec8 q1 = q, u1 = u;
      (c < 8 ? q1[c] : u1[c - 8]) += side ? eps : -eps;
      Stance stance;
      evaluate(setup.robot, stance_of(q1, u1), setup.feet, stance);
      rate[side][0] = coordinate_rates(setup.map, q1, u1);
      rate[side][1] = forward(setup.robot, stance, tau);
    }
    for (int r = 0; r < 16; r++) A(r, c) = (rate[1][r / 8][r % 8] - rate[0][r / 8][r % 8]) / (2.0 * eps);
  }
  return largest_real_part(A);
}

}  // namespace sinew::legged
