// A motor with its current loop at the limit of the voltage.
#include "sinew/parts/drive/motor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/parts/drive_bench.h"

namespace sinew::drive {
namespace motor_test {

using namespace bench;

// (R i + k_e w)^2 + (p w L i)^2 = V^2, i_d = 0: what levels without a current loop take for the most. A current far out of reach changes nothing.
TEST(CurrentLoop, at_the_limit_of_the_voltage_gives_the_current_that_it_can_hold_and_no_other) {
  for (const double hz : {300.0, 1000.0})
    for (const double wanted : {6.0, 40.0, 400.0}) {
      Bench<double> b{full(Control::Current), motor_numbers()};
      b.n.motor = {.R = 0.7, .L = 2e-3, .k_e = 0.06, .c = 1.5, .pairs = 4.0};
      b.n.V = 24.0 / std::numbers::sqrt3;
      b.n.w_c = 2.0 * std::numbers::pi * hz;
      b.given[command::current] = wanted;
      const double w = 180.0;
      for (int k = 0; k < 3000; k++) b.step(1e-3, 0.0, w);
      const double X = 4.0 * w * 2e-3, Z = 0.7 * 0.7 + X * X, e = 0.06 * w;
      const double i = (-0.7 * e + std::sqrt(0.49 * e * e - Z * (e * e - b.n.V * b.n.V))) / Z;
      ASSERT_LT(i, 6.0);
      EXPECT_NEAR(b.own[memory::i_q], i, 1e-9) << hz << " " << wanted;
      EXPECT_NEAR(b.own[memory::i_d], 0.0, 1e-9) << hz << " " << wanted;
    }
}

}  // namespace motor_test
}  // namespace sinew::drive
