// Runs of the closed form, torques along a motion, control and flight (docs/theory/quadruped.md).
#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "robots/quadruped/measure.h"
#include "sinew/math/elementary.h"

namespace sinew::robots {
namespace {

using namespace legged;

template <class List>
void append(std::vector<double>& to, const List& from) {
  to.insert(to.end(), std::begin(from), std::end(from));
}

// Forces at a moment of a run.
Feet forces_at(const StanceSetup& setup, const StanceRun& run, Vec8* tau_c = nullptr) {
  Vec14 tau{};
  torques_at(setup, run.t, run.q, run.u, tau, tau_c);
  Stance stance;
  evaluate(setup.robot, stance_of(run.q, run.u), setup.feet, stance);
  return foot_forces(setup.robot, stance, forward(setup.robot, stance, tau), tau);
}

double energy_at(const StanceSetup& setup, const StanceRun& run) {
  Stance stance;
  evaluate(setup.robot, stance_of(run.q, run.u), setup.feet, stance);
  const StanceEnergy e = energy_of(setup.robot, stance, setup.feet, {});
  return e.T + e.V;
}

// Where in the next step `event` becomes positive: bisection on the length of a step from `run`.
template <class Event>
double moment_of(const StanceSetup& setup, const StanceRun& run, double h, const Event& event) {
  double low = 0.0, high = h;
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    StanceRun trial = run;
    step(setup, middle, trial);
    (event(trial) > 0.0 ? high : low) = middle;
  }
  return run.t + high;
}

struct Rows {
  std::vector<double> q, u, error, fz, demand, work, knees, tau_c, growth;
};

void look(const StanceSetup& setup, const StanceRun& run, Rows& rows) {
  Vec8 want, rate, accel, tau_c{};
  setup.program.reference.evaluate(run.t, want, rate, accel);
  append(rows.q, run.q);
  append(rows.u, run.u);
  for (int i = 0; i < 8; i++) rows.error.push_back(run.q[i] - want[i]);
  for (const Vec3d& f : forces_at(setup, run, &tau_c)) {
    rows.fz.push_back(f[2]);
    rows.demand.push_back(friction_demand(f));
  }
  rows.work.push_back(run.work);
  append(rows.tau_c, tau_c);
  Vec14 tau{};
  torques_at(setup, run.t, run.q, run.u, tau);
  rows.growth.push_back(growth_rate(setup, run.q, run.u, tau));
  Stance stance;
  evaluate(setup.robot, stance_of(run.q, run.u), setup.feet, stance);
  for (int i = 0; i < 4; i++)
    rows.knees.push_back(angles_of(setup.robot.leg[i], stance.leg[i].pose).k * 180.0 / std::numbers::pi);
}

double largest_knee(const StanceSetup& setup, const StanceRun& run) {
  Stance stance;
  evaluate(setup.robot, stance_of(run.q, run.u), setup.feet, stance);
  if (stance.reach != Reach::Good) return std::numbers::pi;
  double k = 0.0;
  for (int i = 0; i < 4; i++) k = std::max(k, angles_of(setup.robot.leg[i], stance.leg[i].pose).k);
  return k;
}
double demand_of(const Vec3d& f) { return f[2] > 0.0 ? friction_demand(f) : INFINITY; }
double largest_demand(const StanceSetup& setup, const StanceRun& run) {
  double most = 0.0;
  for (const Vec3d& f : forces_at(setup, run)) most = std::max(most, demand_of(f));
  return most;
}

StanceRun start_of(const QuadrupedBenchInput& in, const StanceSetup& setup) {
  StanceRun run{.q = in.q8(), .u = in.u8()};
  if (!in.start_on_motion) return run;
  Vec8 rate, accel;
  setup.program.reference.evaluate(0.0, run.q, rate, accel);
  run.u = speeds_of(setup.map, run.q, rate);
  return run;
}

// When the first foot needs more friction than mu[m] in the step from `run`, and its force then.
void find_onset(const StanceSetup& setup, const StanceRun& run, double h, double mu, double& onset, Vec3d& force) {
  onset = moment_of(setup, run, h, [&](const StanceRun& x) { return largest_demand(setup, x) - mu; });
  StanceRun then = run;
  step(setup, onset - run.t, then);
  const Feet f = forces_at(setup, then);
  force = *std::ranges::max_element(f, {}, demand_of);
}

struct Differences {  // largest, of q and u, and of tau_c
  double q = 0.0, tau_c = 0.0;
};

// The run once more with steps of h / parts: what is different at the times.
Differences compare_steps(const QuadrupedBenchInput& in, const StanceSetup& setup, const std::vector<double>& times,
                          const Rows& rows, int parts) {
  StanceRun run = start_of(in, setup);
  Differences most;
  std::size_t row = 0;
  for (const double until : times) {
    const auto steps = std::lround((until - run.t) / in.h) * parts;
    for (long i = 0; i < steps; i++)
      if (!step(setup, in.h / parts, run)) return most;
    run.t = until;
    Vec14 tau{};
    Vec8 c{};
    torques_at(setup, run.t, run.q, run.u, tau, &c);
    for (int i = 0; i < 8 && row < rows.q.size(); i++, row++) {
      most.q = std::max({most.q, std::abs(rows.q[row] - run.q[i]), std::abs(rows.u[row] - run.u[i])});
      most.tau_c = std::max(most.tau_c, std::abs(rows.tau_c[row] - c[i]));
    }
  }
  return most;
}

}  // namespace

