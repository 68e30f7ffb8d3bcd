// What the biped must do with any draw of noise: docs/theory/biped.md#acceptance. Each row runs a built-in scenario as it ships, in full. Seed 0 is that of
// `sinew validate --only biped`; here are five others, and only with SINEW_LONG (./test --long): they take minutes. Else the shortest row has one of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <numbers>

#include "sinew/sim/run.h"
#include "sinew/text/load_scenario.h"

namespace sinew::robots {
namespace biped_acceptance_test {

struct Row {
  const char* scenario;
  std::vector<std::string> sets;
  double slip, margin, zmp_margin;  // [m]; margins: at least; below 0: none is asked for
  double distance, yaw;             // within 3 %, within 3 degrees; 0: not asked for
};

const std::vector<std::string> cooled{"devices=real", "hip_height=0.775", "thermal_current=7"};

std::vector<std::string> with(std::vector<std::string> sets, const std::vector<std::string>& more) {
  sets.insert(sets.end(), more.begin(), more.end());
  return sets;
}

std::vector<Row> rows() {
  const std::vector<std::string> one_foot =
      with(cooled, {"action=walk-static", "steps=2", "push=3", "push_at=4", "duration=10"});
  return {{"push", {"devices=real"}, 3e-3, -1.0, -1.0, 0.0, 0.0},
          {"push", one_foot, 3e-3, -1.0, -1.0, 0.0, 0.0},
          {"push", with(one_foot, {"push_from_deg=270"}), 3e-3, -1.0, -1.0, 0.0, 0.0},
          {"walk-static", cooled, 2e-3, 0.015, 0.010, 0.9, 0.0},
          {"walk-real", {}, 3e-3, -1.0, 5e-3, 3.8, 0.0},
          {"turn", {"devices=real", "thermal_current=7"}, 3e-3, 0.015, 0.010, 0.0, 0.5 * std::numbers::pi},
          {"slope", {}, 3e-3, -1.0, 5e-3, 0.5, 0.0},
          {"slope", {"downhill_azimuth_deg=0", "slope_deg=-5", "zmp_ahead=0.04"}, 3e-3, -1.0, 5e-3, 0.5, 0.0},
          {"uneven", {}, 3e-3, -1.0, 5e-3, 1.08, 0.0}};
}

void expect(const Row& row, std::uint64_t seed) {
  sim::Scenario scenario =
      text::load_scenario(fmt::format("{}/biped/{}.toml", SINEW_SCENARIO_DIR, row.scenario), row.scenario, row.sets);
  scenario.seed = seed;
  const sim::RunResult run = sim::run(scenario);
  const auto result = [&](std::string_view name) {
    for (const auto& v : run.results)
      if (v.name == name) return v.values.at(0);
    ADD_FAILURE() << "no result " << name;
    return 0.0;
  };
  SCOPED_TRACE(fmt::format("{}, seed {}", row.scenario, seed));
  EXPECT_EQ(run.ending, sim::Ending::Done);
  EXPECT_EQ(run.solver.unconverged_steps, 0);
  EXPECT_EQ(result("fallen"), 0.0);
  EXPECT_LT(result("max_slip"), row.slip);
  if (row.margin >= 0.0) {
    EXPECT_GT(result("min_margin"), row.margin);
  }
  if (row.zmp_margin >= 0.0) {
    EXPECT_GT(result("min_zmp_margin"), row.zmp_margin);
  }
  if (row.distance > 0.0) {
    EXPECT_NEAR(result("distance"), row.distance, 0.03 * row.distance);
  }
  if (row.yaw != 0.0) {
    EXPECT_NEAR(result("yaw"), row.yaw, 3.0 * std::numbers::pi / 180.0);
  }
}

TEST(BipedAcceptance, every_task_is_done_with_five_seeds) {
  if (!std::getenv("SINEW_LONG")) return expect(rows().front(), 1);
  for (const Row& row : rows())
    for (std::uint64_t seed = 1; seed <= 5; seed++) expect(row, seed);
}

}  // namespace biped_acceptance_test
}  // namespace sinew::robots
