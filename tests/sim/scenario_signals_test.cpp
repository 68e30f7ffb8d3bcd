#include "sinew/sim/scenario_signals.h"

#include <gtest/gtest.h>

#include "sinew/sim/errors.h"
#include "sinew/sim/run.h"
#include "sinew/text/load_scenario.h"

namespace sinew::sim {
namespace scenario_signals_test {

// Two balls, one resting on the other: 1 kg above, 2 kg below; pairs are found by a broad phase.
std::string two_balls(const std::string& results) {
  return R"(duration = 0.5
[ground]
kind = "plane"
[contact]
mu = 0.5
culling = "grid"
[body.low]
mass = 2.0
inertia = [0.01, 0.01, 0.01]
[body.low.shape.ball]
kind = "sphere"
radius = 0.1
[body.top]
mass = 1.0
inertia = [0.01, 0.01, 0.01]
[body.top.shape.ball]
kind = "sphere"
radius = 0.1
[joint.low]
kind = "free"
child = "low"
position = [0.0, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0]
[joint.top]
kind = "free"
child = "top"
position = [0.0, 0.0, 0.3, 1.0, 0.0, 0.0, 0.0]
[output.result]
)" + results;
}

double value(const RunResult& run, const std::string& name) {
  for (const ResultValue& r : run.results)
    if (r.name == name) return r.values.at(0);
  ADD_FAILURE() << name;
  return 0.0;
}

TEST(ScenarioSignals, of_a_crowd_are_those_of_the_pairs_that_are_named) {
  const Scenario s = text::parse_scenario(two_balls(R"(between = "contact.top.ball:low.ball.normal"
below = "contact.low.ball:ground.push.z"
)"),
                                          "test.toml");
  const World<double> world = make_world(s);
  ASSERT_TRUE(world.model().crowd);
  EXPECT_TRUE(find_signals(signals_of(world.model()), "contact.low.ball:ground.normal").empty());
  EXPECT_EQ(find_signals(signals_of(s, world.model()), "contact.low.ball:ground.normal").size(), 1u);
  const RunResult run = sim::run(s);
  EXPECT_NEAR(value(run, "between"), 9.81, 1e-6);  // the weight of what lies above
  EXPECT_NEAR(value(run, "below"), 3.0 * 9.81, 1e-6);
}

TEST(ScenarioSignals, of_pairs_that_cannot_be_are_refused) {
  for (const char* wrong :
       {"contact.top.ball:low.box.normal", "contact.low.ball:top.ball.normal", "contact.top.normal"}) {
    try {
      text::parse_scenario(two_balls(std::string("x = \"") + wrong + "\"\n"), "test.toml");
      ADD_FAILURE() << wrong;
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find("no signal is named"), std::string::npos) << e.what();
    }
  }
}

}  // namespace scenario_signals_test
}  // namespace sinew::sim
