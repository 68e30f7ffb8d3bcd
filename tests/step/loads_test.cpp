// Forces that follow from where bodies are: struts between two points, weight that is carried.
#include "sinew/step/loads.h"

#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace loads_test
}  // namespace sinew
