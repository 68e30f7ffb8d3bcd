// basics/double-pendulum against Lagrange's equations, integrated by another program at 1e-12. a, b: angles of the rods
// from the lowest position, masses 1 kg, lengths 1 m:
//   2 a'' + b'' cos(a - b) + b'^2 sin(a - b) + 2 g sin(a) = 0
//   b'' + a'' cos(a - b) - a'^2 sin(a - b) + g sin(b) = 0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/world/observe.h"
#include "tests/support/ode.h"
#include "tests/support/shipped.h"

namespace sinew::test {
namespace double_pendulum_test {

constexpr double g = 9.81;

void lagrange(double, const double* y, double* dy) {
  const double a = y[0], b = y[1], c = std::cos(a - b), s = std::sin(a - b);
  const double r1 = -y[3] * y[3] * s - 2 * g * std::sin(a), r2 = y[2] * y[2] * s - g * std::sin(b);
  dy[0] = y[2], dy[1] = y[3];
  dy[2] = (r1 - c * r2) / (2 - c * c);
  dy[3] = (2 * r2 - c * r1) / (2 - c * c);
}

TEST(DoublePendulum, the_shipped_scenario_follows_lagranges_equations) {
  const sim::Scenario scenario = shipped("basics/double-pendulum");
  World<double> world = sim::make_world(scenario);
  std::vector<double> y{std::numbers::pi / 2, std::numbers::pi / 2, 0, 0};
  for (double t = 0.5; t <= 5.0; t += 0.5) {
    y = integrate(lagrange, y, t - 0.5, t, 1e-13);
    run_to(world, scenario, t);
    const auto seen = observe(world);
    const Vec3d upper{std::sin(y[0]), -std::cos(y[0]), 0}, lower = upper + Vec3d(std::sin(y[1]), -std::cos(y[1]), 0);
    // chaotic: errors of 1e-11 a step grow by about e in half a second
    EXPECT_LT(norm(seen.bodies[0].p_WC - upper), 1e-7) << t;
    EXPECT_LT(norm(seen.bodies[1].p_WC - lower), 1e-7) << t;
  }
}

TEST(DoublePendulum, the_shipped_scenario_keeps_its_energy_to_the_end) {
  const sim::Scenario scenario = shipped("basics/double-pendulum");
  World<double> world = sim::make_world(scenario);
  EXPECT_NEAR(observe(world).energy.total(), 0.0, 1e-14);  // level and at rest
  run_to(world, scenario, scenario.duration);
  EXPECT_LT(std::abs(observe(world).energy.total()), 1e-7);  // rk4 at 0.5 ms; kinetic energy goes up to 60 J
}

}  // namespace double_pendulum_test
}  // namespace sinew::test
