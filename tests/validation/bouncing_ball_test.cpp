// basics/bouncing-ball against Newton's law of impact. Dropped from the height h, with v = sqrt(2 g h):
//   impacts at t_1 = v / g,  t_n+1 = t_n + 2 e^n v / g;   tops at e^(2 n) h
// An impact is put at one end of the step in which it happens, so the ball is off by up to v dt when it turns round.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/world/observe.h"
#include "tests/support/shipped.h"

namespace sinew::test {
namespace bouncing_ball_test {

constexpr double g = 9.81, h = 1.0, radius = 0.1;

struct Flight {
  std::vector<double> impacts, tops;  // times [s]; heights of the lowest point [m]
};

Flight fly(const sim::Scenario& scenario, int n_impacts) {
  World<double> world = sim::make_world(scenario);
  Flight f;
  double v = 0.0, top = 0.0;
  while (int(f.tops.size()) < n_impacts + 1 && world.state.t < 10.0) {
    EXPECT_TRUE(world.step(scenario.step).converged);
    const auto seen = observe(world);
    const double v_next = seen.bodies[0].v_WC[2];
    if (v < 0 && v_next >= 0) {
      f.impacts.push_back(world.state.t - scenario.step / 2);  // laws act in the middle of the step
      f.tops.push_back(top);
      top = 0.0;
    }
    top = std::max(top, seen.bodies[0].p_WC[2] - radius);
    v = v_next;
  }
  return f;
}

TEST(BouncingBall, impacts_and_tops_are_those_of_the_closed_form) {
  for (const double dt : {1e-3, 1e-4})
    for (const double e : {0.3, 0.5, 0.8, 1.0}) {
      const std::vector<std::string> sets{fmt::format("restitution={}", e), fmt::format("step={}", dt)};
      const sim::Scenario scenario = shipped("basics/bouncing-ball", sets);
      const int n = e < 0.4 ? 2 : 4;  // later bounces are not much higher than v dt
      const Flight f = fly(scenario, n);
      ASSERT_GT(int(f.tops.size()), n) << e;
      const double v = std::sqrt(2 * g * h);
      double t = v / g, top = h, late = dt, high = 0.0;  // bounds of the errors so far
      for (int i = 0; i <= n; i++) {
        EXPECT_NEAR(f.impacts[i], t, late + 1e-9) << e << ", impact " << i;
        EXPECT_NEAR(f.tops[i], top, high + 1e-6 + g * dt * dt) << e << ", top " << i;  // the top lies between two steps
        const double speed = v * std::pow(e, i), next = speed * e;
        high = e * e * high + speed * dt;  // h' = e^2 (h - gap) + gap after the impact, both gaps up to v dt
        late += 2 * high / next + dt;      // flight 2 u / g with u^2 = 2 g h
        t += 2 * next / g, top *= e * e;
      }
    }
}

TEST(BouncingBall, without_restitution_it_stays_where_it_fell) {
  const std::vector<std::string> sets{"restitution=0"};
  const sim::Scenario scenario = shipped("basics/bouncing-ball", sets);
  World<double> world = sim::make_world(scenario);
  run_to(world, scenario, std::sqrt(2 * h / g) + scenario.step);
  const double z = observe(world).bodies[0].p_WC[2];
  EXPECT_NEAR(z, radius, 4.5 * scenario.step);  // v dt
  run_to(world, scenario, 5.0);
  EXPECT_NEAR(observe(world).bodies[0].p_WC[2], z, 1e-6);  // closing a gap within the activation gap
  EXPECT_NEAR(observe(world).bodies[0].v_WC[2], 0.0, 1e-9);
  EXPECT_NEAR(observe(world).contacts[0].normal, g, 1e-9);
}

// At the impact the ball turns round where it is, and flight is exact for the midpoint rule: only rounding is left.
TEST(BouncingBall, with_full_restitution_the_energy_stays) {
  for (const double dt : {1e-2, 1e-3}) {
    const std::vector<std::string> sets{"restitution=1", fmt::format("step={}", dt)};
    const sim::Scenario scenario = shipped("basics/bouncing-ball", sets);
    World<double> world = sim::make_world(scenario);
    const double start = observe(world).energy.total();
    run_to(world, scenario, 50.0);
    EXPECT_NEAR(observe(world).energy.total() / start, 1.0, 1e-9) << dt;
    EXPECT_NEAR(world.state.work.impact, 0.0, 1e-9);
  }
}

TEST(BouncingBall, the_energy_of_all_impacts_is_that_of_the_fall) {
  const sim::Scenario scenario = shipped("basics/bouncing-ball");
  World<double> world = sim::make_world(scenario);
  run_to(world, scenario, 5.0);
  const auto seen = observe(world);
  EXPECT_NEAR(world.state.work.impact, g * h, g * 4.5 * scenario.step);  // it lies up to v dt lower
  EXPECT_NEAR(seen.balance_error, 0.0, 1e-10);
  EXPECT_NEAR(seen.bodies[0].v_WC[2], 0.0, 1e-9);
}

}  // namespace bouncing_ball_test
}  // namespace sinew::test
