#include "sinew/math/ramp.h"

#include <gtest/gtest.h>

namespace sinew {
namespace ramp_test {

TEST(Ramp, is_smooth_twice) {
  constexpr double h = 1e-5, T = 2.0;
  for (const double t : {0.6, 1.3, 1.999998, 2.0, 4.0}) {
    const Ramp<double> a = ramp_at(t - h, T), at = ramp_at(t, T), b = ramp_at(t + h, T);
    EXPECT_NEAR((b.value - a.value) / (2 * h), at.rate, 1e-8);
    EXPECT_NEAR((b.rate - a.rate) / (2 * h), at.accel, 1e-4);
  }
  EXPECT_EQ(ramp_at(0.0, T).accel, 0.0);
  EXPECT_NEAR(ramp_at(T - 1e-9, T).accel, 0.0, 1e-6);
}

TEST(Ramp, is_0_before_it_begins_and_1_once_it_is_over) {
  EXPECT_EQ(ramp_at(-1.0, 2.0).value, 0.0);
  EXPECT_EQ(ramp_at(2.0, 2.0).value, 1.0);
  EXPECT_EQ(smooth_ramp(1.0, 2.0).value, 1.0);
  EXPECT_EQ(ramp_at(0.0, 0.0).value, 1.0);
}

}  // namespace ramp_test
}  // namespace sinew
