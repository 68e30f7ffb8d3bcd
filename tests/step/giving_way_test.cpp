// Contacts that give way (eps_N): 0 <= P_N, gamma_N + eps_N P_N >= 0, not both > 0 (docs/theory/snake.md#redundant-normal-forces).
#include <gtest/gtest.h>

#include "sinew/world/observe.h"
#include "tests/support/touching.h"

namespace sinew::test {
namespace giving_way_test {

constexpr double dt = 1e-3, g = 9.81;

Plan ball(double mass, double eps_N) {
  Plan plan;
  BodyPlan body;
  body.name = "ball", body.mass = mass, body.inertia = Sym3d::diagonal(0.4 * mass * 0.01);
  ShapePlan shape;
  shape.name = "skin", shape.shape = {.kind = ShapeKind::Sphere, .radius = 0.1};
  body.shapes = {shape};
  JointPlan air;
  air.name = "air", air.kind = JointKind::Free, air.child = "ball", air.position = {0, 0, 0.1, 1, 0, 0, 0};
  plan.bodies = {body}, plan.joints = {air};
  plan.ground.terrain.kind = TerrainKind::Plane;
  plan.contact.law.eps_N = eps_N;
  return plan;
}

TEST(GivingWay, a_ball_sinks_at_eps_times_its_weight) {
  for (const ContactSolver solver : {ContactSolver::Recursion, ContactSolver::Newton, ContactSolver::Sweep}) {
    World<double> world = make_world(with_solver(ball(2.0, 1e-3), solver));
    for (int k = 0; k < 100; k++) ASSERT_TRUE(world.step(dt).converged);
    // at rest the impulse is the weight's, and the speed of sinking eps_N times it
    EXPECT_NEAR(normal_forces(world)[0], 2.0 * g, 1e-3);
    EXPECT_NEAR(observe(world).bodies[0].v_WC[2], -1e-3 * 2.0 * g * dt, 1e-9);
  }
}

// An impact at speed v leaves v eps m / (1 + eps m), because P_N = v m / (1 + eps m).
TEST(GivingWay, an_impact_is_softened_by_eps_times_the_mass) {
  for (const ContactSolver solver : {ContactSolver::Recursion, ContactSolver::Newton}) {
    Plan plan = ball(2.0, 1e-3);
    plan.gravity.kind = GravityKind::None;
    plan.joints[0].velocity = {0, 0, 0, 0, 0, -1.0};
    World<double> world = make_world(with_solver(plan, solver));
    ASSERT_TRUE(world.step(dt).converged);
    EXPECT_NEAR(observe(world).bodies[0].v_WC[2], -2e-3 / (1 + 2e-3), 1e-9);
    EXPECT_NEAR(world.state.work.impact, 1.0 - std::pow(2e-3 / (1 + 2e-3), 2), 1e-8);  // of 1 J
  }
}

// Redundant legs share the load evenly, whatever solves it.
TEST(GivingWay, redundant_forces_are_the_same_for_every_solver) {
  const ContactLaw<double> law{.mu_forward = 0.1, .mu_backward = 0.1, .mu_trans = 0.5, .mu_roll = 0.01, .eps_N = 1e-3};
  std::vector<double> first;
  for (const ContactSolver solver : {ContactSolver::Recursion, ContactSolver::Newton, ContactSolver::Sweep}) {
    World<double> world = make_world(with_solver(crawler(5, law), solver));
    for (int k = 0; k < 200; k++) ASSERT_TRUE(world.step(2.5e-4).converged);
    const std::vector<double> forces = normal_forces(world);
    if (first.empty()) first = forces;
    for (std::size_t i = 0; i < forces.size(); i++) EXPECT_NEAR(forces[i], first[i], 2e-3 * first[i] + 1e-3) << i;
  }
}

}  // namespace giving_way_test
}  // namespace sinew::test