void measure_run(const QuadrupedBenchInput& in, Measurements& out) {
  const StanceProgram program = in.program();
  const StanceSetup setup{in.robot, in.feet, program, RateMap(in.rate_map)};
  StanceRun run = start_of(in, setup);
  const double start = energy_at(setup, run), stretched = 160.0 * std::numbers::pi / 180.0;
  std::vector<double> times = in.t, onset(in.mu.size(), NAN), onset_force;
  std::ranges::sort(times);
  double knee_time = NAN, defect = 0.0, error = 0.0;
  Rows rows;
  for (const double until : times) {
    const auto steps = std::lround((until - run.t) / in.h);
    for (long i = 0; i < steps; i++) {
      const StanceRun before = run;
      if (!step(setup, in.h, run)) break;
      for (std::size_t m = 0; m < in.mu.size(); m++)
        if (std::isnan(onset[m]) && largest_demand(setup, run) > in.mu[m]) {
          Vec3d f;
          find_onset(setup, before, in.h, in.mu[m], onset[m], f);
          append(onset_force, f.e);
        }
      if (std::isnan(knee_time) && largest_knee(setup, run) > stretched)
        knee_time =
            moment_of(setup, before, in.h, [&](const StanceRun& x) { return largest_knee(setup, x) - stretched; });
    }
    if (run.reach != Reach::Good) break;
    run.t = until;
    look(setup, run, rows);
    defect = std::max(defect, std::abs(energy_at(setup, run) - start - run.work));
    for (auto e = rows.error.end() - 8; e != rows.error.end(); ++e) error = std::max(error, std::abs(*e));
  }
  out.push_back({"q_at", "m, rad", rows.q, true});
  out.push_back({"u_at", "m/s, rad/s", rows.u});
  out.push_back({"error_at", "m, rad", rows.error});
  out.push_back({"tau_c_at", "N m", rows.tau_c});
  out.push_back({"fz", "N", rows.fz});
  out.push_back({"friction_demand", "1", rows.demand});
  out.push_back({"work_at", "J", rows.work});
  out.push_back({"theta_k_deg", "deg", rows.knees});
  out.push_back({"energy_defect", "J", {defect}, true});
  out.push_back({"error_max", "m, rad", {error}});
  out.push_back({"slip_onset", "s", onset});
  out.push_back({"time_knee_160deg", "s", {knee_time}});
  out.push_back({"force_at_onset", "N", onset_force});
  out.push_back({"growth_at", "1/s", rows.growth});
  if (!in.refine) return;
  const Differences halved = compare_steps(in, setup, times, rows, 2);
  out.push_back({"halving", "m, rad, m/s, rad/s", {halved.q}});
  out.push_back({"halving_tauc", "N m", {halved.tau_c}});
  out.push_back({"step_error", "m, rad, m/s, rad/s", {compare_steps(in, setup, times, rows, 8).q}});
}

