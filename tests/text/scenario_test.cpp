#include "sinew/sim/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/files/errors.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/run.h"
#include "sinew/sim/signals.h"
#include "sinew/text/library.h"
#include "sinew/text/load_scenario.h"
#include "sinew/text/show.h"

namespace sinew::text {
namespace scenario_test {

using testing::HasSubstr;

constexpr std::string_view chain = R"(
[body.zeta]
inertia = [1, 1, 1]
[body.alpha]
inertia = [1, 1, 1]
[joint.second]
child = "zeta"
position_deg = 90
[joint.first]
kind = "universal"
parent = "zeta"
child = "alpha"
stiffness = 3
damping = [1, 2]
drive = "servo"
kp = 5
[joint.first.motion]
amplitude = [0.1, 0.2]
phase_deg = 90
[output.result]
b = "body.alpha.p"
a = { signal = "t", take = "max" }
)";

TEST(Scenario, parts_keep_the_order_of_the_file) {
  const sim::Scenario s = parse_scenario(chain, "file");
  EXPECT_EQ(s.plan.bodies[0].name, "zeta");
  EXPECT_EQ(s.plan.bodies[1].name, "alpha");
  EXPECT_EQ(s.plan.joints[0].name, "second");
  EXPECT_EQ(s.plan.joints[1].name, "first");
  EXPECT_EQ(s.results[0].name, "b");
  EXPECT_EQ(s.results[1].take, Take::Max);
}

TEST(Scenario, values_reach_the_plan) {
  const JointPlan j = parse_scenario(chain, "file").plan.joints[1];
  EXPECT_EQ(j.kind, JointKind::Universal);
  EXPECT_EQ(j.stiffness, (std::vector<double>{3, 3}));
  EXPECT_EQ(j.damping, (std::vector<double>{1, 2}));
  EXPECT_EQ(j.kp, (std::vector<double>{5, 5}));
  EXPECT_TRUE(j.limit.empty());
  EXPECT_TRUE(j.position.empty());
  ASSERT_EQ(j.motion.size(), 2u);
  EXPECT_EQ(j.motion[1].amplitude, 0.2);
  EXPECT_DOUBLE_EQ(j.motion[0].phase, 1.5707963267948966);
}

TEST(Scenario, shown_and_read_again_it_shows_the_same) {
  const std::string once = show(parse_scenario(chain, "file"));
  EXPECT_EQ(once, show(parse_scenario(once, "file")));
}

TEST(Scenario, problems_of_a_set_and_of_the_file_come_together) {
  const std::vector<std::string> sets{"zeta.mass=-1", "nothing=3"};
  try {
    parse_scenario("[body.zeta]\nmas = 3\n", "file", sets);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(e.problems.size(), 3u);
    EXPECT_THAT(e.problems, testing::Contains(HasSubstr("file:2: unknown key mas")));
    EXPECT_THAT(e.problems, testing::Contains(HasSubstr("--set nothing=3: unknown key")));
  }
}

TEST(Scenario, every_signal_can_be_a_result) {
  const sim::Scenario s = parse_scenario(chain, "file");
  const World<double> world = make_world(s);
  const auto signals = sim::signals_of(world.model());
  std::vector<double> values(signals.size(), std::nan(""));
  evaluate(signals, world, observe(world), values);
  for (std::size_t i = 0; i < signals.size(); i++) {
    EXPECT_TRUE(std::isfinite(values[i])) << signals[i].name;
    EXPECT_EQ(find_signals(signals, signals[i].name), std::vector<int>{int(i)});
    EXPECT_FALSE(signals[i].unit.empty());
    EXPECT_FALSE(signals[i].description.empty());
  }
  EXPECT_EQ(find_signals(signals, "body.zeta.p").size(), 3u);
  EXPECT_EQ(find_signals(signals, "joint.first.q").size(), 2u);
  EXPECT_TRUE(find_signals(signals, "energy").empty());
  EXPECT_TRUE(find_signals(signals, "body.zeta").empty());
  EXPECT_TRUE(find_signals(signals, "").empty());
}

TEST(Scenario, every_built_in_one_is_found_and_read) {
  const auto all = built_in_scenarios(SINEW_SCENARIO_DIR);
  EXPECT_GE(all.size(), 7u);
  for (const auto& found : all) {
    EXPECT_EQ(find_scenario(found.name, SINEW_SCENARIO_DIR).file, found.file);
    EXPECT_FALSE(load_scenario(found.file, found.name).title.empty()) << found.name;
  }
  EXPECT_THROW(find_scenario("nothing", SINEW_SCENARIO_DIR), InputError);
  EXPECT_THROW(find_scenario("nothing.toml", SINEW_SCENARIO_DIR), FileError);
}

TEST(Run, progress_is_told_and_an_interruption_heard) {
  sim::Scenario s = parse_scenario(chain, "file");
  s.duration = 1.0, s.step = 0.01;
  std::atomic<bool> stop{false};
  int calls = 0;
  const sim::RunHooks hooks{[&](double t) { stop = ++calls == 10 && t > 0; }, &stop};
  const sim::RunResult r = sim::run(s, hooks);
  EXPECT_EQ(r.ending, sim::Ending::Interrupted);
  EXPECT_EQ(r.steps, 10);
  EXPECT_EQ(r.end, 10 * 0.01);
}

}  // namespace scenario_test
}  // namespace sinew::text
