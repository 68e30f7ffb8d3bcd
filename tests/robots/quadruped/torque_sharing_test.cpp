// Sharing of torques (docs/theory/quadruped.md#sharing-of-torques).
#include "robots/quadruped/torque_sharing.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/robots/quadruped/setup.h"

namespace sinew::legged {
namespace torque_sharing_test {

TEST(Share, friction_and_limits_of_the_pitch_motion) {
  const Quadruped robot;
  const double omega = 2.0 * std::numbers::pi / 0.3, swing = std::numbers::pi / 36.0, sine = std::sin(omega * 0.075);
  const GivenState s{{0.2, 0.3, 0.4, swing * sine, 0, 0, 0, -2.0 * swing * sine}, {}, {}};
  const Stance stance = stance_at(robot, s);
  double J[14][8];
  actuation_of(stance, J);
  const Vec8 req =
      required(robot, stance, {0, 0, 0, -swing * omega * omega * sine, 0, 0, 0, 2.0 * swing * omega * omega * sine});
  AffineStance affine;
  affine_of(robot, stance, affine);
  SmallQp qp;
  const Torques found = share_qp({J, affine, req}, {60.0, 60.0}, {0.8, 0.0, 8}, qp);
  ASSERT_TRUE(found.found);
  const Vec14 want{0.08604, -12.1643, -0.63635, 19.02636, 52.43629,  29.41502,  -38.49008,
                   39.4142, 18.98274, 19.77632, -3.01258, -16.43431, -13.34218, 6.67851};
  for (int i = 0; i < 14; i++) EXPECT_NEAR(found.tau[i], want[i], 1e-4);
  EXPECT_NEAR(least_friction({J, affine, req}, {60.0, 60.0}, 8, qp), 0.481, 1e-4);
  EXPECT_NEAR(least_friction({J, affine, req}, {}, 8, qp), 0.4783, 1e-4);
  EXPECT_FALSE(share_qp({J, affine, req}, {60.0, 60.0}, {0.4, 0.0, 8}, qp).found);
}

TEST(Share, feet_below_the_hips_leave_the_eight_actuators_singular_and_this_is_said) {
  const Quadruped robot;
  const Feet feet{Vec3d(0.44, 0.57, 0), Vec3d(-0.04, 0.57, 0), Vec3d(-0.04, 0.03, 0), Vec3d(0.44, 0.03, 0)};
  const Stance stance = stance_at(robot, {q0, {}, {}}, feet);
  double J[14][8];
  actuation_of(stance, J);
  const Vec8 req = required(robot, stance, {});
  EXPECT_FALSE(share_given(J, req, {}).found);
  const Torques least = share_min_norm(J, req), damped = share_damped(J, req, 0.01);
  ASSERT_TRUE(least.found);
  EXPECT_NEAR(least.tau[2], 18.346752705493, 1e-9);
  EXPECT_NEAR(least.tau[10], -2.6894479464434315, 1e-9);
  EXPECT_NEAR(damped.tau[2], 15.027819481660721, 1e-8);
  EXPECT_NEAR(damped.residual, 23.83841564137106, 1e-9);
}

// At t = 0.225 s of the pitching motion nothing is feasible. This is said, and what comes instead is within limits and
// cones, with as much of the motion as they allow.
TEST(Share, where_nothing_is_feasible_the_motion_gives_way) {
  const Quadruped robot;
  const double omega = 2.0 * std::numbers::pi / 0.3, swing = std::numbers::pi / 36.0, sine = std::sin(omega * 0.225);
  const GivenState s{{0.2, 0.3, 0.4, swing * sine, 0, 0, 0, -2.0 * swing * sine}, {}, {}};
  const Vec8 a{0, 0, 0, -swing * omega * omega * sine, 0, 0, 0, 2.0 * swing * omega * omega * sine};
  const Stance stance = stance_at(robot, s);
  double J[14][8];
  actuation_of(stance, J);
  const Vec8 req = required(robot, stance, a);
  AffineStance affine;
  affine_of(robot, stance, affine);
  SmallQp qp;
  StanceGoal goal;
  goal.a = a, goal.eps = 1e-6;
  const Torques soft = share_limited({J, affine, req}, goal, {60.0, 60.0}, {0.8, 0.0, 8}, qp);
  EXPECT_FALSE(soft.found);
  EXPECT_GT(soft.residual, 1.0);
  for (const double x : soft.tau) EXPECT_LE(std::abs(x), 60.0 + 1e-6);
  for (const Vec3d& f : foot_forces(robot, stance, forward(robot, stance, soft.tau), soft.tau)) {
    EXPECT_GE(f[2], -1e-6);
    EXPECT_LE(std::hypot(f[0], f[1]), 0.8 * f[2] + 1e-6);
  }
  const Torques exact = share_limited({J, affine, req}, goal, {}, {5.0, 0.0, 8}, qp);  // rough ground, strong motors
  EXPECT_TRUE(exact.found);
  EXPECT_LT(exact.residual, 1e-6);
}

TEST(Share, goal_with_friction_is_the_reference_value) {
  const Quadruped robot;
  GivenState s = state_B;
  for (double& x : s.u) x *= 0.3;
  AffineStance affine;
  affine_of(robot, stance_at(robot, s), affine);
  SmallQp qp;
  const Torques found = share_goal(affine, {.a = {1, -0.5, 0.2, 2, -1, 6, 0, 0}}, {60.0, 40.0}, {0.15, 5.0, 8}, qp);
  ASSERT_TRUE(found.found);
  const Vec14 want{2.9258232205580983, 4.713811617456836,   14.808694951411876, 25.20204528146923,  24.573852282999365,
                   16.47371825298919,  -5.968202225127704,  0.9299848207468989, 2.0785633969159782, -0.568254672777619,
                   4.4271459521308865, -7.0569356135752725, -5.198313086702859, -8.070007866806897};
  for (int i = 0; i < 14; i++) EXPECT_NEAR(found.tau[i], want[i], 1e-4);
}

}  // namespace torque_sharing_test
}  // namespace sinew::legged
