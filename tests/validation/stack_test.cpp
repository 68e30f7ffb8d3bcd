// basics/stack: statics. Each contact carries the weight above it, and nothing moves.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/world/observe.h"
#include "tests/support/shipped.h"

namespace sinew::test {
namespace stack_test {

constexpr double g = 9.81;

void expect_to_stand(const std::vector<double>& masses, const std::string& method = "moreau") {
  sim::Scenario scenario = shipped("basics/stack");
  scenario.method = method;
  for (std::size_t i = 0; i < masses.size(); i++) {
    BodyPlan& body = scenario.plan.bodies[i];
    body.mass = masses[i];
    body.inertia = Sym3d::diagonal(masses[i] / 600);
  }
  World<double> world = sim::make_world(scenario);
  const auto start = observe(world);
  int unsolved = 0;
  for (int k = 0; k < 300; k++) unsolved += !world.step(scenario.step).converged;
  EXPECT_EQ(unsolved, 0);
  const auto seen = observe(world);
  for (std::size_t i = 0; i < masses.size(); i++)
    EXPECT_LT(norm(seen.bodies[i].p_WC - start.bodies[i].p_WC), 2e-6 * double(i + 1)) << i;  // activation gap per layer
  double above = 0.0;
  for (std::size_t i = masses.size(); i-- > 0;) {
    above += masses[i] * g;
    const std::string body = scenario.plan.bodies[i].name;
    const std::string name = body + ".cube:" + (i == 0 ? "ground" : scenario.plan.bodies[i - 1].name + ".cube");
    const auto contact =
        std::find_if(seen.contacts.begin(), seen.contacts.end(), [&](const auto& c) { return c.name == name; });
    ASSERT_NE(contact, seen.contacts.end()) << name;
    EXPECT_NEAR(contact->normal / above, 1.0, 1e-6) << name;
    EXPECT_EQ(contact->count, 4) << name;
    EXPECT_EQ(contact->state, contact_state::stick) << name;
  }
  EXPECT_NEAR(seen.balance_error, 0.0, 1e-9 * above);
}

TEST(Stack, equal_boxes_stand) { expect_to_stand(std::vector<double>(10, 1.0)); }
TEST(Stack, a_load_of_ten_thousand_times_the_weight_stands) {
  std::vector<double> masses(10, 1.0);
  masses[9] = 1e4;
  expect_to_stand(masses);
}
TEST(Stack, light_and_heavy_boxes_by_turns_stand) { expect_to_stand({1, 100, 1, 100, 1, 100, 1, 100, 1, 100}); }
TEST(Stack, it_stands_with_the_other_methods) {
  expect_to_stand(std::vector<double>(10, 1.0), "rk4");
  expect_to_stand(std::vector<double>(10, 1.0), "euler");
}

}  // namespace stack_test
}  // namespace sinew::test
