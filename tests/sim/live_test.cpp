// Simulations that are pushed and whose numbers are changed on the way.

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "sinew/sim/errors.h"
#include "sinew/sim/run.h"
#include "sinew/sim/signals.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/shipped.h"
#include "tests/support/touching.h"

namespace sinew::sim {
namespace live_test {

using Change = Simulation::Change;

Experiment load(const std::string& name, const std::vector<std::string>& sets = {}) {
  return sinew::test::shipped_experiment(name, sets);
}

std::vector<std::size_t> set(Simulation& s, const std::string& key, double value) {
  return s.set(std::vector<Change>{{key, value}});
}

const Parameter& parameter(Simulation& s, const std::string& key) {
  return *std::ranges::find(s.parameters(), key, &Parameter::key);
}

double signal(Simulation& s, const std::string& name) {
  const auto signals = signals_of(s.world().model());
  return evaluate(signals[find_signals(signals, name).at(0)], s.world(), s.seen());
}

std::string words_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Simulation, left_alone_gives_the_bits_of_a_run) {
  for (const char* name : {"snake/sidewinding", "basics/pendulum", "basics/four-bar", "basics/stack"}) {
    Simulation simulation(load(name));
    for (int i = 0; i < 40; i++) ASSERT_FALSE(simulation.step(5));
    Experiment experiment = load(name);
    experiment.scenario.duration = 200 * experiment.scenario.step;
    EXPECT_EQ(simulation.hash(), run(experiment).hash) << name;
  }
}

TEST(Simulation, reset_reproduces_the_start) {
  Simulation simulation(load("snake/sidewinding"));
  const auto start = hash(simulation.world().state);
  simulation.step(100);
  const auto later = hash(simulation.world().state);
  EXPECT_NE(later, start);
  simulation.push("link4", Vec3d::zero(), Vec3d(0, 0, 1));
  simulation.step(50);
  simulation.reset();
  EXPECT_EQ(hash(simulation.world().state), start);
  simulation.step(100);
  EXPECT_EQ(hash(simulation.world().state), later);
}

TEST(Simulation, a_motion_goes_on_from_where_it_is_with_another_frequency) {
  const Motion<double> planned{
      .offset = 0.1, .rate = 0.3, .amplitude = 0.5, .frequency = 0.4, .phase = 0.7, .ramp = 1.0};
  Motion<double> now = planned, before = planned;
  double t = 3.21, m, m_rate, m_accel, n, n_rate, n_accel;
  for (const double frequency : {0.9, 0.0, -2.0, 0.4}) {
    Motion<double> next = planned;
    next.frequency = frequency, next.rate = frequency * 2.0;
    now.evaluate(t, m, m_rate, m_accel);
    const Motion<double> changed = go_on(now, before, next, t);
    changed.evaluate(t, n, n_rate, n_accel);
    EXPECT_NEAR(n, m, 1e-12);
    EXPECT_EQ(changed.frequency, frequency);
    now = changed, before = next, t += 1.7;
  }
  Motion<double> wider = before;
  wider.amplitude = 1.0, wider.phase += 0.2;
  const Motion<double> changed = go_on(now, before, wider, t);
  EXPECT_EQ(changed.amplitude, 1.0);
  EXPECT_NEAR(changed.phase - now.phase, 0.2, 1e-12);
}

TEST(Simulation, a_motion_that_has_begun_does_not_wait_again) {
  const Motion<double> now{.amplitude = 0.5, .frequency = 0.4, .start = 1.0};
  Motion<double> slower = now;
  slower.frequency = 0.1, slower.start = 4.0;
  EXPECT_EQ(go_on(now, now, slower, 2.0).start, 1.0);
  // half of the wait of 0.4 turns is over, the other half takes four times as long
  const Motion<double> waiting = go_on(now, now, slower, 0.5);
  EXPECT_NEAR(waiting.start, 0.5 + 2.0, 1e-12);
  double m, rate, accel, first, first_rate;
  now.evaluate(now.start, first, first_rate, accel);
  waiting.evaluate(waiting.start, m, rate, accel);
  EXPECT_NEAR(m, first, 1e-12);
  EXPECT_NEAR(rate, first_rate / 4.0, 1e-12);
  waiting.evaluate(2.4, m, rate, accel);
  EXPECT_EQ(m, 0.0);
}

// What the drives aim at, joint by joint.
std::vector<double> targets(const World<double>& world) {
  std::vector<double> out;
  for (const auto& motion : world.params.motions) {
    double m, rate, accel;
    motion.evaluate(world.state.t, m, rate, accel);
    out.push_back(m);
  }
  return out;
}

TEST(Simulation, another_frequency_of_the_gait_does_not_move_the_targets) {
  Simulation simulation(load("snake/gait-sidewinding"));
  const double step = simulation.scenario().step;
  ASSERT_FALSE(simulation.step(int(2.0 / step)));
  for (const double frequency : {1.0, 0.2}) {
    const auto before = targets(simulation.world());
    set(simulation, "gait.frequency", frequency);
    const auto after = targets(simulation.world());
    ASSERT_EQ(before.size(), after.size());
    double largest = 0.0;
    for (std::size_t i = 0; i < before.size(); i++) {
      EXPECT_NEAR(after[i], before[i], 1e-12);
      largest = std::max(largest, std::abs(before[i]));
    }
    EXPECT_GT(largest, 0.1);
    EXPECT_EQ(simulation.world().params.motions[0].frequency, frequency);
    ASSERT_FALSE(simulation.step(int(0.1 / step)));
  }
}

TEST(Simulation, joints_with_computed_torque_follow_another_frequency) {
  Simulation simulation(text::parse_experiment(R"(
[body.arm]
inertia = [0.1, 0.1, 0.1]
[joint.shoulder]
child = "arm"
p_child = [-0.5, 0, 0]
axis = [0, 1, 0]
drive = "computed"
[joint.shoulder.motion]
amplitude = 0.5
frequency = 0.5
ramp = 1.0
)",
                                               "arm.toml"));
  ASSERT_FALSE(simulation.step(1700));
  set(simulation, "joint.shoulder.motion.frequency", 0.8);
  ASSERT_FALSE(simulation.step(100));  // in the middle of the passage: the controller knows it as well
  EXPECT_NEAR(simulation.seen().joints[0].q[0], targets(simulation.world())[0], 1e-4);
  ASSERT_FALSE(simulation.step(1000));
  EXPECT_NEAR(simulation.seen().joints[0].q[0], targets(simulation.world())[0], 1e-4);
}

