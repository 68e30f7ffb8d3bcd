// Forces that follow from where bodies are: struts between two points, weight that is carried.
#include "sinew/step/loads.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/model/rods.h"
#include "sinew/parts/device/torque_table.h"
#include "sinew/world/observe.h"
#include "sinew/world/world.h"

namespace sinew {
namespace loads_test {

// A mass on a rail along x, and a spring from the world's origin to it.
Plan on_a_rail(CableKind kind, double start) {
  Plan plan;
  plan.gravity.g = Vec3d::zero();
  BodyPlan body;
  body.name = "mass";
  body.mass = 2.0;
  plan.bodies.push_back(body);
  JointPlan rail;
  rail.name = "rail";
  rail.kind = JointKind::Prismatic;
  rail.child = "mass";
  rail.axis = Vec3d(1, 0, 0);
  rail.position = {start};
  plan.joints.push_back(rail);
  CablePlan spring;
  spring.name = "spring";
  spring.kind = kind;
  spring.bodies = {"world", "mass"};
  spring.points = {0, 0, 0, 0, 0, 0};
  spring.stiffness = 50.0;
  spring.length0 = 1.0;
  plan.cables.push_back(spring);
  return plan;
}

TEST(Loads, a_strut_pushes_as_it_pulls_and_a_spring_hangs_slack) {
  const double omega = std::sqrt(50.0 / 2.0), t = 0.5 * 3.141592653589793 / omega, dt = t / 2000;
  for (const double start : {1.3, 0.7}) {
    World<double> strut = make_world(on_a_rail(CableKind::Strut, start), {.stepper = "rk4"});
    EXPECT_NEAR(observe(strut).cables[0].tension, 50.0 * (start - 1.0), 1e-12);
    for (int i = 0; i < 2000; i++) strut.step(dt);  // a quarter of a period: through the middle at full speed
    EXPECT_NEAR(strut.state.q[0], 1.0, 1e-9);
    EXPECT_NEAR(strut.state.u[0], -omega * (start - 1.0), 1e-9);
    // what the spring did is booked, and all of it is motion now
    EXPECT_NEAR(strut.state.work.actuators, 0.5 * 2.0 * strut.state.u[0] * strut.state.u[0], 1e-9);
  }
  World<double> slack = make_world(on_a_rail(CableKind::Spring, 0.7), {.stepper = "rk4"});
  for (int i = 0; i < 100; i++) slack.step(dt);
  EXPECT_EQ(slack.state.q[0], 0.7);
}

// A body that falls, of whose weight a share is carried.
World<double> falling(double share, const char* stepper, Coordinates coordinates) {
  Plan plan;
  BodyPlan body;
  body.name = "stone";
  body.mass = 3.0;
  body.com = Vec3d(0.1, 0.2, 0.3);
  body.inertia = Sym3d::diagonal(0.2);
  body.gravity_compensation = share;
  plan.bodies.push_back(body);
  JointPlan free;
  free.name = "air";
  free.kind = JointKind::Free;
  free.child = "stone";
  plan.joints.push_back(free);
  return make_world(plan, {.coordinates = coordinates, .stepper = stepper});
}

TEST(Loads, weight_that_is_carried_does_not_pull) {
  for (const char* stepper : {"moreau", "rk4", "euler"})
    for (const Coordinates coordinates : {Coordinates::Tree, Coordinates::Maximal}) {
      World<double> floating = falling(1.0, stepper, coordinates);
      const double z = floating.state.q[2];
      for (int i = 0; i < 100; i++) floating.step(1e-3);
      EXPECT_NEAR(floating.state.q[2], z, 1e-14) << stepper;
      World<double> half = falling(0.5, stepper, coordinates);
      for (int i = 0; i < 100; i++) half.step(1e-3);
      const Observation<double> seen = observe(half);
      EXPECT_NEAR(seen.bodies[0].v_WC[2], -0.5 * 9.81 * 0.1, 1e-12) << stepper;
      EXPECT_NEAR(norm(seen.bodies[0].w_WB), 0.0, 1e-14);
      // what carries it takes out half of what its weight puts in
      const double fallen = z - half.state.q[2];
      EXPECT_NEAR(half.state.work.actuators, -0.5 * 3.0 * 9.81 * fallen, 1e-12) << stepper;
    }
}

TEST(Loads, weight_in_turning_axes_and_markers_without_a_body_are_refused) {
  Plan plan;
  BodyPlan body;
  body.name = "stone";
  body.gravity_compensation = 1.0;
  plan.bodies.push_back(body);
  JointPlan joint;
  joint.name = "pivot";
  joint.child = "stone";
  plan.joints.push_back(joint);
  plan.gravity.kind = GravityKind::Spinning;
  plan.markers = {{"a", "stone", Vec3d::zero()}, {"b", "stoen", Vec3d::zero()}, {"a", "", Vec3d::zero()}};
  try {
    make_world(plan);
    FAIL();
  } catch (const PlanError& e) {
    std::string all;
    for (const Problem& p : e.problems) all += p.key + ": " + p.what + "\n";
    EXPECT_NE(all.find("body.stone.gravity_compensation: in turning axes"), std::string::npos) << all;
    EXPECT_NE(all.find("marker.b.body: no body is named 'stoen'"), std::string::npos) << all;
    EXPECT_NE(all.find("marker.a: two markers have this name"), std::string::npos) << all;
    EXPECT_NE(all.find("marker.a.body: a marker needs the body"), std::string::npos) << all;
  }
}

// m x'' = F sin(2 pi f t): x' = F / (m w) (1 - cos(w t)), x = F / (m w) (t - sin(w t) / w).
TEST(Loads, a_load_over_time_moves_a_mass_as_in_the_closed_form) {
  const double F = 3.0, m = 2.0, f = 1.5, w = 2.0 * 3.141592653589793 * f, T = 0.8;
  for (const char* stepper : {"moreau", "rk4", "euler"})
    for (const Coordinates coordinates : {Coordinates::Tree, Coordinates::Maximal}) {
      Plan plan = on_a_rail(CableKind::Strut, 0.0);
      plan.cables.clear();
      plan.bodies[0].inertia = Sym3d::diagonal(0.1);
      plan.loads = {
          {.name = "push", .body = "mass", .force = {F, 7.0, 0}, .factor = 0.0, .amplitude = 1.0, .frequency = f}};
      World<double> world = make_world(plan, {.coordinates = coordinates, .stepper = stepper});
      for (int i = 0; i < 800; i++) world.step(T / 800);
      const Observation<double> seen = observe(world);
      const double v = F / (m * w) * (1.0 - std::cos(w * T)), x = F / (m * w) * (T - std::sin(w * T) / w);
      const double tolerance = std::string(stepper) == "rk4" ? 1e-9 : std::string(stepper) == "moreau" ? 1e-5 : 1e-2;
      EXPECT_NEAR(seen.joints[0].q[0], x, tolerance) << stepper;
      EXPECT_NEAR(seen.joints[0].u[0], v, tolerance) << stepper;
      EXPECT_NEAR(world.state.work.external, 0.5 * m * v * v, 3.0 * F * tolerance) << stepper;
    }
}

// A table of straight lines: an impulse of 1/2 F t_1 in all; and before `start` there is nothing.
TEST(Loads, a_load_from_a_table_gives_the_impulse_under_its_line) {
  Plan plan = on_a_rail(CableKind::Strut, 0.0);
  plan.cables.clear();
  LoadPlan tap{.name = "tap", .body = "mass", .force = {4.0, 0, 0}, .factor = 0.0};
  tap.table = make_torque_table({0.1, 0.2, 0.3}, {0.0, 1.0, 0.0}, false);
  LoadPlan late{.name = "late", .body = "mass", .force = {5.0, 0, 0}, .start = 0.4};
  plan.loads = {tap, late};
  for (const bool implicit_servos : {false, true}) {  // these look at the end of a step, loads at its middle
    plan.implicit_servos = implicit_servos;
    World<double> world = make_world(plan);
    for (int i = 0; i < 100; i++) world.step(1e-3);
    EXPECT_EQ(world.state.u[0], 0.0);
    for (int i = 0; i < 300; i++) world.step(1e-3);
    EXPECT_NEAR(world.state.u[0], 0.5 * 4.0 * 0.2 / 2.0, 1e-12);
    for (int i = 0; i < 100; i++) world.step(1e-3);
    EXPECT_NEAR(world.state.u[0], 0.2 + 5.0 * 0.1 / 2.0, 1e-12);
  }
}

// A couple that turns with the body about a principal axis: w = M t / I, whichever way the body lies.
TEST(Loads, a_couple_that_follows_spins_a_body_up) {
  Plan plan;
  plan.gravity.kind = GravityKind::None;
  BodyPlan body{.name = "top", .mass = 1.0, .inertia = Sym3d::diagonal(0.2)};
  body.inertia.zz = 0.3;
  plan.bodies = {body};
  JointPlan free;
  free.name = "air", free.kind = JointKind::Free, free.child = "top";
  const double half = 0.35;
  free.position = {0, 0, 0, std::cos(half), std::sin(half), 0, 0};
  plan.joints = {free};
  plan.loads = {{.name = "motor", .body = "top", .couple = {0, 0, 0.6}, .follows = true}};
  World<double> world = make_world(plan);
  for (int i = 0; i < 200; i++) world.step(5e-3);
  const Observation<double> seen = observe(world);
  const Vec3d z = seen.bodies[0].X_WB.R.col(2);
  EXPECT_NEAR(norm(seen.bodies[0].w_WB - z * 2.0), 0.0, 1e-9);
  EXPECT_NEAR(z[1], -std::sin(2.0 * half), 1e-9);
}

// Spread over a rod, -density A g is its weight: the same motion as under gravity, to rounding.
TEST(Loads, a_load_spread_over_a_rod_acts_as_its_weight) {
  const auto bent = [](bool by_load) {
    Plan plan;
    RodPlan rod;
    rod.name = "arm", rod.length = 0.3, rod.radius = 0.01, rod.density = 1000.0, rod.E = 1e6, rod.segments = 6;
    rod.viscosity = 2000.0;
    plan.rods = {rod};
    if (by_load) plan.gravity.g = Vec3d::zero();
    const double weight = 1000.0 * 3.141592653589793 * 0.01 * 0.01 * 9.81;
    if (by_load) plan.loads = {{.name = "weight", .rod = "arm", .spread = true, .force = {0, 0, -weight}}};
    World<double> world = make_world(plan, {.stepper = "euler"});
    for (int i = 0; i < 100; i++) world.step(1e-3);
    return observe(world).bodies.back().p_WC;
  };
  const Vec3d by_gravity = bent(false);
  EXPECT_LT(by_gravity[2], -0.01);
  EXPECT_LT(norm(bent(true) - by_gravity), 1e-10);
}

TEST(Loads, a_load_that_acts_nowhere_is_refused) {
  const auto key_of = [](LoadPlan load) {
    Plan plan = on_a_rail(CableKind::Strut, 0.0);
    plan.loads = {load, {.name = "fine", .body = "mass"}};
    try {
      make_world(plan);
    } catch (const PlanError& e) {
      return e.problems.front().key;
    }
    return std::string();
  };
  EXPECT_EQ(key_of({.name = "push", .body = "mass"}), "");
  EXPECT_EQ(key_of({.name = "push", .body = "mas"}), "load.push.body");
  EXPECT_EQ(key_of({.name = "push"}), "load.push.body");
  EXPECT_EQ(key_of({.name = "push", .rod = "arm"}), "load.push.rod");
  EXPECT_EQ(key_of({.name = "fine", .body = "mass"}), "load.fine");
  EXPECT_EQ(key_of({.name = "push", .body = "mass", .ramp = 1.0, .start = 2.0}), "load.push.ramp");
}

}  // namespace loads_test
}  // namespace sinew
