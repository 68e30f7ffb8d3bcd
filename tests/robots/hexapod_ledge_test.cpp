// The hexapod before a ledge: what it sees, how it climbs, why it does not.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/sim/run.h"
#include "sinew/text/load_scenario.h"

namespace sinew::robots {
namespace hexapod_ledge_test {

std::string file(const std::string& robot, const std::string& command, double height, double duration) {
  return "title = \"t\"\nsource = \"s\"\nduration = " + std::to_string(duration) + "\n[robot]\nkind = \"hexapod\"\n" +
         robot + "[command]\n" + command + "[ground]\nkind = \"profile\"\n[ground.profile]\nx = [0.42]\nz = [0.0, " +
         std::to_string(height) +
         "]\n[contact]\nmu = 0.6\n[control]\nperiod = 1e-3\n[integrator]\nmethod = \"moreau\"\nstep = 1e-3\n"
         "[output.result]\nphase = \"walk.ledge.phase\"\nheight = \"walk.ledge.height\"\n"
         "edge = \"walk.ledge.edge\"\nup = { signal = \"body.segment2.p.z\", take = \"change\" }\n";
}

double value(const sim::RunResult& r, std::string_view name) {
  for (const auto& v : r.results)
    if (v.name == name) return v.values.at(0);
  ADD_FAILURE() << "no result " << name;
  return NAN;
}

sim::RunResult run(const std::string& robot, const std::string& command, double height, double duration,
                   std::uint64_t seed = 0) {
  sim::Scenario s = text::parse_scenario(file(robot, command, height, duration), "t");
  s.seed = seed;
  return sim::run(s);
}

const std::string climb = "mode = \"climb\"\ngait = \"gallop\"\nspeed = 0.033\n";

std::string problem(const std::string& robot, const std::string& command) {
  try {
    text::parse_scenario(file(robot, command, 0.2, 1.0), "t");
  } catch (const std::exception& e) {
    return std::string(e.what());
  }
  return std::string();
}

TEST(HexapodLedge, it_sees_edge_and_height_and_climbs) {
  const sim::RunResult r = run("climbs = true\n", climb, 0.2, 100.0);
  EXPECT_EQ(value(r, "phase"), 8.0) << r.remark;
  EXPECT_NEAR(value(r, "height"), 0.2, 0.004);
  EXPECT_NEAR(value(r, "up"), 0.2, 0.01);
  EXPECT_EQ(value(r, "fallen"), 0.0);
  EXPECT_GT(value(r, "min_margin"), 0.0);
}

// Rays find heights to within a few millimetres, also of ledges that are lower than the head.
TEST(HexapodLedge, heights_are_seen_from_below_and_from_above) {
  for (const double height : {0.1, 0.15, 0.28}) {
    const sim::RunResult r = run("climbs = true\n", climb, height, 4.0);
    EXPECT_NEAR(value(r, "height"), height, 0.006) << height;
  }
}

TEST(HexapodLedge, straight_hinges_do_not_do_it_and_the_reason_is_told) {
  const sim::RunResult r = run("climbs = true\nrigid = true\n", climb, 0.25, 6.0);
  EXPECT_EQ(value(r, "phase"), 9.0);
  EXPECT_NE(r.remark.find("of 8"), std::string::npos) << r.remark;
  EXPECT_NE(r.remark.find("lacking, so that it did not begin"), std::string::npos) << r.remark;
  EXPECT_EQ(value(r, "fallen"), 0.0);
}

// Told 0.26 m where there are 0.2: the front feet find no ground, and it says so.
TEST(HexapodLedge, a_ledge_that_is_lower_than_it_was_told_is_a_condition_that_does_not_hold) {
  const sim::RunResult r = run("climbs = true\n", climb + "edge = 0.42\nledge_height = 0.26\n", 0.2, 50.0);
  EXPECT_EQ(value(r, "phase"), 9.0) << r.remark;
  EXPECT_NE(r.remark.find("phase 3 of 8, front feet up: both front feet carry [N]"), std::string::npos) << r.remark;
  EXPECT_EQ(value(r, "fallen"), 0.0);
}

TEST(HexapodLedge, without_a_ledge_it_walks_on_and_says_so) {
  const sim::RunResult r = run("climbs = true\n", climb, 0.0, 3.0);
  EXPECT_NE(r.remark.find("no ledge was seen"), std::string::npos) << r.remark;
  EXPECT_EQ(value(r, "phase"), 0.0);
}

TEST(HexapodLedge, keys_that_do_not_fit_are_refused) {
  EXPECT_EQ(problem("climbs = true\n", climb), "");
  EXPECT_NE(problem("", climb).find("robot.climbs = true"), std::string::npos) << problem("", climb);
  EXPECT_NE(problem("climbs = true\nsegments = 4\n", climb).find("3 segments"), std::string::npos);
  EXPECT_NE(problem("climbs = true\nfeels = false\n", climb).find("feels = true"), std::string::npos);
  EXPECT_NE(problem("climbs = true\n", climb + "edge = 0.4\n").find("ledge_height"), std::string::npos);
}

}  // namespace hexapod_ledge_test
}  // namespace sinew::robots
