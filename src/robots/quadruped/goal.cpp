#include "robots/quadruped/goal.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::legged {

StanceGoal wanted(const GoalPlan& plan, const StanceState& state) {
  StanceGoal goal;
  const Vec3d phi = angles_of(state.R);
  const Vec3d turn = turn_of(phi, (plan.phi - phi) * plan.kp);
  for (int i = 0; i < 3; i++) {
    goal.a[i] = plan.kp * (plan.p[i] - state.p[i]) - plan.kd * state.v[i];
    goal.a[3 + i] = turn[i] - plan.kd * state.w[i];
  }
  for (int c = 0; c < 2; c++) {
    goal.a[6 + c] = -plan.tail_kp * state.tail[c] - plan.tail_kd * state.tail_rate[c];
    goal.weight[6 + c] = plan.tail_weight;
  }
  goal.eps = plan.eps;
  return goal;
}

Torques goal_torques(const Quadruped& robot, const Feet& feet, const GoalPlan& plan, const StanceState& state,
                     SmallQp& qp, AffineStance& affine) {
  Stance stance;
  evaluate(robot, state, feet, stance);
  if (stance.reach != Reach::Good) return {};
  affine_of(robot, stance, affine);
  return share_goal(affine, wanted(plan, state), plan.limits, plan.ground, qp);
}

GoalRun run_goal(const Quadruped& robot, const Feet& feet, const GoalPlan& plan, const StanceRun& start, double period,
                 double duration) {
  GoalRun out;
  out.fz_min = std::numeric_limits<double>::infinity();
  StanceProgram program;
  StanceRun run = start;
  const Vec8& q = start.q;
  SmallQp qp;
  AffineStance affine;
  const int steps = int(std::lround(duration / period));
  const double want = plan.phi[2] - q[5];
  for (int i = 0; i <= steps; i++) {
    const double t = i * period, yaw = run.q[5];
    out.peak_yaw = std::max(out.peak_yaw, std::abs(yaw));
    out.peak_dz = std::max(out.peak_dz, std::abs(run.q[2] - q[2]));
    for (int c = 6; c < 8; c++) out.peak_tail = std::max(out.peak_tail, std::abs(run.q[c]));
    if (want != 0.0) {
      const double done = (yaw - q[5]) / want;
      if (out.t90 < 0.0 && done >= 0.9) out.t90 = t;
      if (std::abs(done - 1.0) > 0.05) out.settle5 = t;
      out.overshoot = std::max(out.overshoot, (done - 1.0) * std::abs(want));
    }
    if (i == steps) break;
    const Torques found = goal_torques(robot, feet, plan, stance_of(run.q, run.u), qp, affine);
    out.feasible = out.feasible && found.found;
    if (!found.found) break;
    for (int foot = 0; foot < 4; foot++) {
      Vec3d f(affine.f0[3 * foot], affine.f0[3 * foot + 1], affine.f0[3 * foot + 2]);
      for (int a = 0; a < 14; a++)
        for (int c = 0; c < 3; c++) f[c] += affine.F[3 * foot + c][a] * found.tau[a];
      out.demand = std::max(out.demand, friction_demand(f));
      out.fz_min = std::min(out.fz_min, f[2]);
    }
    program.tau = found.tau;
    for (int a = 0; a < 14; a++) out.peak_tau[a] = std::max(out.peak_tau[a], std::abs(found.tau[a]));
    if (!step({robot, feet, program}, period, run)) {
      out.feasible = false;
      break;
    }
  }
  out.final_q = run.q;
  return out;
}

}  // namespace sinew::legged
