// Waist and arms against legs that swing: momentum of points in closed form, and what is left of it.
#include "sinew/control/legs/yaw_balance.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace sinew::legged {
namespace yaw_balance_test {

// Two masses on a circle about their own centre, which goes its way: m1 m2 / (m1 + m2) d^2 w.
TEST(YawBalance, momentum_of_two_points_is_that_of_their_reduced_mass) {
  const double w = 1.7, dt = 1e-4, d = 0.4;
  const auto at = [&](double t) {
    const Vec3d c(0.3 + 2.0 * t, -1.0 * t, 0.7), r(std::cos(w * t), std::sin(w * t), 0.0);
    return std::array<MassPoint, 2>{{{3.0, c + r * (d * 2.0 / 5.0)}, {2.0, c - r * (d * 3.0 / 5.0)}}};
  };
  const auto before = at(0.2), now = at(0.2 + dt);
  EXPECT_NEAR(yaw_momentum(before, now, dt), 6.0 / 5.0 * d * d * w, 1e-8);
}

TEST(YawBalance, parts_take_all_of_it_with_the_least_rates) {
  std::array<YawPart, 2> parts{YawPart{0.3, 10.0}, YawPart{0.1, 10.0}};
  turn_against(0.2, 1e9, 1e-3, parts);
  EXPECT_NEAR(0.3 * parts[0].rate + 0.1 * parts[1].rate, -0.2, 1e-9);
  EXPECT_NEAR(parts[0].rate / parts[1].rate, 3.0, 1e-9);  // along the inertias: no shorter pair of rates does it
}

TEST(YawBalance, parts_stay_within_their_range_and_come_back) {
  std::array<YawPart, 1> parts{YawPart{0.1, 0.5}};
  for (int i = 0; i < 1000; i++) turn_against(-1.0, 2.0, 1e-3, parts);
  EXPECT_DOUBLE_EQ(parts[0].s, 0.5);
  EXPECT_NEAR(parts[0].rate, 0.0, 1e-12);
  for (int i = 0; i < 2000; i++) turn_against(0.0, 2.0, 1e-3, parts);
  EXPECT_NEAR(parts[0].s, 0.5 * std::exp(-1.0), 1e-4);
}

}  // namespace yaw_balance_test
}  // namespace sinew::legged
