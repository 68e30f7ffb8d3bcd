#include "sinew/study/runner.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <filesystem>
#include <fstream>

#include "sinew/batch/together.h"
#include "sinew/sim/errors.h"
#include "sinew/study/load_plan.h"
#include "sinew/study/sweep.h"
#include "sinew/text/load_scenario.h"

namespace runner_test {
using namespace sinew;
using namespace sinew::study;

Source source(const std::string& name) { return find_source(name, SINEW_SCENARIO_DIR); }

std::map<std::uint64_t, Row> run_all(const Runner& runner, int threads, bool lanes) {
  std::map<std::uint64_t, Row> rows;
  const auto trials = rows_of(runner.plan(), runner.axes());
  runner.run(trials, {threads, lanes, nullptr}, [&](Row row) { rows[row.trial.row] = std::move(row); });
  return rows;
}

// As text with every bit, so that no number is like no number.
std::string bits_of(const Row& row) {
  std::string out;
  for (const record::Cell& cell : cells_of(row)) {
    if (const double* x = std::get_if<double>(&cell))
      out += fmt::format("{:016x} ", std::bit_cast<std::uint64_t>(*x));
    else if (const auto* n = std::get_if<std::uint64_t>(&cell))
      out += fmt::format("{} ", *n);
    else
      out += std::get<std::string>(cell) + " ";
  }
  return out;
}

void expect_same(const std::map<std::uint64_t, Row>& a, const std::map<std::uint64_t, Row>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [number, row] : a) EXPECT_EQ(bits_of(row), bits_of(b.at(number))) << number;
}

StudyPlan snake_plan() {
  StudyPlan plan;
  plan.scenario = "snake/lateral-undulation";
  plan.sets = {"actuator=implicit", "step=0.0039"};
  plan.vary = {"Ah_deg=20:60:3", "mu_long=0.1,0.3"};
  plan.results = {"com_speed", "com_dx", "work_actuators"};
  plan.until = 0.5;
  return plan;
}

TEST(Runner, rows_have_the_same_bits_alone_in_lanes_and_by_two_threads) {
  const Runner runner(snake_plan(), source("snake/lateral-undulation"));
  ASSERT_TRUE(runner.runs_in_lanes());
  const auto alone = run_all(runner, 1, false);
  ASSERT_EQ(alone.size(), 6u);
  EXPECT_NE(alone.at(0).hash, alone.at(5).hash);
  expect_same(alone, run_all(runner, 1, true));
  expect_same(alone, run_all(runner, 2, true));
}

TEST(Runner, a_row_has_the_bits_of_a_run_with_its_values) {
  const Runner runner(snake_plan(), source("snake/lateral-undulation"));
  const auto rows = run_all(runner, 1, true);
  const auto found = source("snake/lateral-undulation");
  sim::Experiment experiment = text::load_experiment(
      found.file, found.name, std::vector<std::string>{"actuator=implicit", "step=0.0039", "Ah_deg=40", "mu_long=0.3"});
  experiment.scenario.duration = 0.5;
  EXPECT_EQ(fmt::format("{:016x}", sim::run(experiment).hash), rows.at(3).hash);
}

// Robots with a controller, sensors and pads share a register too.
TEST(Runner, legged_robots_with_controllers_have_the_same_bits_in_lanes) {
  StudyPlan plan;
  plan.scenario = "hexapod/tripod";
  plan.vary = {"kp=150:190:4"};
  plan.results = {"distance"};
  plan.until = 0.3;
  const Runner runner(plan, source("hexapod/tripod"));
  expect_same(run_all(runner, 1, false), run_all(runner, 1, true));
  const auto found = source("hexapod/tripod");
  const auto with = [&](const std::string& set) {
    return text::load_experiment(found.file, found.name, std::vector<std::string>{set});
  };
  EXPECT_TRUE(can_run_together(with("kp=150"), with("kp=190")));  // not that each was run alone
}

// A controller that pushes, from another side in each lane.
TEST(Runner, what_controllers_do_from_outside_reaches_the_bodies_in_lanes) {
  StudyPlan plan;
  plan.scenario = "biped/push";
  plan.sets = {"push_at=0.02"};
  plan.vary = {"push_from_deg=0,90,180,270"};
  plan.results = {"com_dx", "com_dy"};
  plan.until = 0.15;
  const Runner runner(plan, source("biped/push"));
  ASSERT_TRUE(runner.runs_in_lanes());
  const auto rows = run_all(runner, 1, true);
  EXPECT_NE(rows.at(0).hash, rows.at(1).hash);
  expect_same(run_all(runner, 1, false), rows);
}

TEST(Runner, a_result_that_needs_a_report_of_its_own_keeps_rows_out_of_lanes) {
  StudyPlan plan = snake_plan();
  plan.results = {"max_torque"};
  EXPECT_FALSE(Runner(plan, source("snake/lateral-undulation")).runs_in_lanes());
}

TEST(Runner, rows_that_cannot_be_are_kept_with_their_reason) {
  StudyPlan plan;
  plan.scenario = "basics/pendulum";
  plan.vary = {"mass=-1,1,2"};
  plan.until = 0.1;
  const Runner runner(plan, source("basics/pendulum"));
  const auto rows = run_all(runner, 1, true);
  EXPECT_EQ(rows.at(0).status, Status::Refused);
  EXPECT_NE(rows.at(0).reason.find("mass"), std::string::npos) << rows.at(0).reason;
  EXPECT_EQ(rows.at(1).status, Status::Done);
  expect_same(rows, run_all(runner, 2, false));
}