namespace {

struct Moment {
  Stance stance;
  Vec8 req, q, u, a;
  double J[14][8];
};
Moment moment_at(const QuadrupedBenchInput& in, double t) {
  Moment m;
  Vec8 &q = m.q, rate, accel;
  in.program().reference.evaluate(t, q, rate, accel);
  const RateMap map = RateMap(in.rate_map);
  m.a = accel;
  if (map == RateMap::Exact) {
    const Vec3d w = turn_rate_of({q[3], q[4], q[5]}, {rate[3], rate[4], rate[5]}, {accel[3], accel[4], accel[5]});
    for (int i = 0; i < 3; i++) m.a[3 + i] = w[i];
  }
  m.u = speeds_of(map, q, rate);
  evaluate(in.robot, stance_of(q, m.u), in.feet, m.stance);
  m.req = required(in.robot, m.stance, m.a);
  actuation_of(m.stance, m.J);
  return m;
}
// u' of the motion is what the torques make of it.
Feet forces_of(const QuadrupedBenchInput& in, const Moment& m, const Vec14& tau) {
  return foot_forces(in.robot, m.stance, forward(in.robot, m.stance, tau), tau);
}
// First time at which some foot would have to pull.
double first_pull(const QuadrupedBenchInput& in, bool least) {
  const auto lowest = [&](double t) {
    const Moment m = moment_at(in, t);
    const Torques x = least ? share_min_norm(m.J, m.req) : share_given(m.J, m.req, {});
    double f = INFINITY;
    for (const Vec3d& foot : forces_of(in, m, x.tau)) f = std::min(f, foot[2]);
    return f;
  };
  for (int i = 1; i <= 1000; i++) {
    double low = 3e-4 * (i - 1), high = 3e-4 * i;
    if (!(lowest(high) < 0.0)) continue;
    for (int k = 0; k < 60; k++) (lowest(0.5 * (low + high)) < 0.0 ? high : low) = 0.5 * (low + high);
    return high;
  }
  return NAN;
}

}  // namespace

void measure_inverse(const QuadrupedBenchInput& in, Measurements& out) {
  const auto column = [&](const char* name, const char* unit, bool is_main = false) -> std::vector<double>& {
    const auto found = std::ranges::find(out, name, &Measurement::name);
    if (found != out.end()) return found->values;
    out.push_back({name, unit, {}, is_main});
    return out.back().values;
  };
  const auto add_feet = [&](const Feet& feet, const char* fz, const char* demand) {
    for (const Vec3d& f : feet) {
      column(fz, "N").push_back(f[2]);
      column(demand, "1").push_back(friction_demand(f));
    }
  };
  const StanceProgram program = in.program();
  const StanceSetup setup{in.robot, in.feet, program, RateMap(in.rate_map)};
  const TorqueLimits limits{in.torque_limit, in.tail_limit};
  SmallQp qp;
  for (const double t : in.t) {
    const Moment m = moment_at(in, t);
    append(column("required", "N, N m"), m.req);
    const Torques given = share_given(m.J, m.req, {}), least = share_min_norm(m.J, m.req);
    append(column("tau_nonredundant", "N m"), std::span(given.tau).first(8));
    append(column("tau_minnorm", "N m", true), least.tau);
    add_feet(forces_of(in, m, given.tau), "fz_nonredundant", "demand_nonredundant");
    add_feet(forces_of(in, m, least.tau), "fz_minnorm", "demand_minnorm");
    AffineStance affine;
    affine_of(in.robot, m.stance, affine);
    StanceGoal goal;
    goal.a = m.a;
    goal.eps = 1e-6;
    goal.weight.fill(1.0);
    const ShareTask task{m.J, affine, m.req};
    Torques x = share_limited(task, goal, limits, {in.mu[0], in.f_min, in.facets}, qp);
    column("qp_feasible", "1").push_back(x.found);
    append(column("soft_tau", "N m"), x.tau);
    column("soft_missed", "N, N m").push_back(x.residual);
    if (!x.found) x.tau = {};  // no answer to what was asked
    append(column("qp_tau", "N m"), x.tau);
    double most = 0.0;
    for (const double v : x.tau) most = std::max(most, std::abs(v));
    column("qp_maxabs", "N m").push_back(most);
    column("min_friction", "1").push_back(least_friction(task, limits, in.facets, qp));
    column("min_friction_unlimited", "1").push_back(least_friction(task, {}, in.facets, qp));
    column("growth_rate", "1/s").push_back(growth_rate(setup, m.q, m.u, given.tau));
  }
  out.push_back({"first_pull_nonredundant", "s", {first_pull(in, false)}});
  out.push_back({"first_pull_minnorm", "s", {first_pull(in, true)}});
}

