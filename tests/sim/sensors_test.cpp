// Sensors of a running simulation: what controllers, recordings and programs are told instead of the truth.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/sim/sensor_robots.h"
#include "tests/support/allocations.h"

namespace sinew::sim {
namespace sensors_test {

using namespace sensor_robots;

std::vector<double> values(const std::string& text, const std::string& name, std::uint64_t seed, int steps) {
  Experiment e = experiment_of(text);
  e.scenario.seed = seed;
  Simulation s(std::move(e));
  std::vector<double> out;
  for (int k = 0; k < steps; k++) {
    EXPECT_FALSE(s.step());
    out.push_back(s.get(name));
  }
  return out;
}

const std::string noisy = two_bars + R"(
[sensor.pot]
kind = "potentiometer"
joint = "shoulder"
noise = 0.002
)";

TEST(Sensors, the_same_seed_gives_the_same_bits_and_another_one_others) {
  const std::vector<double> a = values(noisy, "sensor.pot", 1, 50), b = values(noisy, "sensor.pot", 1, 50),
                            c = values(noisy, "sensor.pot", 2, 50);
  EXPECT_EQ(a, b);
  for (std::size_t i = 0; i < a.size(); i++) EXPECT_NE(a[i], c[i]);
}

TEST(Sensors, a_sensor_that_is_added_leaves_the_bits_of_all_others) {
  const std::string more = two_bars + R"(
[sensor.another]
kind = "absolute-encoder"
joint = "elbow"
bits = 12
noise = 0.01
)" + noisy.substr(two_bars.size());
  EXPECT_EQ(values(noisy, "sensor.pot", 5, 50), values(more, "sensor.pot", 5, 50));
}

TEST(Sensors, nobody_who_looks_changes_the_motion) {
  Simulation plain(experiment_of(two_bars)), watched(experiment_of(noisy));
  ASSERT_FALSE(plain.step(200));
  ASSERT_FALSE(watched.step(200));
  EXPECT_EQ(plain.world().state.q, watched.world().state.q);
  EXPECT_EQ(plain.world().state.u, watched.world().state.u);
}

