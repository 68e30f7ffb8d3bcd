// basics/rolling-sphere and basics/spinning-coin against their closed forms; formulas in the scenario files.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/world/observe.h"
#include "tests/support/shipped.h"

namespace sinew::test {
namespace rolling_sphere_test {

constexpr double g = 9.81;

TEST(RollingSphere, without_rolling_friction_it_rolls_on_with_five_sevenths) {
  const std::vector<std::string> sets{"rolling=0"};
  const sim::Scenario scenario = shipped("basics/rolling-sphere", sets);
  World<double> world = sim::make_world(scenario);
  const double v0 = 2.0, mu = 0.3, t1 = 2 * v0 / (7 * mu * g);
  const double before = std::floor(t1 / scenario.step) * scenario.step;
  run_to(world, scenario, before);
  const auto sliding = observe(world);
  EXPECT_NEAR(sliding.bodies[0].v_WC[0], v0 - mu * g * before, 1e-9);
  EXPECT_NEAR(sliding.bodies[0].w_WB[1], 2.5 * mu * g * before / 0.1, 1e-7);
  EXPECT_EQ(sliding.contacts[0].state, contact_state::slip);
  run_to(world, scenario, 3.0);
  const auto rolling = observe(world);
  // the impulse of the step in which it starts to roll is what it takes, so the speed is exact
  EXPECT_NEAR(rolling.bodies[0].v_WC[0], 5.0 / 7.0 * v0, 1e-8);
  EXPECT_NEAR(rolling.bodies[0].w_WB[1], 5.0 / 7.0 * v0 / 0.1, 1e-7);
  EXPECT_EQ(rolling.contacts[0].state, contact_state::stick);
  EXPECT_NEAR(world.state.work.friction, v0 * v0 / 7,
              1e-5);  // 2/7 of the energy; mean velocity of the last sliding step
}

struct Bowling {
  double mu = 0.3, r = 0.05, v0 = 2.0;
  double t1 = v0 / (g * (3.5 * mu - 2.5 * r)), v1 = v0 - mu * g * t1, a = 5.0 / 7.0 * r * g, t2 = t1 + v1 / a;
  double x1 = v0 * t1 - mu * g * t1 * t1 / 2;
  double v(double t) const { return t < t1 ? v0 - mu * g * t : t < t2 ? v1 - a * (t - t1) : 0.0; }
  double x(double t) const {
    if (t < t1) return v0 * t - mu * g * t * t / 2;
    const double s = std::min(t, t2) - t1;
    return x1 + v1 * s - a * s * s / 2;
  }
};

TEST(RollingSphere, the_shipped_scenario_slides_rolls_and_stops) {
  const Bowling exact;
  const sim::Scenario scenario = shipped("basics/rolling-sphere");
  World<double> world = sim::make_world(scenario);
  for (double t = 0.1; t <= 5.0; t += 0.1) {
    while (world.state.t < t - scenario.step / 2) ASSERT_TRUE(world.step(scenario.step).converged);
    const auto seen = observe(world);
    EXPECT_NEAR(seen.bodies[0].v_WC[0], exact.v(world.state.t), 1e-8) << t;
    // the two changes of regime happen inside a step: (difference of accelerations) dt^2 / 8 each
    EXPECT_NEAR(seen.bodies[0].p_WC[0], exact.x(world.state.t), 3 * scenario.step * scenario.step) << t;
    EXPECT_NEAR(seen.bodies[0].p_WC[1], 0.0, 1e-12);
  }
  EXPECT_NEAR(observe(world).contacts[0].normal, g, 1e-7);
  EXPECT_NEAR(world.state.work.friction, 2.0, 1e-9);
}

TEST(RollingSphere, all_methods_and_steps_agree) {
  const Bowling exact;
  for (const char* method : {"moreau", "rk4", "euler"})
    for (const double step : {1e-2, 1e-3}) {
      const std::vector<std::string> sets{fmt::format("method={}", method), fmt::format("step={}", step)};
      const sim::Scenario scenario = shipped("basics/rolling-sphere", sets);
      World<double> world = sim::make_world(scenario);
      run_to(world, scenario, 5.0);
      EXPECT_NEAR(observe(world).bodies[0].v_WC[0], 0.0, 1e-8) << method;
      // euler moves with the end velocity: sum of changes of velocity times dt / 2
      EXPECT_NEAR(observe(world).bodies[0].p_WC[0], exact.x(5.0), 3 * step * step + (*method == 'e' ? 1.001 * step : 0))
          << method;
    }
}

TEST(SpinningCoin, its_spin_decays_linearly_and_stops) {
  const double R = 0.1, m = 0.1, w0 = 20.0, drilling = 2.0 / 3.0 * 0.3 * R, I = m * R * R / 2;
  const double decay = drilling * m * g / I, stop = w0 / decay;
  for (const char* method : {"moreau", "rk4", "euler"})
    for (const double step : {1e-2, 1e-3}) {
      const std::vector<std::string> sets{fmt::format("method={}", method), fmt::format("step={}", step)};
      const sim::Scenario scenario = shipped("basics/spinning-coin", sets);
      World<double> world = sim::make_world(scenario);
      for (double t = 0.1; t < 1.0; t += 0.1) {
        while (world.state.t < t - step / 2) ASSERT_TRUE(world.step(step).converged);
        const auto seen = observe(world);
        const double now = world.state.t;
        EXPECT_NEAR(seen.bodies[0].w_WB[2], now < stop ? w0 - decay * now : 0.0, 1e-6) << method << ", " << t;
        if (now < stop - step) {
          EXPECT_NEAR(seen.contacts[0].torque[2], -drilling * m * g, 1e-9);
        }
      }
      EXPECT_NEAR(world.state.work.friction, I * w0 * w0 / 2, *method == 'e' ? 0.1 * I * w0 * w0 : 1e-9);
    }
}

}  // namespace rolling_sphere_test
}  // namespace sinew::test