TEST(Simulation, energy_that_a_change_brings_is_no_error) {
  Simulation simulation(load("basics/pendulum", {"integrator.method=rk4"}));
  ASSERT_FALSE(simulation.step(700));
  const double potential = simulation.seen().energy.potential, error = simulation.balance_error();
  set(simulation, "gravity.g[1]", -1.62);
  EXPECT_NEAR(simulation.seen().energy.potential, potential * 1.62 / 9.81, 1e-12);
  EXPECT_NEAR(simulation.balance_error(), error, 1e-12);
  set(simulation, "joint.pivot.stiffness", 20.0);
  EXPECT_GT(simulation.seen().energy.elastic, 1.0);
  EXPECT_NEAR(simulation.balance_error(), error, 1e-12);
  set(simulation, "body.bob.mass", 3.0);
  EXPECT_NEAR(simulation.balance_error(), error, 1e-12);
  ASSERT_FALSE(simulation.step(2000));
  EXPECT_NEAR(simulation.balance_error(), 0.0, 1e-8);  // that of rk4
}

TEST(Simulation, a_patch_of_the_ground_becomes_softer_on_the_way) {
  Simulation simulation(load("contact/patches"));
  ASSERT_FALSE(simulation.step(1000));
  EXPECT_NEAR(signal(simulation, "body.light.p.z"), 0.05 - 2.0 * 9.81 / 8000.0, 1e-6);
  set(simulation, "ground.patch.mud.stiffness", 4000.0);
  ASSERT_FALSE(simulation.step(1000));
  EXPECT_NEAR(signal(simulation, "body.light.p.z"), 0.05 - 2.0 * 9.81 / 4000.0, 1e-6);
  EXPECT_NEAR(simulation.balance_error(), 0.0, 1e-9);
}

