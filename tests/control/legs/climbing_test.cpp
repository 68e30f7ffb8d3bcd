#include "sinew/control/legs/climbing.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew::legged {
namespace climbing_test {

// Konyev 2011, text to eq. (3.11), calls the torque inversely proportional to cos alpha. The formula, and statics, have it proportional: a segment
// that stands upright needs no torque to be held.
TEST(Climbing, the_hinge_torque_is_proportional_to_the_cosine) {
  const SegmentedBody body;
  const double level = lifted_segment_torque(body, 0.0, 9.81);
  EXPECT_NEAR(level, 1.86 * 9.81 * 0.17, 1e-12);
  for (const double alpha : {0.2, 0.7, 1.3}) {
    // virtual work: lifting the segment's mass, at l_BS from the hinge
    const double d = 1e-6, height = 0.17 * (std::sin(alpha + d) - std::sin(alpha - d)) / (2 * d);
    EXPECT_NEAR(lifted_segment_torque(body, alpha, 9.81), 1.86 * 9.81 * height, 1e-8);
    EXPECT_LT(lifted_segment_torque(body, alpha, 9.81), level);
    EXPECT_GT(level / std::cos(alpha), level);  // as printed in words
  }
}

TEST(Climbing, an_articulated_body_has_its_mass_centre_nearer_to_the_edge) {
  const SegmentedBody body;
  double last = com_to_front_articulated(body, 0.0);
  EXPECT_NEAR(last, com_to_front_rigid(body, 0.0), 1e-15);
  for (double alpha = 0.1; alpha < 1.5; alpha += 0.1) {
    const double now = com_to_front_articulated(body, alpha);
    EXPECT_LT(now, last);
    EXPECT_LT(now, com_to_front_rigid(body, alpha));
    last = now;
  }
}

// Two shoulders on a circle: the angle between their normals is that of the chord.
TEST(Climbing, the_hinge_on_a_hump_follows_the_normals) {
  const double r = 0.642, phi = hump_angle(0.5, 0.142, 0.2);
  EXPECT_NEAR(2.0 * r * std::sin(0.5 * phi), 0.2, 1e-12);
  EXPECT_NEAR(hinge_on_ground(1.7, 1.5), 0.2, 1e-15);
  EXPECT_LT(hump_angle(1e6, 0.142, 0.2), 1e-6);
  EXPECT_TRUE(std::isnan(hump_angle(0.05, 0.0, 0.2)));
}

LedgeSight good() {
  LedgeSight s;
  s.to_wall = 0.05;
  s.front_feet_to_wall = 0.02;
  s.least_load = {8.0, 8.0, 8.0};
  s.com_to_middle_feet = 0.01;
  s.margin = 0.02;
  s.hinge_torque = 2.0;
  s.friction_used = 0.3;
  s.least_support = 4.0;
  s.rear_to_edge = 0.05;
  return s;
}

TEST(Climbing, eight_phases_follow_one_another_when_their_conditions_hold) {
  LedgeClimb climb;
  for (int n = 0; n < 8; n++) {
    EXPECT_EQ(climb.now(), LedgePhase(n));
    step_ledge(climb, {}, good(), 1e-3);
  }
  EXPECT_EQ(climb.now(), LedgePhase::Done);
}

TEST(Climbing, each_condition_alone_holds_its_phase_and_is_named_when_time_is_up) {
  using Change = void (*)(LedgeSight&);
  struct Case {
    LedgePhase phase;
    Change spoil;
    double lacking;
  };
  const std::vector<Case> cases{
      {LedgePhase::Approach, [](LedgeSight& s) { s.to_wall = 0.08; }, 0.01},
      {LedgePhase::Gather, [](LedgeSight& s) { s.front_feet_to_wall = 0.05; }, 0.02},
      {LedgePhase::FrontUp, [](LedgeSight& s) { s.least_load[0] = 4.0; }, 1.0},
      {LedgePhase::BodyUp, [](LedgeSight& s) { s.com_to_middle_feet = -0.03; }, 0.01},
      {LedgePhase::BodyUp, [](LedgeSight& s) { s.margin = -0.004; }, 0.004},
      {LedgePhase::MiddleUp, [](LedgeSight& s) { s.least_load[1] = 3.0; }, 2.0},
      {LedgePhase::BodyForward, [](LedgeSight& s) { s.com_to_middle_feet = -0.005; }, 0.005},
      {LedgePhase::RearUp, [](LedgeSight& s) { s.hinge_torque = -12.0; }, 1.2},
      {LedgePhase::RearUp, [](LedgeSight& s) { s.friction_used = 0.8; }, 0.2},
      {LedgePhase::RearUp, [](LedgeSight& s) { s.least_support = 1.0; }, 1.0},
      {LedgePhase::Level, [](LedgeSight& s) { s.rear_to_edge = -0.01; }, 0.01},
      {LedgePhase::Level, [](LedgeSight& s) { s.pitch = 0.05; }, 0.02},
  };
  for (const Case& c : cases) {
    LedgeClimb climb;
    climb.phase = double(c.phase);
    LedgeSight s = good();
    c.spoil(s);
    LedgeRules rules;
    rules.timeout = 0.1;
    for (int k = 0; k < 90; k++) step_ledge(climb, rules, s, 1e-3);
    EXPECT_EQ(climb.now(), c.phase);
    for (int k = 0; k < 20; k++) step_ledge(climb, rules, s, 1e-3);
    EXPECT_EQ(climb.now(), LedgePhase::Failed);
    EXPECT_EQ(climb.failed_in, double(c.phase));
    EXPECT_NEAR(climb.lacking, c.lacking, 1e-12);
    EXPECT_FALSE(conditions_of(c.phase, rules, s).of[int(climb.failed_of)].what.empty());
  }
}

}  // namespace climbing_test
}  // namespace sinew::legged
