// basics/block-on-incline against Coulomb's law: below the friction angle nothing moves, above it a = g (sin b - mu cos b).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/world/observe.h"
#include "tests/support/shipped.h"

namespace sinew::test {
namespace block_on_incline_test {

constexpr double g = 9.81, mu = 0.5;
constexpr const char* methods[] = {"moreau", "rk4", "euler"};

sim::Scenario on_slope(double angle, double step, const std::string& method, double azimuth = 0.0) {
  const std::vector<std::string> sets{fmt::format("gravity.incline={}", angle), fmt::format("step={}", step),
                                      "method=" + method, fmt::format("downhill_azimuth={}", azimuth)};
  return shipped("basics/block-on-incline", sets);
}

TEST(BlockOnIncline, below_the_friction_angle_it_does_not_move_at_any_step) {
  const double b = 0.95 * std::atan(mu);
  for (const char* method : methods)
    for (const double step : {1e-4, 1e-3, 1e-2, 0.1}) {
      const double T = 60.0;
      const sim::Scenario scenario = on_slope(b, step, method);
      World<double> world = sim::make_world(scenario);
      const Vec3d start = observe(world).bodies[0].p_WC;
      while (world.state.t < T) ASSERT_TRUE(world.step(step).converged);
      const auto seen = observe(world);
      EXPECT_NEAR(seen.bodies[0].p_WC[0], start[0], 1e-9) << method << ", " << step;
      EXPECT_NEAR(seen.bodies[0].p_WC[1], start[1], 1e-9) << method << ", " << step;
      EXPECT_NEAR(seen.bodies[0].p_WC[2], start[2], 1e-9) << method << ", " << step;
      EXPECT_EQ(seen.contacts[0].state, contact_state::stick);
      EXPECT_EQ(seen.contacts[0].count, 4);
      EXPECT_NEAR(seen.contacts[0].normal, g * std::cos(b), 1e-7) << method << ", " << step;
      EXPECT_NEAR(seen.contacts[0].friction[0], -g * std::sin(b), 1e-7) << method << ", " << step;
    }
}

TEST(BlockOnIncline, above_it_slides_with_the_known_acceleration) {
  const double b = std::numbers::pi / 6, a = g * (std::sin(b) - mu * std::cos(b)), T = 1.0;
  for (const char* method : methods)
    for (const double step : {1e-3, 1e-2}) {
      const sim::Scenario scenario = on_slope(b, step, method);
      World<double> world = sim::make_world(scenario);
      while (world.state.t < T - step / 2) ASSERT_TRUE(world.step(step).converged);
      const auto seen = observe(world);
      EXPECT_NEAR(seen.bodies[0].v_WC[0], a * T, 1e-8) << method << ", " << step;  // the solver's tolerance
      // constant acceleration: exact but for euler, which moves with the velocity at the end of each step
      const double late = std::string(method) == "euler" ? a * T * step / 2 : 0.0;
      EXPECT_NEAR(seen.bodies[0].p_WC[0], a * T * T / 2 + late, 1e-8) << method << ", " << step;
      EXPECT_NEAR(seen.contacts[0].normal, g * std::cos(b), 1e-7);
      EXPECT_EQ(seen.contacts[0].state, contact_state::slip);
      // heat is booked with the mean velocity of each step; euler's detour is energy that the potential has lost
      EXPECT_NEAR(world.state.work.friction, mu * g * std::cos(b) * a * T * T / 2, 1e-6);
      EXPECT_NEAR(seen.balance_error, -g * std::sin(b) * late, 1e-7);
    }
}

TEST(BlockOnIncline, the_slope_falls_where_the_azimuth_says) {
  const double b = 0.6, azimuth = 2.0, a = g * (std::sin(b) - mu * std::cos(b));
  const sim::Scenario scenario = on_slope(b, 1e-3, "moreau", azimuth);
  World<double> world = sim::make_world(scenario);
  while (world.state.t < 0.5 - 1e-6) ASSERT_TRUE(world.step(scenario.step).converged);
  const Vec3d v = observe(world).bodies[0].v_WC;
  EXPECT_NEAR(v[0], a * 0.5 * std::cos(azimuth), 1e-8);
  EXPECT_NEAR(v[1], a * 0.5 * std::sin(azimuth), 1e-8);
}

}  // namespace block_on_incline_test
}  // namespace sinew::test
