#include "sinew/control/legs/zmp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/math/rotation.h"

namespace sinew::legged {
namespace zmp_test {

TEST(Zmp, a_sensor_above_the_sole_finds_where_the_ground_pushes) {
  const Vec3d f(-8.0, 12.0, 230.0), r(0.03, 0.02, -0.08);
  const Zmp zmp = zmp_of_wrench({f, cross(r, f)}, 0.08);
  ASSERT_TRUE(zmp.is_valid);
  EXPECT_NEAR(zmp.x, 0.03, 1e-15);
  EXPECT_NEAR(zmp.y, 0.02, 1e-15);
  // without the height of the sensor, horizontal forces would move it
  EXPECT_GT(std::abs(zmp_of_wrench({f, cross(r, f)}, 0.0).y - 0.02), 0.004);
}

TEST(Zmp, the_wrench_of_a_tilted_foot_is_turned_first) {
  const Mat3d R = to_matrix(quaternion_exp(Vec3d(0.1, -0.2, 0.3)));
  const Vec3d f(-8.0, 12.0, 230.0), r(0.03, 0.02, -0.08);
  const FootWrench read{transpose_times(R, f), transpose_times(R, cross(r, f))};
  const Zmp zmp = zmp_of_wrench(leveled(R, read), 0.08);
  EXPECT_NEAR(zmp.x, 0.03, 1e-14);
  EXPECT_NEAR(zmp.y, 0.02, 1e-14);
  EXPECT_GT(std::abs(zmp_of_wrench(read, 0.08).x - 0.03), 0.01);
}

TEST(Zmp, a_foot_that_hardly_presses_has_none_and_does_not_count) {
  EXPECT_FALSE(zmp_of_wrench({Vec3d(0, 0, 9.0), Vec3d(1, 1, 0)}, 0.08).is_valid);
  EXPECT_FALSE(zmp_of_wrench({Vec3d(0, 0, NAN), Vec3d(1, 1, 0)}, 0.08).is_valid);
  const Zmp feet[2] = {{true, 0.03, 0.1, 120.0}, {false, 5.0, 5.0, 80.0}};
  const Zmp both = joint_zmp(feet);
  EXPECT_DOUBLE_EQ(both.x, 0.03);
  EXPECT_EQ(both.load, 120.0);
  EXPECT_FALSE(joint_zmp({}).is_valid);
}

TEST(Zmp, of_a_motion_is_where_the_forces_that_make_it_act) {
  // two point masses that move anyhow: the ground gives sum m (a + g), its torque about a point of the ground has no horizontal part at the ZMP
  const double g = 9.81, m[2] = {3.0, 5.0};
  const Vec3d p[2] = {{0.1, 0.3, 0.7}, {-0.2, 0.1, 0.4}}, a[2] = {{0.5, -1.0, 0.3}, {-0.7, 0.4, -0.2}};
  CentroidalMotion motion;
  motion.mass = m[0] + m[1];
  motion.c = (p[0] * m[0] + p[1] * m[1]) * (1.0 / motion.mass);
  motion.c_dd = (a[0] * m[0] + a[1] * m[1]) * (1.0 / motion.mass);
  for (int i = 0; i < 2; i++) motion.L_rate += cross(p[i] - motion.c, a[i] - motion.c_dd) * m[i];
  const Zmp zmp = zmp_of_motion(motion);
  ASSERT_TRUE(zmp.is_valid);
  Vec3d torque = Vec3d::zero();
  for (int i = 0; i < 2; i++) torque += cross(p[i] - Vec3d(zmp.x, zmp.y, 0.0), a[i] + Vec3d(0, 0, g)) * m[i];
  EXPECT_NEAR(torque[0], 0.0, 1e-12);
  EXPECT_NEAR(torque[1], 0.0, 1e-12);
  motion.c_dd[2] = -g;  // falls freely
  EXPECT_FALSE(zmp_of_motion(motion).is_valid);
}

// Konyev 2011, table 4.1, of a sensor with 12 bits: forces are exact to two counts, moments to twenty. Two counts would be 0.0098 N m.
TEST(Zmp, the_stated_accuracy_of_moments_is_twenty_counts_and_moves_the_point_by_less_than_half_a_millimetre) {
  const double force_count = 2.0 * 400.0 / 4096.0, moment_count = 2.0 * 10.0 / 4096.0;
  EXPECT_NEAR(0.39 / force_count, 2.0, 0.01);
  EXPECT_NEAR(0.098 / moment_count, 20.0, 0.1);
  EXPECT_GT(std::abs(0.098 / moment_count - 2.0), 10.0);
  const Vec3d f(0.0, 0.0, 235.44);
  EXPECT_LT(std::abs(zmp_of_wrench({f, Vec3d(0.0, 0.098, 0.0)}, 0.08).x), 0.5e-3);
}

}  // namespace zmp_test
}  // namespace sinew::legged
