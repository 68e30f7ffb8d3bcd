// Scenarios as they ship, with one key turned: `whole/tray` against real time; `whole/heap`, whose steps must all be certified;
// `whole/servo_work`, what the drives of sidewinding do with implicit servos and steps of 1 ms, beside the converged work;
// `whole/crawler`, the same robot with rigid contacts and with penalty forces of two stiffnesses; `whole/walker`, the walking hexapod with
// its controller, drives and sensors, as `sinew run` runs it, against real time; `whole/biped`, the walking biped with twelve drives of level "fast", sensors
// and its controller at 1 ms, with rods by their Jacobian and as bodies.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "sinew/sim/run.h"
#include "sinew/text/load_scenario.h"

namespace sinew::bench {
namespace {

void run(benchmark::State& state, const std::string& name, const std::vector<std::string>& sets, double seconds) {
  const sim::Scenario scenario = text::load_scenario(fmt::format("{}/{}.toml", SINEW_SCENARIO_DIR, name), name, sets);
  World<double> world = sim::make_world(scenario);
  int uncertified = 0, steps = 0;
  for (auto _ : state)
    for (; steps * scenario.step < seconds; steps++) uncertified += !world.step(scenario.step).converged;
  state.counters["simulated_s"] = seconds;
  state.counters["all_steps"] = steps;
  state.counters["uncertified"] = uncertified;
}

void run_loop(benchmark::State& state, const std::string& name, std::vector<std::string> sets, double seconds) {
  sets.push_back(fmt::format("duration={}", seconds));
  const sim::Experiment experiment =
      text::load_experiment(fmt::format("{}/{}.toml", SINEW_SCENARIO_DIR, name), name, sets);
  sim::RunResult done;
  for (auto _ : state) done = sim::run(experiment);
  state.counters["simulated_s"] = seconds;
  state.counters["all_steps"] = double(done.steps);
  state.counters["uncertified"] = done.solver.unconverged_steps;
  state.counters["work_J"] = done.work.actuators;
  if (done.ending != sim::Ending::Done) state.SkipWithError("the run has failed");
}

void add_loop(const std::string& name, const std::string& scenario, const std::vector<std::string>& sets,
              double seconds) {
  benchmark::RegisterBenchmark(("whole/" + name).c_str(), run_loop, scenario, sets, seconds)
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

void add(const std::string& name, const std::string& scenario, const std::vector<std::string>& sets, double seconds) {
  benchmark::RegisterBenchmark(("whole/" + name).c_str(), run, scenario, sets, seconds)
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

[[maybe_unused]] const bool added = [] {
  add("tray", "contact/tray", {}, 0.8);
  add("heap", "contact/tray", {"spheres=343", "columns=5", "rows=5", "contact.tolerance=1e-4"}, 2.0);
  const std::vector<std::string> sliding = {"contact.mu_roll=0"};
  add("crawler/rigid", "snake/lateral-undulation", sliding, 1.0);
  for (const char* k : {"1e5", "1e7"}) {  // seven parts a step; forces of the end of the step
    std::vector<std::string> sets = sliding;
    sets.insert(sets.end(), {"contact.law=penalty", fmt::format("contact.k={}", k)});
    add(fmt::format("crawler/penalty_{}", k), "snake/lateral-undulation", sets, 1.0);
  }
  add_loop("servo_work", "snake/sidewinding", {"actuator=implicit", "step=0.001"}, 10.0);
  for (const char* devices : {"", "-real"})
    add_loop(fmt::format("walker/tripod{}", devices), fmt::format("hexapod/tripod{}", devices), {}, 3.0);
  for (const char* mechanism : {"jacobian", "bodies"})
    add_loop(fmt::format("biped/{}", mechanism), "biped/walk-real", {fmt::format("mechanism={}", mechanism)}, 3.0);
  return true;
}();

}  // namespace
}  // namespace sinew::bench
