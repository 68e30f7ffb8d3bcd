#include "tests/support/shipped.h"

#include <cmath>

#include "sinew/text/load_scenario.h"

namespace sinew::test {

sim::Experiment shipped_experiment(const std::string& name, std::span<const std::string> sets) {
  return text::load_experiment(SINEW_SCENARIO_DIR "/" + name + ".toml", name, sets);
}

sim::Scenario shipped(const std::string& name, std::span<const std::string> sets) {
  return shipped_experiment(name, sets).scenario;
}

std::unique_ptr<Controller> controller_of(const sim::Scenario& scenario) {
  const Plan moving = sim::moving_plan(scenario);
  const Compiled tree = compile(moving);
  return sim::make_controller(scenario, {moving, tree});
}

void run_to(World<double>& world, const sim::Scenario& scenario, double T) {
  const auto last = std::llround(T / scenario.step);
  while (world.state.steps < last) {
    world.step(scenario.step);
    world.state.t = double(world.state.steps) * scenario.step;
  }
}

}  // namespace sinew::test
