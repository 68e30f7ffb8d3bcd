// The snake against itself: other coordinates, other steps, other solvers, turned and mirrored. Its
// reference numbers are in the scenario files and run by `sinew validate --only snake`.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/world/observe.h"
#include "tests/support/shipped.h"

namespace sinew::test {
namespace snake_test {

using Sets = std::vector<std::string>;

World<double> snake(const std::string& name, Sets sets, double T) {
  const sim::Scenario scenario = shipped("snake/" + name, sets);
  World<double> world = sim::make_world(scenario);
  const long n = std::lround(T / scenario.step);
  for (long k = 0; k < n; k++) EXPECT_TRUE(world.step(scenario.step).converged) << "step " << k;
  return world;
}

Vec3d middle(const World<double>& world) { return observe(world).bodies[world.model().link_count() / 2].p_WC; }

double apart(const World<double>& a, const World<double>& b) {
  const auto x = observe(a), y = observe(b);
  double worst = 0.0;
  for (std::size_t i = 0; i < x.bodies.size(); i++) worst = std::max(worst, norm(x.bodies[i].p_WC - y.bodies[i].p_WC));
  return worst;
}

Sets step(double h, Sets more = {}) {
  more.push_back(fmt::format("integrator.step={:.12g}", h));
  return more;
}

// How much nearer the path comes to that of a fine step when the step is halved.
double gain_of_halving(double h, double T, const Sets& sets) {
  const World<double> fine = snake("lateral-undulation", step(h / 64, sets), T);
  const double coarse = apart(snake("lateral-undulation", step(h, sets), T), fine);
  const double halved = apart(snake("lateral-undulation", step(h / 2, sets), T), fine);
  std::printf("step %.3g ms: %.3g mm from 1/64 of it, half the step: %.3g mm\n", h * 1e3, coarse * 1e3, halved * 1e3);
  return coarse / halved;
}

// Moreau's rule with friction is of first order while every contact slips; the fine step's own error adds 1 %.
TEST(Snake, refines_at_first_order_while_it_slips) {
  for (const double h : {2.5e-4, 1.25e-4}) EXPECT_NEAR(gain_of_halving(h, 0.2, {"v0_x=3"}), 2.0, 0.1);
}

// From rest each change from stick to slip comes a part of a step late: less than first order. Measured 1.62 twice.
TEST(Snake, refines_from_rest) {
  for (const double h : {1.25e-4, 6.25e-5}) EXPECT_GT(gain_of_halving(h, 0.4, {}), 1.5);
}

// The paper's absolute coordinates and ours are different equations of the same robot; they agree as the step shrinks.
TEST(Snake, both_coordinates_agree) {
  for (const char* name : {"lateral-undulation", "sidewinding"}) {
    double last = 0.0;
    for (const double h : {2.5e-4, 1.25e-4}) {
      const double d = apart(snake(name, step(h), 0.2), snake(name, step(h, {"coordinates=maximal"}), 0.2));
      std::printf("%s, step %.3g ms: %.3g mm between tree and maximal\n", name, h * 1e3, d * 1e3);
      EXPECT_LT(d, 2e-4) << name;
      if (last > 0.0) {
        EXPECT_LT(d, 0.75 * last) << name;
      }
      last = d;
    }
  }
}

// The solvers share nothing but the certificate.
TEST(Snake, every_solver_goes_the_same_way) {
  const World<double> fast = snake("lateral-undulation", {}, 0.25);
  for (const char* solver : {"contact.solver=\"newton\"", "contact.solver=\"sweep\""})
    EXPECT_LT(apart(fast, snake("lateral-undulation", {solver}, 0.25)), 1e-5) << solver;
}

// Turned by 50 degrees about z, and mirrored in y.
TEST(Snake, has_no_preferred_direction) {
  constexpr double T = 1.0, turn = 0.87;
  const Vec3d plain = middle(snake("lateral-undulation", {}, T));
  const Vec3d turned = middle(snake("lateral-undulation", {fmt::format("yaw0={}", turn)}, T));
  const Vec3d mirrored = middle(snake("lateral-undulation", {"Ah_deg=-30"}, T));
  EXPECT_NEAR(turned[0], std::cos(turn) * plain[0] - std::sin(turn) * plain[1], 1e-5);
  EXPECT_NEAR(turned[1], std::sin(turn) * plain[0] + std::cos(turn) * plain[1], 1e-5);
  EXPECT_NEAR(mirrored[0], plain[0], 1e-5);
  EXPECT_NEAR(mirrored[1], -plain[1], 1e-5);
}

// Nothing but gravity and the ground changes the momentum; joint forces cancel. In absolute coordinates to round-off
// (the tree's momentum is that of another posture by half a step), where no gap is closed.
TEST(Snake, momentum_comes_from_the_ground_and_gravity_alone) {
  const Sets sets{"coordinates=maximal", "projection=\"none\""};
  const sim::Scenario scenario = shipped("snake/sidewinding", sets);
  World<double> world = sim::make_world(scenario);
  double mass = 0.0;
  for (const BodyPlan& body : scenario.plan.bodies) mass += body.mass;
  for (int k = 0; k < 800; k++) {
    const Vec3d before = observe(world).momentum.linear;
    world.step(scenario.step);
    const auto seen = observe(world);
    Vec3d expected = before + Vec3d(0, 0, -9.81 * mass * scenario.step);
    for (const auto& c : seen.contacts) {
      expected += c.friction * scenario.step;
      expected[2] += c.normal * scenario.step;
    }
    ASSERT_LT(norm(seen.momentum.linear - expected), 1e-11) << "step " << k;
  }
}

// The certificate is reached in as many iterations whatever the length.
TEST(Snake, iterations_do_not_grow_with_the_links) {
  double few = 0.0;
  for (const int n : {11, 44, 176}) {
    const Sets sets{fmt::format("n_links={}", n), "initial=straight", "gait.ramp=1"};
    const sim::Scenario scenario = shipped("snake/lateral-undulation", sets);
    World<double> world = sim::make_world(scenario);
    long sum = 0;
    for (int k = 0; k < 400; k++) {
      const StepReport report = world.step(scenario.step);
      ASSERT_TRUE(report.converged);
      sum += report.iterations;
    }
    const double mean = sum / 400.0;
    std::printf("%d links: %.2f iterations a step\n", n, mean);
    if (few == 0.0) few = mean;
    EXPECT_LT(mean, 1.2 * few);
  }
}

TEST(Snake, may_have_two_or_five_hundred_links) {
  for (const int n : {2, 500}) {
    const Sets sets{fmt::format("n_links={}", n)};
    const sim::Scenario scenario = shipped("snake/sidewinding", sets);
    World<double> world = sim::make_world(scenario);
    for (int k = 0; k < 100; k++) ASSERT_TRUE(world.step(scenario.step).converged) << n << " links, step " << k;
  }
}

// The whole robot on a slope just inside the cone, held by its drives; after the sag of the servos it does not creep.
TEST(Snake, sticks_on_a_slope) {
  const Sets sets{"incline_deg=11", "Ah_deg=0", "initial=straight", "mu_long=0.2", "mu_trans=0.2"};
  const sim::Scenario scenario = shipped("snake/lateral-isotropic", sets);
  World<double> world = sim::make_world(scenario);
  run_to(world, scenario, 1.0);
  const Vec3d settled = middle(world);
  for (int k = 0; k < 4000; k++) world.step(scenario.step);
  EXPECT_LT(std::hypot(middle(world)[0] - settled[0], middle(world)[1] - settled[1]), 2e-6);
}

}  // namespace snake_test
}  // namespace sinew::test
