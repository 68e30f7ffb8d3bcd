// What a robot knows of its own motion, against closed forms.
#include "sinew/control/legs/self_motion.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew::legged {
namespace self_motion_test {

TEST(SelfMotion, up_follows_the_rates_at_once_and_the_accelerometers_slowly) {
  const double dt = 1e-4, angle = 0.3;
  Vec3d up(0.0, 0.0, 1.0);
  // it rolls by 0.3 rad in a second: what points up goes to its left side; the accelerometers say nothing yet
  for (int k = 0; k < 10000; k++) up = up_after(up, Vec3d(angle, 0.0, 0.0), Vec3d::zero(), 1.0, dt);
  EXPECT_NEAR(up[1], std::sin(angle), 1e-4);
  EXPECT_NEAR(up[2], std::cos(angle), 1e-4);
  // a tilt that only they see comes in as 1 - e^(-t/T)
  up = Vec3d(0.0, 0.0, 1.0);
  const double small = 0.01;
  for (int k = 0; k < 20000; k++)
    up = up_after(up, Vec3d::zero(), Vec3d(0.0, 9.81 * std::sin(small), 9.81 * std::cos(small)), 2.0, dt);
  EXPECT_NEAR(up[1], small * (1.0 - std::exp(-1.0)), 1e-5);
}

TEST(SelfMotion, errors_of_the_mass_centre_die_out_with_a_double_pole) {
  const double dt = 1e-5, r = 40.0, t = 0.05, off = 0.01, a = 0.5;
  ComEstimate e{Vec3d(off, 0.0, 0.0), Vec3d::zero()};
  for (int k = 0; k < 5000; k++) {
    const double now = k * dt;  // the mass centre goes with a constant acceleration, which the force sensors see
    e = com_after(e, Vec3d(0.5 * a * now * now, 0.0, 0.0), Vec3d(a, 0.0, 0.0), r, dt);
  }
  // e'' + 2 r e' + r^2 e = 0, with e = off and e' = -2 r off at the start
  EXPECT_NEAR(e.c[0] - 0.5 * a * t * t, off * (1.0 - r * t) * std::exp(-r * t), 1e-5);
}

TEST(SelfMotion, axes_point_to_the_heading_and_up_is_up) {
  const Vec3d up = normalized(Vec3d(0.1, -0.2, 0.95));
  const double yaw = 0.7;
  const Mat3d R = upright_axes(up, yaw);
  const Vec3d world_up = R * up, ahead = R * Vec3d(1.0, 0.0, 0.0);
  EXPECT_NEAR(world_up[2], 1.0, 1e-15);
  EXPECT_NEAR(std::atan2(ahead[1], ahead[0]), yaw, 1e-14);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) EXPECT_NEAR(dot(R.col(i), R.col(j)), i == j ? 1.0 : 0.0, 1e-14);
}

}  // namespace self_motion_test
}  // namespace sinew::legged
