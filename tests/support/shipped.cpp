#include "tests/support/shipped.h"
#include "sinew/text/load_scenario.h"

#include <cmath>

namespace sinew::test {

sim::Scenario shipped(const std::string& name, std::span<const std::string> sets, sim::Purpose purpose) {
  return text::load_scenario(SINEW_SCENARIO_DIR "/" + name + ".toml", name, sets, purpose);
}

void run_to(World<double>& world, const sim::Scenario& scenario, double T) {
  const auto last = std::llround(T / scenario.step);
  while (world.state.steps < last) {
    world.step(scenario.step);
    world.state.t = double(world.state.steps) * scenario.step;
  }
}

}  // namespace sinew::test
