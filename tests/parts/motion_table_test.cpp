#include "sinew/parts/device/motion_table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/parts/device/motion.h"
#include "sinew/parts/device/torque_table.h"

namespace sinew {
namespace motion_table_test {

TEST(MotionTable, straight_lines_meet_the_numbers_and_stay_outside) {
  const auto table = make_table({1.0, 2.0, 4.0}, {3.0, 5.0, -1.0}, false);
  const double want[][3] = {{0.0, 3.0, 0.0},  {1.0, 3.0, 2.0},  {1.5, 4.0, 2.0},
                            {2.0, 5.0, -3.0}, {3.0, 2.0, -3.0}, {9.0, -1.0, 0.0}};
  for (const auto& [t, m, rate] : want) {
    double is, is_rate, is_accel;
    table->evaluate(t, is, is_rate, is_accel);
    EXPECT_DOUBLE_EQ(is, m) << t;
    EXPECT_DOUBLE_EQ(is_rate, rate) << t;
    EXPECT_EQ(is_accel, 0.0);
  }
}

// Through a cubic with zero slope at both ends the spline is that cubic.
TEST(MotionTable, spline_is_exact_for_a_cubic_that_starts_and_ends_at_rest) {
  const auto cubic = [](double x) { return x * x * (3.0 - 2.0 * x); };
  std::vector<double> t{0.0, 0.1, 0.35, 0.6, 1.0}, m;
  for (const double x : t) m.push_back(cubic(x));
  const auto table = make_table(t, m, true);
  for (double x = 0.0; x < 1.0; x += 0.01) {
    double is, rate, accel;
    table->evaluate(x, is, rate, accel);
    EXPECT_NEAR(is, cubic(x), 1e-14);
    EXPECT_NEAR(rate, 6.0 * x * (1.0 - x), 1e-13);
    EXPECT_NEAR(accel, 6.0 - 12.0 * x, 1e-12);
  }
}

TEST(MotionTable, error_of_the_spline_falls_with_the_fourth_power_of_the_step) {
  const auto error = [](int n) {
    std::vector<double> t, m;
    for (int i = 0; i <= n; i++) t.push_back(2.0 * i / n), m.push_back(std::cos(3.14159265358979 * t.back()));
    const auto table = make_table(t, m, true);
    double worst = 0.0;
    for (double x = 0.0; x < 2.0; x += 1e-3) {
      double is, rate, accel;
      table->evaluate(x, is, rate, accel);
      worst = std::max(worst, std::abs(is - std::cos(3.14159265358979 * x)));
    }
    return worst;
  };
  EXPECT_NEAR(std::log2(error(20) / error(40)), 4.0, 0.3);
}

// Torques need not begin and end at rest. Two numbers make a line, three a parabola, four and more are exact for a cubic.
TEST(MotionTable, spline_of_torques_is_exact_for_polynomials_up_to_the_ends) {
  for (const int n : {2, 3, 4, 7}) {
    const double c = n < 3 ? 0.0 : -1.0, d = n < 4 ? 0.0 : 0.5;
    const auto p = [&](double x) { return 1.0 + x * (2.0 + x * (c + x * d)); };
    std::vector<double> t, m;
    for (int i = 0; i < n; i++) t.push_back(0.3 * i + 0.05 * i * i), m.push_back(p(t.back()));
    const auto table = make_torque_table(t, m, true);
    for (double x = 0.0; x < t.back(); x += 0.01) {
      double is, rate, accel;
      table->evaluate(x, is, rate, accel);
      EXPECT_NEAR(is, p(x), 1e-13) << n << " numbers at " << x;
      EXPECT_NEAR(rate, 2.0 + x * (2.0 * c + 3.0 * d * x), 1e-12) << n << " numbers at " << x;
    }
  }
}

TEST(MotionTable, error_of_the_spline_of_torques_falls_with_the_fourth_power_up_to_the_ends) {
  const auto error = [](int n) {
    std::vector<double> t, m;
    for (int i = 0; i <= n; i++) t.push_back(2.0 * i / n), m.push_back(std::sin(3.0 * t.back() + 0.4));
    const auto table = make_torque_table(t, m, true);
    double worst = 0.0;
    for (double x = 0.0; x < 2.0; x += 1e-3) {
      double is, rate, accel;
      table->evaluate(x, is, rate, accel);
      worst = std::max(worst, std::abs(is - std::sin(3.0 * x + 0.4)));
    }
    return worst;
  };
  EXPECT_LT(error(80), 1e-6);
  EXPECT_NEAR(std::log2(error(40) / error(80)), 4.0, 0.3);
}

TEST(MotionTable, is_added_to_the_rest_of_a_motion_and_waits_with_it) {
  Motion<double> m;
  m.offset = 1.0, m.start = 0.5;
  m.table = make_table({0.0, 1.0}, {0.0, 2.0}, false);
  double is, rate, accel;
  m.evaluate(0.25, is, rate, accel);
  EXPECT_EQ(is, 0.0);
  m.evaluate(0.75, is, rate, accel);
  EXPECT_DOUBLE_EQ(is, 2.5);
  EXPECT_DOUBLE_EQ(rate, 2.0);
}

TEST(MotionTable, the_end_of_one_that_repeats_goes_on_for_ever) {
  MotionTable table = *make_table({0.0, 0.5, 1.0, 1.5, 2.0, 2.5}, {9.0, 0.0, 1.0, 0.0, -1.0, 0.0}, true);
  table.slope = {0.0, 4.0, 0.0, -4.0, 0.0, 4.0};
  table.repeat = 2.0;
  for (const double t : {0.51, 0.9, 1.3, 2.2, 2.5})
    for (const int periods : {1, 2, 50}) {
      double m[2], rate[2], accel[2];
      table.evaluate(t, m[0], rate[0], accel[0]);
      table.evaluate(t + 2.0 * periods, m[1], rate[1], accel[1]);
      EXPECT_NEAR(m[1], m[0], 1e-12) << t;
      EXPECT_NEAR(rate[1], rate[0], 1e-11) << t;
      EXPECT_NEAR(accel[1], accel[0], 1e-10) << t;
    }
  double m, rate, accel;
  table.evaluate(0.0, m, rate, accel);
  EXPECT_EQ(m, 9.0);  // what comes before happens once
}

TEST(MotionTable, says_what_is_wrong_with_numbers) {
  EXPECT_EQ(table_problem(std::vector{0.0, 1.0}, std::vector{1.0, 2.0, 3.0, 4.0}, 2), "");
  EXPECT_NE(table_problem(std::vector{0.0, 1.0}, std::vector{1.0}, 1), "");
  EXPECT_NE(table_problem(std::vector{0.0, 0.0}, std::vector{1.0, 2.0}, 1), "");
  EXPECT_NE(table_problem(std::vector{0.0, std::nan("")}, std::vector{1.0, 2.0}, 1), "");
}

}  // namespace motion_table_test
}  // namespace sinew
