#include "sinew/batch/batch.h"

#include <gtest/gtest.h>

#include <atomic>

#include "sinew/sim/errors.h"
#include "sinew/sim/set_number.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/allocations.h"

namespace sinew::batch_test {
namespace {

std::shared_ptr<const sim::Experiment> shipped(const std::string& name, const std::vector<std::string>& sets = {}) {
  return std::make_shared<const sim::Experiment>(
      text::load_experiment(std::string(SINEW_SCENARIO_DIR) + "/" + name + ".toml", name, sets));
}

std::vector<double> spread(int n, double low, double high) {
  std::vector<double> out;
  for (int i = 0; i < n; i++) out.push_back(low + (high - low) * i / n);
  return out;
}

std::vector<std::uint64_t> hashes(const Batch& b) {
  std::vector<std::uint64_t> out;
  for (int i = 0; i < b.size(); i++) out.push_back(b.hash(i));
  return out;
}

std::uint64_t single(const sim::Experiment& experiment, int robot, const std::string& key, double value, int steps) {
  sim::Scenario scenario = experiment.scenario;
  if (!key.empty()) sim::set_number(scenario, sim::find_number(scenario, key), value);
  sim::SimulationOptions options;
  options.robot = std::uint32_t(robot);
  sim::Simulation s(std::make_shared<const sim::Experiment>(std::move(scenario)), options);
  s.step(steps);
  return s.hash();
}

TEST(Batch, robots_with_numbers_of_their_own_have_the_bits_of_single_runs_with_any_number_of_threads) {
  const auto experiment = shipped("snake/lateral-undulation");
  const int n = 10;
  const auto mu = spread(n, 0.05, 0.6);
  std::vector<std::uint64_t> want;
  for (int i = 0; i < n; i++) want.push_back(single(*experiment, i, "contact.mu_trans", mu[std::size_t(i)], 40));
  for (const int threads : {1, 2, 5}) {
    Batch b(experiment, n, {threads});
    b.set("mu_trans", mu);
    EXPECT_EQ(b.in_lanes(), n);
    b.step(15);
    b.step(25);
    EXPECT_EQ(hashes(b), want) << threads;
  }
}

// Hexapods with controllers, drives and noisy sensors; one begins anew in the middle, on a clock of its own.
TEST(Batch, robots_with_a_controller_share_steps_and_have_the_bits_of_single_runs) {
  for (const char* name : {"hexapod/tripod", "hexapod/tripod-real"}) {
    const auto experiment = shipped(name);
    const int n = 6;
    const auto length = spread(n, 0.0001, 0.0003);
    Batch b(experiment, n, {2});
    b.set("compliance", length);
    EXPECT_EQ(b.in_lanes(), n);
    EXPECT_TRUE(b.command().empty());
    b.step(30);
    std::vector<std::uint8_t> marked(6, 0);
    marked[1] = 1;
    b.reset(marked);
    EXPECT_EQ(b.in_lanes(), n - 1);
    b.step(15);
    for (int i = 0; i < n; i++)
      EXPECT_EQ(b.hash(i), single(*experiment, i, "compliance", length[std::size_t(i)], i == 1 ? 15 : 45)) << name << i;
  }
}

// Gravity that nothing can bear; the others of the register go on in it.
TEST(Batch, a_robot_with_a_controller_that_fails_is_named_and_leaves_the_others_alone) {
  const auto experiment = shipped("hexapod/tripod");
  Batch b(experiment, 4, {1});
  b.set("gravity.g[2]", std::vector<double>{-9.81, -1e200, -9.81, -9.81});
  b.step(100);
  EXPECT_EQ(b.failed()[1], 1);
  EXPECT_EQ(b.failure(1).substr(0, 8), "robot 1:") << b.failure(1);
  EXPECT_EQ(b.in_lanes(), 3);
  EXPECT_EQ(b.hash(2), single(*experiment, 2, "gravity.g[2]", -9.81, 100));
  b.set("gravity.g[2]", std::vector<double>{-9.81});
  EXPECT_EQ(b.in_lanes(), 4);
  b.step(50);
  EXPECT_EQ(b.hash(1), single(*experiment, 1, "gravity.g[2]", -9.81, 50));
}

TEST(Batch, shapes_that_differ_run_one_by_one_with_the_same_bits) {
  const auto experiment = shipped("contact/box-drop");
  Batch b(experiment, 5, {2});
  const auto sizes = spread(5, 0.2, 0.4);
  b.set("body.box.shape.skin.size[0]", sizes);
  EXPECT_EQ(b.in_lanes(), 0);
  b.step(50);
  for (int i = 0; i < 5; i++)
    EXPECT_EQ(b.hash(i), single(*experiment, i, "body.box.shape.skin.size[0]", sizes[std::size_t(i)], 50));
}

TEST(Batch, commands_act_on_their_robot_alone) {
  const auto experiment = shipped("basics/pendulum");
  Batch b(experiment, 6, {1});
  EXPECT_EQ(b.command_names(), std::vector<std::string>{"joint.pivot.torque"});
  b.command()[3] = 2.0;
  b.step(20);
  for (const int i : {0, 3}) {
    sim::Simulation s(experiment);
    if (i == 3) s.set("joint.pivot.torque", 2.0);
    s.step(20);
    EXPECT_EQ(b.hash(i), s.hash());
  }
  EXPECT_NE(b.q()[3], b.q()[0]);
  b.command()[2] = std::nan("");
  EXPECT_THROW(b.step(1), InputError);
}

TEST(Batch, robots_begin_anew_one_by_one_whether_or_not_the_time_counts) {
  for (const char* name : {"basics/pendulum", "contact/box-drop", "snake/lateral-undulation"}) {
    const auto experiment = shipped(name);
    Batch b(experiment, 5, {2});
    const std::vector<double> start(b.q().begin(), b.q().begin() + b.nq());
    b.step(30);
    std::vector<std::uint8_t> marked(5, 0);
    marked[1] = 1;
    b.reset(marked);
    EXPECT_EQ(std::vector<double>(b.q().begin() + b.nq(), b.q().begin() + 2 * b.nq()), start);
    EXPECT_EQ(b.time(1), 0.0);
    EXPECT_GT(b.time(0), 0.0);
    b.step(20);
    EXPECT_EQ(b.hash(1), single(*experiment, 1, "", 0.0, 20)) << name;
    EXPECT_EQ(b.hash(0), single(*experiment, 0, "", 0.0, 50)) << name;
    EXPECT_EQ(b.in_lanes(), std::string(name) == "snake/lateral-undulation" ? 1 : 5) << name;
    b.reset();
    EXPECT_EQ(b.in_lanes(), 5);
    b.step(20);
    EXPECT_EQ(b.hash(1), single(*experiment, 1, "", 0.0, 20)) << name;
  }
}

TEST(Batch, a_robot_that_fails_is_named_and_leaves_the_others_alone) {
  const auto experiment = shipped("basics/pendulum", {"method=rk4", "step=0.05"});
  Batch b(experiment, 6, {2});
  std::vector<double> damping(6, 0.1);
  damping[4] = 1e6;  // too much for an explicit method with this step
  b.set("joint.pivot.damping", damping);
  ASSERT_EQ(b.in_lanes(), 6);
  b.step(400);
  for (int i = 0; i < 6; i++) EXPECT_EQ(b.failed()[std::size_t(i)], i == 4 ? 1 : 0);
  EXPECT_EQ(b.failure(4).substr(0, 12), "robot 4 at t") << b.failure(4);
  EXPECT_EQ(b.failure(5), "");
  EXPECT_EQ(b.hash(5), single(*experiment, 5, "joint.pivot.damping", 0.1, 400));
  EXPECT_TRUE(std::isfinite(b.q()[4]));
  b.set("joint.pivot.damping", std::vector<double>{0.1});
  EXPECT_EQ(b.failed()[4], 0);
  b.step(100);
  EXPECT_EQ(b.hash(4), single(*experiment, 4, "joint.pivot.damping", 0.1, 100));
}

TEST(Batch, steps_that_are_not_solved_are_counted_for_their_robot) {
  const auto experiment = shipped("snake/link-slide", {"contact.solver=sweep"});
  Batch sound(experiment, 4, {1});
  sound.step(10);
  EXPECT_EQ(sound.uncertified()[0], 0);
  Batch strict(shipped("snake/link-slide", {"contact.solver=sweep", "contact.tolerance=1e-300"}), 4, {1});
  strict.step(10);
  EXPECT_GT(strict.uncertified()[3], 0);
}

TEST(Batch, a_step_takes_no_memory) {
  if (!test::are_allocations_counted()) GTEST_SKIP();
  Batch b(shipped("snake/lateral-undulation"), 8, {1});
  b.step(70);
  EXPECT_EQ(test::count_allocations([&] { b.step(130); }), 0);
  Batch walkers(shipped("hexapod/tripod"), 4, {1});
  walkers.step(70);
  EXPECT_EQ(test::count_allocations([&] { walkers.step(130); }), 0);
}

TEST(Batch, what_makes_no_sense_is_refused) {
  const auto experiment = shipped("basics/pendulum");
  EXPECT_THROW(Batch(experiment, 0), InputError);
  Batch b(experiment, 4, {1});
  EXPECT_THROW(b.set("no.such.key", std::vector<double>{1.0}), InputError);
  EXPECT_THROW(b.set("body.bob.mass", std::vector<double>{1.0, 2.0}), InputError);
  EXPECT_THROW(b.reset(std::vector<std::uint8_t>{1}), InputError);
  const std::uint64_t before = b.hash(2);
  try {
    b.set("body.bob.mass", std::vector<double>{1.0, 1.0, -1.0, 1.0});
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()).substr(0, 8), "robot 2:") << e.what();
  }
  EXPECT_EQ(b.hash(2), before);
  EXPECT_THROW(b.set("integrator.step", std::vector<double>{1e-3}), InputError) << "the batch has one clock";
}

