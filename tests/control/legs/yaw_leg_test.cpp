#include "sinew/control/legs/yaw_leg.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sinew/control/legs/segments.h"
#include "sinew/control/legs/step_cycle.h"

namespace sinew::legged {
namespace yaw_leg_test {

TEST(YawLeg, inverse_and_forward_kinematics_are_each_others_inverse) {
  std::mt19937_64 dice(5);
  const auto in = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(dice); };
  const YawLeg leg;
  for (int n = 0; n < 2000; n++) {
    const Vec3d q(in(leg.low[0], leg.high[0]), in(leg.low[1], leg.high[1]), in(leg.low[2], leg.high[2]));
    const Vec3d foot = foot_of(leg, q);
    Vec3d back;
    if (foot[0] * std::cos(q[0]) + foot[1] * std::sin(q[0]) < 1e-3) continue;  // behind the axis: another branch
    ASSERT_EQ(reach_for(leg, foot, back), Reach::Good);
    EXPECT_LT(norm(foot_of(leg, back) - foot), 1e-12);
    if (norm(back - q) > 1.0) continue;  // the other knee is never taken, but outward and inward are two ways
    EXPECT_LT(norm(back - q), 1e-9);
  }
}

TEST(YawLeg, the_jacobian_agrees_with_differences_and_its_determinant_with_the_closed_form) {
  const YawLeg leg;
  std::mt19937_64 dice(6);
  const auto in = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(dice); };
  for (int n = 0; n < 200; n++) {
    const Vec3d q(in(-0.7, 0.7), in(-0.7, 1.3), in(-2.5, -0.3));
    const Mat3d J = foot_jacobian(leg, q);
    for (int c = 0; c < 3; c++) {
      Vec3d step = Vec3d::zero();
      step[c] = 1e-5;
      const Vec3d slope = (foot_of(leg, q + step) - foot_of(leg, q - step)) * (0.5 / 1e-5);
      EXPECT_LT(norm(slope - J.col(c)), 1e-9);
    }
    EXPECT_NEAR(dot(J.col(0), cross(J.col(1), J.col(2))), jacobian_determinant(leg, q), 1e-15);
    Vec3d rate;
    const Vec3d v(0.1, -0.2, 0.3);
    ASSERT_TRUE(joint_rates(leg, q, v, rate));
    EXPECT_LT(norm(J * rate - v), 1e-12);
  }
  Vec3d rate;
  EXPECT_FALSE(joint_rates(leg, Vec3d(0.1, 0.2, 0.0), Vec3d(1, 0, 0), rate));  // knee straight
}

TEST(YawLeg, torques_that_hold_a_force_tell_it) {
  const YawLeg leg;
  const Vec3d q(0.2, 0.4, -1.9), pushed(3.0, -2.0, 20.0);
  Vec3d force;
  ASSERT_TRUE(foot_force(leg, q, -force_torques(leg, q, pushed), force));
  EXPECT_LT(norm(force - pushed), 1e-12);
  EXPECT_FALSE(foot_force(leg, Vec3d(0.2, 0.4, 0.0), Vec3d(1, 1, 1), force));  // knee straight
}

TEST(YawLeg, points_out_of_reach_are_refused_with_the_reason) {
  const YawLeg leg;
  Vec3d q(7, 7, 7);
  EXPECT_EQ(reach_for(leg, Vec3d(0.4, 0.0, 0.0), q), Reach::TooFar);
  EXPECT_EQ(reach_for(leg, Vec3d(0.08, 0.0, 0.0), q), Reach::TooNear);
  EXPECT_EQ(reach_for(leg, Vec3d(0.0, 0.0, -0.1), q), Reach::OnAxis);
  EXPECT_EQ(reach_for(leg, Vec3d(NAN, 0.0, -0.1), q), Reach::OnAxis);
  EXPECT_EQ(q[0], 7.0);
}

// Within the range of the generator, -0.062 to 0.0353 m, from a hole's depth to the apex.
TEST(YawLeg, joint_limits_hold_in_all_that_the_generator_asks_for) {
  const SegmentedBody body;
  for (int i = 0; i < body.legs(); i++)
    for (double along = -0.062; along < 0.0354; along += 0.0005)
      for (double up = 0.0; up <= 0.05; up += 0.005) {
        const YawLeg leg = body.leg_of(i);
        const Vec3d p = body.neutral(i) + Vec3d(along, 0.0, up);
        const Vec3d shoulder((body.middle() - body.segment_of(i)) * body.spacing(), 0.0, 0.0);
        Vec3d q;
        ASSERT_EQ(reach_for(leg, to_leg(leg, p - shoulder), q), Reach::Good);
        ASSERT_TRUE(within_limits(leg, q)) << i << " " << along << " " << up;
      }
}

