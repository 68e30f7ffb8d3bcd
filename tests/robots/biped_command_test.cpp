// The biped as it is told: commands over time and while it runs, on ideal servos and on drives with sensors alone; pushes while it walks.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/sim/run.h"
#include "sinew/sim/simulation.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/seeds.h"

namespace sinew::robots {
namespace biped_command_test {

const std::string noisy = "devices = \"real\"\nhip_height = 0.775\nzmp_ahead = 0.03\n";

sim::Scenario told(const std::string& robot, const std::string& command, double duration, std::uint64_t seed = 0) {
  const std::string text = "title = \"t\"\nsource = \"s\"\nduration = " + std::to_string(duration) +
                           "\n[robot]\nkind = \"biped\"\naction = \"commands\"\n" + robot + "\n[command]\n" + command +
                           "\n[ground]\nkind = \"plane\"\n[contact]\nmu = 0.8\n[control]\nperiod = 1e-3\n"
                           "[integrator]\nmethod = \"moreau\"\nstep = 1e-3\n";
  sim::Scenario s = text::parse_scenario(text, "t");
  s.seed = seed;
  return s;
}

double result(const sim::RunResult& r, std::string_view name) {
  for (const auto& v : r.results)
    if (v.name == name) return v.values.at(0);
  ADD_FAILURE() << "no result " << name;
  return NAN;
}

TEST(BipedCommands, it_walks_as_it_is_told_and_stands_when_it_is_told_nothing) {
  const sim::RunResult r = sim::run(told("", "speed = 0.1\n[command.change.stop]\nat = 3.5\nspeed = 0", 6.5));
  EXPECT_EQ(result(r, "fallen"), 0.0);
  EXPECT_LT(result(r, "max_slip"), 3e-3);
  EXPECT_GT(result(r, "min_zmp_margin"), 5e-3);
  EXPECT_NEAR(result(r, "com_dx"), 0.32, 0.08);
  EXPECT_NEAR(result(r, "com_dy"), 0.0, 5e-3);
  const sim::RunResult rest = sim::run(told("", "speed = 0", 1.0));
  EXPECT_LT(result(rest, "distance"), 1e-6);
}

TEST(BipedCommands, what_is_set_while_it_runs_is_the_last_word) {
  sim::Simulation simulation(sim::Experiment(told("", "speed = 0", 8.0)));
  const auto go = [&](int steps) {
    for (int k = 0; k < steps; k++) simulation.step();
  };
  go(800);
  EXPECT_EQ(simulation.get("walk.phase"), 0.0);
  simulation.set("command.speed", 0.1);
  go(3000);
  EXPECT_GT(simulation.get("com.p.x"), 0.1);
  simulation.set("command.speed", 0.0);
  go(3000);
  EXPECT_EQ(simulation.get("walk.phase"), 0.0);
}

TEST(BipedCommands, on_drives_and_sensors_alone_it_walks_an_arc_with_five_seeds) {
  for (const std::uint64_t seed : noise_seeds()) {
    const sim::RunResult r = sim::run(told(noisy, "speed = 0.1\nturn = 0.1", 4.0, seed));
    EXPECT_EQ(result(r, "fallen"), 0.0) << seed;
    EXPECT_LT(result(r, "max_slip"), 3e-3) << seed;
    EXPECT_GT(result(r, "min_zmp_margin"), 5e-3) << seed;
  }
}

// From the left, while a foot is in the air: the sole is not enough, the next foothold is.
TEST(BipedCommands, a_push_that_fells_it_is_survived_where_footholds_may_move) {
  const std::string push = noisy + "device.thermal_current = 7\npush = 4\npush_from_deg = 90\npush_at = 3.2\n";
  EXPECT_EQ(result(sim::run(told(push + "balance.footholds = false\n", "speed = 0.1", 7.0)), "fallen"), 1.0);
  EXPECT_EQ(result(sim::run(told(push, "speed = 0.1", 7.0)), "fallen"), 0.0);
}

TEST(BipedCommands, what_legs_cannot_do_is_refused) {
  const std::pair<const char*, const char*> cases[] = {
      {"speed = 1", "command.speed is 1"},
      {"left = -0.2", "command.left is -0.2"},
      {"turn = 2", "command.turn is 2"},
      {"[command.change.x]\nat = 1\nspeed = 5", "speed of 5 m/s is too fast"}};
  for (const auto& [key, said] : cases) {
    try {
      told("", key, 1.0);
      ADD_FAILURE() << key;
    } catch (const std::exception& e) {
      EXPECT_NE(std::string(e.what()).find(said), std::string::npos) << e.what();
    }
  }
}

}  // namespace biped_command_test
}  // namespace sinew::robots
