// Order of accuracy of every stepper, seen by halving the step. The reference is rk4 in tree coordinates with a step so
// small that its own error is far below all errors compared with it.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/worlds.h"

namespace sinew::test {
namespace order_test {

// Errors at T for `levels` step counts, each twice the one before.
std::vector<double> errors(const Plan& plan, const WorldOptions& options, double T, int steps, int levels) {
  const auto reference = observe(run(plan, {.stepper = "rk4"}, T, 4000));
  std::vector<double> out;
  for (int i = 0; i < levels; i++, steps *= 2)
    out.push_back(distance(observe(run(plan, options, T, steps)), reference));
  return out;
}

// The last two levels decide; a tenth of an order is left for the higher terms of the error.
void expect_order(const std::vector<double>& e, double wanted, double tolerance = 0.1) {
  const std::size_t n = e.size();
  EXPECT_NEAR(order(e[n - 2], e[n - 1]), wanted, tolerance) << e[n - 2] << " -> " << e[n - 1];
}

Plan with_all_drives(Plan plan) {
  plan.joints[0].stiffness = {6.0}, plan.joints[0].damping = {0.4};
  plan.joints[1].drive = Drive::Servo;
  plan.joints[1].kp = {8, 6}, plan.joints[1].kd = {0.5, 0.4};
  plan.joints[1].motion = {{.amplitude = 0.5, .frequency = 0.8}, {.offset = 0.1, .rate = 0.2}};
  plan.joints[2].stiffness = {4, 4, 4}, plan.joints[2].damping = {0.2, 0.3, 0.1};
  plan.joints[4].drive = Drive::Motion;
  plan.joints[4].motion = {{.amplitude = 0.1, .frequency = 1}, {.offset = 0.1}, {.rate = 1.0}};
  return plan;
}

TEST(Order, rk4_is_of_order_4_in_tree_and_maximal_coordinates) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    expect_order(errors(mixed_chain(), {c, "rk4"}, 0.4, 25, 3), 4.0, 0.2);
    expect_order(errors(floating_chain(), {c, "rk4"}, 0.4, 25, 3), 4.0, 0.2);
    expect_order(errors(with_all_drives(mixed_chain()), {c, "rk4"}, 0.4, 25, 3), 4.0, 0.2);
  }
}

TEST(Order, rk4_keeps_order_4_for_each_joint_kind_alone) {
  for (const JointKind kind : joint::all_kinds) {
    if (kind == JointKind::Weld) continue;
    for (const Coordinates c : both_coordinates) {
      SCOPED_TRACE(std::string(joint::name_of(kind)) + " " + name_of(c));
      const auto e = errors(single(kind), {c, "rk4"}, 0.8, 10, 4);
      if (e.back() < 1e-12) continue;  // a mass that slides or falls: exact, nothing to halve
      expect_order(e, 4.0, 0.3);
    }
  }
}

TEST(Order, euler_is_of_order_1) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    expect_order(errors(mixed_chain(), {c, "euler"}, 0.2, 400, 2), 1.0);
    expect_order(errors(with_all_drives(mixed_chain()), {c, "euler"}, 0.2, 400, 2), 1.0);
  }
}

// Springs, dampers and given motions too; explicit servos are of first order, and so are dampers of joints that are cut.
TEST(Order, moreau_is_of_order_2_where_nothing_touches) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    expect_order(errors(mixed_chain(), {c, "moreau"}, 0.2, 100, 3), 2.0, 0.2);
    expect_order(errors(floating_chain(), {c, "moreau"}, 0.4, 100, 3), 2.0, 0.2);
    expect_order(errors(with_all_drives(mixed_chain()), {c, "moreau"}, 0.2, 400, 2), 1.0);
  }
  Plan plan = with_all_drives(mixed_chain());
  plan.joints[1].drive = Drive::None;
  plan.joints[1].motion.clear();
  expect_order(errors(plan, {Coordinates::Tree, "moreau"}, 0.2, 100, 3), 2.0, 0.2);
}

TEST(Order, moreau_with_velocity_terms_of_the_start_is_of_order_1) {
  Plan plan = mixed_chain();
  plan.velocity_terms = VelocityTerms::Start;
  expect_order(errors(plan, {Coordinates::Tree, "moreau"}, 0.2, 400, 2), 1.0);
}

// One revolute joint: the mass matrix is a number and gravity does not depend on the velocity.
TEST(Order, moreau_is_of_order_2_for_a_pendulum_in_tree_coordinates) {
  Plan plan = pinned_rod();
  plan.joints[0].velocity = {1.0};
  expect_order(errors(plan, {Coordinates::Tree, "moreau"}, 1.0, 100, 2), 2.0);
}

TEST(Order, the_table_states_no_higher_order_than_is_seen) {
  for (const Stepper& stepper : fixed_steppers()) {
    SCOPED_TRACE(stepper.name);
    const auto e = errors(mixed_chain(), {Coordinates::Tree, stepper.name}, 0.2, stepper.order > 1 ? 20 : 400, 2);
    EXPECT_GT(order(e[0], e[1]), stepper.order - 0.2);
  }
}

// Both coordinates solve the same equations: their difference vanishes with the stepper's order.
TEST(Order, tree_and_maximal_coordinates_agree_to_the_order_of_the_stepper) {
  for (const Stepper& stepper : fixed_steppers()) {
    SCOPED_TRACE(stepper.name);
    const int steps = stepper.order > 1 ? 40 : 400;
    std::vector<double> difference;
    for (int n : {steps, 2 * steps})
      difference.push_back(distance(run(mixed_chain(), {Coordinates::Tree, stepper.name}, 0.2, n),
                                    run(mixed_chain(), {Coordinates::Maximal, stepper.name}, 0.2, n)));
    EXPECT_GT(order(difference[0], difference[1]), stepper.order - 0.2) << difference[0] << " -> " << difference[1];
    EXPECT_LT(difference[1], stepper.order > 2 ? 1e-8 : stepper.order > 1 ? 1e-3 : 1e-2);  // seen: 1e-10, 3e-4, 1e-3
  }
}

TEST(Order, closed_loops_keep_the_order_of_the_stepper) {
  Plan plan = everything();
  plan.joints[6].limit = {};  // a servo at its limit has a kink, which no stepper passes at order 4
  for (const Stepper& stepper : fixed_steppers())
    for (const Coordinates c : both_coordinates) {
      SCOPED_TRACE(std::string(stepper.name) + " " + name_of(c));
      const auto e = errors(plan, {c, stepper.name}, 0.3, stepper.order > 1 ? 60 : 600, 2);
      // of moreau: servos are explicit
      EXPECT_GT(order(e[0], e[1]), (stepper.order == 2 ? 1 : stepper.order) - 0.2) << e[0] << " -> " << e[1];
    }
}

TEST(Order, moreau_is_of_order_2_with_closed_loops_too) {
  Plan plan = everything();
  plan.joints[6] = hinge(JointKind::Universal, "t2", "t3");  // no servo, which is explicit
  plan.joints[3].damping.clear();                            // of the joint that is cut
  expect_order(errors(plan, {Coordinates::Tree, "moreau"}, 0.3, 300, 3), 2.0, 0.2);
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    expect_order(errors(parallelogram(0.3, 2.0), {c, "moreau"}, 0.5, 200, 3), 2.0, 0.2);
    expect_order(errors(bricard(), {c, "moreau"}, 0.5, 200, 3), 2.0, 0.2);
  }
}

}  // namespace order_test
}  // namespace sinew::test
