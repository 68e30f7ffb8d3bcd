// Any two of robot, contact law, stepper, coordinates, ground and adhesion together: they run and are certified, or are refused with a
// reason. scripts/cross tries all combinations.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "robots/catalog.h"
#include "sinew/model/plan.h"
#include "sinew/parts/terrain/terrain.h"
#include "sinew/sim/scenario.h"
#include "sinew/step/stepper.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/covering.h"
#include "tests/support/cross.h"

namespace sinew::support {
namespace cross_test {

TEST(Covering, any_two_levels_meet) {
  const std::vector<int> levels{7, 5, 2, 4, 2};
  const auto rows = covering_pairs(levels);
  EXPECT_LE(rows.size(), 42u);  // 35 is the least
  for (std::size_t f = 0; f < levels.size(); f++)
    for (std::size_t g = f + 1; g < levels.size(); g++) {
      std::set<std::pair<int, int>> met;
      for (const auto& row : rows) met.insert({row[f], row[g]});
      EXPECT_EQ(met.size(), std::size_t(levels[f] * levels[g])) << f << " " << g;
    }
}

template <class List>
bool are_levels(const List& names, CrossFactor factor) {
  const auto levels = levels_of(factor);
  return std::ranges::all_of(names, [&](const auto& name) { return std::ranges::find(levels, name) != levels.end(); });
}

TEST(Cross, has_everything_there_is) {
  std::set<std::string> kinds;
  for (const CrossRobot& robot : cross_robots()) {
    const std::string file = robot.scenario.ends_with(".toml")
                                 ? SINEW_SOURCE_DIR "/" + std::string(robot.scenario)
                                 : SINEW_SCENARIO_DIR "/" + std::string(robot.scenario) + ".toml";
    kinds.insert(text::read_header(file, "").robot);
  }
  for (const robots::Entry& entry : robots::catalog())
    EXPECT_TRUE(kinds.contains(std::string(entry.name)) || entry.make()->is_bench()) << entry.name;
  std::vector<std::string_view> methods;
  for (const Stepper& stepper : steppers()) methods.push_back(stepper.name);
  EXPECT_TRUE(are_levels(methods, Method));
  EXPECT_TRUE(are_levels(response_names, Law));
  EXPECT_TRUE(are_levels(terrain_names, Ground));
}

// Robots with equations of their own are most often refused: a cross of theirs would let pairs of the others go untried.
void try_pairs(bool trees) {
  std::vector<int> of_kind;
  for (int i = 0; i < int(cross_robots().size()); i++)
    if (cross_robots()[std::size_t(i)].is_tree == trees) of_kind.push_back(i);
  std::vector<int> levels{int(of_kind.size())};
  for (int f = 0; f < factor_count; f++) levels.push_back(level_count(CrossFactor(f), trees));
  int certified = 0;
  for (const std::vector<int>& row : covering_pairs(levels)) {
    Combination c{of_kind[std::size_t(row[0])], {}};
    std::copy(row.begin() + 1, row.end(), c.level.begin());
    const Outcome outcome = try_out(c);
    if (outcome.verdict == Verdict::Fault) ADD_FAILURE() << outcome.why << "\n  " << command_of(c);
    certified += outcome.verdict == Verdict::Certified;
  }
  if (!trees) return;
  EXPECT_GE(certified, 55) << "else nothing would have been tried";
}

TEST(Cross, any_two_of_trees_run_or_are_refused_with_a_reason) { try_pairs(true); }
TEST(Cross, any_two_of_robots_with_equations_of_their_own) { try_pairs(false); }

// Of these hardly anything else runs.
TEST(Cross, robots_with_equations_of_their_own_run_by_themselves) {
  for (int i = 0; i < int(cross_robots().size()); i++) {
    if (cross_robots()[std::size_t(i)].is_tree) continue;
    const Combination plain{i, {0, 3, 0, 0, 0}};
    const Outcome outcome = try_out(plain);
    EXPECT_EQ(outcome.verdict, Verdict::Certified) << outcome.why << "\n  " << command_of(plain);
  }
}

}  // namespace cross_test
}  // namespace sinew::support
