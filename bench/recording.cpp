// What recording costs: 10 s of the 11-link chain on the ground at default settings, with and without, on the clock.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "robots.h"
#include "sinew/report/recorder.h"
#include "sinew/sim/run.h"

namespace sinew::bench {
namespace {

sim::Scenario ten_seconds() {
  sim::Scenario scenario;
  scenario.plan = lying_snake(11);
  scenario.step = 2.5e-4;
  return scenario;
}

void plain(benchmark::State& state) {
  const sim::Scenario scenario = ten_seconds();
  for (auto _ : state) benchmark::DoNotOptimize(sim::run(scenario).hash);
}

void recorded(benchmark::State& state) {
  const sim::Scenario scenario = ten_seconds();
  const auto file = std::filesystem::temp_directory_path() / "sinew-bench.h5";
  for (auto _ : state) {
    report::Recorder recorder(sim::Experiment(scenario), file.string(), "bench");
    sim::RunHooks hooks;
    hooks.watcher = &recorder;
    benchmark::DoNotOptimize(sim::run(scenario, hooks).hash);
    recorder.finish("{}");
  }
  std::filesystem::remove(file);
}

BENCHMARK(plain)->Name("recording/plain")->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(recorded)->Name("recording/recorded")->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sinew::bench
