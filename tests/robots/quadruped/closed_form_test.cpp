// The quadruped by its closed form as a run of its own, torques from tables, forces of pinned feet, and what carries a tail of bars
// (docs/theory/quadruped.md#stance).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "sinew/sim/errors.h"
#include "sinew/sim/run.h"
#include "sinew/sim/scenario.h"
#include "sinew/sim/signals.h"
#include "sinew/text/load_scenario.h"
#include "sinew/world/observe.h"
#include "tests/robots/quadruped/setup.h"
#include "tests/support/shipped.h"

namespace sinew {
namespace closed_form_test {

sim::Scenario scenario_of(const std::string& robot, const std::string& more = "", const std::string& file = "q.toml") {
  return text::parse_scenario("duration = 0.3\n[robot]\nkind = \"quadruped\"\n" + robot +
                                  "\n[integrator]\nmethod = \"rk4\"\nstep = 1e-4\n" + more,
                              file);
}

const std::string yaw =
    "tau = [0, 0, 15, 15, 20.5, 20.5, -7.7, 0, 0, 0, 0, 0, 0, 0]\n"
    "tau_sin = [0, 0, 0, 0, 0, 0, 0, -10, 0, 0, 0, 0, 0, 0]\ntau_omega = [0, 0, 0, 0, 0, 0, 0, 31.4, 0, 0, 0, 0, 0, "
    "0]\n";

double value(const World<double>& world, const std::string& name) {
  const auto signals = sim::signals_of(world.model());
  const auto found = sim::find_signals(signals, name);
  EXPECT_EQ(found.size(), 1u) << name;
  return found.empty() ? NAN : sim::evaluate(signals[found[0]], world, observe(world));
}

void run(World<double>& world, int steps) {
  for (int i = 0; i < steps; i++) ASSERT_TRUE(world.step(1e-4).finite);
}

void expect_equal(const World<double>& tree, const World<double>& closed) {
  const auto of_tree = sim::signals_of(tree.model()), of_closed = sim::signals_of(closed.model());
  const auto seen_tree = observe(tree), seen_closed = observe(closed);
  int compared = 0;
  for (const sim::Signal& s : of_closed) {
    const auto found = sim::find_signals(of_tree, s.name);
    if (found.size() != 1 || s.name.starts_with("solver")) continue;
    const double want = sim::evaluate(of_tree[found[0]], tree, seen_tree), is = sim::evaluate(s, closed, seen_closed);
    // positions, rates and energies to 1e-9; forces of hundreds of newtons relative to their size; q and -q are one orientation
    const bool turn = s.name.find("quat") != std::string::npos;
    const double off = turn ? std::abs(is) - std::abs(want) : is - want;
    EXPECT_LT(std::abs(off), 1e-9 * std::max(1.0, std::abs(want))) << s.name << " " << tree.state.t;
    compared++;
  }
  EXPECT_GT(compared, 150);
}

TEST(QuadrupedClosed, its_run_is_that_of_the_tree_in_every_signal_they_share) {
  World<double> tree = make_world(scenario_of(yaw)),
                closed = make_world(scenario_of(yaw + "formulation = \"closed\"\n"));
  for (int part = 0; part < 6; part++) {
    run(tree, 500), run(closed, 500);
    expect_equal(tree, closed);
  }
}

// A run of a scenario with its controller, from beside the pose that it holds.
World<double> controlled(const std::string& keys) {
  const sim::Scenario scenario = scenario_of(keys);
  World<double> world = make_world(scenario);
  const auto controller = test::controller_of(scenario);
  EXPECT_TRUE(controller);
  Readings readings;
  for (int i = 0; i < 1000 && controller; i++) {
    read_sensors(world, readings);
    controller->update(readings, world.state.memory, world.input);
    EXPECT_TRUE(world.step(1e-4).finite);
  }
  return world;
}

TEST(QuadrupedClosed, controllers_move_it_as_they_move_the_tree) {
  const std::string start = "u = [0.05, -0.1, 0.05, 0.2, 0.1, -0.2, 0.5, -0.5]\n";
  for (const std::string control :
       {"controller = \"hold\"\nswing = 0.3\nswing_out = 0.05\nswing_back = 0.05\n",
        "controller = \"goal\"\ngoal_p = [0.2, 0.31, 0.41]\n", "controller = \"walk\"\ngait_start = 1\n"})
    expect_equal(controlled(start + control), controlled(start + control + "formulation = \"closed\"\n"));
}

// Gains that no step of this length can follow: the run ends with words about it.
TEST(QuadrupedClosed, a_controller_that_throws_it_off_ends_the_run) {
  const sim::Scenario scenario =
      scenario_of("formulation = \"closed\"\ncontroller = \"hold\"\nleg_kd = 1e6\nu = [0.1, 0, 0, 0, 0, 0, 0, 0]\n");
  const sim::RunResult result = sim::run(scenario, {});
  EXPECT_EQ(result.ending, sim::Ending::Failed);
  ASSERT_TRUE(result.diagnosis);
  EXPECT_NE(result.diagnosis->cause.find("own equations"), std::string::npos) << result.diagnosis->cause;
}

// On every part of it, those of the legs and the tail as well: force and couple.
TEST(QuadrupedClosed, pushes_move_it_as_they_move_the_tree) {
  World<double> tree = make_world(scenario_of(yaw)),
                closed = make_world(scenario_of(yaw + "formulation = \"closed\"\n"));
  for (int i = 0; i < closed.model().link_count(); i++) {
    const std::string& part = closed.model().body_names[i];
    const Vec3d f = Vec3d(8.0 - 2.0 * i, 3.0 + i, -5.0 + i * (i % 3)), n = Vec3d(0.3 * (i % 4), -0.5, 0.1 * i);
    closed.input.external[i] = {n, f};
    // the tree's tail has a point mass and no inertia of its own: its centre of mass is the tip
    tree.input.external[tree.model().body(part)] = {n, f};
  }
  run(tree, 1000), run(closed, 1000);
  expect_equal(tree, closed);
  EXPECT_GT(std::abs(closed.state.work.external), 0.1);
  EXPECT_LT(std::abs(observe(closed).balance_error), 1e-8);
}

TEST(QuadrupedClosed, rates_of_the_paper_lose_0_19_J) {
  World<double> paper = make_world(scenario_of(yaw + "formulation = \"closed\"\nrate_map = \"paper\"\n"));
  run(paper, 3000);
  EXPECT_NEAR(std::abs(observe(paper).balance_error), 0.1862602446192927, 1e-8);
  EXPECT_NEAR(value(paper, "body.plate.rpy.x"), -0.001235753, 1e-8);
}

TEST(QuadrupedClosed, a_leg_that_is_too_short_ends_the_run) {
  World<double> world = make_world(
      scenario_of("q = [0.2, 0.3, 0.55, 0, 0, 0, 0, 0]\nu = [0, 0, 3, 0, 0, 0, 0, 0]\nformulation = \"closed\"\n"));
  bool finite = true;
  for (int i = 0; i < 3000 && finite; i++) finite = world.step(1e-4).finite;
  EXPECT_FALSE(finite);
  EXPECT_LT(world.state.t, 0.1);
}

TEST(QuadrupedClosed, feet_pinned_to_the_world_tell_their_forces) {
  legged::RandomState s;
  static_cast<legged::GivenState&>(s) = legged::state_A;
  const World<double> world = make_world(scenario_of(yaw));
  const legged::Stance stance = stance_at(s.robot, s);
  const legged::Feet f = foot_forces(s.robot, stance, forward(s.robot, stance, s.tau), s.tau);
  for (int i = 0; i < 4; i++)
    for (int c = 0; c < 3; c++)
      EXPECT_NEAR(value(world, fmt::format("joint.foot{}.force.{}", i + 1, "xyz"[c])), f[i][c], 1e-8);
}

// The ramp of a linear table and a rate, and the table of a sine against the sine: the same torques.
TEST(QuadrupedTorques, a_table_does_what_the_formula_does) {
  std::string t, table;
  for (int i = 0; i <= 600; i++) {
    const double time = 5e-4 * i;
    t += fmt::format("{}{:.17g}", i ? ", " : "", time);
    table += fmt::format("{}0, 0, 15, 15, 20.5, 20.5, -7.7, {:.17g}, 0, 0, 0, 0, 0, 0", i ? ", " : "",
                         -10.0 * std::sin(31.4 * time));
  }
  const std::string keys = fmt::format("tau_t = [{}]\ntau_table = [{}]\ntau_interpolate = \"smooth\"\n", t, table);
  World<double> given = make_world(scenario_of(yaw));
  run(given, 3000);
  for (const char* way : {"tree", "closed"}) {
    World<double> world = make_world(scenario_of(keys + fmt::format("formulation = \"{}\"\n", way)));
    run(world, 3000);
    // a spline of step 5e-4 through a sine of 31.4 rad/s: (31.4 h)^4 / 384 of its amplitude inside, less good at the ends, where its
    // slope is not that of the sine
    for (const char* name : {"body.plate.p.x", "body.plate.rpy.z", "joint.tail.q.1"})
      EXPECT_NEAR(value(world, name), value(given, name), 1e-4) << way << name;
  }
}

TEST(QuadrupedTorques, a_file_is_as_good_as_a_table) {
  const std::string folder = testing::TempDir();
  std::ofstream(folder + "/torques.csv") << "t,ha1,ha2,k1,k2,k3,k4,ta,tb,ha3,ha4,hb1,hb2,hb3,hb4\n"
                                         << "0,0,0,15,15,20.5,20.5,-7.7,0,0,0,0,0,0,0\n"
                                         << "0.1,0,0,15,15,20.5,20.5,-7.7,-10,0,0,0,0,0,0\n"
                                         << "0.2,0,0,15,15,20.5,20.5,-7.7,5,0,0,0,0,0,0\n";
  World<double> file = make_world(scenario_of("tau_file = \"torques.csv\"\n", "", folder + "/q.toml"));
  World<double> table =
      make_world(scenario_of("tau_t = [0, 0.1, 0.2]\ntau_table = [0,0,15,15,20.5,20.5,-7.7,0,0,0,0,0,0,0, "
                             "0,0,15,15,20.5,20.5,-7.7,-10,0,0,0,0,0,0, 0,0,15,15,20.5,20.5,-7.7,5,0,0,0,0,0,0]\n"));
  run(file, 2500), run(table, 2500);
  EXPECT_EQ(file.state.q, table.state.q);
}

TEST(QuadrupedTorques, bad_tables_and_formulations_are_refused_in_words) {
  const auto problem = [](const std::string& keys) {
    try {
      scenario_of(keys);
    } catch (const InputError& e) {
      return e.problems.front();
    }
    return std::string();
  };
  EXPECT_NE(problem("tau_t = [0, 1]\ntau_table = [1, 2]").find("28 are needed"), std::string::npos);
  EXPECT_NE(problem("tau_t = [1, 1]\ntau_table = [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]")
                .find("not later"),
            std::string::npos);
  EXPECT_NE(problem("tau_file = \"nowhere.csv\"").find("nowhere.csv"), std::string::npos);
  EXPECT_NE(problem("formulation = \"closed\"\nfeet = \"contact\"").find("pinned feet"), std::string::npos);
  EXPECT_NE(problem("rate_map = \"paper\"").find("formulation"), std::string::npos);
}

// Six bars of a tail. The torques that carry robot and tail keep both where they are: the feet share the
// weight, and PD has nothing to do.
TEST(QuadrupedHold, carries_a_tail_of_bars) {
  const sim::Scenario scenario = text::parse_scenario(
      "duration = 0.5\n[robot]\nkind = \"quadruped\"\nfeet = \"contact\"\ncontroller = \"hold\"\ntail = "
      "\"segments\"\nN = 6\ntail_kp = 5\ntail_kd = 0.05\n"
      "q = [0.2, 0.3, 0.4, 0, 0, 0, 0.2, 0.3, 0.1, 0, 0, -0.2, 0.1, 0, 0, 0, 0, 0]\n[ground]\nkind = "
      "\"plane\"\n[contact]\nmu = 0.8\n"
      "[integrator]\nmethod = \"moreau\"\nstep = 1e-3\n",
      "hold.toml");
  World<double> world = make_world(scenario);
  const auto controller = test::controller_of(scenario);
  Readings readings;
  const std::vector<double> start = world.state.q;
  for (int i = 0; i < 500; i++) {
    read_sensors(world, readings);
    controller->update(readings, world.state.memory, world.input);
    ASSERT_TRUE(world.step(1e-3).converged);
  }
  for (std::size_t i = 0; i < start.size(); i++) EXPECT_NEAR(world.state.q[i], start[i], 1e-6) << i;
  EXPECT_NEAR(observe(world).total.normal, 37.0393 * 9.8067, 1e-3);
}

// While foot 4 slides, the others need at most 0.211 of friction.
TEST(QuadrupedSlip, feet_that_stick_need_what_the_event_driven_run_says) {
  const sim::Scenario scenario =
      text::load_scenario(std::string(SINEW_SCENARIO_DIR) + "/quadruped/yaw-on-ground.toml", "slip");
  World<double> world = make_world(scenario);
  double most = 0.0, least = 1e9;
  for (int i = 0; i < 3000; i++) {
    ASSERT_TRUE(world.step(1e-4).converged);
    const auto seen = observe(world);
    for (const ContactReading<double>& c : seen.contacts) {
      if (!c.name.starts_with("shank")) continue;
      least = std::min(least, c.normal);
      if (!c.name.starts_with("shank4")) most = std::max(most, norm(c.friction) / c.normal);
    }
  }
  EXPECT_NEAR(most, 0.21100198446404994, 1e-3);  // first order in the step
  EXPECT_NEAR(least, 72.62362470983908, 0.07);
}

// A foot that lands and sticks: friction takes nothing out, and never puts anything in.
TEST(QuadrupedDrop, friction_of_feet_that_stick_is_no_source) {
  const auto friction = [](double h) {
    const std::vector<std::string> sets{fmt::format("step={}", h), "duration=0.3"};
    const sim::Scenario scenario =
        text::load_scenario(std::string(SINEW_SCENARIO_DIR) + "/quadruped/ledge-drop.toml", "drop", sets);
    World<double> world = make_world(scenario);
    const auto controller = test::controller_of(scenario);
    Readings readings;
    double last = 0.0;
    for (int i = 0; i < int(std::lround(0.3 / h)); i++) {
      read_sensors(world, readings);
      controller->update(readings, world.state.memory, world.input);
      world.step(h);
      EXPECT_GE(world.state.work.friction, last);
      last = world.state.work.friction;
    }
    return last;
  };
  const double coarse = friction(4e-4), fine = friction(1e-4);
  EXPECT_LT(fine, 1e-4);
  EXPECT_LT(fine, 0.5 * coarse);
}

}  // namespace closed_form_test
}  // namespace sinew
