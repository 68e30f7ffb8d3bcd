// basics/rocking-block against Housner (1963). While it turns about an edge, angle > 0,
//   angle'' = -p^2 sin(a - angle),   p^2 = 3 g / (4 R),  R = half of the diagonal,  tan a = width / height
// and when it comes down on the other edge, angular momentum about that edge stays:  w' = w (1 - 3/2 sin^2 a).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/world/observe.h"
#include "tests/support/ode.h"
#include "tests/support/shipped.h"

namespace sinew::test {
namespace rocking_block_test {

constexpr double b = 0.1, h = 0.4, start = 0.1;
const double R = std::hypot(b, h), a = std::atan(b / h), p2 = 3 * 9.81 / (4 * R);

// Time until the block is upright, and its speed then.
struct Fall {
  double t, w;
};
Fall exact_fall() {
  const auto ode = [](double, const double* y, double* dy) { dy[0] = y[1], dy[1] = -p2 * std::sin(a - y[0]); };
  double t = 0.2;
  std::vector<double> y = integrate(ode, {start, 0.0}, 0.0, t);
  for (int i = 0; i < 30 && std::abs(y[0]) > 1e-14; i++) {  // Newton's method on angle(t) = 0
    const double dt = -y[0] / y[1];
    y = integrate(ode, y, t, t + dt);
    t += dt;
  }
  return {t, y[1]};
}

struct Impact {
  double t, before, after;
};
Impact first_impact(double step) {
  const std::vector<std::string> sets{fmt::format("step={}", step)};
  const sim::Scenario scenario = shipped("basics/rocking-block", sets);
  World<double> world = sim::make_world(scenario);
  double w = 0.0;
  while (world.state.t < 2.0) {
    EXPECT_TRUE(world.step(step).converged);
    const auto seen = observe(world);
    const double w_next = seen.bodies[0].w_WB[1];
    EXPECT_NEAR(seen.bodies[0].w_WB[0], 0.0, 1e-8);
    EXPECT_LE(seen.contacts[0].slip, 1e-6);
    if (w_next > w + 1e-3) return {world.state.t, w, w_next};  // until then it only gets faster, towards negative w
    w = w_next;
  }
  return {};
}

TEST(RockingBlock, the_first_impact_comes_when_the_pendulum_is_upright) {
  const Fall exact = exact_fall();
  EXPECT_NEAR(exact.w, -std::sqrt(2 * p2 * (std::cos(a - start) - std::cos(a))),
              1e-10);  // conservation of energy; CVODE at 1e-12
  for (const double step : {1e-3, 2e-4}) {
    const Impact found = first_impact(step);
    EXPECT_NEAR(found.t, exact.t, 2 * step) << step;                                 // inside a step; first order
    EXPECT_NEAR(found.before, exact.w, 2 * p2 * std::sin(a) * step + 1e-5) << step;  // up to two steps earlier
  }
}

TEST(RockingBlock, the_impact_takes_the_speed_that_housner_found) {
  const double left = 1 - 1.5 * std::sin(a) * std::sin(a);
  for (const double step : {1e-3, 2e-4}) {
    const Impact found = first_impact(step);
    // the weight acts in the step of the impact as well: p^2 sin(a) dt
    EXPECT_NEAR(found.after, left * found.before, 1.1 * p2 * std::sin(a) * step) << step;
  }
}

}  // namespace rocking_block_test
}  // namespace sinew::test
