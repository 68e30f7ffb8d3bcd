#include "sinew/figure/axis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sinew::figure {
namespace axis_test {

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

Extent extent_of(std::initializer_list<double> values) {
  Extent e;
  for (const double x : values) e.add(x);
  return e;
}

std::vector<std::string> texts(const Ticks& ticks) {
  std::vector<std::string> out;
  for (const Tick& t : ticks.list) out.push_back(t.text);
  return out;
}

TEST(FigureAxis, numbers_that_are_not_finite_do_not_count) {
  const Extent e = extent_of({nan, 2.0, inf, -1.0, -inf, 1e301});
  EXPECT_EQ(e.low, -1.0);
  EXPECT_EQ(e.high, 2.0);
  EXPECT_TRUE(extent_of({nan, inf}).empty);
}

TEST(FigureAxis, every_range_has_a_length) {
  for (const Extent& data : {extent_of({}), extent_of({0.0}), extent_of({5.0}), extent_of({-1e-300, 0.0}),
                             extent_of({1e300, -1e300}), extent_of({3.0, 3.0 + 1e-15})}) {
    const Extent range = shown(data, 0.05);
    EXPECT_GT(range.span(), 0.0);
    EXPECT_TRUE(std::isfinite(range.span()));
    EXPECT_TRUE(data.empty || range.low < data.high);
    EXPECT_FALSE(ticks_of(range, 6).list.empty());
  }
}

TEST(FigureAxis, round_off_is_not_blown_up) {
  const Extent range = shown(extent_of({9.81, 9.81 + 1e-13}), 0.05);
  EXPECT_GT(range.span(), 0.5);
}

TEST(FigureAxis, ticks_are_round_inside_the_range_and_not_too_many) {
  EXPECT_EQ(texts(ticks_of({0.0, 10.0, false}, 6)), (std::vector<std::string>{"0", "2", "4", "6", "8", "10"}));
  EXPECT_EQ(texts(ticks_of({-1.06, 1.06, false}, 5)), (std::vector<std::string>{"−1.0", "−0.5", "0.0", "0.5", "1.0"}));
  for (const double span : {1e-12, 0.37, 1.0, 9.99, 12345.0, 7e20})
    for (const int most : {3, 6, 8}) {
      const Ticks ticks = ticks_of({-0.3 * span, 0.7 * span, false}, most);
      EXPECT_GE(ticks.list.size(), 1u);
      EXPECT_LE(ticks.list.size(), std::size_t(most) + 1);
      for (const Tick& t : ticks.list) EXPECT_TRUE(t.at >= -0.3001 * span && t.at <= 0.7001 * span);
    }
}

TEST(FigureAxis, very_small_and_very_large_numbers_have_a_power_of_ten) {
  EXPECT_EQ(ticks_of({0.0, 3e-7, false}, 5).exponent, -9);
  EXPECT_EQ(texts(ticks_of({0.0, 4e-6, false}, 5)), (std::vector<std::string>{"0", "1", "2", "3", "4"}));
  EXPECT_EQ(ticks_of({0.0, 2e5, false}, 5).exponent, 3);
  EXPECT_EQ(ticks_of({0.0, 50.0, false}, 5).exponent, 0);
}

// Of the logarithm: at 1, 2 and 5 of each power of ten, or at the powers alone where these are enough.
TEST(FigureAxis, a_logarithmic_axis_has_ticks_at_round_numbers) {
  const Ticks few = decade_ticks({std::log10(2.0), std::log10(200.0), false}, 8);
  EXPECT_EQ(texts(few), (std::vector<std::string>{"2", "5", "10", "20", "50", "100", "200"}));
  for (const Tick& t : few.list) EXPECT_NEAR(std::pow(10.0, t.at), std::stod(t.text), 1e-12 * std::stod(t.text));
  EXPECT_EQ(texts(decade_ticks({-2.0, 5.0, false}, 8)),
            (std::vector<std::string>{"0.01", "0.1", "1", "10", "100", "1000", "10000", "100000"}));
  EXPECT_EQ(texts(decade_ticks({std::log10(3.0), std::log10(30.0), false}, 1)),
            (std::vector<std::string>{"5", "10", "20"}));  // one power alone would be no scale
}

TEST(FigureAxis, zero_has_no_sign) {
  for (const Tick& t : ticks_of({-1e-3, 0.3, false}, 4).list) EXPECT_EQ(t.text.find("−"), std::string::npos) << t.text;
}

}  // namespace axis_test
}  // namespace sinew::figure
