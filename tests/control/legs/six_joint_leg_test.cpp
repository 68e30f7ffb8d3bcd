#include "sinew/control/legs/six_joint_leg.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sinew/control/legs/biped_body.h"

namespace sinew::legged {
namespace six_joint_leg_test {

double difference(const SixAngles& a, const SixAngles& b) {
  double most = 0.0;
  for (int i = 0; i < six::count; i++) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

TEST(SixJointLeg, inverse_kinematics_returns_the_angles_of_every_foot_within_the_limits) {
  std::mt19937_64 dice(7);
  const SixJointLeg leg;
  for (int n = 0; n < 5000; n++) {
    SixAngles q, back{};
    for (int i = 0; i < six::count; i++) q[i] = std::uniform_real_distribution<double>(leg.low[i], leg.high[i])(dice);
    q[six::knee] = std::max(q[six::knee], 0.05);
    ASSERT_EQ(reach_for(leg, foot_pose(leg, q), back), Reach::Good);
    EXPECT_LT(difference(back, q), 1e-12);
    EXPECT_EQ(first_beyond(leg, q), -1);
  }
}

TEST(SixJointLeg, more_knee_moves_the_shank_backward_and_yaw_turns_the_toes_left) {
  const SixJointLeg leg;
  EXPECT_LT(foot_pose(leg, {0, 0, 0, 0.5, 0, 0}).p[0], -0.1);
  EXPECT_GT(foot_pose(leg, {0.2, 0, 0, 0.5, 0, 0}).R(1, 0), 0.1);
  EXPECT_LT(foot_pose(leg, {0, 0.2, 0, 0.5, 0, 0}).p[2], 0.0);
  EXPECT_GT(foot_pose(leg, {0, 0.2, 0, 0.5, 0, 0}).p[1], 0.1);   // roll lifts the left side: the foot goes left
  EXPECT_GT(foot_pose(leg, {0, 0, -0.4, 0.0, 0, 0}).p[0], 0.2);  // negative pitch swings the leg forward
}

TEST(SixJointLeg, a_foot_out_of_reach_gets_a_bent_knee_that_points_to_it) {
  const SixJointLeg leg;
  SixAngles q{};
  EXPECT_EQ(reach_for(leg, {Mat3d::identity(), Vec3d(0.1, 0.0, -0.9)}, q), Reach::TooFar);
  EXPECT_EQ(q[six::knee], leg.straight);
  const Vec3d p = foot_pose(leg, q).p;
  EXPECT_LT(norm(cross(normalized(p), normalized(Vec3d(0.1, 0.0, -0.9)))), 1e-9);
  EXPECT_EQ(reach_for(leg, {Mat3d::identity(), Vec3d(0.0, 0.0, -0.719999)}, q), Reach::TooFar);
  EXPECT_LT(norm(foot_pose(leg, q).p - Vec3d(0.0, 0.0, -0.719999)), 2e-4);
}

TEST(SixJointLeg, a_foot_too_near_leaves_the_angles_as_they_are) {
  SixJointLeg leg;
  leg.shank = 0.3;
  SixAngles q{0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  EXPECT_EQ(reach_for(leg, {Mat3d::identity(), Vec3d(0.0, 0.0, -0.05)}, q), Reach::TooNear);
  EXPECT_EQ(q, (SixAngles{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}));
  EXPECT_EQ(reach_for(leg, {Mat3d::identity(), Vec3d(NAN, 0.0, -0.5)}, q), Reach::TooNear);
}

TEST(SixJointLeg, limits_name_the_joint_beyond_them) {
  const SixJointLeg leg;
  const SixAngles q{0.0, 0.0, -0.7, 1.4, -0.7, 0.0};
  EXPECT_EQ(first_beyond(leg, q), six::ankle_pitch);
  EXPECT_EQ(limited(leg, q)[six::ankle_pitch], -0.6);
  EXPECT_EQ(first_beyond(leg, limited(leg, q)), -1);
}

TEST(BipedBody, it_weighs_24_kg_and_a_straight_one_has_its_mass_centre_where_a_sum_has_it) {
  const BipedBody body;
  EXPECT_NEAR(body.mass() * 9.81, 235.44, 1e-9);
  const Vec3d c = mass_centre(body, {});
  EXPECT_NEAR(c[2], (10.0 * 0.25 + 6.0 * -0.18 + 5.2 * -0.54 + 2.8 * -0.76) / 24.0, 1e-12);
  EXPECT_NEAR(c[0], 2.8 * 0.03 / 24.0, 1e-12);
  EXPECT_NEAR(c[1], 0.0, 1e-12);
}

TEST(BipedBody, a_pose_puts_mass_centre_and_feet_where_they_should_be) {
  const BipedBody body;
  BipedAim aim;
  aim.c = Vec3d(0.04, 0.06, 0.62);
  aim.X_WF[0].p = Vec3d(0.0, 0.09, 0.08);
  aim.X_WF[1].p = Vec3d(0.05, -0.09, 0.11);
  Vec3d p(0.0, 0.0, 0.75);
  BothLegs q{};
  ASSERT_EQ(pose_biped(body, aim, p, q), Reach::Good);
  EXPECT_LT(norm(p + mass_centre(body, q) - aim.c), 1e-9);
  for (int side = 0; side < 2; side++) EXPECT_LT(norm(p + ankle_pose(body, side, q[side]).p - aim.X_WF[side].p), 1e-9);
}

TEST(BipedBody, both_soles_span_a_polygon_and_one_its_rectangle) {
  const BipedBody body;
  std::array<Posed, 2> X{Posed::identity(), Posed::identity()};
  X[0].p = Vec3d(0.0, 0.09, 0.08);
  X[1].p = Vec3d(0.1, -0.09, 0.08);
  EXPECT_NEAR(static_margin(soles_polygon(body, X, {true, false}), Vec3d(0.03, 0.09, 0.0)), 0.055, 1e-12);
  EXPECT_NEAR(static_margin(soles_polygon(body, X, {true, false}), Vec3d(0.03, 0.0, 0.0)), -0.035, 1e-12);
  EXPECT_GT(static_margin(soles_polygon(body, X, {true, true}), Vec3d(0.08, 0.0, 0.0)), 0.05);
}

}  // namespace six_joint_leg_test
}  // namespace sinew::legged
