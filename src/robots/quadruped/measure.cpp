// Single states: equations, forces, actuation (docs/theory/quadruped.md).
#include "robots/quadruped/measure.h"

#include <algorithm>
#include <cmath>

namespace sinew::robots {
namespace {

using namespace legged;

constexpr int paper_set[6] = {0, 1, 2, 3, 4, 5};
constexpr int leg_set[12] = {0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13};

std::vector<double> flat(const Feet& f) {
  std::vector<double> all;
  for (const Vec3d& x : f) all.insert(all.end(), {x[0], x[1], x[2]});
  return all;
}
template <std::size_t n>
std::vector<double> flat(const std::array<double, n>& x) {
  return {x.begin(), x.end()};
}

double determinant_at(const QuadrupedBenchInput& in, int coordinate, double value) {
  Vec8 q = in.q8();
  q[coordinate] = value;
  Stance s;
  evaluate(in.robot, stance_of(q, {}), in.feet, s);
  if (s.reach != Reach::Good) return NAN;
  double J[14][8], rows[6][6];
  actuation_of(s, J);
  leg_rows(J, paper_set, 6, rows);
  return determinant(rows);
}

// Nearest turn of one coordinate at which the paper's six actuators are singular; NaN: none within +-0.5.
double singular_turn(const QuadrupedBenchInput& in, int coordinate) {
  for (const double side : {1.0, -1.0}) {
    double at = 0.0, before = determinant_at(in, coordinate, 0.0);
    for (int i = 1; i <= 500; i++) {
      const double next = side * 1e-3 * i, now = determinant_at(in, coordinate, next);
      if (std::isnan(now)) break;
      if (before * now <= 0.0) {
        double low = at, high = next;
        for (int k = 0; k < 80; k++) {
          const double middle = 0.5 * (low + high);
          (determinant_at(in, coordinate, middle) * before > 0.0 ? low : high) = middle;
        }
        return 0.5 * (low + high);
      }
      at = next;
      before = now;
    }
  }
  return NAN;
}

// All ways to take six of the twelve leg actuators, by least singular value; moments scaled with 0.36 m.
void measure_subsets(const double J[14][8], Measurements& out) {
  double best = 0.0, cond = 0.0, paper = 0.0, paper_cond = 0.0;
  std::vector<double> values, which;
  int chosen[6] = {};
  const auto judge = [&] {
    double rows[6][6];
    leg_rows(J, chosen, 6, rows);
    for (auto& row : rows)
      for (int c = 3; c < 6; c++) row[c] /= 0.36;
    const auto s = singular_values(rows, 6);
    values.push_back(s[5]);
    if (std::equal(chosen, chosen + 6, paper_set)) {
      paper = s[5];
      paper_cond = s[0] / s[5];
    }
    if (s[5] > best) {
      best = s[5];
      cond = s[0] / s[5];
      which.assign(chosen, chosen + 6);
    }
  };
  for (int bits = 0; bits < 1 << 12; bits++) {
    int n = 0;
    for (int i = 0; i < 12 && n <= 6; i++)
      if (bits >> i & 1) {
        if (n < 6) chosen[n] = leg_set[i];
        n++;
      }
    if (n == 6) judge();
  }
  const auto rank = std::ranges::count_if(values, [&](double x) { return x > paper; }) + 1;
  out.push_back({"subsets_best", "1", {best, cond}});
  out.push_back({"subsets_best_actuators", "1", which});
  out.push_back({"subsets_paper", "1", {paper, paper_cond}});
  out.push_back({"subsets_paper_rank", "1", {double(rank)}});
  out.push_back({"subsets_total", "1", {double(values.size())}});
}

void measure_actuation(const QuadrupedBenchInput& in, const Stance& stance, const double J[14][8], Measurements& out) {
  double rows[12][6];
  leg_rows(J, paper_set, 6, rows);
  out.push_back({"sv_Ja6", "1", flat(singular_values(rows, 6))});
  out.push_back({"det_Ja6", "1", {determinant(rows)}});
  leg_rows(J, leg_set, 12, rows);
  std::vector<double> all = flat(singular_values(rows, 12));
  all.insert(all.end(), {1.0, 1.0});  // of the tail's two rows
  std::ranges::sort(all, std::greater<>());
  out.push_back({"sv_J14", "1", all});
  const Vec8 req = required(in.robot, stance, {});
  const Torques given = share_given(J, req, {}), least = share_min_norm(J, req),
                damped = share_damped(J, req, in.damping);
  const auto add = [&](const std::string& name, const Torques& t, int n) {
    out.push_back({"static_tau_" + name, "N m", std::vector<double>(t.tau.begin(), t.tau.begin() + n)});
    out.push_back({"static_force_" + name, "N", flat(foot_forces(in.robot, stance, {}, t.tau))});
    out.push_back({"static_found_" + name, "1", {t.found ? 1.0 : 0.0}});
  };
  add("nonredundant", given, 8);
  add("minnorm", least, 14);
  out.push_back({"damped", "N m", std::vector<double>(damped.tau.begin(), damped.tau.begin() + 8)});
  std::vector<double> residual(8);
  for (int i = 0; i < 8; i++) {
    residual[i] = -req[i];
    for (int a = 0; a < 8; a++) residual[i] += J[a][i] * damped.tau[a];
  }
  out.push_back({"damped_residual", "N, N m", residual});
  out.push_back({"det_zero_yaw", "rad", {singular_turn(in, 5)}});
  out.push_back({"det_zero_roll_x", "rad", {singular_turn(in, 3)}});
  measure_subsets(J, out);
}

void measure_plain(const QuadrupedBenchInput& in, Measurements& out) {
  Stance stance;
  const Vec8 q = in.q8(), u = in.u8();
  evaluate(in.robot, stance_of(q, u), in.feet, stance);
  out.push_back({"reach", "1", {double(int(stance.reach))}});
  if (stance.reach != Reach::Good) return;
  Vec14 tau;
  std::copy_n(in.tau.begin(), 14, tau.begin());
  StanceTerms terms;
  terms_of(in.robot, stance, terms);
  std::vector<double> s, theta, rate;
  for (int i = 0; i < 4; i++) {
    const LegPose& pose = stance.leg[i].pose;
    const LegAngles a = angles_of(in.robot.leg[i], pose);
    s.insert(s.end(), {pose.s[0], pose.s[1], pose.s[2]});
    theta.insert(theta.end(), {a.ha, a.hb, a.k});
    rate.insert(rate.end(), stance.leg[i].rate, stance.leg[i].rate + 3);
  }
  out.push_back({"s", "m", s});
  out.push_back({"theta", "rad", theta});
  out.push_back({"theta_dot", "rad/s", rate});
  const double* M = &terms.M[0][0];
  out.push_back({"M", "kg, kg m, kg m^2", std::vector<double>(M, M + 64)});
  out.push_back({"C", "N, N m", std::vector<double>(terms.C, terms.C + 8)});
  out.push_back({"G", "N, N m", std::vector<double>(terms.G, terms.G + 8)});
  out.push_back({"J_tau", "1, 1/m", std::vector<double>(&terms.J[0][0], &terms.J[0][0] + 112)});
  const Vec8 a = forward(in.robot, stance, tau);
  out.push_back({"udot", "m/s^2, rad/s^2", flat(a), true});
  const Vec3d phi(q[3], q[4], q[5]), phi_rate = rates_of(phi, {u[3], u[4], u[5]});
  const Vec3d drift = turn_rate_of(phi, phi_rate, Vec3d::zero());
  const Vec3d accel = rates_of(phi, Vec3d(a[3], a[4], a[5]) - drift);
  out.push_back({"phi_ddot_exact", "rad/s^2", {accel[0], accel[1], accel[2]}});
  out.push_back({"foot_force", "N", flat(foot_forces(in.robot, stance, a, tau)), true});
  const StanceEnergy e = energy_of(in.robot, stance, in.feet, tau);
  out.push_back({"T", "J", {e.T}});
  out.push_back({"V", "J", {e.V}});
  out.push_back({"power", "W", {e.power}});
  out.push_back({"total_mass", "kg", {in.robot.mass()}});
  out.push_back({"growth", "1/s", {growth_rate({in.robot, in.feet, in.program()}, q, u, tau)}});
  measure_actuation(in, stance, terms.J, out);
}

}  // namespace

legged::StanceProgram QuadrupedBenchInput::program() const {
  StanceProgram p;
  p.drive = StanceDrive(drive);
  if (tau.size() == 14)
    for (int i = 0; i < 14; i++) {
      p.tau[i] = tau[i];
      p.tau_sin[i] = tau_sin[i];
      p.tau_omega[i] = tau_omega[i];
    }
  for (int i = 0; i < 8; i++) {
    p.reference.offset[i] = i < 6 ? goal[i] : 0.0;
    p.reference.amplitude[i] = amplitude[i];
    p.reference.omega[i] = omega[i];
    p.reference.phase[i] = phase[i];
  }
  p.kp = kp;
  p.kd = kd;
  p.hold = hold;
  if (tau.size() == 14 && !tau_t.empty()) p.profile = profile();
  return p;
}

void measure_state(const QuadrupedBenchInput& in, Measurements& out) {
  const bool all_held = std::ranges::all_of(in.stance, [](double x) { return x > 0.5; });
  if (in.is_plain() && all_held) return measure_plain(in, out);
  Walker walker(in.robot);
  if (!walker.evaluate(in.state())) {
    out.push_back({"reach", "1", {1.0}});
    return;
  }
  std::vector<double> a(walker.size());
  const WalkerTorques tau = in.torques(in.tau);
  walker.forward(tau, a);
  out.push_back({"udot", "m/s^2, rad/s^2", a, true});
  out.push_back({"foot_force", "N", flat(walker.foot_forces(a, tau)), true});
  out.push_back({"T", "J", {walker.kinetic()}});
  out.push_back({"V", "J", {walker.potential()}});
  if (in.robot.tail.kind != TailKind::Arc) return;
  const Vec3d tip = arc_tip(in.robot.tail.length[0], in.q[6], in.q[7]);
  out.push_back({"arc_tip", "m", {tip[0], tip[1], tip[2]}});
}

}  // namespace sinew::robots
