#include "sinew/parts/drive/sweep.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew::drive {
namespace sweep_test {

// Times between zeros are half periods: the frequency is read off them.
TEST(Sweep, grows_from_one_frequency_to_another_by_equal_factors_in_equal_times) {
  const Sweep sweep{.amplitude = 3.0, .from = 2.0, .to = 200.0, .time = 4.0};
  double last = 0.0, before = sweep.at(1e-9), most = 0.0;
  int zeros = 0;
  for (int k = 1; k < 400000; k++) {
    const double t = 1e-5 * k, x = sweep.at(t);
    most = std::max(most, std::abs(x));
    if (before * x < 0.0) {
      const double zero = t - 1e-5 * x / (x - before), middle = 0.5 * (zero + last), f = 0.5 / (zero - last);
      if (zeros > 0) {
        EXPECT_NEAR(f, 2.0 * std::pow(100.0, middle / 4.0), 0.02 * f) << t;
      }
      zeros++;
      last = zero;
    }
    before = x;
  }
  EXPECT_GT(zeros, 300);
  EXPECT_NEAR(most, 3.0, 1e-3);
  EXPECT_EQ(sweep.at(4.0), 0.0);
  EXPECT_EQ(sweep.at(-1.0), 0.0);
  EXPECT_EQ(Sweep{}.at(0.5), 0.0);
}

}  // namespace sweep_test
}  // namespace sinew::drive
