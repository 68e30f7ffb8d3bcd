// Joints with a tie: screws and distances, in every stepper and both choices of coordinates.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/worlds.h"

namespace sinew::test {
namespace ties_test {

constexpr double g = 9.81;

BodyPlan disk(const std::string& name, double mass, double inertia) {
  return {.name = name, .mass = mass, .inertia = Sym3d::diagonal(inertia)};
}

JointPlan tied(JointTie tie, const std::string& name, const std::string& child) {
  JointPlan j;
  j.name = name;
  j.kind = kind_of(tie);
  j.tie.kind = tie;
  j.child = child;
  return j;
}

// A nut on an upright screw: m z'' = -m g + F and I w' = -F s with z' = s w, s = pitch / (2 pi).
Plan nut(double pitch) {
  Plan plan;
  plan.bodies = {disk("nut", 2.0, 3e-4)};
  plan.joints = {tied(JointTie::Screw, "screw", "nut")};
  plan.joints[0].tie.pitch = pitch;
  return plan;
}

TEST(Ties, a_nut_runs_down_its_screw_as_in_the_closed_form_however_often_it_turns) {
  for (const double pitch : {0.05, -0.02})
    for (const Stepper& stepper : fixed_steppers())
      for (const Coordinates c : both_coordinates) {
        SCOPED_TRACE(std::string(stepper.name) + " " + name_of(c));
        const double T = 0.5, s = pitch / (2.0 * std::numbers::pi), a = g / (1.0 + 3e-4 / (2.0 * s * s));
        const double fall = 0.5 * a * T * T, turn = -fall / s;
        const auto seen = observe(run(nut(pitch), {c, stepper.name}, T, 500));
        // euler takes a constant acceleration for dt / 2 too long
        EXPECT_NEAR(seen.joints[0].q[1], -fall, stepper.name == "euler" ? 2.1e-3 * fall : 1e-10);
        EXPECT_NEAR(seen.joints[0].u[1], -a * T, 1e-9);
        EXPECT_NEAR(seen.joints[0].u[0], -a * T / s, 1e-7);
        EXPECT_LT(seen.gap, 1e-9);
        if (stepper.name == "euler") continue;
        EXPECT_GT(std::abs(turn), 2.0 * std::numbers::pi);
        EXPECT_NEAR(std::remainder(seen.joints[0].q[0] - turn, 2.0 * std::numbers::pi), 0.0, 1e-8);
        EXPECT_LT(std::abs(seen.balance_error), 1e-9);
      }
}

TEST(Ties, the_place_of_a_screw_follows_its_turn_at_the_start) {
  Plan plan = nut(0.01);
  plan.joints[0].position = {5.0, 5.0 * 0.01 / (2.0 * std::numbers::pi)};
  for (const Coordinates c : both_coordinates)
    EXPECT_NEAR(observe(make_world(plan, {c})).bodies[0].p_WC[2], 0.05 / (2.0 * std::numbers::pi), 1e-12);
  plan.joints[0].position = {5.0, 0.3};
  EXPECT_THROW(make_world(plan), PlanError);
}

// A mass at the end of a bar without mass goes round a circle below its point: w^2 = g / h, for any attitude of its body.
Plan conical(double h, double r) {
  Plan plan;
  plan.bodies = {disk("bob", 1.5, 0.02)};
  plan.joints = {tied(JointTie::Distance, "bar", "bob")};
  plan.joints[0].tie.length = std::hypot(h, r);
  plan.joints[0].position = {r, 0, -h, 1, 0, 0, 0};
  plan.joints[0].velocity = {0.3, -0.2, 0.5, 0, r * std::sqrt(g / h), 0};
  return plan;
}

TEST(Ties, a_mass_on_a_distance_is_a_conical_pendulum) {
  const double h = 0.8, r = 0.6, w = std::sqrt(g / h), T = 1.0;
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    const auto fine = observe(run(conical(h, r), {c, "rk4"}, T, 500));
    EXPECT_LT(norm(fine.bodies[0].p_WC - Vec3d(r * std::cos(w * T), r * std::sin(w * T), -h)), 1e-9);
    EXPECT_LT(norm(fine.bodies[0].w_WB - Vec3d(0.3, -0.2, 0.5)), 1e-9);  // a ball: it turns as it began
    EXPECT_LT(fine.gap, 1e-12);
    const auto error = [&](const char* stepper, int n) {
      return distance(observe(run(conical(h, r), {c, stepper}, T, n)), fine);
    };
    EXPECT_NEAR(order(error("moreau", 100), error("moreau", 200)), 2.0, 0.2);
    EXPECT_NEAR(order(error("euler", 400), error("euler", 800)), 1.0, 0.15);
    EXPECT_NEAR(order(error("rk4", 20), error("rk4", 40)), 4.0, 0.4);
  }
}

TEST(Ties, a_distance_without_a_position_starts_along_its_axis) {
  Plan plan = conical(0.8, 0.6);
  plan.joints[0].position.clear();
  plan.joints[0].velocity.clear();
  plan.joints[0].axis = {0, 0, -1};
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    const auto seen = observe(run(plan, {c, "moreau"}, 0.2, 20));  // it hangs still
    EXPECT_LT(norm(seen.bodies[0].p_WC - Vec3d(0, 0, -1)), 1e-12);
  }
}

