// What `sinew check` does with a scenario: `check/helical-buckling`, which finds an equilibrium on the way, and `check/tray/N`, piles of
// N spheres. `sinew show` is a part of it.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "sinew/text/load_scenario.h"
#include "sinew/validate/validate.h"

namespace sinew::bench {
namespace {

void check_file(benchmark::State& state, const std::string& name) {
  const text::ScenarioFile file{name, fmt::format("{}/{}.toml", SINEW_SCENARIO_DIR, name)};
  for (auto _ : state) validate::check_cases(file, text::load_experiment(file.file, file.name));
}

void check_tray(benchmark::State& state, int spheres) {
  const std::string name = "contact/tray";
  const std::vector<std::string> sets = {fmt::format("spheres={}", spheres)};
  for (auto _ : state)
    benchmark::DoNotOptimize(text::load_experiment(fmt::format("{}/{}.toml", SINEW_SCENARIO_DIR, name), name, sets));
}

[[maybe_unused]] const bool added = [] {
  benchmark::RegisterBenchmark("check/helical-buckling", check_file, "continuum/helical-buckling")
      ->Unit(benchmark::kMillisecond);
  for (const int spheres : {500, 1000, 2000, 4000})
    benchmark::RegisterBenchmark(fmt::format("check/tray/{}", spheres).c_str(), check_tray, spheres)
        ->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace
}  // namespace sinew::bench
