// Impacts one by one and all at once, friction pyramids.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "robots/catalog.h"
#include "sinew/solve/pyramid.h"
#include "tests/support/dice.h"
#include "tests/support/touching.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace impact_test {

Plan billiards(Response response, double e) {
  Plan plan = robots::catalog().make("balls")->plan();
  for (JointPlan& j : plan.joints)
    if (!j.velocity.empty()) j.velocity[3] = 1.0;
  plan.contact.law = {};
  plan.contact.law.restitution = e;
  plan.contact.options.response = response;
  plan.contact.options.tolerance = 1e-12;
  return plan;
}

// docs/theory/step.md#impulse-laws, with every stepper and in both coordinate choices.
TEST(Impact, three_balls_in_a_line) {
  for (const Stepper& stepper : fixed_steppers())
    for (const Coordinates c : both_coordinates)
      for (const double e : {1.0, 0.5})
        for (const Response r : {Response::ImpulsePropagation, Response::ImpulseSimultaneous}) {
          SCOPED_TRACE(std::string(stepper.name) + " " + name_of(c) + " " + std::to_string(e));
          World<double> world = make_world(billiards(r, e), {c, stepper.name});
          for (int k = 0; k < 5; k++) world.step(1e-4);
          const bool one_by_one = r == Response::ImpulsePropagation;
          const double expected[2][2][3] = {{{-1.0 / 3, 2.0 / 3, 2.0 / 3}, {0.0, 0.5, 0.5}},
                                            {{0, 0, 1}, {0.203125, 0.234375, 0.5625}}};
          const Observation<double> seen = observe(world);
          for (int i = 0; i < 3; i++) EXPECT_NEAR(seen.bodies[i].v_WC[0], expected[one_by_one][e < 1.0][i], 1e-9) << i;
          EXPECT_NEAR(seen.momentum.linear[0], 1.0, 1e-12);
          EXPECT_LT(std::abs(seen.balance_error), 1e-9);
        }
}

// A ball under gravity that loses nothing comes back to where it fell from, and every impact is in the account of work: the jump
// lies between the halves of the weight's impulse. With the whole impulse after the jump each would lose m g v dt.
TEST(Impact, weight_acts_on_both_sides_of_the_jump) {
  for (const double e : {1.0, 0.8})
    for (const Response r : {Response::ImpulsePropagation, Response::ImpulseSimultaneous}) {
      SCOPED_TRACE(response_names[int(r)]);
      Plan plan = box_on_plane({0.1, 0.1, 0.1}, 2.0, 0.5);
      plan.bodies[0].shapes[0].shape = {.kind = ShapeKind::Sphere, .radius = 0.05};
      plan.joints[0].position[2] += 0.1;
      plan.contact.options.response = r;
      plan.contact.options.tolerance = 1e-12;
      plan.contact.law.restitution = e;
      World<double> world = make_world(plan);
      const double dt = 1e-3, h0 = observe(world).bodies[0].p_WC[2];
      double top = 0.0;
      for (int k = 0; k < 1500; k++) {
        ASSERT_TRUE(world.step(dt).converged);
        const Observation<double> seen = observe(world);
        if (k > 1300) top = std::max(top, seen.bodies[0].p_WC[2]);
        ASSERT_LT(std::abs(seen.balance_error), 1e-12) << k;
        ASSERT_GE(world.state.work.impact, -1e-12) << k;
      }
      // gaps are closed up to dt v too late: m g dt v each of five times at most, v = 1.4 m/s
      if (e == 1.0) {
        EXPECT_NEAR(top, h0, 5.0 * dt * 1.4);
      }
    }
}

// A box that falls on its corners: rest is the rigid law's, whatever the impacts were.
TEST(Impact, all_laws_come_to_the_same_rest) {
  for (const Response r :
       {Response::Rigid, Response::ImpulsePropagation, Response::ImpulseSimultaneous, Response::Complementarity}) {
    SCOPED_TRACE(response_names[int(r)]);
    Plan plan = box_on_plane({0.2, 0.15, 0.1}, 2.0, 0.5);
    plan.joints[0].position[2] += 0.05;
    plan.contact.options.response = r;
    plan.contact.law.restitution = 0.3;
    World<double> world = make_world(plan);
    for (int k = 0; k < 2000; k++) EXPECT_TRUE(world.step(1e-3).converged);
    const Observation<double> seen = observe(world);
    EXPECT_NEAR(seen.bodies[0].p_WC[2], 0.05, 1e-3);
    EXPECT_NEAR(seen.touched[0].force[2], 2.0 * 9.81, 1e-5);
    for (const double N : normal_forces(world)) {
      if (N > 0.0 && r != Response::ImpulsePropagation) {  // that one leaves it on two corners and a half
        EXPECT_NEAR(N, 2.0 * 9.81 / 4.0, 1e-3);            // A6: of least norm
      }
    }
  }
}

