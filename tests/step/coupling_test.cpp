// Couplings: gears, joints that follow others, distances, in every stepper and both choices of coordinates.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/sim/errors.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace coupling_test {

JointPlan joint_of(JointKind kind, const std::string& name, const std::string& child) {
  JointPlan j;
  j.kind = kind;
  j.name = name;
  j.child = child;
  return j;
}

// A weight of 2 kg on a rope over a drum, r = 0.1 m, I = 0.03 kg m^2: it goes down with m g / (m + I / r^2) = 2 g / 5.
Plan winch() {
  Plan plan;
  BodyPlan weight{.name = "weight", .mass = 2.0, .inertia = Sym3d::diagonal(0.01)};
  BodyPlan drum{.name = "drum", .mass = 1.0, .inertia = Sym3d::diagonal(0.03)};
  const JointPlan slide = joint_of(JointKind::Prismatic, "slide", "weight");
  const JointPlan axle = pin("axle", "world", "drum", {1, 0, 0});
  plan.bodies = {weight, drum};
  plan.joints = {slide, axle};
  plan.couplings = {{.name = "rope", .joints = {"slide", "axle"}, .factors = {1.0, 0.1}}};
  return plan;
}

TEST(Coupling, a_weight_on_a_drum_falls_as_in_the_closed_form_however_often_it_turns) {
  for (const Stepper& stepper : fixed_steppers())
    for (const Coordinates c : both_coordinates) {
      SCOPED_TRACE(std::string(stepper.name) + " " + name_of(c));
      const double T = 2.0, fall = 0.5 * 0.4 * 9.81 * T * T;
      const auto seen = observe(run(winch(), {c, stepper.name}, T, 1000));
      // euler takes a constant acceleration for dt / 2 too long
      EXPECT_NEAR(seen.joints[0].q[0], -fall, stepper.name == "euler" ? 1.1e-3 * fall : 1e-9);
      EXPECT_NEAR(seen.joints[1].u[0], 0.4 * 9.81 * T / 0.1, 1e-8);
      EXPECT_LT(seen.gap, 1e-9);
      EXPECT_LT(std::abs(seen.balance_error), stepper.name == "euler" ? 1.0 : 1e-8);
      const double turned = std::remainder(seen.joints[1].q[0] - fall / 0.1, 6.283185307179586);
      if (stepper.name == "euler") continue;
      EXPECT_NEAR(turned, 0.0, 1e-7);
    }
}

// Two arms of a gripper: the second follows q_2 = 0.3 q_1 + 0.2 q_1^2 - 0.1 q_1^3.
Plan arms() {
  Plan plan;
  plan.gravity.g = {0.7, -9.81, 0.2};
  plan.bodies = {rod("first"), rod("second", 0.6, 2.0), rod("third", 0.5)};
  plan.joints = {pin("a", "world", "first", {0, 0, 0}), pin("b", "first", "second", {1, 0, 0}),
                 pin("c", "second", "third", {0.6, 0, 0})};
  plan.joints[2].axis = {0, 1, 0};
  plan.joints[0].velocity = {1.5};
  plan.couplings = {
      {.name = "follow", .joints = {"b", "a"}, .factors = {1.0, -0.3}, .squares = {0.0, -0.2}, .cubes = {0.0, 0.1}}};
  return plan;
}

TEST(Coupling, a_polynomial_is_followed_without_work_at_the_order_of_the_stepper) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    const auto reference = observe(run(arms(), {Coordinates::Tree, "rk4"}, 0.5, 2000));
    const double a = reference.joints[0].q[0];
    EXPECT_NEAR(reference.joints[1].q[0], 0.3 * a + 0.2 * a * a - 0.1 * a * a * a, 1e-12);
    EXPECT_LT(std::abs(reference.balance_error), 1e-9);
    const auto error = [&](const char* stepper, int n) {
      return distance(observe(run(arms(), {c, stepper}, 0.5, n)), reference);
    };
    EXPECT_LT(error("rk4", 400), 1e-8);
    EXPECT_NEAR(order(error("moreau", 100), error("moreau", 200)), 2.0, 0.2);
    EXPECT_NEAR(order(error("euler", 400), error("euler", 800)), 1.0, 0.1);
    EXPECT_NEAR(order(error("rk4", 20), error("rk4", 40)), 4.0, 0.4);
  }
}

