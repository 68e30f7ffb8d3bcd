// Kinematics of a leg (docs/theory/quadruped.md#legs).
#include "sinew/control/legs/leg.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/robots/quadruped/setup.h"

namespace sinew::legged {
namespace leg_test {

constexpr double pi = std::numbers::pi;

double rate_of(const HeldLeg& leg, const PlateMotion& plate, int joint) {
  double sum = 0.0;
  for (int i = 0; i < 3; i++) sum += leg.j[joint][i] * plate.v[i] + leg.j[joint][3 + i] * plate.w[i];
  return sum;
}

TEST(Leg, inverse_kinematics_leads_back_to_the_foot) {
  std::mt19937_64 dice(1);
  const auto in = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(dice); };
  for (int i = 0; i < 10000; i++) {
    LegShape leg;
    leg.l_th = in(0.2, 0.4), leg.l_sh = in(0.2, 0.4), leg.knee = i % 2 ? 1.0 : -1.0;
    const LegAngles angles{in(-1.2, 1.2), in(-0.6, 0.6) - leg.knee * 0.6, in(10.0, 160.0) * pi / 180.0};
    const LegPose pose = pose_of(leg, angles);
    if (pose.rho < 0.02) continue;
    const LegPose found = reach_for(leg, pose.s);
    ASSERT_EQ(found.reach, Reach::Good);
    EXPECT_LT(norm(found.b + found.c - pose.s), 1e-13);
    EXPECT_NEAR(leg.l_th * found.hb.cos + leg.l_sh * found.g.cos, found.rho, 1e-12);
    const LegAngles back = angles_of(leg, found);
    EXPECT_NEAR(back.ha, angles.ha, 1e-11);
    EXPECT_NEAR(back.hb, angles.hb, 1e-11);
    EXPECT_NEAR(back.k, angles.k, 1e-11);
  }
}

TEST(Leg, angles_of_the_reference_pose) {
  const double want[4][3] = {{0.07485984771076692, -0.9769861707951952, 1.4845784382498053},
                             {-0.07485984771076679, -0.8385537906021415, 1.4644850723855098},
                             {-0.07485984771076679, -0.8385537906021416, 1.4644850723855098},
                             {0.07485984771076692, -0.6800280445447928, 1.4845784382498053}};
  const Quadruped robot;
  const Stance stance = stance_at(robot, state_A);
  for (int i = 0; i < 4; i++) {
    const LegAngles a = angles_of(robot.leg[i], stance.leg[i].pose);
    EXPECT_NEAR(a.ha, want[i][0], 1e-13);
    EXPECT_NEAR(a.hb, want[i][1], 1e-13);
    EXPECT_NEAR(a.k, want[i][2], 1e-13);
  }
}

TEST(Leg, a_foot_that_cannot_be_reached_says_why) {
  const LegShape leg;
  EXPECT_EQ(reach_for(leg, {0.0, 0.0, -0.7}).reach, Reach::TooFar);
  EXPECT_EQ(reach_for(leg, {0.0, 0.0, 0.0}).reach, Reach::TooNear);
  EXPECT_EQ(reach_for(leg, {0.0, 0.3, 0.0}).reach, Reach::OnAxis);
}

TEST(Leg, jacobians_agree_with_differences) {
  std::mt19937_64 dice(2);
  for (int n = 0; n < 50; n++) {
    const RandomState s = random_state(dice);
    const Stance now = stance_at(s.robot, s);
    if (now.reach != Reach::Good) continue;
    constexpr double eps = 1e-6;
    Stance side[2];
    for (int k = 0; k < 2; k++) {  // along the motion: p + v dt, R turned by w dt
      StanceState state = stance_of(s.q, s.u);
      const double dt = k ? eps : -eps;
      state.p += state.v * dt;
      state.R = to_matrix(quaternion_exp(state.w * dt)) * state.R;
      evaluate(s.robot, state, reference_feet, side[k]);
    }
    for (int i = 0; i < 4; i++) {
      const LegShape& leg = s.robot.leg[i];
      const LegAngles a = angles_of(leg, side[0].leg[i].pose), b = angles_of(leg, side[1].leg[i].pose);
      const HeldLeg& held = now.leg[i];
      EXPECT_NEAR((b.ha - a.ha) / (2 * eps), held.rate[ha], 1e-7);
      EXPECT_NEAR((b.hb - a.hb) / (2 * eps), held.rate[hb], 1e-7);
      EXPECT_NEAR((b.k - a.k) / (2 * eps), held.rate[knee], 1e-7);
      double j_rate[3][6];
      row_rates(leg, now.plate, reference_feet[i], held, j_rate);
      for (int joint = 0; joint < 3; joint++) {
        EXPECT_NEAR(rate_of(held, now.plate, joint), held.rate[joint], 1e-12);
        double sum = 0.0;
        for (int c = 0; c < 3; c++) sum += j_rate[joint][c] * now.plate.v[c] + j_rate[joint][3 + c] * now.plate.w[c];
        EXPECT_NEAR(sum, held.bias[joint], 1e-11 * (1.0 + std::abs(sum)));
      }
    }
  }
}

TEST(Leg, foot_jacobian_agrees_with_differences) {
  LegShape leg;
  for (const double sigma : {-1.0, 1.0}) {
    leg.knee = sigma;
    const LegAngles at{0.3, -0.7 * sigma, 1.2};
    const Mat3d J = foot_jacobian(leg, pose_of(leg, at));
    constexpr double eps = 1e-6;
    for (int c = 0; c < 3; c++) {
      LegAngles a = at, b = at;
      (c == 0 ? a.ha : c == 1 ? a.hb : a.k) -= eps, (c == 0 ? b.ha : c == 1 ? b.hb : b.k) += eps;
      const Vec3d slope = (pose_of(leg, b).s - pose_of(leg, a).s) * (0.5 / eps);
      EXPECT_LT(norm(slope - J.col(c)), 1e-9);
    }
  }
}

// (7) as printed: atan2(s_x, s_z) gives -3.067 where the hip is at 0.0749.
TEST(Leg, printed_abduction_angle_is_half_a_turn_off) {
  const Stance stance = stance_at({}, state_A);
  const Vec3d& s = stance.leg[0].pose.s;
  EXPECT_NEAR(std::atan2(s[0], s[2]), -3.067, 1e-3);
  EXPECT_NEAR(std::atan2(-s[0], -s[2]), 0.0748598477, 1e-10);
}

// Errata, (17) and (18): with the interior knee angle added to hb the denominator and the row are wrong.
TEST(Leg, printed_flexion_row_is_wrong) {
  const Quadruped robot;
  const Stance stance = stance_at(robot, state_A);
  const LegPose& pose = stance.leg[0].pose;
  const LegAngles a = angles_of(robot.leg[0], pose);
  const double printed = 0.3 * std::cos(a.hb) + 0.3 * std::cos(a.hb + a.k);
  EXPECT_NEAR(printed, 0.4300321102422596, 1e-12);
  EXPECT_NEAR(pose.rho, 0.4011234224026316, 1e-12);
  const double correct[6] = {0.19456705997586893, 2.1038641547694037, 2.594227466344917,
                             1.697640725801584,   -0.62261459192278,  0.37760434270953797};
  for (int i = 0; i < 6; i++) EXPECT_NEAR(stance.leg[0].j[hb][i], correct[i], 1e-12);
  const double row_y = (1.0 + 0.3 * std::cos(a.hb + a.k) * stance.leg[0].j[knee][1]) / printed;  // of (18)
  EXPECT_GT(std::abs(row_y - correct[1]), 0.1);
}

// Errata, (11): d/dt of the law of cosines (6) has sin k, not cos(pi - k).
TEST(Leg, printed_rate_of_the_knee_is_no_derivative) {
  const Quadruped robot;
  const Stance stance = stance_at(robot, state_B);
  const HeldLeg& leg = stance.leg[0];
  const Vec3d s_rate = cross(leg.pose.s + robot.leg[0].hip, stance.plate.w) - stance.plate.v;
  const double right = dot(leg.pose.s, s_rate) / (0.09 * leg.pose.k.sin);
  EXPECT_NEAR(right, leg.rate[knee], 1e-12);
  EXPECT_GT(std::abs(dot(leg.pose.s, s_rate) / (0.09 * -leg.pose.k.cos) - leg.rate[knee]), 1.0);
}

}  // namespace leg_test
}  // namespace sinew::legged