// Two arms on balls with a bar between them, one of which carries a nut on a screw: energy and order in 3D, with a loop.
Plan bound() {
  Plan plan;
  plan.gravity.g = {0.7, -9.81, 0.2};
  plan.bodies = {lump("first"), lump("second", 2.0), lump("third", 0.7)};
  plan.joints = {hinge(JointKind::Ball, "world", "first"), hinge(JointKind::Ball, "world", "second"),
                 hinge(JointKind::Cylindrical, "second", "third")};
  plan.joints[1].p_parent = {0.9, 0.2, 0.1};
  plan.joints[2].tie = {.kind = JointTie::Screw, .pitch = 1.4};
  plan.joints[2].position = {0.4, 0.4 * plan.joints[2].tie.slope()};
  plan.joints[2].velocity = {1.0, plan.joints[2].tie.slope()};
  JointPlan bar = tied(JointTie::Distance, "bar", "second");
  bar.parent = "first", bar.loop = true;
  bar.p_parent = {0.6, 0, 0}, bar.p_child = {0.5, 0, 0.1};
  const auto open = observe(make_world(plan));
  bar.tie.length = norm(open.bodies[0].X_WB * bar.p_parent - open.bodies[1].X_WB * bar.p_child);
  plan.joints.push_back(bar);
  return plan;
}

TEST(Ties, in_a_loop_they_do_no_work_at_the_order_of_the_stepper) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    const auto reference = observe(run(bound(), {Coordinates::Tree, "rk4"}, 0.2, 1600));
    EXPECT_LT(std::abs(reference.balance_error), 1e-9);
    const auto error = [&](const char* stepper, int n) {
      return distance(observe(run(bound(), {c, stepper}, 0.2, n)), reference);
    };
    EXPECT_NEAR(order(error("moreau", 100), error("moreau", 200)), 2.0, 0.25);
    EXPECT_NEAR(order(error("rk4", 50), error("rk4", 100)), 4.0, 0.5);
  }
}

TEST(Ties, that_cannot_be_are_refused_by_their_key) {
  const auto key_of = [](const Plan& plan) {
    const auto problems = problems_of(plan, Coordinates::Tree);
    return problems.empty() ? std::string() : problems.front().key;
  };
  EXPECT_EQ(key_of(nut(0.01)), "");
  EXPECT_EQ(key_of(nut(0.0)), "joint.screw.pitch");
  Plan driven = nut(0.01);
  driven.joints[0].drive = Drive::Motion;
  EXPECT_EQ(key_of(driven), "joint.screw.drive");
  Plan far = conical(0.8, 0.6);
  far.joints[0].tie.length = 0.0;
  EXPECT_EQ(key_of(far), "joint.bar.length");
}

}  // namespace ties_test
}  // namespace sinew::test
