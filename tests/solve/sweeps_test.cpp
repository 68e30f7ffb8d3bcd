#include "sinew/solve/sweeps.h"

#include <gtest/gtest.h>

#include "tests/support/bits.h"
#include "tests/support/dice.h"
#include "tests/support/touching.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace sweeps_test {

using support::Dice;

BodyPlan solid(std::string name, const Shape& shape, double mass) {
  BodyPlan b;
  b.name = std::move(name), b.mass = mass;
  const double r = shape.reach();
  b.inertia = Sym3d::diagonal(0.3 * mass * r * r);
  b.shapes.push_back({.name = "s", .shape = shape});
  return b;
}

void add_loose(Plan& plan, const BodyPlan& body, const Vec3d& p, const Quatd& o, const Vec3d& v = Vec3d::zero()) {
  JointPlan j;
  j.name = "j" + std::to_string(plan.bodies.size()), j.kind = JointKind::Free, j.child = body.name;
  j.position = {p[0], p[1], p[2], o.w, o.x, o.y, o.z};
  j.velocity = {0.3 * v[1], -0.2 * v[0], 0.1, v[0], v[1], v[2]};
  plan.bodies.push_back(body);
  plan.joints.push_back(j);
}

// Spheres and boxes close above the plane and one another, falling; a column of them, so that they all touch.
Plan heap(int n, int seed, const ContactLaw<double>& law) {
  Dice dice(seed);
  Plan plan;
  plan.ground.terrain.kind = TerrainKind::Plane;
  plan.contact.law = law;
  for (int i = 0; i < n; i++) {
    Shape shape{.kind = i % 2 ? ShapeKind::Box : ShapeKind::Sphere};
    if (i % 2)
      shape.half = {dice.between(0.05, 0.1), dice.between(0.05, 0.1), 0.05};
    else
      shape.radius = 0.06;
    // one after the other: compilers may evaluate arguments in any order
    const Quatd turned{1.0, dice.between(-0.05, 0.05), dice.between(-0.05, 0.05), dice.between(-1, 1)};
    const Vec3d place{dice.between(-0.12, 0.12), dice.between(-0.12, 0.12), 0.07 + 0.07 * i};
    add_loose(plan, solid("b" + std::to_string(i), shape, dice.between(0.5, 2.0)), place, normalized(turned));
  }
  return plan;
}

constexpr ContactLaw<double> sliding{.mu_forward = 0.5, .mu_backward = 0.5, .mu_trans = 0.5};
constexpr ContactLaw<double> turning{
    .mu_forward = 0.4, .mu_backward = 0.6, .mu_trans = 0.3, .drilling = 2e-3, .rolling = 1e-3};

// Each step from the same state by both; returns the largest difference of velocities where both are certified, and how
// many rows touched at most.
struct Compared {
  double difference = 0.0;
  int unsolved = 0, compared = 0, apart = 0;  // apart: steps that differ by more than 1e-5
  std::size_t contacts = 0;
};
Compared compare(const Plan& plan, double dt, int steps) {
  World<double> sparse = make_world(with_solver(plan, ContactSolver::Sparse));
  World<double> dense = make_world(with_solver(plan, ContactSolver::Newton));
  Compared out;
  for (int k = 0; k < steps; k++) {
    dense.state = sparse.state;
    const bool certified = sparse.step(dt).converged, other = dense.step(dt).converged;
    out.unsolved += !certified;
    std::size_t touching = 0;
    for (int s = 0; s < sparse.model().n_slots; s++)
      touching += sparse.state.contact[std::size_t(s) * slot::size + slot::key] > 0.0;
    out.contacts = std::max(out.contacts, touching);
    if (!certified || !other) continue;
    out.compared++;
    double difference = 0.0;
    for (int i = 0; i < sparse.model().nu; i++)
      difference = std::max(difference, std::abs(sparse.state.u[i] - dense.state.u[i]));
    out.apart += difference > 1e-5;
    out.difference = std::max(out.difference, difference);
  }
  return out;
}

TEST(Sweeps, small_heaps_move_as_by_the_dense_solver) {
  for (const ContactLaw<double>& law : {sliding, turning})
    for (const int seed : {1, 2, 3}) {
      const Compared c = compare(heap(4, seed, law), 2e-3, 200);
      EXPECT_EQ(c.unsolved, 0);
      EXPECT_GT(c.compared, 190);
      EXPECT_LT(c.difference, 1e-6) << seed;
    }
}

// Where sweeps do the work: the certificate is the bound, a body's velocity follows it through a few contacts.
TEST(Sweeps, larger_heaps_move_as_by_the_dense_solver) {
  Plan plan = heap(12, 5, sliding);
  const Compared c = compare(plan, 2e-3, 150);
  EXPECT_GT(c.contacts, 15u);  // 3 rows each: more than a small island has
  EXPECT_LE(c.unsolved, 1);
  EXPECT_GT(c.compared, 140);
  EXPECT_LT(c.difference, 1e-5);
}