// Explicit servos with these gains are stable below 0.8 ms.
TEST(Runner, rows_that_fail_are_kept_with_their_reason_and_leave_those_in_their_register_alone) {
  StudyPlan plan;
  plan.scenario = "snake/lateral-undulation";
  plan.sets = {"step=0.002"};
  plan.vary = {"Khp=5,400,10"};
  plan.results = {"com_dx"};
  plan.until = 0.3;
  const Runner runner(plan, source("snake/lateral-undulation"));
  const auto rows = run_all(runner, 1, true);
  EXPECT_EQ(rows.at(0).status, Status::Done) << rows.at(0).reason;
  EXPECT_EQ(rows.at(1).status, Status::Failed);
  EXPECT_FALSE(rows.at(1).reason.empty());
  EXPECT_EQ(rows.at(2).status, Status::Done) << rows.at(2).reason;
  expect_same(rows, run_all(runner, 1, false));
}

TEST(Runner, stop_when_ends_a_run_alike_in_lanes_and_alone) {
  StudyPlan plan;
  plan.scenario = "basics/bouncing-ball";
  plan.vary = {"gravity.g[2]=-12:-8:5"};
  plan.results = {"z=body.ball.p.z"};
  plan.stop_when = "body.ball.p.z < 0.5";
  const Runner runner(plan, source("basics/bouncing-ball"));
  const auto rows = run_all(runner, 1, false);
  for (const auto& [number, row] : rows) {
    EXPECT_EQ(row.status, Status::Stopped);
    EXPECT_LT(row.results[0], 0.5);
    EXPECT_GT(row.end, 0.0);
  }
  EXPECT_LT(rows.at(0).end, rows.at(4).end) << "it falls faster where gravity is larger";
  expect_same(rows, run_all(runner, 1, true));
  plan.stop_when = "body.bal.p.z < 0.5";
  EXPECT_THROW(Runner(plan, source("basics/bouncing-ball")), InputError);
}

TEST(Runner, unknown_keys_and_results_are_named) {
  StudyPlan plan;
  plan.vary = {"mas=1,2"};
  EXPECT_THROW(Runner(plan, source("basics/pendulum")), InputError);
  plan.vary = {"mass=1,2"};
  plan.results = {"speeed"};
  EXPECT_THROW(Runner(plan, source("basics/pendulum")), InputError);
}

class SweepFile : public testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / fmt::format("sinew-study-{}", getpid());
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string file(const std::string& name) const { return (folder / name).string(); }
  std::filesystem::path folder;
};

StudyPlan pendulum_plan() {
  StudyPlan plan;
  plan.scenario = "basics/pendulum";
  plan.vary = {"mass=1:2:7"};
  plan.until = 0.1;
  return plan;
}

TEST_F(SweepFile, three_shards_together_are_the_table_of_one_run) {
  const Runner runner(pendulum_plan(), source("basics/pendulum"));
  sweep(runner, {file("one.h5"), "", {}, {1, true, nullptr}, {}});
  for (int i = 3; i >= 1; i--) sweep(runner, {file("parts.h5"), "", {i, 3}, {1, true, nullptr}, {}});
  const Collected found = collect(file("parts.h5"));
  EXPECT_EQ(found.files, 3);
  EXPECT_EQ(found.rows, 7u);
  EXPECT_EQ(read_study(file("parts.h5")).table.rows, read_study(file("one.h5")).table.rows);
  EXPECT_EQ(read_study(file("parts.h5")).table.about, read_study(file("one.h5")).table.about);
}

TEST_F(SweepFile, rows_that_are_there_are_not_run_again) {
  const Runner runner(pendulum_plan(), source("basics/pendulum"));
  std::atomic<bool> stop = false;
  SweepOptions options{file("study.h5"), "", {}, {1, false, &stop}, {}};
  options.progress = [&](const SweepProgress& p) { stop = p.done == 3; };
  EXPECT_FALSE(sweep(runner, options).is_complete());
  stop = false;
  options.progress = {};
  const SweepOutcome second = sweep(runner, options);
  EXPECT_TRUE(second.is_complete());
  EXPECT_EQ(second.rows.ran, 4u);
  EXPECT_EQ(sweep(runner, options).rows.ran, 0u);
}

TEST_F(SweepFile, another_study_is_not_written_over) {
  const Runner runner(pendulum_plan(), source("basics/pendulum"));
  sweep(runner, {file("study.h5"), "", {}, {1, true, nullptr}, {}});
  StudyPlan other = pendulum_plan();
  other.vary = {"mass=1:2:8"};
  EXPECT_THROW(sweep(Runner(other, source("basics/pendulum")), {file("study.h5"), "", {}, {}, {}}), InputError);
}

TEST_F(SweepFile, two_programs_do_not_work_on_one_file) {
  const Runner runner(pendulum_plan(), source("basics/pendulum"));
  About about;
  const Store first(file("study.h5"), runner, about);
  EXPECT_THROW(Store(file("study.h5"), runner, about), FileError);
  EXPECT_EQ(worker_of(file("study.h5")), getpid());
}

TEST_F(SweepFile, a_damaged_file_is_refused_not_believed) {
  const Runner runner(pendulum_plan(), source("basics/pendulum"));
  sweep(runner, {file("study.h5"), "", {}, {1, true, nullptr}, {}});
  std::ifstream whole(file("study.h5"), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(whole), {}};
  int refused = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 61) {
    std::string damaged = bytes;
    damaged[at] = char(damaged[at] ^ 0x5a);
    std::ofstream(file("damaged.h5"), std::ios::binary) << damaged;
    try {
      read_study(file("damaged.h5"));
    } catch (const record::Error&) {
      refused++;
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_THROW(read_study(file("none.h5")), FileError);
}

}  // namespace runner_test
