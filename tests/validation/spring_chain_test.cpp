// basics/spring-chain against its normal modes. n masses m, springs k and dampers d between them, mode j:
//   x_i = amplitude sin(i s) / sin(n s) c(t),  s = (2 j - 1) pi / (2 n + 1),  mu = 4 sin(s/2)^2
//   m c'' + mu d c' + mu k c = 0,  c(0) = 1,  c'(0) = 0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/world/observe.h"
#include "tests/support/shipped.h"

namespace sinew::test {
namespace spring_chain_test {

struct Mode {
  int n, j;
  double amplitude, d, k = 100.0, m = 1.0;
  double s = (2 * j - 1) * std::numbers::pi / (2 * n + 1), mu = 4 * std::sin(s / 2) * std::sin(s / 2);
  double decay = mu * d / (2 * m), w = std::sqrt(mu * k / m - decay * decay);

  double c(double t) const { return std::exp(-decay * t) * (std::cos(w * t) + decay / w * std::sin(w * t)); }
  double x(int i, double t) const { return amplitude * std::sin(i * s) / std::sin(n * s) * c(t); }
};

void expect_mode(const sim::Scenario& scenario, const Mode& mode) {
  World<double> world = sim::make_world(scenario);
  // rk4 is late by the phase w^5 dt^4 / 120 a second; no spring stretches by more than the largest at the start
  double largest = 0.0;
  for (int i = 1; i <= mode.n; i++) largest = std::max(largest, std::abs(mode.x(i, 0) - mode.x(i - 1, 0)));
  const double tolerance = 1.1 * largest * std::pow(mode.w, 5) * std::pow(scenario.step, 4) / 120;
  for (double t = 1.0; t <= 10.0; t += 1.0) {
    run_to(world, scenario, t);
    const auto seen = observe(world);
    for (int i = 1; i <= mode.n; i++) {
      const double stretch = mode.x(i, t) - mode.x(i - 1, t);
      EXPECT_NEAR(seen.joints[i - 1].q[0], stretch, tolerance * t + 1e-13) << "t " << t << " spring " << i;
    }
  }
}

TEST(SpringChain, the_shipped_scenario_swings_in_its_normal_mode) {
  expect_mode(shipped("basics/spring-chain"), {.n = 5, .j = 2, .amplitude = 0.02, .d = 0.0});
}

TEST(SpringChain, every_mode_swings_at_its_own_frequency) {
  for (int j = 1; j <= 4; j++) {
    const std::string sets[] = {"links=4", "mode=" + std::to_string(j)};
    expect_mode(shipped("basics/spring-chain", sets), {.n = 4, .j = j, .amplitude = 0.02, .d = 0.0});
  }
}

TEST(SpringChain, with_dampers_the_mode_dies_out_as_a_damped_oscillator) {
  const std::string sets[] = {"robot.damping=0.5"};
  expect_mode(shipped("basics/spring-chain", sets), {.n = 5, .j = 2, .amplitude = 0.02, .d = 0.5});
}

}  // namespace spring_chain_test
}  // namespace sinew::test