// With a mass on its back the hexapod has a body more: rows of the batch have no room for that.
TEST(Batch, numbers_that_make_another_build_are_refused) {
  Batch b(shipped("hexapod/tripod"), 4, {1});
  b.step(3);
  const std::vector<std::uint64_t> before = hashes(b);
  for (const std::vector<double>& mass : {std::vector<double>{5.0}, std::vector<double>{0.0, 0.0, 5.0, 0.0}}) try {
      b.set("robot.block_mass", mass);
      FAIL();
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find("of another build"), std::string::npos) << e.what();
    }
  EXPECT_EQ(hashes(b), before);
  b.step(3);
  EXPECT_EQ(b.in_lanes(), 4);
}

TEST(Batch, numbers_of_the_robot_that_the_scene_follows_take_it_along) {
  const auto experiment = shipped("quadruped/walk");
  Batch b(experiment, 2, {1});
  b.set("robot.g", std::vector<double>{9.8067, 3.0});
  b.step(10);
  const auto written = shipped("quadruped/walk", {"robot.g=3.0"});
  sim::Simulation alone(written, {.robot = 1});
  alone.step(10);
  EXPECT_EQ(b.hash(1), alone.hash());
}

TEST(Batch, takes_no_more_threads_than_it_has_registers) {
  EXPECT_EQ(Batch(shipped("basics/pendulum"), 5, {1'000'000}).threads(), 2);
}

TEST(BatchPool, all_pieces_are_done_once_and_what_is_thrown_comes_through) {
  Pool pool(3);
  std::vector<std::atomic<int>> seen(100);
  for (int round = 0; round < 20; round++) pool.run(100, [&](int i, int) { seen[std::size_t(i)]++; });
  for (const auto& count : seen) EXPECT_EQ(count, 20);
  EXPECT_THROW(pool.run(5,
                        [](int i, int) {
                          if (i == 3) throw InputError("three");
                        }),
               InputError);
  pool.run(100, [&](int i, int) { seen[std::size_t(i)]++; });
  EXPECT_EQ(seen[99], 21);
}

}  // namespace
}  // namespace sinew::batch_test
