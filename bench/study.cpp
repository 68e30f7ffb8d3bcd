// Runs of a study, one thread: `study/snake`, 10 s of lateral undulation with implicit servos in steps of 3.9 ms, in lanes and alone;
// `study/hexapod`, 5 s of the tripod in steps of 1 ms with ideal drives and with all devices; `study/row`, what a row costs besides its steps: the snake again,
// with a single step.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "sinew/study/load_plan.h"

namespace sinew::bench {
namespace {

// Four rows each time: a register.
void run_rows(benchmark::State& state, const study::StudyPlan& plan, bool lanes) {
  const study::Runner runner(plan, study::find_source(plan.scenario, SINEW_SCENARIO_DIR));
  const std::vector<study::Trial> rows = rows_of(runner.plan(), runner.axes());
  int bad = 0, done = 0;
  for (auto _ : state) {
    runner.run(rows, {1, lanes, nullptr}, [&](const study::Row& row) {
      bad += !is_good(row.status);
      done++;
    });
  }
  state.counters["rows"] = double(rows.size());
  if (bad > 0) state.SkipWithError(fmt::format("{} of {} rows are not certified", bad, done).c_str());
}

void add_study(const std::string& name, const study::StudyPlan& plan, bool lanes) {
  benchmark::RegisterBenchmark(("study/" + name).c_str(), run_rows, plan, lanes)
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

[[maybe_unused]] const bool added = [] {
  study::StudyPlan snake;
  snake.scenario = "snake/lateral-undulation";
  snake.sets = {"actuator=implicit", "step=0.0039"};
  snake.vary = {"Ah_deg=30:45:4"};
  snake.results = {"com_speed"};
  snake.until = 10.0;
  add_study("snake/lanes", snake, true);
  add_study("snake/alone", snake, false);
  snake.until = 0.0039;
  add_study("row", snake, true);
  study::StudyPlan hexapod;
  hexapod.vary = {"compliance=0.0001:0.0003:4"};
  hexapod.results = {"distance"};
  hexapod.until = 5.0;
  hexapod.scenario = "hexapod/tripod";
  hexapod.sets = {"step=0.001"};
  add_study("hexapod/ideal", hexapod, true);
  hexapod.scenario = "hexapod/tripod-real";
  hexapod.sets.clear();
  add_study("hexapod/real", hexapod, true);
  return true;
}();

}  // namespace
}  // namespace sinew::bench