TEST(Simulation, a_loop_follows_another_speed_of_its_drive) {
  Simulation simulation(load("basics/slider-crank"));
  ASSERT_FALSE(simulation.step(50));
  const double speed = simulation.seen().bodies[2].v_WC[0], error = simulation.balance_error();
  set(simulation, "joint.main.motion.rate_deg", 2.0 * 10.0 * 180.0 / std::numbers::pi);
  EXPECT_NEAR(simulation.seen().bodies[2].v_WC[0], speed, 1e-9);
  EXPECT_LT(simulation.seen().gap, 1e-9);
  EXPECT_NEAR(simulation.balance_error(), error, 1e-12);
  ASSERT_FALSE(simulation.step(int(std::lround(0.6 / simulation.scenario().step))));
  EXPECT_NEAR(simulation.seen().joints[0].u[0], 20.0, 1e-9);
  EXPECT_LT(simulation.seen().gap, 1e-9);
  EXPECT_LT(std::abs(simulation.balance_error()), 1e-3 * simulation.seen().energy.kinetic);
}

// Speeds of all hinges, and the largest change of one from a to b.
std::vector<double> speeds(Simulation& s) {
  std::vector<double> out;
  for (const auto& joint : s.seen().joints)
    if (joint.u.size() == 1) out.insert(out.end(), joint.u.begin(), joint.u.end());
  return out;
}
double largest_change(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); i++) largest = std::max(largest, std::abs(b[i] - a[i]));
  return largest;
}

TEST(Simulation, joints_that_follow_a_gait_exactly_pass_over_to_another_without_a_jump) {
  for (const char* coordinates : {"robot.coordinates=tree", "robot.coordinates=maximal"}) {
    Simulation simulation(load("basics/wave-chain", {coordinates}));
    ASSERT_FALSE(simulation.step(1300));
    // changes of amplitude, frequency, phase, offset; the last one in the middle of the passage before it
    struct Example {
      const char* key;
      double value;
      int steps;
    };
    for (const auto& [key, value, steps] : {Example{"gait.Ah_deg", 45.0, 400}, Example{"gait.wh_deg_s", 220.0, 400},
                                            Example{"gait.dh_deg", -50.0, 60}, Example{"gait.ph_deg", 10.0, 400}}) {
      std::vector<double> before = speeds(simulation);
      set(simulation, key, value);
      EXPECT_LT(largest_change(before, speeds(simulation)), 1e-6) << key;
      ASSERT_FALSE(simulation.step(1));
      const double first = largest_change(before, speeds(simulation));
      double usual = 0.0;
      for (int i = 1; i < steps; i++) {
        before = speeds(simulation);
        ASSERT_FALSE(simulation.step(1));
        usual = std::max(usual, largest_change(before, speeds(simulation)));
      }
      EXPECT_GT(first, 0.0);
      EXPECT_LE(first, 1.05 * usual) << key;
      EXPECT_LT(usual, 0.1) << key;  // rad/s in a step of 2 ms; a jump by 10 degrees would be 87
    }
    EXPECT_LT(std::abs(simulation.balance_error()), 1e-2 * simulation.world().state.work.actuators);
  }
}

TEST(Simulation, a_parameter_has_its_effect) {
  Simulation simulation(load("basics/pendulum"));
  const auto changed = set(simulation, "gravity.g[1]", 0.0);
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(simulation.parameters()[changed[0]].key, "gravity.g[1]");
  EXPECT_EQ(parameter(simulation, "gravity.g[1]").value, 0.0);
  EXPECT_EQ(parameter(simulation, "gravity.g[1]").at_start, -9.81);
  ASSERT_FALSE(simulation.step(500));
  EXPECT_EQ(simulation.seen().joints[0].u[0], 0.0);  // nothing pulls
  set(simulation, "gravity.g[1]", -9.81);
  ASSERT_FALSE(simulation.step(500));
  EXPECT_GT(std::abs(simulation.seen().joints[0].u[0]), 1.0);
  simulation.reset();
  EXPECT_EQ(parameter(simulation, "gravity.g[1]").value, -9.81);
}

