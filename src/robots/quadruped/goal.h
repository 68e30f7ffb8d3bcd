// Stance with the tail as a reaction mass (docs/theory/quadruped.md#controllers): a wanted place of the plate becomes wanted accelerations,
// these become torques by share_goal. The tail is only weakly tied to its rest, so it takes the momentum that the feet cannot pass to
// the ground and gives it back slowly.
#pragma once
#include "robots/quadruped/stance_run.h"

namespace sinew::legged {

struct GoalPlan {
  Vec3d p{0.2, 0.3, 0.4}, phi{0.0, 0.0, 0.0};  // of the plate [m, rad]
  double kp = 100.0, kd = 20.0;                // of the plate [1/s^2, 1/s]
  double tail_kp = 25.0, tail_kd = 10.0;       // of the tail
  double tail_weight = 1e-3;
  double eps = 1e-4;  // weight of the torques
  TorqueLimits limits{60.0, 40.0};
  GroundLimits ground{0.15, 5.0, 8};
};
inline void lock_tail(GoalPlan& plan) {
  plan.tail_kp = 400.0;
  plan.tail_kd = 40.0;
  plan.tail_weight = 100.0;
}

StanceGoal wanted(const GoalPlan& plan, const StanceState& state);
Torques goal_torques(const Quadruped& robot, const Feet& feet, const GoalPlan& plan, const StanceState& state,
                     SmallQp& qp, AffineStance& affine);

// What a run under this control was like: torques held for `period`, one RK4 step each.
struct GoalRun {
  bool feasible = true;
  double demand = 0.0, fz_min = 0.0;  // friction, and least normal force [N]
  double peak_yaw = 0.0, peak_dz = 0.0, peak_tail = 0.0;
  double t90 = -1.0, settle5 = 0.0,
         overshoot = 0.0;  // of the yaw: first at 90 %; last outside +-5 %; beyond the goal [s, s, rad]
  Vec8 final_q{};
  Vec14 peak_tau{};
};
GoalRun run_goal(const Quadruped& robot, const Feet& feet, const GoalPlan& plan, const StanceRun& start, double period,
                 double duration);

}  // namespace sinew::legged