// A mass that may move and turn in a plane, held to the origin by a bar without mass at its centre.
Plan on_a_distance() {
  Plan plan;
  plan.gravity.g = {0, -9.81, 0};
  BodyPlan bob{.name = "bob", .mass = 1.5, .inertia = Sym3d::diagonal(0.02)};
  JointPlan loose = joint_of(JointKind::Planar, "loose", "bob");
  loose.position = {0.6, -0.8, 0.0};
  plan.bodies = {bob};
  plan.joints = {loose};
  plan.couplings = {{.name = "bar",
                     .kind = CouplingKind::Distance,
                     .bodies = {"world", "bob"},
                     .points = {0, 0, 0, 0, 0, 0},
                     .length = 1.0}};
  return plan;
}

TEST(Coupling, a_distance_makes_a_pendulum_of_a_mass) {
  // E = 1/2 v^2 + g y: the speed at a height follows from that at the start
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    const auto seen = observe(run(on_a_distance(), {c, "rk4"}, 0.4, 800));
    const Vec3d p = seen.bodies[0].p_WC, v = seen.bodies[0].v_WC;
    EXPECT_NEAR(norm(p), 1.0, 1e-12);
    EXPECT_NEAR(dot(p, v), 0.0, 1e-12);
    EXPECT_NEAR(0.5 * dot(v, v), 9.81 * (-0.8 - p[1]), 1e-10);
    EXPECT_LT(norm(seen.bodies[0].w_WB), 1e-14);
    const auto coarse = observe(run(on_a_distance(), {c, "moreau"}, 0.4, 400));
    EXPECT_NEAR(norm(coarse.bodies[0].p_WC - p), 0.0, 1e-5);
  }
}

// Two weights on one rope: the heavier one comes down, lands, and stays; what it presses with is the difference of the weights.
TEST(Coupling, what_hangs_on_a_coupling_lands_and_stays) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    Plan plan;
    plan.ground.terrain.kind = TerrainKind::Plane;
    for (const double m : {3.0, 2.0}) {
      const std::string name = m > 2.5 ? "heavy" : "light";
      BodyPlan b{.name = name, .mass = m, .inertia = Sym3d::diagonal(0.01)};
      b.shapes = {{.name = "ball", .shape = {.kind = ShapeKind::Sphere, .radius = 0.1}}};
      plan.bodies.push_back(b);
      plan.joints.push_back(joint_of(JointKind::Prismatic, name, name));
      plan.joints.back().p_parent = {m, 0, m > 2.5 ? 0.3 : 1.0};
    }
    plan.couplings = {{.name = "rope", .joints = {"heavy", "light"}, .factors = {1.0, 1.0}}};
    World<double> world = make_world(plan, {c, "moreau"});
    int unconverged = 0;
    for (int k = 0; k < 1000; k++) unconverged += !world.step(2e-3).converged;
    EXPECT_EQ(unconverged, 0);
    const auto seen = observe(world);
    const auto& heavy = seen.bodies[std::size_t(world.model().body("heavy"))];
    EXPECT_NEAR(heavy.p_WC[2], 0.1, 2e-3 * std::sqrt(2.0 * 9.81 / 5.0 * 0.2));  // the way of the step that sees it land
    EXPECT_LT(norm(heavy.v_WC), 1e-10);
    EXPECT_NEAR(seen.total.normal, 9.81, 1e-6);
  }
}

TEST(Coupling, that_cannot_be_is_refused_by_its_key) {
  const auto problem = [](const CouplingPlan& coupling) -> std::string {
    Plan plan = winch();
    plan.couplings = {coupling};
    try {
      make_world(plan);
    } catch (const PlanError& e) {
      return e.problems[0].key;
    }
    return "";
  };
  EXPECT_EQ(problem({.name = "x"}), "coupling.x.joints");
  EXPECT_EQ(problem({.name = "x", .joints = {"nobody"}, .factors = {1}}), "coupling.x.joints");
  EXPECT_EQ(problem({.name = "x", .joints = {"slide", "axle"}, .factors = {1}}), "coupling.x.factors");
  EXPECT_EQ(problem({.name = "x", .joints = {"slide"}, .axes = {1}, .factors = {1}}), "coupling.x.axes");
  EXPECT_EQ(problem({.name = "x", .kind = CouplingKind::Distance, .bodies = {"drum"}}), "coupling.x.bodies");
  // no place of the joint makes the square of its coordinate negative
  EXPECT_EQ(problem({.name = "x", .joints = {"slide"}, .squares = {1}, .sum = -1}), "coupling.x");
}

}  // namespace coupling_test
}  // namespace sinew::test
