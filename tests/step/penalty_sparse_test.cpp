// Implicit penalty contacts of many bodies, solved by products: where a matrix takes them, and where a matrix alone does not get.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/support/dice.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace penalty_sparse_test {

using support::Dice;

void add_sphere(Plan& plan, const Vec3d& p) {
  BodyPlan body;
  body.name = "b" + std::to_string(plan.bodies.size());
  body.mass = 0.5;
  body.inertia = Sym3d::diagonal(0.4 * 0.5 * 0.05 * 0.05);
  body.shapes.push_back({.name = "s", .shape = {.radius = 0.05}});
  JointPlan joint;
  joint.name = "j" + body.name;
  joint.kind = JointKind::Free;
  joint.child = body.name;
  joint.position = {p[0], p[1], p[2], 1, 0, 0, 0};
  plan.bodies.push_back(body);
  plan.joints.push_back(joint);
}

Plan soft_ground_plan(double stiffness) {
  Plan plan;
  plan.ground.terrain.kind = TerrainKind::Plane;
  plan.contact.law = {.mu_forward = 0.5, .mu_backward = 0.5, .mu_trans = 0.5};
  plan.contact.options.response = Response::Penalty;
  plan.contact.options.forces = PenaltyForces::Implicit;
  plan.contact.penalty.stiffness = stiffness;
  return plan;
}

// Towers of three spheres that lean, far from each other.
Plan towers(int n) {
  Plan plan = soft_ground_plan(1e5);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) add_sphere(plan, {4.0 * i + 0.02 * k, 0.01 * k, 0.0499 + 0.097 * k});
  return plan;
}

int touching(const World<double>& world) {
  int n = 0;
  for (int s = 0; s < world.model().n_slots; s++)
    n += world.state.contact[std::size_t(s) * slot::size + slot::key] > 0.0;
  return n;
}

// One tower has 9 rows and is a matrix, sixteen have 144 and are not.
TEST(PenaltySparse, towers_beside_others_fall_as_one_does_alone) {
  World<double> alone = make_world(towers(1)), many = make_world(towers(16));
  for (int k = 0; k < 100; k++) {
    ASSERT_TRUE(alone.step(1e-3).converged);
    ASSERT_TRUE(many.step(1e-3).converged);
    if (k > 0) continue;
    EXPECT_GT(3 * touching(many), 100);
    EXPECT_LT(3 * touching(alone), 100);
  }
  const auto one = observe(alone).bodies, all = observe(many).bodies;
  EXPECT_GT(one[2].p_WC[0], 0.045);  // it does fall; it began at 0.04
  for (int i = 0; i < 16; i++)
    for (int k = 0; k < 3; k++)
      EXPECT_LT(norm(all[3 * i + k].p_WC - one[k].p_WC - Vec3d{4.0 * i, 0.0, 0.0}), 1e-9) << i << " " << k;
}

// omega dt = 4.5, so that forces are those of the end; a matrix alone, by the largest residual alone, leaves some steps of such heaps.
TEST(PenaltySparse, a_heap_too_stiff_for_its_step_is_solved_in_every_step) {
  Dice dice(3);
  Plan plan = soft_ground_plan(1e7);
  plan.contact.options.forces = PenaltyForces::Auto;
  for (int i = 0; i < 90; i++) {
    const double x = 0.1 * (i % 3) + dice.between(-1e-4, 1e-4), y = 0.1 * (i / 3 % 3) + dice.between(-1e-4, 1e-4);
    add_sphere(plan, {x, y, 0.05 + 0.1 * (i / 9)});
  }
  World<double> world = make_world(plan);
  int rows = 0;
  for (int k = 0; k < 300; k++) {
    EXPECT_TRUE(world.step(1e-3).converged) << k;
    rows = std::max(rows, 3 * touching(world));
  }
  EXPECT_GT(rows, 100);
}

}  // namespace penalty_sparse_test
}  // namespace sinew::test
