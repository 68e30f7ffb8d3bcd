// Implicit penalty contacts with the ground, solved by recursion together with the friction of joints.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/touching.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace soft_recursion_test {

// A small snake that is dropped by a millimetre while it slides and turns.
Plan dropped_crawler(double stiffness, double dry) {
  Plan plan = crawler(4, {.mu_forward = 0.2, .mu_backward = 0.3, .mu_trans = 0.5});
  plan.contact.options.response = Response::Penalty;
  plan.contact.options.forces = PenaltyForces::Implicit;
  plan.contact.penalty.stiffness = stiffness;
  plan.contact.law.restitution = 0.3;
  plan.joints[0].velocity = {0.2, 0.1, 0.4, 0.3, -0.1, -0.05};
  for (JointPlan& j : plan.joints)
    if (j.kind == JointKind::Universal) j.dry_friction = {dry, dry};
  return plan;
}

TEST(SoftRecursion, moves_a_robot_as_responses_do_in_a_few_iterations) {
  for (const double k : {1e4, 1e6}) {
    const Plan plan = dropped_crawler(k, 0.0);
    World<double> one = make_world(plan), other = make_world(with_solver(plan, ContactSolver::Newton));
    double off = 0.0, pressed = 0.0;
    for (int i = 0; i < 300; i++) {
      const StepReport report = one.step(1e-3);
      EXPECT_TRUE(report.converged);
      EXPECT_LE(report.iterations, 8) << i;  // more than 15: it has given up, and responses were asked
      EXPECT_TRUE(other.step(1e-3).converged);
      for (std::size_t j = 0; j < one.state.u.size(); j++)
        off = std::max(off, std::abs(one.state.u[j] - other.state.u[j]));
      for (const double F : normal_forces(one)) pressed = std::max(pressed, F);
    }
    EXPECT_GT(pressed, 1.0);
    EXPECT_LT(off, 1e-7) << k;  // each step is exact to 1e-10
    EXPECT_GT(off, 0.0);        // two ways indeed
  }
}

TEST(SoftRecursion, holds_friction_of_joints_and_forces_of_contacts_at_one_velocity) {
  World<double> world = make_world(dropped_crawler(1e6, 0.05));
  int stuck = 0;
  for (int i = 0; i < 300; i++) {
    const StepReport report = world.step(1e-3);
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.iterations, 12) << i;
    EXPECT_LE(report.residual, 1e-8);
    const std::vector<double>& P = world.state.axis_P;
    for (const double p : P) EXPECT_LE(std::abs(p), 0.05e-3 * (1.0 + 1e-9));
    // A joint whose friction is within its bound does not move: by responses, contacts once solved, contacts were left with another velocity.
    for (std::size_t j = 0; j < P.size(); j++) {
      if (std::abs(P[j]) > 0.049e-3) continue;
      EXPECT_LT(std::abs(world.state.u[6 + j]), 1e-7) << i;
      stuck++;
    }
  }
  EXPECT_GT(stuck, 100);
}

TEST(SoftRecursion, a_lane_equals_the_robot_alone) {
  std::vector<World<double>> robots;
  World<double> one = make_world(dropped_crawler(1e5, 0.02));
  World<Lanes> wide = widen(one);
  for (int i = 0; i < lane_count; i++) {
    robots.push_back(one);
    robots[i].state.u[2] += 0.1 * i;
    set_lane_state(wide.state, i, robots[i].state);
  }
  for (int k = 0; k < 300; k++) wide.step(5e-4);
  for (int i = 0; i < lane_count; i++) {
    for (int k = 0; k < 300; k++) robots[i].step(5e-4);
    EXPECT_EQ(hash(wide.state, i), hash(robots[i].state)) << "lane " << i;
  }
}

}  // namespace soft_recursion_test
}  // namespace sinew::test