void measure_control(const QuadrupedBenchInput& in, Measurements& out) {
  GoalPlan plan;
  plan.p = Vec3d(in.goal[0], in.goal[1], in.goal[2]);
  plan.phi = Vec3d(in.goal[3], in.goal[4], in.goal[5]);
  plan.kp = in.kp;
  plan.kd = in.kd;
  if (in.tail_locked) lock_tail(plan);
  plan.limits = {in.torque_limit, in.tail_limit};
  plan.ground = {in.mu[0], in.f_min, in.facets};
  if (!in.ades.empty()) {  // a single choice of torques
    Stance stance;
    evaluate(in.robot, stance_of(in.q8(), in.u8()), in.feet, stance);
    AffineStance affine;
    affine_of(in.robot, stance, affine);
    StanceGoal goal;
    std::copy_n(in.ades.begin(), 8, goal.a.begin());
    std::copy_n(in.weights.begin(), 8, goal.weight.begin());
    SmallQp qp;
    const Torques x = share_goal(affine, goal, plan.limits, plan.ground, qp);
    const Vec8 a = forward(in.robot, stance, x.tau);
    std::vector<double> f;
    for (const Vec3d& foot : foot_forces(in.robot, stance, a, x.tau)) append(f, foot.e);
    out.push_back({"tau_goal", "N m", {x.tau.begin(), x.tau.end()}, true});
    out.push_back({"udot_goal", "m/s^2, rad/s^2", {a.begin(), a.end()}});
    out.push_back({"f_goal", "N", f});
    return;
  }
  const GoalRun run = run_goal(in.robot, in.feet, plan, {.q = in.q8(), .u = in.u8()}, 1e-3, in.duration);
  out.push_back({"feasible", "1", {run.feasible ? 1.0 : 0.0}});
  out.push_back({"demand", "1", {run.demand}});
  out.push_back({"fz_min", "N", {run.fz_min}});
  out.push_back({"peak_yaw", "rad", {run.peak_yaw}, true});
  out.push_back({"peak_dz", "m", {run.peak_dz}});
  out.push_back({"peak_tail", "rad", {run.peak_tail}});
  out.push_back({"t90", "s", {run.t90}});
  out.push_back({"settle5", "s", {run.settle5}});
  out.push_back({"overshoot", "rad", {run.overshoot}});
  out.push_back({"final_q", "m, rad", {run.final_q.begin(), run.final_q.end()}});
  out.push_back({"peak_tau", "N m", {run.peak_tau.begin(), run.peak_tau.end()}});
}

