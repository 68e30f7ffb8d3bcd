// Linearly implicit Euler: stiff springs and servos at steps far beyond what explicit steppers bear.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/worlds.h"

namespace sinew::test {
namespace euler_test {

constexpr double g = 9.81;

Plan sprung_arm(double k) {
  Plan plan = pinned_rod();
  plan.joints[0].stiffness = {k};
  return plan;
}

Plan servoed_arm(double kp, double kd) {
  Plan plan = pinned_rod();
  plan.joints[0].drive = Drive::Servo;
  plan.joints[0].kp = {kp}, plan.joints[0].kd = {kd};
  plan.joints[0].motion = {{.offset = 0.5}};
  plan.joints[0].position = {0.5};
  return plan;
}

// Four links, every joint sprung.
Plan sprung_chain(double k) {
  Plan plan = spinning_links(4, 0.0);
  plan.gravity.kind = GravityKind::Uniform;
  plan.gravity.g = {0, -g, 0};
  for (JointPlan& j : plan.joints) j.position = {}, j.stiffness = {k}, j.damping = {0.02 * k};
  return plan;
}

double hinge_angle(const World<double>& world) { return observe(world).joints[0].q[0]; }

TEST(Euler, a_stiff_spring_settles_at_its_static_deflection_at_a_large_step) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    const double k = 1e8;
    World<double> world = run(sprung_arm(k), {c, "euler"}, 1.0, 100);  // step sqrt(k/I) = 170
    const double wanted = -g / 2 / k;                                  // k q = -m g l/2 cos(q), cos(q) = 1 - 1e-15
    // numerical damping shrinks the vibration by 1/170 a step; what stays is the round-off of places, 1e-16 m, and of
    // gaps; in maximal coordinates the angle comes back from rotation matrices
    EXPECT_NEAR(hinge_angle(world), wanted, 1e-14);
    EXPECT_NEAR(observe(world).joints[0].torque[0], g / 2, c == Coordinates::Tree ? 1e-6 : 1e-4);
  }
}

TEST(Euler, a_stiff_servo_holds_its_target_at_a_large_step) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    const double kp = 1e8;
    World<double> world = run(servoed_arm(kp, 1e5), {c, "euler"}, 1.0, 100);
    EXPECT_NEAR(hinge_angle(world) - 0.5, -g / 2 * std::cos(0.5) / kp, 1e-14);  // round-off of an angle of 0.5
  }
}

TEST(Euler, a_stiff_servo_follows_a_moving_target_at_a_large_step) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    Plan plan = servoed_arm(1e8, 1e5);
    plan.joints[0].motion = {{.offset = 0.5, .amplitude = 0.3, .frequency = 1.0}};
    World<double> world = run(plan, {c, "euler"}, 1.13, 113);
    // the target is met at the end of the step but for torques of ~ 10 N m over 1e8 N m/rad and the damping's share,
    // kd/kp = 1 ms times the error of the velocity, a = 12 rad/s^2 times 10 ms
    EXPECT_NEAR(hinge_angle(world), 0.5 + 0.3 * std::sin(2 * M_PI * 1.13), 2e-4);
  }
}

// The test can fail: the explicit steppers do, at the same step.
TEST(Euler, explicit_steppers_explode_where_euler_is_stable) {
  for (const char* stepper : {"moreau", "rk4"})
    for (const Coordinates c : both_coordinates) {
      SCOPED_TRACE(std::string(stepper) + " " + name_of(c));
      World<double> world = make_world(sprung_arm(1e8), {c, stepper});
      bool exploded = false;
      for (int k = 0; k < 100 && !exploded; k++) {
        const StepReport report = world.step(0.01);
        exploded = !report.finite || largest(world.state.u) > 1e6;
      }
      EXPECT_TRUE(exploded);
    }
}

// On one joint, rows with compliance eliminate to the same scalar equation as the addition to the mass matrix. The
// place of the body differs: q by dt u on an angle, or a rotation and a shift of its mass centre that is then projected.
TEST(Euler, compliant_rows_equal_the_implicit_diagonal_on_one_joint) {
  for (const Plan& plan : {sprung_arm(1e8), servoed_arm(1e8, 1e5)}) {
    World<double> tree = make_world(plan, {Coordinates::Tree, "euler"});
    World<double> maximal = make_world(plan, {Coordinates::Maximal, "euler"});
    for (int k = 0; k < 20; k++) {
      tree.step(0.01), maximal.step(0.01);
      EXPECT_NEAR(hinge_angle(tree), hinge_angle(maximal), 1e-13);  // angles of 0.5 read from rotation matrices
    }
  }
}

TEST(Euler, compliant_rows_and_implicit_diagonal_agree_to_first_order_in_chains) {
  std::vector<double> difference;
  for (int steps : {200, 400}) {
    const auto tree = run(sprung_chain(200.0), {Coordinates::Tree, "euler"}, 0.5, steps);
    const auto maximal = run(sprung_chain(200.0), {Coordinates::Maximal, "euler"}, 0.5, steps);
    difference.push_back(distance(tree, maximal));
  }
  EXPECT_GT(order(difference[0], difference[1]), 0.8) << difference[0] << " -> " << difference[1];
  EXPECT_LT(difference[1], 1e-2);
}

// Quasi-static: link i carries the moments of all links beyond; small angles at k = 1e7.
TEST(Euler, a_stiff_chain_settles_at_its_static_deflection_in_both_coordinates) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    const double k = 1e7;
    const auto seen = observe(run(sprung_chain(k), {c, "euler"}, 2.0, 200));
    for (int i = 0; i < 4; i++) {
      const double n = 4 - i;                                      // rods from joint i on: sum of m g (j + 1/2)
      EXPECT_NEAR(seen.joints[i].q[0] * k, -g * n * n / 2, 1e-4);  // angles of 1e-5 rad: cos = 1 - 1e-10
    }
  }
}

}  // namespace euler_test
}  // namespace sinew::test
