// The biped on drives and noisy sensors whose torques come of one quadratic program for all joints: docs/theory/biped.md#whole-body.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/sim/run.h"
#include "sinew/text/load_scenario.h"

namespace sinew::robots {
namespace biped_whole_test {

sim::RunResult walk(const char* scenario, std::vector<std::string> sets, std::uint64_t seed) {
  sets.insert(sets.end(), {"devices=real", "thermal_current=7", "balance.by=whole-body"});
  sets.push_back("output.result.unsolved={signal=\"walk.qp_unsolved\",take=\"max\"}");
  sets.push_back("output.result.iterations={signal=\"walk.qp_iterations\",take=\"max\"}");
  sim::Scenario s = text::load_scenario(fmt::format("{}/biped/{}.toml", SINEW_SCENARIO_DIR, scenario), scenario, sets);
  s.seed = seed;
  return sim::run(s);
}

double result(const sim::RunResult& r, std::string_view name) {
  for (const auto& v : r.results)
    if (v.name == name) return v.values.at(0);
  ADD_FAILURE() << "no result " << name;
  return NAN;
}

void expect_sound(const sim::RunResult& r) {
  EXPECT_EQ(r.ending, sim::Ending::Done);
  EXPECT_EQ(r.solver.unconverged_steps, 0);
  EXPECT_EQ(result(r, "fallen"), 0.0);
  EXPECT_EQ(result(r, "unsolved"), 0.0);
  EXPECT_GT(result(r, "iterations"), 2.0);  // limits act at times
}

TEST(BipedWhole, it_walks_dynamically_on_its_sensors_alone) {
  for (const std::uint64_t seed : {1, 2}) {
    const sim::RunResult r = walk("walk-real", {"steps=3", "duration=4.5"}, seed);
    SCOPED_TRACE(seed);
    expect_sound(r);
    EXPECT_NEAR(result(r, "distance"), 0.4, 0.02);
  }
}

TEST(BipedWhole, it_takes_the_pushes_that_the_cascade_takes) {
  for (const char* side : {"push_from_deg=90", "push_from_deg=270"}) {
    const sim::RunResult r = walk("push", {side, "duration=2"}, 1);
    SCOPED_TRACE(side);
    expect_sound(r);
  }
}

// Arms and waist have servos of their own: the program knows a trunk in their place.
TEST(BipedWhole, it_carries_an_upper_body_with_joints) {
  expect_sound(walk("full-body", {"steps=2", "duration=2.5", "hip_height=0.775", "zmp_ahead=0.03"}, 1));
}

// What no drive can give is not asked for: screws that are driven back carry 1/0.81 of what their motors have. Of the 147 N that knees need, 117 are left.
TEST(BipedWhole, it_sinks_where_drives_have_too_little_force_and_finds_a_solution_all_the_same) {
  const std::vector<std::string> weak{"whole_body.servo=0", "force_limit=90", "duration=1",
                                      "output.result.low={signal=\"com.p.z\",take=\"range\"}"};
  const sim::RunResult r = walk("stand", weak, 1);
  EXPECT_EQ(result(r, "unsolved"), 0.0);
  EXPECT_GT(result(r, "low"), 2e-3);
}

}  // namespace biped_whole_test
}  // namespace sinew::robots
