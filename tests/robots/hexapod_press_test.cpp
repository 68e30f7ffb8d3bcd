// The hexapod with a leg that pushes while the others stand, and without a table of a gait.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/sim/run.h"
#include "sinew/text/load_scenario.h"

namespace sinew::robots {
namespace hexapod_press_test {

const std::string wall =
    "[ground.obstacle.wall]\nkind = \"box\"\nposition = [0.33, 0.3, 0.15]\nsize = [0.1, 0.4, 0.3]\n";

std::string file(const std::string& robot, const std::string& command, const std::string& ground, double duration) {
  return "title = \"t\"\nsource = \"s\"\nduration = " + std::to_string(duration) + "\n[robot]\nkind = \"hexapod\"\n" +
         robot + "[command]\n" + command + "[ground]\nkind = \"plane\"\n" + ground +
         "[contact]\nmu = 0.6\n[control]\nperiod = 1e-3\n[integrator]\nmethod = \"moreau\"\nstep = 1e-3\n"
         "[output.result]\nforce = { signal = \"walk.press.force\", take = \"mean\", from = 4.5 }\n"
         "most = { signal = \"walk.press.force\", take = \"max\", from = 4.5 }\nstate = \"walk.press.state\"\n"
         "mode = \"walk.mode\"\nmargin = { signal = \"walk.margin\", take = \"min\", from = 1.0 }\n";
}

sim::RunResult run(const std::string& robot, const std::string& command, const std::string& ground, double duration,
                   std::uint64_t seed = 0) {
  sim::Scenario s = text::parse_scenario(file(robot, command, ground, duration), "t");
  s.seed = seed;
  return sim::run(s);
}

double value(const sim::RunResult& r, std::string_view name) {
  for (const auto& v : r.results)
    if (v.name == name) return v.values.at(0);
  ADD_FAILURE() << "no result " << name;
  return NAN;
}

const std::string press =
    "mode = \"stand\"\npress = \"L1\"\npress_direction = \"ahead\"\npress_ahead = 0.04\npress_up = 0.06\n";

TEST(HexapodPress, a_front_leg_presses_with_the_force_that_is_asked_for) {
  for (const double force : {3.0, 10.0}) {
    const sim::RunResult r = run("", press + "press_force = " + std::to_string(force) + "\n", wall, 5.5);
    EXPECT_NEAR(value(r, "force"), force, 0.05 * force);
    EXPECT_LT(value(r, "most"), 1.1 * force);
    EXPECT_EQ(value(r, "state"), 3.0);
    EXPECT_EQ(value(r, "fallen"), 0.0);
    EXPECT_GT(value(r, "margin"), 0.01);
    EXPECT_LT(value(r, "max_slip"), 0.003);
  }
}

TEST(HexapodPress, it_comes_back_and_walks_when_it_is_told_to) {
  const std::string then =
      "[command.change.go]\nat = 4.5\npress = \"none\"\nmode = \"walk\"\nleft = -0.05\nspeed = 0.0\n";
  const sim::RunResult r = run("", press + then, wall, 11.0);
  EXPECT_EQ(value(r, "state"), 0.0);
  EXPECT_EQ(value(r, "mode"), 2.0);
  EXPECT_EQ(value(r, "fallen"), 0.0);
  EXPECT_GT(value(r, "distance"), 0.05);
}

TEST(HexapodPress, with_nothing_to_press_it_says_so) {
  const sim::RunResult r = run("", press, "", 12.0);
  EXPECT_NE(r.remark.find("met nothing"), std::string::npos) << r.remark;
}

TEST(HexapodPress, without_force_sensors_it_is_refused) {
  try {
    text::parse_scenario(file("feels = false\n", press, "", 1.0), "t");
    ADD_FAILURE() << "was taken";
  } catch (const std::exception& e) {
    EXPECT_NE(std::string(e.what()).find("no force sensors"), std::string::npos) << e.what();
  }
}

TEST(HexapodFree, it_walks_at_the_speed_it_is_told) {
  const sim::RunResult r = run("", "gait = \"free\"\nspeed = 0.04\n", "", 15.0);
  EXPECT_EQ(value(r, "fallen"), 0.0);
  EXPECT_NEAR(value(r, "distance"), 0.04 * 14.0, 0.1 * 0.04 * 14.0);
  EXPECT_GT(value(r, "margin"), 0.0);
  EXPECT_LT(value(r, "max_slip"), 0.003);
}

}  // namespace hexapod_press_test
}  // namespace sinew::robots