TEST(Sensors, controllers_read_what_the_sensor_says_and_the_truth_stays_a_signal) {
  Simulation s(experiment_of(two_bars + R"(
[sensor.code]
kind = "absolute-encoder"
joint = "shoulder"
bits = 8
)"));
  ASSERT_FALSE(s.step(123));
  constexpr Direction truth[] = {Direction::Signal};
  const double q = s.get(s.channels().find("joint.shoulder.q", truth)), said = s.get("sensor.code");
  EXPECT_EQ(s.get("joint.shoulder.q"), said);
  EXPECT_NE(q, said);
  EXPECT_EQ(s.get("sensor.code.true"), q);
  const double count = 2.0 * std::numbers::pi / 256.0;
  EXPECT_LE(std::abs(q - said), 0.5 * count + 1e-12);
  EXPECT_NEAR(std::remainder(said, count), 0.0, 1e-12);
  EXPECT_EQ(s.get("joint.elbow.q"), s.get(s.channels().find("joint.elbow.q", truth)));  // has no sensor
}

TEST(Sensors, the_rate_of_an_encoder_is_its_change_over_the_time_between_samples) {
  Simulation s(experiment_of(two_bars + R"(
[sensor.fine]
kind = "potentiometer"
joint = "shoulder"
period = 0.005
)"));
  ASSERT_FALSE(s.step(100));
  const double before = s.get("sensor.fine");
  ASSERT_FALSE(s.step(5));
  EXPECT_NEAR(s.get("sensor.fine.rate"), (s.get("sensor.fine") - before) / 0.005, 1e-9);
  EXPECT_EQ(s.get("joint.shoulder.u"), s.get("sensor.fine.rate"));
}

TEST(Sensors, a_delay_is_exact_to_the_step) {
  Simulation s(experiment_of(two_bars + R"(
[sensor.now]
kind = "potentiometer"
joint = "shoulder"
to_controller = false
[sensor.late]
kind = "potentiometer"
joint = "shoulder"
delay = 0.007
)"));
  std::vector<double> now{s.get("sensor.now")};
  for (int k = 1; k < 60; k++) {
    ASSERT_FALSE(s.step());
    now.push_back(s.get("sensor.now"));
    EXPECT_EQ(s.get("sensor.late"), now[std::size_t(std::max(0, k - 7))]) << k;
  }
}

TEST(Sensors, a_shaft_encoder_counts_from_zero_and_finds_the_angle_by_a_potentiometer) {
  const std::string encoder = R"(
[sensor.shaft]
kind = "incremental-encoder"
joint = "shoulder"
counts = 512
gear_ratio = 251
)";
  Simulation alone(experiment_of(two_bars + encoder));
  const double start = alone.get("sensor.shaft.true");
  ASSERT_FALSE(alone.step(200));
  const double count = 2.0 * std::numbers::pi / (512.0 * 251.0);
  EXPECT_NEAR(alone.get("sensor.shaft"), alone.get("sensor.shaft.true") - start, 1.01 * count);
  Simulation fused(experiment_of(two_bars + encoder + R"(
absolute = "pot"
fusion_time = 0.1
[sensor.pot]
kind = "potentiometer"
joint = "shoulder"
upper = 2.62
bits = 12
noise = 0.02
)"));
  ASSERT_FALSE(fused.step(900));
  // the noise is averaged over 0.1 s: 100 samples, of which about 2 tau / T count
  EXPECT_NEAR(fused.get("sensor.shaft"), fused.get("sensor.shaft.true"), 4.0 * 0.02 / std::sqrt(200.0));
  EXPECT_EQ(fused.get("joint.shoulder.q"), fused.get("sensor.shaft"));
}

// Errors of what it counts: the disk's play, a scale that ends, a drift; noise at the edges of counts.
TEST(Sensors, a_shaft_encoder_has_the_errors_of_other_sensors) {
  const auto with = [](const std::string& lines) {
    return two_bars + "[sensor.shaft]\nkind = \"incremental-encoder\"\njoint = \"shoulder\"\ncounts = 1e6\n" + lines;
  };
  const double start = 0.7, count = 2.0 * std::numbers::pi / 1e6;
  Simulation scale(experiment_of(with("lower = 0.5\nupper = 0.9")));
  Simulation loose(experiment_of(with("lower = -2\nupper = 2\nhysteresis = 0.01\ndrift = 0.1\ngain = 1.5")));
  double held = 1.5 * start;
  for (int k = 1; k < 1000; k++) {
    ASSERT_FALSE(scale.step());
    const double q = scale.get("sensor.shaft.true"), seen = std::clamp(q, 0.5, 0.9);
    EXPECT_NEAR(scale.get("sensor.shaft"), seen - start, 1.01 * count);
    EXPECT_EQ(scale.get("sensor.shaft.saturated"), seen == q ? 0.0 : 1.0);
    ASSERT_FALSE(loose.step());
    const double y = 1.5 * loose.get("sensor.shaft.true") + 0.1 * 1e-3 * k;
    held = std::clamp(held, y - 0.02, y + 0.02);
    EXPECT_NEAR(loose.get("sensor.shaft"), held - 1.5 * start, 1.01 * count);
  }
}

TEST(Sensors, what_is_lost_is_held_and_what_is_stuck_stays_and_both_come_back) {
  Simulation s(experiment_of(two_bars + R"(
[sensor.pot]
kind = "potentiometer"
joint = "shoulder"
lost_from = 0.05
lost_until = 0.1
stuck_from = 0.2
stuck_until = 0.25
stuck_at = 1.5
)"));
  ASSERT_FALSE(s.step(49));
  const double last = s.get("sensor.pot");
  EXPECT_EQ(s.get("sensor.pot.lost"), 0.0);
  ASSERT_FALSE(s.step(30));
  EXPECT_EQ(s.get("sensor.pot"), last);
  EXPECT_EQ(s.get("sensor.pot.lost"), 1.0);
  ASSERT_FALSE(s.step(21));
  EXPECT_EQ(s.get("sensor.pot"), s.get("sensor.pot.true"));
  ASSERT_FALSE(s.step(120));
  EXPECT_EQ(s.get("sensor.pot"), 1.5);
  s.set("sensor.pot.lost_from", 0.3);  // on command
  s.set("sensor.pot.lost_until", 9.0);
  ASSERT_FALSE(s.step(200));
  EXPECT_EQ(s.get("sensor.pot.lost"), 1.0);
}

TEST(Sensors, a_share_of_the_samples_never_arrives) {
  Simulation s(experiment_of(two_bars + "[sensor.pot]\nkind = \"potentiometer\"\njoint = \"shoulder\"\nloss = 0.3\n"));
  int held = 0;
  double last = s.get("sensor.pot");
  for (int k = 0; k < 1000; k++) {
    ASSERT_FALSE(s.step());
    held += s.get("sensor.pot") == last;
    last = s.get("sensor.pot");
  }
  EXPECT_NEAR(held, 300, 4.0 * std::sqrt(1000 * 0.21));
}

TEST(Sensors, a_limit_switch_closes_where_it_should) {
  Simulation s(experiment_of(two_bars + R"(
[sensor.stop]
kind = "limit-switch"
joint = "shoulder"
at = 0.3
closed = "below"
)"));
  for (int k = 0; k < 400; k++) {
    ASSERT_FALSE(s.step());
    EXPECT_EQ(s.get("sensor.stop"), s.get("sensor.stop.true") <= 0.3 ? 1.0 : 0.0);
  }
}

TEST(Sensors, a_limit_switch_wanders_as_its_mounting_does) {
  const std::string text = two_bars + R"(
[sensor.stop]
kind = "limit-switch"
joint = "shoulder"
at = 0.3
drift = -0.2
[sensor.other]
kind = "limit-switch"
joint = "shoulder"
at = 0.3
offset_spread = 0.05
)";
  Simulation s(experiment_of(text)), t(experiment_of(text, {"sensor.other.at=0.2"}));
  bool has_moved = false;
  for (int k = 1; k < 400; k++) {
    ASSERT_FALSE(s.step() || t.step());
    const double q = s.get("sensor.stop.true");
    EXPECT_EQ(s.get("sensor.stop"), q - 0.2 * 1e-3 * k >= 0.3 ? 1.0 : 0.0) << k;
    has_moved = has_moved || s.get("sensor.other") != (q >= 0.3 ? 1.0 : 0.0);
    EXPECT_LE(s.get("sensor.other"), t.get("sensor.other")) << "one offset for the whole run";
  }
  EXPECT_TRUE(has_moved);
}

const std::string all_kinds = on_ground + R"(
[sensor.force]
kind = "force6"
joint = "ankle"
noise = 1e-4
bits = 12
hysteresis = 0.008
cross_talk_spread = 0.01
offset_spread = 0.01
period = 0.002
delay = 0.003
[sensor.tip]
kind = "force3"
body = "foot"
noise = 0.05
cross_talk_spread = 0.01
upper = 50
bits = 12
[sensor.unit]
kind = "inertial"
body = "shank"
noise = [0.01, 0.01, 0.01, 0.1, 0.1, 0.1]
[sensor.level]
kind = "inclination"
body = "shank"
noise = 0.002
drift = 0.001
[sensor.flag]
kind = "contact"
body = "foot"
[sensor.eye]
kind = "camera"
body = "shank"
noise = 0.001
[sensor.ahead]
kind = "range"
body = "shank"
rays = 5
fan = 1.0
noise = 0.01
)";

TEST(Sensors, a_snapshot_brings_all_samples_back) {
  Simulation s(experiment_of(all_kinds, {"joint.air.position=[0,0,0.05,1,0,0,0]"}));
  ASSERT_FALSE(s.step(77));
  const Progress there = s.snapshot();
  ASSERT_FALSE(s.step(60));
  const std::vector<double> later = s.world().state.memory;
  s.restore(there);
  ASSERT_FALSE(s.step(60));
  EXPECT_EQ(s.world().state.memory, later);
}

TEST(Sensors, a_sample_takes_no_memory_from_the_heap) {
  if (!test::are_allocations_counted()) GTEST_SKIP();
  const Experiment e = experiment_of(all_kinds);
  World<double> world = e.world();
  Sensors<double> sensors(world.model());
  sensors.sample({1, 0, 1e-3}, world);
  EXPECT_EQ(test::count_allocations([&] {
              for (int k = 0; k < 50; k++) {
                world.step(1e-3);
                sensors.sample({1, 0, 1e-3}, world);
              }
            }),
            0);
}

// Robots of a batch differ by their number alone: each lane has the bits of a run of its own.
TEST(Sensors, a_lane_has_the_samples_of_a_run_of_its_own) {
  const Experiment e = experiment_of(all_kinds, {"joint.air.position=[0,0,0.03,1,0,0,0]"});
  World<Lanes> wide = widen(e.world());
  Sensors<Lanes> many(wide.model());
  const auto go = [](auto& world, auto& sensors, std::uint32_t robot) {
    sensors.sample({9, robot, 1e-3}, world);
    for (int k = 0; k < 120; k++) {
      world.step(1e-3);
      sensors.sample({9, robot, 1e-3}, world);
    }
  };
  go(wide, many, 4);
  for (int lane = 0; lane < lane_count; lane++) {
    World<double> one = e.world();
    Sensors<double> of_one(one.model());
    go(one, of_one, 4 + std::uint32_t(lane));
    EXPECT_EQ(lane_state(wide.state, lane).memory, one.state.memory) << "lane " << lane;
  }
}

TEST(Sensors, bad_input_names_the_key_and_what_is_allowed) {
  const auto expect = [](const std::string& lines, std::vector<std::string> words) {
    const std::string said = complaint(two_bars + "[sensor.s]\n" + lines);
    for (const std::string& word : words) EXPECT_NE(said.find(word), std::string::npos) << word << " in: " << said;
  };
  expect("kind = \"potentiometer\"\njoint = \"sholder\"",
         {"sensor.s.joint", "no joint is named 'sholder'", "shoulder"});
  expect("kind = \"potentiometer\"\njoint = \"shoulder\"\naxis = 1", {"sensor.s.axis", "0 to 0"});
  expect("kind = \"potentiometer\"\njoint = \"shoulder\"\nlower = 2\nupper = 1", {"sensor.s.upper", "above lower"});
  expect("kind = \"potentiometer\"\njoint = \"shoulder\"\nbits = 12", {"sensor.s.bits", "infinite"});
  expect("kind = \"potentiometer\"\njoint = \"shoulder\"\nupper = 1\nbits = 40", {"sensor.s.bits", "<= 32"});
  expect("kind = \"potentiometer\"\njoint = \"shoulder\"\nperiod = -1", {"period", ">= 0"});
  expect("kind = \"potentiometer\"\njoint = \"shoulder\"\nhysteresis = 0.1", {"sensor.s.hysteresis", "infinite"});
  expect("kind = \"thermometer\"", {"sensor.s.kind", "potentiometer"});
  expect("kind = \"inertial\"\nbody = \"loewr\"", {"sensor.s.body", "no body is named 'loewr'", "lower"});
  expect("kind = \"contact\"\nbody = \"lower\"", {"sensor.s.body", "no shape"});
  expect("kind = \"incremental-encoder\"\njoint = \"shoulder\"\nabsolute = \"none\"", {"sensor.s.absolute", "'none'"});
  expect("kind = \"potentiometer\"\njoint = \"shoulder\"\n[sensor.r]\nkind = \"potentiometer\"\njoint = \"shoulder\"",
         {"sensor.r.to_controller", "'s'"});
  expect("kind = \"force3\"\njoint = \"elbow\"\nbody = \"world\"", {"sensor.s.body", "upper or lower"});
  expect("kind = \"potentiometer\"\njoint = \"shoulder\"\nstuck_at = [1, 2]", {"sensor.s.stuck_at", "needs 1"});
  expect("kind = \"potentiometer\"\njoint = \"shoulder\"\ndelay = 11",
         {"sensor.s.delay", "give a period, or at most 10 s"});
  expect("kind = \"range\"\nbody = \"lower\"\nrays = 65", {"sensor.s.rays", "<= 64"});
}

}  // namespace sensors_test
}  // namespace sinew::sim