void measure_flight(const QuadrupedBenchInput& in, Measurements& out) {
  std::array<LegAngles, 4> legs;
  for (int i = 0; i < 4; i++) legs[i] = {in.swing[i][0], in.swing[i][1], in.swing[i][2]};
  Walker walker(in.robot);
  WalkerState s = in.state();
  s.mode.fill(LegMode::Locked);
  s.theta = legs;
  walker.evaluate(s);
  const Walker::Composite body = walker.composite();
  out.push_back({"composite_m", "kg", {body.m}});
  out.push_back({"composite_com", "m", {body.com[0], body.com[1], body.com[2]}});
  const Sym3d& I = body.I;
  out.push_back({"composite_I", "kg m^2", {I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz}});
  std::vector<double> path, closed;
  for (const double to : in.tail_angles) {
    path.push_back(pitch_by_path(in.robot, legs, to, 400));
    if (in.is_plain()) closed.push_back(pitch_by_tail(body, in.robot.tail, 0.0, to));
  }
  out.push_back({"pitch", "rad", path, true});
  const SwingFlight swing = swing_tail(in.robot, legs, in.tail_angles[0], in.T[0], 2000);
  out.push_back({"swing_yaw", "rad", {swing.yaw}, true});
  out.push_back({"swing_torque", "N m", {swing.peak}, true});
  if (!in.is_plain()) return;
  out.push_back({"planar_closed", "rad", closed, true});
  const TailDrive drive{{in.tail_angles[0], 0.0}, in.tail_kp, in.tail_kd};
  const TorqueFlight flight = fly_torque(in.robot, legs, drive, in.duration, in.h);
  const double ta = flight.end.tail[0];
  out.push_back({"planar_torque_theta_ta", "rad", {ta}});
  out.push_back({"planar_torque_phi_x", "rad", {angles_of(to_matrix(flight.end.Q))[0]}});
  out.push_back({"planar_torque_closed", "rad", {pitch_by_tail(body, in.robot.tail, 0.0, ta)}});
  out.push_back({"planar_torque_L", "N m s", {norm(flight.momentum)}});
  const ConePath cone{in.alpha, in.Psi, {in.T[0], in.T[1], in.T[2]}};
  const Quatd turn = turn_by_cone(in.robot, legs, cone, 4000);
  Vec3d axis = quaternion_log(turn);
  double angle = norm(axis);
  axis = axis * (1.0 / angle);
  // counted on past half a turn: the rotation that the tail's turns add up to
  if (axis[1] > 0.0 && in.Psi > 0.0) {
    axis = -axis;
    angle = 2.0 * std::numbers::pi - angle;
  }
  out.push_back({"cone_quat", "1", {turn.w, turn.x, turn.y, turn.z}});
  out.push_back({"cone_angle_deg", "deg", {angle * 180.0 / std::numbers::pi}, true});
  out.push_back({"cone_axis", "1", {axis[0], axis[1], axis[2]}});
  const Quatd Q0 = normalized(Quatd{in.start_quat[0], in.start_quat[1], in.start_quat[2], in.start_quat[3]});
  const ConeFlight f = fly_cone(in.robot, legs, Q0, cone, in.h);
  const Mat3d R = to_matrix(f.Q);
  out.push_back({"end_quat", "1", {f.Q.w, f.Q.x, f.Q.y, f.Q.z}, true});
  out.push_back({"end_up_axis", "1", {R(0, 2), R(1, 2), R(2, 2)}});
  out.push_back({"tilt_deg", "deg", {math::acos(std::clamp(R(2, 2), -1.0, 1.0)) * 180.0 / std::numbers::pi}});
  out.push_back({"max_dL", "N m s", {f.momentum_drift}});
  out.push_back({"com_error", "m", {f.com_error}});
  out.push_back({"peak_tail_torque", "N m", {f.peak[0], f.peak[1]}});
  out.push_back({"drop", "m", {f.drop}});
  out.push_back({"com_drop", "m", {f.com_drop}});
}

}  // namespace sinew::robots
