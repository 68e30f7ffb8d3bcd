// A hand on robots with equations of their own: it takes them along, its work is booked, or it is told why not.
#include "sinew/sim/push.h"

#include <gtest/gtest.h>

#include "sinew/sim/errors.h"
#include "sinew/text/load_scenario.h"
#include "sinew/world/observe.h"

namespace sinew::sim {
namespace push_test {

Scenario scenario_of(const std::string& name, const std::vector<std::string>& sets = {}) {
  return text::load_scenario(std::string(SINEW_SCENARIO_DIR) + "/" + name + ".toml", name, sets);
}

TEST(Push, takes_rods_and_closed_forms_along) {
  struct Case {
    const char *scenario, *set, *body;
    double time, way;  // [s], [m]
  };
  for (const Case& c : {Case{"continuum/eel", "duration=1", "section10", 0.3, 0.02},
                        Case{"continuum/soft-release-3d", "duration=1", "s20", 0.05, 2e-3},
                        Case{"quadruped/yaw-manoeuvre", "formulation=closed", "plate", 0.05, 2e-4}}) {
    const Scenario scenario = scenario_of(c.scenario, {c.set});
    World<double> world = make_world(scenario), alone = world;
    const int body = world.model().body(c.body);
    ASSERT_GE(body, 0) << c.scenario;
    const Vec3d target = observe(world).bodies[body].p_WC + Vec3d(0.0, 0.1, 0.05);
    const Push push = make_push(world, body, Vec3d::zero(), target, scenario.step);
    Hand hand(world.model());
    for (int i = 0; i < int(c.time / scenario.step); i++) {
      world.input.external[body] = hand.wrench(push, world);
      EXPECT_LE(norm(world.input.external[body].f), push.limit * (1 + 1e-12));
      ASSERT_FALSE(world.step(scenario.step).is_lost()) << c.scenario;
      ASSERT_FALSE(alone.step(scenario.step).is_lost());
    }
    const auto seen = observe(world), other = observe(alone);
    EXPECT_GT(seen.bodies[body].p_WC[1] - other.bodies[body].p_WC[1], c.way) << c.scenario;
    EXPECT_GT(world.state.work.external, 1e-5) << c.scenario;
    EXPECT_LT(std::abs(seen.balance_error), 1e-3 * world.state.work.external + std::abs(other.balance_error))
        << c.scenario;
  }
}

TEST(Push, a_rod_that_its_contacts_lead_says_why_not) {
  const Scenario scenario = scenario_of("continuum/snake-turn");
  const World<double> world = make_world(scenario);
  try {
    make_push(world, 0, Vec3d::zero(), Vec3d(1, 0, 0), scenario.step);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("contacts decide where it goes"), std::string::npos) << e.what();
  }
}

}  // namespace push_test
}  // namespace sinew::sim
