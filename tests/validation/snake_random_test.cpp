// Two hundred snakes that nobody thought of: links, gait, friction, ground, step and drop at random. Whatever happens, no number
// is lost, and a step that is not solved to the tolerance says so.
// Each takes a hundred steps. Seven of them, whose contacts hardly converge, take nine tenths of the time; so a snake ends
// early when its steps have taken many iterations. With SINEW_LONG (./test --long) none does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "sinew/text/load_scenario.h"
#include "sinew/world/observe.h"
#include "tests/support/dice.h"
#include "tests/support/shipped.h"

namespace sinew::test {
namespace snake_random_test {

constexpr int n_scenarios = 200, n_parts = 4;
constexpr long n_steps = 100, most_iterations = 2000;

std::string random_scenario(int index) {
  support::Dice dice(1000 + index);
  std::string text = "duration = 1.0\n[robot]\nkind = \"snake\"\n";
  text += fmt::format("n_links = {}\n", 2 + dice.below(dice.chance(0.1) ? 40 : 14));
  text += fmt::format("initial = \"{}\"\n", dice.chance(0.5) ? "gait" : "straight");
  if (dice.chance(0.5))  // the end of a fall from up to 0.5 m
    text += fmt::format("drop_height = 1e-3\nv0_z = {}\n", -std::sqrt(2 * 9.81 * dice.between(0.0, 0.5)));
  if (dice.chance(0.5))
    text += fmt::format("yaw0 = {}\npitch0 = {}\nroll0 = {}\n", dice.between(-3, 3), dice.between(-0.5, 0.5),
                        dice.between(-3, 3));
  const bool stairs = dice.chance(0.3);
  if (stairs) text += "surface = \"capsule\"\n";
  text += fmt::format("[contact]\nmu_long = {}\nmu_trans = {}\nmu_backward = {}\n", dice.between(0, 2),
                      dice.between(0, 2), dice.between(0, 2));
  text += fmt::format("mu_roll = {}\n", dice.chance(0.5) ? 0.0 : dice.between(0, 0.2));
  text += fmt::format("eps_N = {}\n", dice.chance(0.3) ? 0.0 : 1e-3);
  if (dice.chance(0.3)) text += fmt::format("restitution = {}\n", dice.between(0, 1));
  if (dice.chance(0.2)) text += fmt::format("static_ratio = {}\nstribeck_speed = 0.01\n", dice.between(1, 2));
  text += stairs ? fmt::format("[ground]\nkind = \"steps\"\nsteps.start = {}\nsteps.rise = {}\nsteps.run = {}\n",
                               dice.between(0.4, 3.0), dice.between(0.01, 0.15), dice.between(0.1, 0.4))
                 : "[ground]\nkind = \"plane\"\n";
  text += fmt::format("[gravity]\nincline_deg = {}\n", dice.chance(0.5) ? 0.0 : dice.between(-20, 20));
  text += fmt::format("[gait]\nkind = \"wave\"\nAh_deg = {}\nAv_deg = {}\nwh_deg_s = {}\nwv_deg_s = {}\n",
                      dice.between(0, 60), dice.chance(0.5) ? 0.0 : dice.between(0, 30), dice.between(20, 400),
                      dice.between(20, 400));
  text += fmt::format("dh_deg = {}\ndv_deg = {}\nd0_deg = {}\n", dice.between(-90, 90), dice.between(-90, 90),
                      dice.between(-180, 180));
  // explicit servos of this stiffness need steps below 0.8 ms (docs/snake.md)
  const double step = std::exp(dice.between(std::log(1e-4), std::log(5e-3)));
  text += fmt::format("[integrator]\nstep = {}\nactuator = \"{}\"\n", step,
                      step < 4e-4 && dice.chance(0.5) ? "explicit" : "implicit");
  return text;
}

class SnakeRandom : public ::testing::TestWithParam<int> {};

TEST_P(SnakeRandom, none_loses_a_number_or_hides_an_unsolved_step) {
  const bool in_full = std::getenv("SINEW_LONG");
  long steps = 0, unsolved = 0, silent = 0;
  for (int i = GetParam(); i < n_scenarios; i += n_parts) {
    const std::string text = random_scenario(i);
    SCOPED_TRACE(fmt::format("scenario {}\n{}", i, text));
    const sim::Scenario scenario = text::parse_scenario(text, "random");
    World<double> world = sim::make_world(scenario);
    const double tolerance = world.model().contact.tolerance;
    for (long k = 0, iterations = 0; k < n_steps && (in_full || iterations < most_iterations); k++) {
      const StepReport report = world.step(scenario.step);
      iterations += report.iterations;
      steps++;
      ASSERT_TRUE(report.finite) << "step " << k;
      ASSERT_GE(report.residual, 0.0);
      unsolved += !report.converged;
      silent += report.converged && report.residual > tolerance;
    }
    const auto seen = observe(world);
    ASSERT_TRUE(std::isfinite(seen.energy.kinetic));
    EXPECT_GE(world.state.work.friction + world.state.work.impact, -1e-4) << "contacts only take energy";
  }
  EXPECT_EQ(silent, 0);
  EXPECT_LE(unsolved, steps / 100) << "of " << steps;
  std::printf("%ld steps, %ld of them not solved to the tolerance, and reported\n", steps, unsolved);
}

INSTANTIATE_TEST_SUITE_P(Parts, SnakeRandom, ::testing::Range(0, n_parts));

}  // namespace snake_random_test
}  // namespace sinew::test
