// Servos: proportional-differential torque up to a limit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/worlds.h"

namespace sinew::test {
namespace servo_test {

// A rod on a hinge without gravity, 2 rad from its target.
Plan far_from_target(double limit) {
  Plan plan = pinned_rod();
  plan.gravity.kind = GravityKind::None;
  plan.joints[0].drive = Drive::Servo;
  plan.joints[0].motion = {{.offset = 2.0}};
  plan.joints[0].kp = {50}, plan.joints[0].kd = {8}, plan.joints[0].limit = {limit};
  return plan;
}

TEST(Servo, at_its_limit_it_accelerates_the_rod_uniformly) {
  for (const Stepper& stepper : steppers())
    for (const Coordinates c : both_coordinates) {
      SCOPED_TRACE(std::string(stepper.name) + " " + name_of(c));
      const World<double> world = run(far_from_target(3.0), {c, stepper.name}, 0.1, 1000);
      // saturated throughout: 50 (2 - q) - 8 u > 3. u = t tau / I, I = 1/3: closed form in all steppers but for gaps
      EXPECT_NEAR(observe(world).joints[0].u[0], 0.1 * 3.0 * 3.0, 1e-6);
      EXPECT_DOUBLE_EQ(observe(world).joints[0].torque[0], 3.0);
    }
}

TEST(Servo, the_torque_never_exceeds_the_limit_on_the_way_to_the_target) {
  for (const Stepper& stepper : steppers()) {
    SCOPED_TRACE(stepper.name);
    World<double> world = make_world(far_from_target(3.0), {Coordinates::Tree, stepper.name});
    bool was_inside = false;
    double last_u = 0.0;
    for (int k = 0; k < 4000; k++) {
      world.step(0.001);
      // the torque that acted, from the rod's acceleration; the implicit stepper judges the limit by the velocity at
      // the start of the step and may pass it by kd times the change of velocity in one step
      const double acted = (world.state.u[0] - last_u) / 0.001 / 3.0;
      last_u = world.state.u[0];
      EXPECT_LE(std::abs(acted), 3.0 + 8 * 9e-3);
      was_inside |= std::abs(acted) < 2.9;
    }
    EXPECT_TRUE(was_inside);
    EXPECT_NEAR(world.state.q[0], 2.0, 1e-3);  // settled: decay rate 7/s over more than 1 s of free approach
  }
}

TEST(Servo, without_a_limit_it_is_a_spring_and_a_damper) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    Plan servo = far_from_target(INFINITY);
    servo.velocity_terms = VelocityTerms::Start;  // else moreau takes dampers, but not servos, with the mean velocity
    Plan spring = servo;
    spring.joints[0].drive = Drive::None;
    spring.joints[0].motion = {};
    spring.joints[0].stiffness = {50}, spring.joints[0].damping = {8}, spring.joints[0].rest = {2.0};
    for (const Stepper& stepper : steppers()) {
      SCOPED_TRACE(stepper.name);
      // the same arithmetic up to the order of sums
      EXPECT_LT(distance(run(servo, {c, stepper.name}, 0.5, 500), run(spring, {c, stepper.name}, 0.5, 500)), 1e-12);
    }
  }
}

// The target turns about the joint's z axis at 1 rad/s; a servo with damping alone must bring the body to that rate.
TEST(Servo, of_a_ball_joint_follows_the_angular_velocity_of_its_target) {
  for (const Stepper& stepper : steppers())
    for (const Coordinates c : both_coordinates) {
      SCOPED_TRACE(std::string(stepper.name) + " " + name_of(c));
      Plan plan;
      plan.gravity.kind = GravityKind::None;
      plan.bodies = {lump("a", 1.0, {0, 0, 0})};
      plan.bodies[0].inertia = Sym3d::diagonal(0.1);
      plan.joints = {pin("ball", "world", "a", {0, 0, 0})};
      plan.joints[0].kind = JointKind::Ball;
      plan.joints[0].drive = Drive::Servo;
      plan.joints[0].motion = {{.rate = 1.0}, {}, {}};
      plan.joints[0].kp = {1, 1, 1}, plan.joints[0].kd = {1, 1, 1};
      const auto seen = observe(run(plan, {c, stepper.name}, 3.0, 3000));
      // first-order lag with kd / I = 10/s: settled to exp(-30) but for the slow mode kp/kd = 1.1/s, which starts small
      EXPECT_NEAR(seen.bodies[0].w_WB[0], 0.0, 1e-6);
      EXPECT_NEAR(seen.bodies[0].w_WB[1], 0.0, 1e-6);
      EXPECT_NEAR(seen.bodies[0].w_WB[2], 1.0, 1e-2);
    }
}

// A rod on a hinge, pulled back by an implicit servo of moreau. omega^2 = 3 kp.
Plan implicit_swing(double kp, double kd) {
  Plan plan = far_from_target(INFINITY);
  plan.implicit_servos = true;
  plan.joints[0].kp = {kp};
  plan.joints[0].kd = {kd};
  return plan;
}
double angle_after(const Plan& plan, double T, int steps) {
  return run(plan, {Coordinates::Tree, "moreau"}, T, steps).state.q[0];
}

// Where the step resolves the swing, the servo looks at the middle of the step and takes nothing out that it should not.
TEST(Servo, implicit_and_without_damping_swings_on) {
  const double kp = 50.0, period = 2.0 * 3.14159265358979 / std::sqrt(3.0 * kp);
  World<double> world = make_world(implicit_swing(kp, 0.0), {Coordinates::Tree, "moreau"});
  double farthest = 0.0;
  for (int k = 0; k < 400; k++) {  // ten periods; at the end of its steps it would lose all but 1 % of its swing
    world.step(period / 40.0);
    if (k >= 360) farthest = std::max(farthest, std::abs(world.state.q[0] - 2.0));
  }
  EXPECT_GT(farthest, 0.9 * 2.0);
  EXPECT_LT(farthest, 1.01 * 2.0);
}

TEST(Servo, implicit_is_of_second_order) {
  const Plan plan = implicit_swing(50.0, 0.5);
  const double exact = angle_after(plan, 1.0, 64000);
  const double coarse = std::abs(angle_after(plan, 1.0, 250) - exact);
  const double fine = std::abs(angle_after(plan, 1.0, 500) - exact);
  EXPECT_GT(coarse / fine, 3.5);
  EXPECT_LT(coarse / fine, 4.5);
}

// Far stiffer than the step resolves: it looks at the end of the step and is where it should be there.
TEST(Servo, implicit_and_very_stiff_is_at_its_target) {
  World<double> world = make_world(implicit_swing(1e9, 1e3), {Coordinates::Tree, "moreau"});
  for (int k = 0; k < 20; k++) {
    world.step(0.001);
    EXPECT_NEAR(world.state.q[0], 2.0, 0.01);
  }
}

}  // namespace servo_test
}  // namespace sinew::test
