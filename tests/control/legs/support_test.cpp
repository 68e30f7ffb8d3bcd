// Forces of any number of feet; tests/examples/hexapod_test.cpp has a robot of six.
#include "sinew/control/legs/support.h"

#include <gtest/gtest.h>

#include "robots/quadruped/stance.h"
#include "tests/robots/quadruped/setup.h"

namespace sinew::legged {
namespace support_test {

TEST(Support, feet_give_the_wrench_and_stay_in_their_cones) {
  std::mt19937_64 dice(31);
  const auto in = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(dice); };
  SmallQp qp;
  for (int n = 0; n < 200; n++) {
    const int count = 3 + n % 6;
    std::vector<Foothold> feet(count);
    std::vector<Vec3d> f(count);
    for (int i = 0; i < count; i++) {  // round a circle, on tilted ground
      const double angle = 6.283185307179586 * i / count;
      feet[i].point = Vec3d(0.4 * std::cos(angle), 0.4 * std::sin(angle), in(-0.1, 0.1));
      feet[i].normal = normalized(Vec3d(in(-0.2, 0.2), in(-0.2, 0.2), 1.0)), feet[i].mu = in(0.5, 1.0),
      feet[i].f_max = 500.0;
    }
    const BodyWrench wanted{Vec3d(in(-30, 30), in(-30, 30), in(200, 400)),
                            Vec3d(in(-10, 10), in(-10, 10), in(-10, 10))};
    const SupportShare share = share_support(feet, Vec3d(0, 0, 0.4), wanted, qp, f);
    ASSERT_TRUE(share.found);
    EXPECT_LT(share.missed, 0.01) << count;  // eps = 1e-6 of the forces
    for (int i = 0; i < count; i++) {
      const double normal = dot(f[i], feet[i].normal);
      EXPECT_GE(normal, -1e-9);
      EXPECT_LE(norm(f[i] - feet[i].normal * normal), feet[i].mu * normal + 1e-9);
    }
  }
}

TEST(Support, what_friction_cannot_give_is_told) {
  const std::array<Foothold, 3> feet{Foothold{.point = Vec3d(0.3, 0, 0), .mu = 0.2},
                                     {.point = Vec3d(-0.2, 0.2, 0), .mu = 0.2},
                                     {.point = Vec3d(-0.2, -0.2, 0), .mu = 0.2}};
  std::array<Vec3d, 3> f;
  SmallQp qp;
  const SupportShare share = share_support(feet, Vec3d(0, 0, 0.3), {Vec3d(100, 0, 100), Vec3d::zero()}, qp, f);
  ASSERT_TRUE(share.found);
  EXPECT_GT(share.missed, 10.0);
}

// Legs without mass: torques that let the ground push with f hold the robot against the rest. Here the closed form of the quadruped,
// whose legs weigh next to nothing, is the second opinion: it stays at rest.
TEST(Support, torques_of_legs_hold_a_quadruped_with_light_legs) {
  Quadruped robot;
  for (LegShape& leg : robot.leg) leg.m_th = leg.m_sh = 1e-9;
  robot.tail.tip = 1e-9;
  const Stance stance = stance_at(robot, {q0, {}, {}});
  std::array<Foothold, 4> feet;
  for (int i = 0; i < 4; i++) feet[i].point = reference_feet[i];
  std::array<Vec3d, 4> f;
  SmallQp qp;
  const Vec3d p(q0[0], q0[1], q0[2]);
  const BodyWrench wanted =
      wanted_wrench(robot.m_b, robot.I_b, robot.g, {.p = p}, {p, Vec3d::zero(), Vec3d::zero(), Mat3d::identity()});
  ASSERT_TRUE(share_support(feet, p, wanted, qp, f, {.eps = 1e-9}).found);
  Vec14 tau{};
  for (int i = 0; i < 4; i++) {
    const Vec3d t = leg_torques(robot.leg[i], stance.leg[i].pose, Mat3d::identity(), f[i]);
    for (int c = 0; c < 3; c++) tau[actuator_of[i][c]] = t[c];
  }
  const Vec8 a = forward(robot, stance, tau);
  for (int i = 0; i < 6; i++) EXPECT_NEAR(a[i], 0.0, 1e-5) << i;
}

}  // namespace support_test
}  // namespace sinew::legged