DenseProblem random_problem(std::mt19937& random, int contacts) {
  std::normal_distribution<double> normal;
  DenseProblem p;
  p.n = 3 * contacts;
  std::vector<double> A(std::size_t(p.n) * p.n);
  for (double& x : A) x = normal(random);
  p.G.assign(std::size_t(p.n) * p.n, 0.0);
  for (int i = 0; i < p.n; i++)
    for (int k = 0; k < p.n; k++) {
      for (int j = 0; j < p.n; j++) p.G[std::size_t(k) * p.n + i] += A[j * p.n + i] * A[j * p.n + k] / p.n;
      if (i == k) p.G[std::size_t(k) * p.n + i] += 0.1;
    }
  for (int i = 0; i < contacts; i++) {
    DenseContact c{};
    c.first = 3 * i, c.slides = true;
    c.law = {.mu_forward = 0.4, .mu_backward = 0.4, .mu_trans = 0.7};
    p.contacts.push_back(c);
  }
  p.c.resize(p.n), p.P.assign(p.n, 0.0), p.gamma.assign(p.n, 0.0);
  for (double& x : p.c) x = normal(random);
  p.soft_N = p.soft = 1e-12;
  return p;
}

// Two solvers of one law.
TEST(Pyramid, pivots_and_sweeps_agree) {
  std::mt19937 random(3);
  for (int round = 0; round < 60; round++) {
    DenseProblem a = random_problem(random, 1 + round % 12), b = a;
    PyramidSolver direct, sweeping;
    const DenseReport done = direct.solve(a, true, 1e-9), swept = sweeping.solve(b, false, 1e-11);
    ASSERT_TRUE(done.converged) << round;
    ASSERT_TRUE(swept.converged) << round;
    EXPECT_LE(done.iterations, 20) << "Newton's method alone should do";
    for (int i = 0; i < a.n; i++) EXPECT_NEAR(a.gamma[i], b.gamma[i], 1e-6) << round;
    for (const DenseContact& c : a.contacts) {
      EXPECT_GE(a.P[c.first], 0.0);
      EXPECT_LE(std::abs(a.P[c.first + 1]), 0.4 * a.P[c.first] + 1e-9);
      EXPECT_LE(std::abs(a.P[c.first + 2]), 0.7 * a.P[c.first] + 1e-9);
    }
  }
}

// A cube thrown on the ground as in the experiments of Pfrommer, Halm and Posa (2020), with all its 24 rows on six freedoms.
TEST(Pyramid, a_thrown_cube_is_solved_in_every_step) {
  support::Dice dice(7);
  for (int toss = 0; toss < 30; toss++) {
    Plan plan = box_on_plane({0.1048, 0.1048, 0.1048}, 0.37, 0.18);
    JointPlan& free = plan.joints[0];
    const Quatd turn = dice.rotation();
    free.position = {0.0, 0.0, dice.between(0.1, 0.3), turn.w, turn.x, turn.y, turn.z};
    const Vec3d spin = dice.vector(8.0), v = dice.vector(1.0);
    free.velocity = {spin[0], spin[1], spin[2], v[0], v[1], v[2]};
    plan.contact.options.response = Response::Complementarity;
    plan.contact.law.restitution = 0.125;
    World<double> world = make_world(plan);
    for (int k = 0; k < 700; k++) {
      const StepReport report = world.step(1e-3);
      ASSERT_TRUE(report.converged) << "toss " << toss << ", step " << k << ": " << report.residual;
      ASSERT_LT(report.iterations, 100) << "toss " << toss << ", step " << k;
    }
  }
}

// Many contacts, most of them redundant: a tower of twelve boxes has 48.
TEST(Pyramid, a_tower_takes_few_iterations) {
  Plan plan = tower(std::vector<double>(12, 1.0), 0.5);
  plan.contact.options.response = Response::Complementarity;
  World<double> world = make_world(plan);
  for (int k = 0; k < 20; k++) {
    const StepReport report = world.step(1e-3);
    ASSERT_TRUE(report.converged) << k << ": " << report.residual;
    ASSERT_LT(report.iterations, 100) << k;
  }
}

}  // namespace impact_test
}  // namespace sinew::test
