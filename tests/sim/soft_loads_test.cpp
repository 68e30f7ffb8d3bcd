// Loads of a soft rod over time.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/text/load_scenario.h"
#include "sinew/world/observe.h"

namespace sinew::sim {
namespace soft_loads_test {

// Nothing holds the rod: its momentum is the impulse of the force, F (t + a / w (1 - cos(w t))).
TEST(SoftLoads, a_force_that_swings_gives_a_floating_rod_its_impulse) {
  const Experiment experiment = text::parse_experiment(R"(
[robot]
kind = "soft-rod"
floating = true
length = 0.3
radius = 0.01
density = 1000.0
E = 1e6
viscosity = 1000.0
tip_force = [0.02, -0.01, 0]
load_amplitude = 0.7
load_frequency = 1.3
[gravity]
kind = "none"
[integrator]
step = 1e-3
)",
                                                       "rod.toml");
  World<double> world = experiment.world();
  const Vec3d before = observe(world).momentum.linear;
  const double T = 0.5, w = 2.0 * std::numbers::pi * 1.3;
  for (int k = 0; k < 500; k++) world.step(1e-3);
  const double impulse = T + 0.7 / w * (1.0 - std::cos(w * T));
  const Vec3d gained = observe(world).momentum.linear - before;
  EXPECT_NEAR(gained[0], 0.02 * impulse, 1e-5);
  EXPECT_NEAR(gained[1], -0.01 * impulse, 1e-5);
}

}  // namespace soft_loads_test
}  // namespace sinew::sim
