// basics/pendulum against its exact solution. Released at rest from the horizontal, x = -1 m:
//   sin(a/2) = k cd(t sqrt(g/l)),  k = sin(45 deg),  a from the lowest position;  x = -l sin(a), y = -l cos(a)
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/world/observe.h"
#include "tests/support/elliptic.h"
#include "tests/support/shipped.h"

namespace sinew::test {
namespace pendulum_test {

constexpr double g = 9.81;

double exact_angle(double t) {
  const double k = std::sqrt(0.5);  // equal to k'
  const Jacobi j = jacobi(t * std::sqrt(g), k);
  return 2 * std::asin(k * j.cn / j.dn);
}

TEST(Pendulum, the_closed_form_gives_the_published_position) {
  const double a = exact_angle(10.0);
  EXPECT_NEAR(-std::sin(a), -0.275087462576117, 1e-13);  // phase of 31 rad in double precision
  EXPECT_NEAR(-std::cos(a), -0.961419205099125, 1e-13);
}

TEST(Pendulum, the_shipped_scenario_follows_the_exact_solution) {
  const sim::Scenario scenario = shipped("basics/pendulum");
  World<double> world = sim::make_world(scenario);
  for (double t = 1.0; t <= 10.0; t += 1.0) {
    run_to(world, scenario, t);
    const Vec3d p = observe(world).bodies[0].p_WC;
    // rk4 at 1 ms: phase error grows with t to some 1e-10; the file promises 1e-9
    EXPECT_NEAR(p[0], -std::sin(exact_angle(t)), 1e-9) << t;
    EXPECT_NEAR(p[1], -std::cos(exact_angle(t)), 1e-9) << t;
  }
}

TEST(Pendulum, at_ten_seconds_it_is_at_the_published_position) {
  const sim::Scenario scenario = shipped("basics/pendulum");
  World<double> world = sim::make_world(scenario);
  run_to(world, scenario, 10.0);
  const Vec3d p = observe(world).bodies[0].p_WC;
  EXPECT_NEAR(p[0], -0.275087462576117, 1e-9);
  EXPECT_NEAR(p[1], -0.961419205099125, 1e-9);
}

TEST(Pendulum, its_period_is_that_of_the_elliptic_integral) {
  const sim::Scenario scenario = shipped("basics/pendulum");
  World<double> world = sim::make_world(scenario);
  const double period = 4 * complete_K(std::sqrt(0.5)) / std::sqrt(g);
  // three passages of the lowest point in the same direction are two periods apart: linear interpolation of y(x = 0)
  std::vector<double> passages;
  double x = -1.0;
  while (passages.size() < 3 && world.state.t < 10.0) {
    run_to(world, scenario, world.state.t + scenario.step);
    const double next = observe(world).bodies[0].p_WC[0];
    if (x < 0 && next >= 0) passages.push_back(world.state.t - scenario.step * next / (next - x));
    x = next;
  }
  ASSERT_EQ(passages.size(), 3u);
  EXPECT_NEAR(passages[2] - passages[0], 2 * period, 1e-8);  // curvature of x over one step: 1e-9 s
}

}  // namespace pendulum_test
}  // namespace sinew::test