// A robot that lands on loose bodies and moves: trees and bodies in one island. Later it breaks loose, and where slipping begins
// depends on how redundant contacts share the load, which the two engines choose differently.
TEST(Sweeps, a_chain_on_loose_boxes_moves_as_by_the_dense_solver) {
  Plan plan = crawler(4, sliding);
  plan.contact.options.between_bodies = true;
  double top = 0.0;
  for (JointPlan& j : plan.joints)
    if (j.kind == JointKind::Free) j.position[2] += 0.102, top = j.position[2];
  ASSERT_GT(top, 0.1);
  const Shape box{.kind = ShapeKind::Box, .half = {0.2, 0.2, 0.05}};
  for (int i = 0; i < 3; i++)
    add_loose(plan, solid("box" + std::to_string(i), box, 1.0), {0.15 + 0.41 * i, 0.0, 0.05}, Quatd::identity());
  const Compared c = compare(plan, 1e-3, 110);
  EXPECT_GT(c.contacts, 12u);
  EXPECT_EQ(c.unsolved, 0);
  EXPECT_EQ(c.apart, 0) << c.difference << " of " << c.compared;
}

TEST(Sweeps, a_tower_of_ten_boxes_stands_still) {
  Plan plan = tower(std::vector<double>(10, 1.0), 0.5);  // 120 rows: auto takes sweeps
  World<double> world = make_world(plan);
  for (int k = 0; k < 1000; k++) ASSERT_TRUE(world.step(1e-3).converged) << k;
  const std::vector<double> from = world.state.q;
  for (int k = 0; k < 1000; k++) ASSERT_TRUE(world.step(1e-3).converged) << k;
  double moved = 0.0;
  for (std::size_t i = 0; i < from.size(); i++) moved = std::max(moved, std::abs(world.state.q[i] - from[i]));
  EXPECT_LT(moved, 1e-9);
}

TEST(Sweeps, collisions_keep_the_momentum) {
  Plan plan = heap(8, 7, {.mu_forward = 0.5, .mu_backward = 0.5, .mu_trans = 0.5, .restitution = 0.5});
  plan.ground.terrain.kind = TerrainKind::None;
  plan.gravity.g = Vec3d::zero();
  for (std::size_t i = 0; i < plan.joints.size(); i++)  // towards the middle
    for (int k = 0; k < 3; k++)
      plan.joints[i].velocity[3 + k] = -3.0 * (plan.joints[i].position[k] - (k == 2 ? 0.3 : 0.0));
  World<double> world = make_world(with_solver(plan, ContactSolver::Sparse));
  const auto linear = [&] { return observe(world).momentum.linear; };
  const Vec3d before = linear();
  const double energy = observe(world).energy.total();
  for (int k = 0; k < 200; k++) world.step(1e-3);
  EXPECT_LT(norm(linear() - before), 1e-12);
  EXPECT_LT(observe(world).energy.total(), 0.9 * energy);  // they did collide
}

TEST(Sweeps, a_lane_is_a_run_of_its_own) {
  std::vector<World<double>> alone;
  for (int k = 0; k < lane_count; k++) {
    alone.push_back(make_world(with_solver(heap(8, 11, turning), ContactSolver::Sparse)));
    for (int i = 0; i < 5 * k; i++) alone[k].step(2e-3);  // each at another time of its fall
    alone[k].state.t = 0.0, alone[k].state.steps = 0;
  }
  World<Lanes> wide = widen(alone[0]);
  for (int k = 0; k < lane_count; k++) {
    alone[k].state.dt = alone[0].state.dt = 2e-3;
    set_lane_state(wide.state, k, alone[k].state);
  }
  wide.state.dt = 2e-3;
  for (int i = 0; i < 100; i++) {
    wide.step(2e-3);
    for (World<double>& world : alone) world.step(2e-3);
  }
  for (int k = 0; k < lane_count; k++)
    for (int i = 0; i < wide.model().nu; i++)
      EXPECT_TRUE(support::same_bits(wide.state.u[i], k, alone[k].state.u[i])) << k << " " << i;
}

// contact.beta: a sphere begins 5 mm deep and rises by the share, without a velocity and with its lift in the account.
TEST(Sweeps, beta_takes_its_share_of_a_penetration) {
  for (const std::string_view stepper : {"moreau", "euler", "rk4"}) {
    SCOPED_TRACE(stepper);
    Plan plan;
    plan.ground.terrain.kind = TerrainKind::Plane;
    plan.contact.options.beta = 0.1;
    add_loose(plan, solid("ball", {.kind = ShapeKind::Sphere, .radius = 0.1}, 2.0), {0, 0, 0.095}, Quatd::identity());
    plan.joints[0].velocity.assign(6, 0.0);
    World<double> world = make_world(plan, {Coordinates::Tree, stepper});
    double depth = 5e-3;
    for (int k = 0; k < 20; k++) {
      ASSERT_TRUE(world.step(1e-3).converged);
      depth -= 0.1 * (depth - 1e-6);
      EXPECT_NEAR(0.1 - world.state.q[2], depth, 2e-5 + 1e-2 * depth);
      EXPECT_LT(std::abs(world.state.u[5]), 1e-9);
    }
    EXPECT_LT(std::abs(observe(world).balance_error), 1e-9);
  }
}

TEST(Sweeps, without_beta_a_penetration_stays) {
  Plan plan;
  plan.ground.terrain.kind = TerrainKind::Plane;
  add_loose(plan, solid("ball", {.kind = ShapeKind::Sphere, .radius = 0.1}, 2.0), {0, 0, 0.095}, Quatd::identity());
  plan.joints[0].velocity.assign(6, 0.0);
  World<double> world = make_world(plan);
  for (int k = 0; k < 20; k++) world.step(1e-3);
  EXPECT_NEAR(world.state.q[2], 0.095, 1e-9);
}

}  // namespace sweeps_test
}  // namespace sinew::test