TEST(Simulation, a_change_to_the_same_value_changes_no_bit) {
  struct Example {
    const char *name, *key;
    std::vector<std::string> sets = {};
  };
  for (const auto& [name, key, sets] :
       {Example{"snake/sidewinding", "contact.mu"}, Example{"snake/sidewinding", "gait.Ah_deg"},
        Example{"snake/lateral-undulation", "gravity.g[2]", {"robot.coordinates=maximal"}},
        Example{"snake/gait-turning", "gait.frequency", {"integrator.actuator=implicit"}},
        Example{"basics/four-bar", "gravity.g[1]"}, Example{"basics/pendulum", "joint.pivot.damping"},
        Example{"basics/spring-chain", "robot.stiffness"}, Example{"basics/stack", "contact.restitution"},
        Example{"continuum/soft-release", "robot.E"}, Example{"continuum/eel", "robot.drag_across"}}) {
    Simulation changed(load(name, sets)), untouched(load(name, sets));
    changed.step(100), untouched.step(100);
    const auto which = set(changed, key, parameter(changed, key).value);
    EXPECT_TRUE(which.empty()) << name << " " << key;
    changed.step(100), untouched.step(100);
    EXPECT_EQ(hash(changed.world().state), hash(untouched.world().state)) << name << " " << key;
  }
}

TEST(Simulation, a_shorthand_and_its_keys_follow_each_other) {
  Simulation simulation(load("snake/sidewinding", {"mu_long=0.3", "mu_trans=0.3"}));
  EXPECT_EQ(set(simulation, "contact.mu", 0.5).size(), 4u);
  EXPECT_EQ(parameter(simulation, "contact.mu_trans").value, 0.5);
  set(simulation, "contact.mu_trans", 0.9);
  EXPECT_EQ(parameter(simulation, "contact.mu_long").value, 0.5);
  EXPECT_EQ(simulation.world().params.contact_laws[0].mu_trans, 0.9);
  set(simulation, "contact.mu", 0.1);
  EXPECT_EQ(simulation.world().params.contact_laws[0].mu_trans, 0.1);
}

TEST(Simulation, a_law_that_appears_on_a_joint_takes_hold) {
  Simulation simulation(load("basics/pendulum", {"integrator.method=moreau"}));
  ASSERT_FALSE(simulation.step(300));
  set(simulation, "joint.pivot.dry_friction", 30.0);
  ASSERT_FALSE(simulation.step(1000));
  EXPECT_NEAR(simulation.seen().joints[0].u[0], 0.0, simulation.scenario().plan.contact.options.tolerance);
  EXPECT_NEAR(simulation.balance_error(), 0.0, 1e-2);
}

TEST(Simulation, a_bad_value_is_refused_in_the_readers_words_and_changes_nothing) {
  Simulation simulation(load("snake/sidewinding")), untouched(load("snake/sidewinding"));
  simulation.step(40), untouched.step(40);
  const auto refused = [&](const std::string& key, double value) {
    return words_of([&] { set(simulation, key, value); });
  };
  EXPECT_NE(refused("contact.mu", -1.0).find("it must be >= 0"), std::string::npos) << refused("contact.mu", -1.0);
  EXPECT_NE(refused("gait.frequenzy", 1.0).find("live"), std::string::npos);
  EXPECT_NE(refused("robot.n_links", 5.0), "");
  EXPECT_NE(refused("robot.link_mass", 0.0), "");
  EXPECT_EQ(parameter(simulation, "contact.mu").value, 0.2);
  simulation.step(40), untouched.step(40);
  EXPECT_EQ(hash(simulation.world().state), hash(untouched.world().state));
}

TEST(Simulation, a_value_that_no_run_could_start_with_is_taken_by_one_under_way) {
  Simulation simulation(load("snake/obstacle-aided"));
  ASSERT_FALSE(simulation.step(500));
  set(simulation, "gait.dh_deg", -60.0);
  EXPECT_THROW(load("snake/obstacle-aided", {"gait.dh_deg=-60"}), InputError);  // inside a peg
  ASSERT_FALSE(simulation.step(200));
  const auto there = hash(simulation.world().state);
  const std::string why = words_of([&] { simulation.reset(); });
  EXPECT_NE(why.find("reset: "), std::string::npos);
  EXPECT_NE(why.find("inside 'peg."), std::string::npos) << why;
  EXPECT_EQ(hash(simulation.world().state), there);
  ASSERT_FALSE(simulation.step(50));
  EXPECT_NE(hash(simulation.world().state), there);
  set(simulation, "gait.dh_deg", -50.0);
  simulation.reset();
  EXPECT_EQ(hash(simulation.world().state), hash(Simulation(load("snake/obstacle-aided")).world().state));
}

