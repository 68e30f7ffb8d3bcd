#include "sinew/report/recorder.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <random>
#include <thread>

#include "sinew/files/errors.h"
#include "sinew/model/compile_count.h"
#include "sinew/record/reader.h"
#include "sinew/report/replay.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/signals.h"
#include "tests/support/folder.h"
#include "tests/support/shipped.h"
#include "tests/support/touching.h"

namespace sinew::report {
namespace recorder_test {

using test::Folder;

sim::Scenario crawling(double duration) {
  sim::Scenario scenario;
  scenario.plan = test::crawler(5, {.mu_forward = 0.1, .mu_backward = 0.3, .mu_trans = 0.5});
  scenario.duration = duration, scenario.step = 5e-4;
  return scenario;
}

sim::RunResult record(const sim::Scenario& scenario, const std::string& file) {
  const sim::Experiment experiment(scenario);
  Recorder recorder(experiment, file, "test");
  sim::RunHooks hooks;
  hooks.watcher = &recorder;
  sim::RunResult result = sim::run(experiment, hooks);
  recorder.finish("{}");
  return result;
}

TEST(Recorder, a_run_that_is_recorded_is_compiled_once) {
  const Folder folder;
  const auto before = compile_count();
  record(crawling(0.01), folder / "a.h5");
  EXPECT_EQ(compile_count() - before, 1);
}

TEST(Recorder, writes_a_row_every_so_often_and_the_end) {
  const Folder folder;
  sim::Scenario scenario = crawling(0.1234);
  scenario.every = 0.01;
  const sim::RunResult result = record(scenario, folder / "a.h5");
  const record::Reader reader(folder / "a.h5");
  const std::vector<double> t = reader.read(0);
  ASSERT_EQ(t.size(), 14u);  // 0, 0.01, ... 0.12 and the end
  for (int i = 0; i < 13; i++) EXPECT_NEAR(t[i], 0.01 * i, 1e-12);
  EXPECT_EQ(t.back(), 0.1234);
  EXPECT_EQ(result.end, 0.1234);
  auto signals = sim::signals_of(make_world(scenario).model());
  std::erase_if(signals, [](const sim::Signal& signal) { return signal.quantity->by_name; });
  ASSERT_EQ(reader.columns().size(), signals.size());
  for (std::size_t i = 0; i < signals.size(); i++) {
    EXPECT_EQ(reader.columns()[i].name, signals[i].name);
    EXPECT_EQ(reader.columns()[i].unit, signals[i].unit);
  }
}

TEST(Recorder, a_step_longer_than_the_interval_gives_a_row_a_step) {
  const Folder folder;
  sim::Scenario scenario = test::shipped("basics/pendulum");
  scenario.duration = 1.0, scenario.step = 0.03, scenario.every = 0.01;
  record(scenario, folder / "a.h5");
  const std::vector<double> t = record::Reader(folder / "a.h5").read(0);
  ASSERT_EQ(t.size(), 35u);  // 33 whole steps, a shorter one, and the start
  for (int i = 0; i < 34; i++) EXPECT_NEAR(t[i], 0.03 * i, 1e-12);
}

TEST(Recorder, does_not_change_the_run) {
  const Folder folder;
  const sim::Scenario scenario = crawling(0.3);
  EXPECT_EQ(record(scenario, folder / "a.h5").hash, sim::run(scenario).hash);
}

TEST(Recorder, records_nothing_that_was_taken_back) {
  // a spring that is too stiff for the step: energy out of nowhere, found some steps later
  const std::vector<std::string> sets{"joint.pivot.stiffness=1e7", "integrator.method=moreau",
                                      "joint.pivot.position=0.5"};
  const Folder folder;
  sim::Scenario scenario = test::shipped("basics/pendulum", sets);
  scenario.every = scenario.step;
  const sim::RunResult result = record(scenario, folder / "a.h5");
  ASSERT_EQ(result.ending, sim::Ending::Failed);
  const record::Reader reader(folder / "a.h5");
  const std::vector<double> all = reader.read_all(), t = reader.read(0);
  for (const double x : all) EXPECT_TRUE(std::isfinite(x));
  EXPECT_EQ(std::ranges::adjacent_find(t, std::greater_equal<>()), t.end());
  EXPECT_EQ(t.back(), result.end);
}

TEST(Recorder, says_that_the_file_cannot_be_written_and_stops_the_run) {
  const Folder folder;
  const sim::Scenario scenario = crawling(1000.0);
  Recorder recorder(sim::Experiment(scenario), folder / "nowhere/a.h5", "test");
  sim::RunHooks hooks;
  hooks.watcher = &recorder;
  EXPECT_LT(sim::run(scenario, hooks).end, 1000.0);
  EXPECT_THROW(recorder.finish("{}"), FileError);
}

// Runs until it is killed, and says all the time how far it is.
[[noreturn]] void run_forever(const std::string& file, double* t_reached) {
  Recorder recorder(sim::Experiment(crawling(1e6)), file, "test");
  sim::RunHooks hooks;
  hooks.watcher = &recorder;
  hooks.progress = [&](double t) { *static_cast<volatile double*>(t_reached) = t; };
  sim::run(crawling(1e6), hooks);
  _exit(0);
}

TEST(Recorder, a_killed_run_loses_at_most_a_quarter_of_a_second) {
  const Folder folder;
  auto* t_reached =
      static_cast<double*>(mmap(nullptr, sizeof(double), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(t_reached, MAP_FAILED);
  std::mt19937_64 dice(11);
  int opened = 0, replayed = 0;
  for (int n = 0; n < 60; n++) {
    const std::string file = folder / (std::to_string(n) + ".h5");
    *t_reached = 0.0;
    const pid_t child = fork();
    if (child == 0) run_forever(file, t_reached);
    // not before the file is there: until then nothing is promised
    while (!std::filesystem::exists(file)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::microseconds(dice() % 150'000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const record::Reader reader(file);
    const std::vector<double> t = reader.read(0);
    const double last = t.empty() ? 0.0 : t.back();
    EXPECT_LE(*t_reached - last, 0.25) << "killed at " << *t_reached << " s";
    opened++;
    if (n % 20 || t.empty()) continue;
    EXPECT_TRUE(replay(reader, file).is_same) << "what is there is right";
    replayed++;
  }
  munmap(t_reached, sizeof(double));
  EXPECT_EQ(opened, 60);
  EXPECT_GT(replayed, 0);
}

TEST(Replay, finds_the_same_bits_and_the_smallest_difference) {
  const Folder folder;
  const sim::Scenario scenario = crawling(0.2);
  record(scenario, folder / "a.h5");
  const Replay same = replay(record::Reader(folder / "a.h5"), "a.h5");
  EXPECT_TRUE(same.is_same);
  EXPECT_EQ(same.rows, 21u);
  sim::Scenario other = scenario;  // its recording carries a scenario that is one bit off
  other.plan.gravity.g[2] = std::nextafter(other.plan.gravity.g[2], 0.0);
  {
    Recorder recorder(sim::Experiment(scenario), folder / "b.h5", "test");
    sim::RunHooks hooks;
    hooks.watcher = &recorder;
    sim::run(other, hooks);
    recorder.finish("{}");
  }
  const Replay differs = replay(record::Reader(folder / "b.h5"), "b.h5");
  EXPECT_FALSE(differs.is_same);
  ASSERT_TRUE(differs.first && differs.largest);
  EXPECT_LT(std::abs(differs.first->recorded - differs.first->now), 1e-9);
  EXPECT_NE(differs.first->recorded, differs.first->now);
}

TEST(RecordingPath, is_a_new_folder_each_time) {
  const Folder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const std::string a = new_recording_path("snake/sidewinding"), b = new_recording_path("snake/sidewinding");
  std::filesystem::current_path(before);
  EXPECT_TRUE(a.starts_with("runs/sidewinding-") && a.ends_with("/recording.h5")) << a;
  EXPECT_NE(a, b);
}

}  // namespace recorder_test
}  // namespace sinew::report