// Konyev 2011, section 2.5.2, takes shanks as vertical and force readings as those of the world. They lean 1.5 degrees at the ends of a
// stroke of 70 mm, and by the whole pitch of the body more.
TEST(YawLeg, shanks_are_not_vertical) {
  const SegmentedBody body;
  const YawLeg leg = body.leg_of(1);
  Vec3d q;
  ASSERT_EQ(reach_for(leg, to_leg(leg, body.neutral(1) + Vec3d(0.035, 0.0, 0.0)), q), Reach::Good);
  const YawLegPoints p = points_of(leg, q);
  const Vec3d shank = p.knee - p.foot;
  const double lean = std::atan2(std::hypot(shank[0], shank[1]), shank[2]) * 180.0 / M_PI;
  EXPECT_NEAR(lean, 1.5, 0.05);
  // a side force of a tenth of the load would be measured wrong by a quarter
  EXPECT_GT(std::sin(lean * M_PI / 180.0), 0.025);
}

TEST(Segments, the_neutral_stance_has_its_mass_and_mass_centre) {
  const SegmentedBody body;
  EXPECT_NEAR(body.mass(), 6.0, 1e-12);
  EXPECT_NEAR(body.neutral_out(), 0.2116515, 1e-7);
}

// Positive pitch_up raises the far end of a segment, positive yaw moves it left, at either end of the body.
TEST(Segments, hinges_move_the_far_ends_up_and_left) {
  SegmentedBody body;
  for (const int n : {2, 3, 4, 5, 6}) {
    body.segments = n;
    BodyPose pose;
    for (int j = 0; j < n; j++) pose.hinge[j] = {0.2, 0.1};
    std::array<Posed, most_segments> X;
    place_segments(body, pose, X);
    for (int j = 0; j < n; j++) {
      if (j == body.middle()) continue;
      EXPECT_GT(X[j].p[2], 0.0) << n << " " << j;
      EXPECT_GT(X[j].p[1], 0.0) << n << " " << j;
      const int inner = j < body.middle() ? j + 1 : j - 1;
      EXPECT_LT(norm(X[j].p - X[inner].p), body.spacing() + 1e-12);
    }
    pose = {};
    place_segments(body, pose, X);
    for (int j = 0; j < n; j++) EXPECT_LT(norm(X[j].p - Vec3d((body.middle() - j) * body.spacing(), 0.0, 0.0)), 1e-15);
  }
}

// Y_W has no sign in Konyev 2011, section 3.4.3. Here up is up: nose up brings the front shoulders higher, roll the left side.
TEST(Segments, nose_up_and_left_side_up_are_positive) {
  EXPECT_GT((robot_axes(0.0, 0.1, 0.0) * Vec3d(1, 0, 0))[2], 0.0);
  EXPECT_GT((robot_axes(0.0, 0.0, 0.1) * Vec3d(0, 1, 0))[2], 0.0);
  EXPECT_GT((robot_axes(0.1, 0.0, 0.0) * Vec3d(1, 0, 0))[1], 0.0);
}

// Eq. (3.7) leaves out how the mass centre is rotated, and its height. With the body pitched the height counts in the horizontal place: without
// it the place is wrong by h sin(pitch).
TEST(Segments, the_height_of_the_mass_centre_counts_when_the_body_is_pitched) {
  const SegmentedBody body;
  const Vec3d com(0.0224, 0.0, -0.00467);
  const double pitch = 0.3;
  const Mat3d R = robot_axes(0.0, pitch, 0.0);
  const double right = (R * com)[0], printed = (R * Vec3d(com[0], com[1], 0.0))[0];
  EXPECT_NEAR(right, com[0] * std::cos(pitch) - com[2] * std::sin(pitch), 1e-15);
  EXPECT_GT(std::abs(right - printed), 1e-3);
}

TEST(Segments, both_axes_of_a_differential_hinge_have_twice_the_torque_of_a_motor) {
  const Hinge h{0.3, -0.2};
  const Hinge back = hinge_angles(motor_angles(h));
  EXPECT_NEAR(back.pitch_up, h.pitch_up, 1e-15);
  EXPECT_NEAR(back.yaw, h.yaw, 1e-15);
  EXPECT_EQ(hinge_torques({1.5, 1.5}).pitch_up, 3.0);
  EXPECT_EQ(hinge_torques({1.5, -1.5}).yaw, 3.0);
  // power is the same on both sides
  const Differential rate = motor_angles({0.7, 0.4}), torque{0.9, -0.3};
  const Hinge t = hinge_torques(torque);
  EXPECT_NEAR(rate.a * torque.a + rate.b * torque.b, t.pitch_up * 0.7 + t.yaw * 0.4, 1e-15);
}

TEST(Segments, feet_on_an_ellipse_are_within_reach) {
  const SegmentedBody body;
  const NeutralEllipse ellipse;
  for (int i = 0; i < 6; i++) {
    const Vec3d p = ellipse.neutral(body, i);
    EXPECT_NEAR(p[0] * p[0] / (0.3855 * 0.3855) + p[1] * p[1] / (0.235 * 0.235), 1.0, 1e-12);
    Vec3d q;
    EXPECT_EQ(reach_for(body.leg_of(i), world_to_leg(body, {}, i, p), q), Reach::Good);
  }
}

}  // namespace yaw_leg_test
}  // namespace sinew::legged