TEST(Simulation, a_wave_that_could_not_begin_softly_is_taken_once_it_has_begun) {
  Simulation simulation(load("snake/sidewinding"));
  ASSERT_FALSE(simulation.step(int(3.0 / simulation.scenario().step)));
  set(simulation, "gait.ph_deg", 60.0);
  ASSERT_FALSE(simulation.step(100));
  EXPECT_NE(words_of([&] { simulation.reset(); }).find("never comes within 3 degrees"), std::string::npos);
}

TEST(Simulation, work_of_a_push_is_in_the_account) {
  Simulation simulation(load("snake/straight-at-rest"));
  const double step = simulation.scenario().step;
  simulation.push("link6", Vec3d(0.0, 0.0, 0.03), Vec3d(0.3, 0.4, 0.3));
  ASSERT_FALSE(simulation.step(int(0.2 / step)));
  EXPECT_GT(std::hypot(signal(simulation, "external.force.x"), signal(simulation, "external.force.y")), 1.0);
  ASSERT_FALSE(simulation.step(int(0.8 / step)));
  const double work = simulation.world().state.work.external;
  EXPECT_GT(work, 1.0);
  EXPECT_LT(std::abs(simulation.balance_error()), 1e-2 * work);
  EXPECT_GT(simulation.seen().bodies[5].p_WC[1], 0.2);  // it follows
  simulation.release();
  EXPECT_EQ(signal(simulation, "external.force.y"), 0.0);
  ASSERT_FALSE(simulation.step(int(0.2 / step)));
  EXPECT_EQ(simulation.world().state.work.external, work);
}

TEST(Simulation, no_push_is_stronger_than_its_limit_or_shakes_the_robot_to_pieces) {
  Simulation simulation(load("snake/sidewinding"));
  double mass = 0.0;
  for (const auto& link : simulation.world().params.links) mass += link.I_F.m;
  for (const double x : {1e6, -3.0, 0.0}) {
    simulation.push("link1", Vec3d(0.05, 0.05, 0.1), Vec3d(x, 0.0, 0.5));
    for (int i = 0; i < 20; i++) {
      ASSERT_FALSE(simulation.step(40));
      const Wrench<double>& F = simulation.world().input.external[simulation.world().model().body("link1")];
      EXPECT_LE(norm(F.f), 30.0 * mass * (1 + 1e-12));
    }
  }
  EXPECT_THROW(simulation.push("nobody", Vec3d::zero(), Vec3d::zero()), InputError);
}

TEST(Simulation, a_step_that_fails_is_explained_as_a_run_explains_it) {
  const std::vector<std::string> sets{"integrator.method=moreau", "joint.pivot.position=0.5"};
  Simulation simulation(load("basics/pendulum", sets));
  set(simulation, "joint.pivot.stiffness", 1e7);
  std::optional<Diagnosis> failure;
  for (int i = 0; i < 1000 && !failure; i++) failure = simulation.step(10);
  ASSERT_TRUE(failure);
  std::vector<std::string> all = sets;
  all.emplace_back("joint.pivot.stiffness=1e7");
  const RunResult result = run(load("basics/pendulum", all));
  ASSERT_EQ(result.ending, Ending::Failed);
  EXPECT_EQ(text_of(*failure, "basics/pendulum"), text_of(*result.diagnosis, result.scenario));
  EXPECT_EQ(simulation.world().state.t, result.end);
  for (const double x : simulation.world().state.q) EXPECT_TRUE(std::isfinite(x));
  set(simulation, "joint.pivot.stiffness", 0.0);
  simulation.reset();
  EXPECT_FALSE(simulation.step(100));
}

}  // namespace live_test
}  // namespace sinew::sim
