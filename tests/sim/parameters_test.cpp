#include "sinew/sim/parameters.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/shipped.h"

namespace sinew::sim {
namespace parameters_test {

const Parameter* find(const std::vector<Parameter>& all, const std::string& key) {
  const auto found = std::ranges::find(all, key, &Parameter::key);
  return found == all.end() ? nullptr : &*found;
}

TEST(Parameters, are_the_live_numbers_with_units_that_people_use) {
  const auto all = parameters_of(test::shipped("snake/sidewinding"));
  const Parameter* amplitude = find(all, "gait.Ah_deg");
  ASSERT_TRUE(amplitude);
  EXPECT_EQ(amplitude->value, 30.0);
  EXPECT_EQ(amplitude->at_start, 30.0);
  EXPECT_EQ(amplitude->unit, "deg");
  EXPECT_NE(amplitude->doc.find("amplitude"), std::string::npos);
  ASSERT_TRUE(find(all, "gait.wh_deg_s"));
  EXPECT_EQ(find(all, "gait.wh_deg_s")->value, 80.0);
  EXPECT_EQ(find(all, "gait.wh_deg_s")->unit, "deg/s");
  EXPECT_FALSE(find(all, "gait.wh"));
  ASSERT_TRUE(find(all, "gravity.g[2]"));
  EXPECT_EQ(find(all, "gravity.g[2]")->value, -9.81);
  ASSERT_TRUE(find(all, "contact.restitution"));
  EXPECT_EQ(find(all, "contact.restitution")->low, 0.0);
  EXPECT_EQ(find(all, "contact.restitution")->high, 1.0);
  EXPECT_TRUE(std::isinf(find(all, "robot.torque_limit")->value));
  for (const char* fixed : {"robot.n_links", "robot.link_length", "integrator.step", "duration", "robot.yaw0_deg"})
    EXPECT_FALSE(find(all, fixed)) << fixed;
}

TEST(Parameters, without_effect_are_left_out) {
  const auto pendulum = parameters_of(test::shipped("basics/pendulum"));
  for (const char* idle :
       {"joint.pivot.kp", "joint.pivot.motion.amplitude_deg", "contact.mu_long", "gravity.GM", "control.damping_ratio"})
    EXPECT_FALSE(find(pendulum, idle)) << idle;
  for (const char* used : {"joint.pivot.damping", "joint.pivot.stiffness", "body.bob.mass", "gravity.g[1]"})
    EXPECT_TRUE(find(pendulum, used)) << used;
}

TEST(Parameters, one_friction_for_all_directions_is_offered_where_they_are_equal) {
  EXPECT_TRUE(find(parameters_of(test::shipped("snake/sidewinding")), "contact.mu"));
  const auto unequal = parameters_of(test::shipped("snake/lateral-undulation"));
  EXPECT_TRUE(find(unequal, "contact.mu_long"));
  EXPECT_FALSE(find(unequal, "contact.mu"));
}

TEST(Parameters, a_set_of_one_number_keeps_its_neighbours) {
  Scenario pendulum = test::shipped("basics/pendulum");
  set_parameter(pendulum, "gravity.g[0]", 1.5);
  EXPECT_EQ(norm(pendulum.plan.gravity.g - Vec3d(1.5, -9.81, 0.0)), 0.0);
  set_parameter(pendulum, "body.bob.mass", 2.0);
  EXPECT_EQ(pendulum.plan.bodies[0].mass, 2.0);
}

TEST(Parameters, every_one_of_every_scenario_can_be_set_to_its_own_value) {
  for (const char* name : {"snake/sidewinding", "snake/gait-turning", "snake/stairs", "basics/four-bar",
                           "basics/stick-slip", "basics/spring-chain", "basics/wave-chain"}) {
    Scenario scenario = test::shipped(name);
    auto all = parameters_of(scenario);
    for (const Parameter& p : all)
      if (p.key != "contact.mu") set_parameter(scenario, p.key, p.value);
    EXPECT_TRUE(update(scenario, all).empty()) << name;
  }
}

}  // namespace parameters_test
}  // namespace sinew::sim
