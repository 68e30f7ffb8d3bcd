// The one loop as programs use it: by name, with snapshots, with a controller at its own rate.
#include "sinew/sim/simulation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/model/compile_count.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/run.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/shipped.h"

namespace sinew::sim {
namespace simulation_test {

using test::shipped_experiment;

TEST(Simulation, a_loop_is_closed_by_name) {
  Simulation s(shipped_experiment("basics/pendulum"));
  for (int i = 0; i < 3000; i++) {
    s.set("joint.pivot.torque", -200.0 * s.get("joint.pivot.q") - 40.0 * s.get("joint.pivot.u"));
    ASSERT_FALSE(s.step());
  }
  EXPECT_NEAR(s.time(), 3000 * s.scenario().step, 1e-12);
  EXPECT_NEAR(s.get("joint.pivot.u"), 0.0, 1e-3);
  EXPECT_NEAR(s.get("joint.pivot.torque"), s.get(s.command("joint.pivot.torque")), 1e-9);  // the signal: the same here
  EXPECT_EQ(s.get("t"), s.time());
}

TEST(Simulation, names_that_are_none_are_refused_with_the_nearest) {
  Simulation s(shipped_experiment("basics/pendulum"));
  const auto words = [](const auto& act) {
    try {
      act();
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(words([&] { s.get("joint.pivto.q"); }).find("joint.pivot.q"), std::string::npos);
  EXPECT_NE(words([&] { s.set("joint.pivot.q", 1.0); }).find("no command or parameter has this name"),
            std::string::npos);
  EXPECT_NE(words([&] { s.set(s.reading("joint.pivot.q"), 1.0); }).find("only looked at"), std::string::npos);
  EXPECT_NE(words([&] { s.set("joint.pivot.torque", NAN); }).find("finite"), std::string::npos);
}

// The step is found to be bad, taken back, and taken again to see where it fails: with the same command.
TEST(Simulation, a_command_that_no_step_can_follow_is_told_and_moves_nothing) {
  Simulation s(shipped_experiment("basics/pendulum"));
  ASSERT_FALSE(s.step(100));
  const double angle = s.get("joint.pivot.q"), time = s.time();
  s.set("joint.pivot.torque", 1e200);
  const std::optional<Diagnosis> diagnosis = s.step();
  ASSERT_TRUE(diagnosis);
  EXPECT_EQ(s.time(), time);
  EXPECT_EQ(s.get("joint.pivot.q"), angle);
  EXPECT_TRUE(s.step());  // the command still holds
  s.set("joint.pivot.torque", 0.0);
  EXPECT_FALSE(s.step());  // and can be taken back
  EXPECT_GT(s.time(), time);
}

TEST(Simulation, a_snapshot_takes_back_a_command) {
  Simulation s(shipped_experiment("basics/pendulum"));
  ASSERT_FALSE(s.step(100));
  const Progress before = s.snapshot();
  ASSERT_FALSE(s.step(10));
  const double angle = s.get("joint.pivot.q");
  s.set("joint.pivot.torque", 1e200);
  s.restore(before);
  ASSERT_FALSE(s.step(10));
  EXPECT_EQ(s.get("joint.pivot.q"), angle);
}

TEST(Simulation, channels_have_units_and_places) {
  Simulation s(shipped_experiment("snake/sidewinding"));
  int readings = 0, commands = 0, parameters = 0, signals = 0;
  for (const Channel& channel : s.channels().all()) {
    readings += channel.direction == Direction::Reading;
    commands += channel.direction == Direction::Command;
    parameters += channel.direction == Direction::Parameter;
    signals += channel.direction == Direction::Signal;
    EXPECT_FALSE(channel.name.empty());
    EXPECT_FALSE(channel.unit.empty()) << channel.name;
    EXPECT_FALSE(channel.description.empty()) << channel.name;
  }
  EXPECT_EQ(parameters, int(s.parameters().size()));
  EXPECT_EQ(signals, int(s.experiment().signals().size()));
  EXPECT_EQ(readings, 2 * int(s.world().model().joints.size()));
  EXPECT_GT(commands, 0);
}

TEST(Simulation, of_a_joint_with_several_coordinates_one_is_named_by_its_number) {
  Simulation s(shipped_experiment("basics/torque-free-body"));
  Channel of_free;
  for (const Channel& channel : s.channels().all())
    if (channel.direction == Direction::Reading && channel.name.ends_with(".q")) of_free = channel;
  ASSERT_EQ(of_free.size, 7);
  for (int i = 0; i < 7; i++) EXPECT_EQ(s.get(of_free.name + "." + std::to_string(i)), s.get(of_free, i));
  EXPECT_THROW(s.get(of_free.name), InputError);
  EXPECT_THROW(s.get(of_free, 7), InputError);
}

TEST(Simulation, goes_back_to_a_snapshot_and_gives_the_same_bits_again) {
  for (const char* name : {"snake/sidewinding", "basics/stack", "quadruped/trot", "basics/four-bar"}) {
    const auto experiment = std::make_shared<const Experiment>(shipped_experiment(name));
    Simulation s(experiment), other(experiment);
    ASSERT_FALSE(s.step(70));
    const Progress there = s.snapshot();
    ASSERT_FALSE(s.step(80));
    const std::uint64_t later = s.hash();
    s.restore(there);
    EXPECT_NE(s.hash(), later) << name;
    ASSERT_FALSE(s.step(80));
    EXPECT_EQ(s.hash(), later) << name;
    other.restore(there);
    ASSERT_FALSE(other.step(80));
    EXPECT_EQ(other.hash(), later) << name;
  }
}

TEST(Simulation, in_single_steps_gives_the_bits_of_many_at_once) {
  const auto experiment = std::make_shared<const Experiment>(shipped_experiment("snake/sidewinding"));
  Simulation one(experiment), many(experiment);
  for (int i = 0; i < 150; i++) ASSERT_FALSE(one.step());
  ASSERT_FALSE(many.step(150));
  EXPECT_EQ(one.hash(), many.hash());
}

TEST(Experiment, is_compiled_once_for_a_run) {
  for (const char* name : {"snake/sidewinding", "basics/pendulum", "basics/stack", "quadruped/trot", "continuum/eel"}) {
    const auto before = compile_count();
    const Experiment experiment = shipped_experiment(name, std::vector<std::string>{"duration=0.01"});
    run(experiment);
    Simulation simulation(std::make_shared<const Experiment>(shipped_experiment(name)));
    simulation.step(3);
    simulation.reset();
    EXPECT_EQ(compile_count() - before, 2) << name;  // one each
  }
}

// Controllers and numbers of the robot as it stands ask the run's own model; in maximal coordinates, which are another one, the tree from
// which it starts.
TEST(Experiment, is_compiled_once_whatever_asks_what_the_robot_is) {
  const std::vector<std::string> computed{"joint.pivot.drive=computed", "joint.pivot.motion.amplitude=0.5",
                                          "body.bob.inertia=[0.1,0.1,0.1]"};
  const std::vector<std::string> held{R"(output.result.tip_star={signal="tip",take="held"})"};
  struct Case {
    const char *name, *asks;
    std::vector<std::string> sets;
  };
  for (const Case& c : {Case{"basics/pendulum", "computed torque", computed}, Case{"softbot/limb-pd3", "pd", {}},
                        Case{"softbot/limb-state", "mass matrix, bias, acceleration, in other coordinates", {}},
                        Case{"softbot/cantilever", "frequencies, damping, the pose at rest", {}},
                        Case{"softbot/limb-underactuated", "lqr, the pose at rest, the pose held", held}})
    for (const Coordinates coordinates : {Coordinates::Tree, Coordinates::Maximal}) {
      std::vector<std::string> sets = c.sets;
      sets.emplace_back("duration=0.01");
      sets.emplace_back(coordinates == Coordinates::Tree ? "coordinates=tree" : "coordinates=maximal");
      const auto before = compile_count();
      const auto experiment = std::make_shared<const Experiment>(shipped_experiment(c.name, sets));
      run(*experiment);
      Simulation simulation(experiment);
      simulation.step(1);
      simulation.reset();
      EXPECT_EQ(compile_count() - before, coordinates == Coordinates::Tree ? 1 : 2) << c.name << ": " << c.asks;
    }
}

TEST(Experiment, a_step_that_the_springs_do_not_allow_is_refused) {
  const auto words = [](const std::vector<std::string>& sets) {
    try {
      shipped_experiment("softbot/limb-damped", sets);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const std::string refused = words({"method=rk4", "step=5", "duration=10"});
  EXPECT_NE(refused.find("integrator.step"), std::string::npos) << refused;
  EXPECT_NE(refused.find("springs vibrate with up to"), std::string::npos) << refused;
  EXPECT_EQ(words({"method=euler", "step=5", "duration=10"}), "");
}

TEST(Experiment, a_change_on_the_way_compiles_once_more_and_reads_no_file) {
  Simulation simulation(shipped_experiment("snake/sidewinding"));
  simulation.step(3);
  const auto before = compile_count();
  simulation.set("contact.mu", 0.4);
  EXPECT_EQ(compile_count() - before, 1);
  EXPECT_EQ(simulation.get("contact.mu"), 0.4);
}

TEST(Experiment, a_change_on_the_way_compiles_once_for_its_controller_as_well) {
  const std::vector<std::string> sets{"joint.pivot.drive=computed", "joint.pivot.motion.amplitude=0.5"};
  Simulation simulation(shipped_experiment("basics/pendulum", sets));
  simulation.step(3);
  const auto before = compile_count();
  simulation.set("joint.pivot.motion.frequency", 2.0);
  EXPECT_EQ(compile_count() - before, 1);
}

TEST(Scenario, a_copy_has_a_robot_and_a_gait_of_its_own) {
  Scenario one = test::shipped("snake/sidewinding");
  Scenario two = one;
  set_parameter(two, "gait.Ah_deg", 12.0);
  set_parameter(two, "robot.torque_limit", 3.0);
  const auto value = [](const Scenario& s, const char* key) {
    for (const Parameter& p : parameters_of(s))
      if (p.key == key) return p.value;
    return std::nan("");
  };
  EXPECT_EQ(value(one, "gait.Ah_deg"), 30.0);
  EXPECT_EQ(value(two, "gait.Ah_deg"), 12.0);
  EXPECT_TRUE(std::isinf(value(one, "robot.torque_limit")));
  EXPECT_EQ(value(two, "robot.torque_limit"), 3.0);
}

// The default is no schedule: the same bits. One that ticks every step is the same as well.
TEST(Schedule, of_every_step_changes_no_bit) {
  const auto hash_with = [](std::vector<std::string> sets) {
    sets.emplace_back("duration=0.1");
    return run(shipped_experiment("quadruped/trot", sets)).hash;
  };
  const double step = test::shipped("quadruped/trot").step;
  const std::uint64_t plain = hash_with({});
  EXPECT_EQ(hash_with({"control.period=" + std::to_string(step)}), plain);
  EXPECT_NE(hash_with({"control.period=" + std::to_string(4 * step)}), plain);
  EXPECT_NE(hash_with({"control.latency=" + std::to_string(step)}), plain);
}

TEST(Schedule, commands_on_their_way_are_part_of_a_snapshot) {
  const std::vector<std::string> sets{"control.period=0.0031", "control.phase=0.0007", "control.latency=0.0047"};
  const auto experiment = std::make_shared<const Experiment>(shipped_experiment("quadruped/trot", sets));
  Simulation s(experiment), other(experiment);
  for (const int split : {7, 13, 29}) {
    s.reset();
    ASSERT_FALSE(s.step(split));
    const Progress there = s.snapshot();
    ASSERT_FALSE(s.step(40));
    other.restore(there);
    ASSERT_FALSE(other.step(40));
    EXPECT_EQ(other.hash(), s.hash()) << split;
  }
}

}  // namespace simulation_test
}  // namespace sinew::sim
