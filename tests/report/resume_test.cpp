// A run that is stopped, stored and gone on with is the run without a stop, to the last bit: all that it remembers is in its
// checkpoint. Twenty random splits of built-in scenarios, of runs of at most 200 steps; with SINEW_LONG (./test --long) two hundred,
// so that every scenario is split, of at most 4000.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>

#include "sinew/report/checkpoint.h"
#include "sinew/report/report.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/run.h"
#include "sinew/text/library.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/dice.h"
#include "tests/support/folder.h"
#include "tests/support/shipped.h"

namespace sinew::report {
namespace resume_test {

using support::Dice;
using test::Folder;
using test::shipped;

constexpr const char* version = "1.2.3";

std::string report(const sim::RunResult& result) { return to_json(result, 1.0, "", ""); }

// What is stored when the run is interrupted after so many steps.
Checkpoint stopped(const sim::Scenario& scenario, std::int64_t steps) {
  std::atomic<bool> stop = steps == 0;
  std::int64_t done = 0;
  std::optional<Checkpoint> last;
  sim::RunHooks hooks;
  hooks.interrupted = &stop;
  hooks.progress = [&](double) { stop = ++done >= steps; };
  hooks.checkpoint_every = 1e9;
  hooks.checkpoint = [&](const sim::Progress& p) { last = make_checkpoint(sim::Experiment(scenario), p, version); };
  sim::run(scenario, hooks);
  return last.value();
}

std::string resumed(const sim::Scenario& scenario, const Checkpoint& from) {
  const Folder folder;
  write_checkpoint(folder / "c", from);
  const Checkpoint back = read_checkpoint(folder / "c", version);
  check_resume(back, "c", sim::Experiment(scenario));
  sim::RunHooks hooks;
  hooks.resume = &back.progress;
  return report(sim::run(scenario, hooks));
}

// Stopped after `split` of `steps` steps, with snapshots before, at and after that.
void expect_no_difference(const std::string& name, std::int64_t split, std::int64_t steps,
                          std::vector<std::string> sets = {}) {
  const sim::Scenario plain = shipped(name, sets);
  const double end = double(steps) * plain.step;
  const bool at = std::ranges::none_of(plain.results, [](const auto& r) { return r.name == "q" || r.name == "u"; });
  if (at)  // which uses these names
    sets.push_back(fmt::format("output.at=[{}, {}, {}]", 0.3 * end, double(split) * plain.step, 0.93 * end));
  SCOPED_TRACE(fmt::format("{} stopped after {} of {} steps", name, split, steps));
  sim::Scenario scenario = shipped(name, sets);
  scenario.duration = end;
  const sim::RunResult straight = sim::run(scenario);
  if (straight.ending == sim::Ending::Failed) return;  // before the end: a checkpoint is of a run in order
  const Checkpoint from = stopped(scenario, split);
  EXPECT_EQ(from.progress.k, split);
  try {
    EXPECT_EQ(resumed(scenario, from), report(straight));
  } catch (const InputError& e) {
    ADD_FAILURE() << e.what();
  }
}

// By step length and duration alone, so that no scenario has to be made first.
std::int64_t steps_of(const std::string& name, std::int64_t most) {
  const sim::Scenario scenario = text::read_header(SINEW_SCENARIO_DIR "/" + name + ".toml", name);
  return std::clamp(std::int64_t(std::floor(scenario.duration / scenario.step)), std::int64_t(1), most);
}

TEST(Resume, random_splits_are_the_runs_without_a_stop) {
  const bool in_full = std::getenv("SINEW_LONG");
  const int n_splits = in_full ? 200 : 20;
  const std::int64_t most = in_full ? 4000 : 200;
  std::vector<text::ScenarioFile> all = text::built_in_scenarios(SINEW_SCENARIO_DIR);
  std::erase_if(all, [](const auto& found) { return sim::is_bench(text::read_header(found.file, found.name)); });
  ASSERT_GT(all.size(), 100u);
  Dice dice(20);
  std::size_t left = 0;
  for (int i = 0; i < n_splits; i++) {
    if (left == 0) left = all.size();
    std::swap(all[std::size_t(dice.below(int(left)))], all[left - 1]);  // each once before one comes again
    const std::string& name = all[--left].name;
    SCOPED_TRACE(i);
    const std::int64_t steps = 1 + dice.below(int(steps_of(name, most)));
    expect_no_difference(name, dice.below(int(steps) + 1), steps);
  }
}

// Of the tail's controller, between two of its plans; of quadratic programs without a solution, of legs out of reach: the torques
// given last; of actuators that lag, of pads that are charged, of sensors: what is on its way, and what they have counted.
TEST(Resume, what_controllers_and_pads_remember_is_stored) {
  expect_no_difference("quadruped/pitch-in-flight", 47, 200, {"u=[0,1,0,0.4,0,0,0,0]"});
  expect_no_difference("quadruped/tail-stops-kick", 33, 60, {"goal_f_min=60"});
  expect_no_difference("quadruped/trot", 333, 400);
  expect_no_difference("quadruped/walk-sensors", 77, 200);
  expect_no_difference("softbot/limb-lqr3", 20, 60, {"actuator_lag=0.5"});
  expect_no_difference("softbot/hold-on", 50, 90);
  // commands on their way to the legs
  expect_no_difference("quadruped/trot", 33, 60,
                       {"control.period=0.0031", "control.phase=0.0007", "control.latency=0.0047"});
}

TEST(Resume, before_the_time_from_which_a_result_is_taken) {
  expect_no_difference("softbot/crawl", 100, 150);
  expect_no_difference("basics/pendulum", 30, 100,
                       {"output.result.swing={signal=\"body.bob.v\", take=\"max\", from=0.05}"});
}

// 3 * 0.1 is not 0.3, and 0.25 no multiple of 0.1: the checkpoint is of the last whole step.
TEST(Resume, from_an_end_between_two_steps) {
  const std::vector<std::string> sets{"step=0.1", "method=rk4"};
  sim::Scenario scenario = shipped("basics/pendulum", sets);
  scenario.duration = 1.0;
  const std::string straight = report(sim::run(scenario));
  for (const double end : {0.3, 0.25}) {
    sim::Scenario shorter = scenario;
    shorter.duration = end;
    const Checkpoint from = stopped(shorter, 1000);
    EXPECT_EQ(from.progress.k, 2);
    EXPECT_EQ(resumed(scenario, from), straight);
  }
}

TEST(Resume, of_a_file_without_the_memory_that_the_run_needs_is_refused) {
  sim::Scenario scenario = shipped("quadruped/pitch-in-flight");
  scenario.duration = 0.05;
  const Checkpoint whole = stopped(scenario, 13);
  ASSERT_EQ(whole.memory, (std::vector<MemoryBlock>{{"flight", 2}}));
  ASSERT_EQ(whole.progress.state.memory.size(), 2u);
  EXPECT_GT(whole.progress.state.memory[0], 0.0);
  const auto complaint = [&](const Checkpoint& from) {
    try {
      resumed(scenario, from);
    } catch (const InputError& e) {
      return e.problems.at(0);
    }
    return std::string();
  };
  EXPECT_EQ(complaint(whole), "");
  Checkpoint old = whole;
  old.memory.clear();
  old.progress.state.memory.clear();
  EXPECT_EQ(complaint(old),
            "c: it is of a sinew that did not store what controllers remember: run again from the start");
  Checkpoint other = whole;
  other.memory[0].name = "tail";
  EXPECT_NE(complaint(other).find("does not fit its own model"), std::string::npos);
}

}  // namespace resume_test
}  // namespace sinew::report
