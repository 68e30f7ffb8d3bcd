#include "sinew/math/lanes.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/bits.h"
#include "tests/support/dice.h"

namespace sinew {
namespace lanes_test {

using support::same_bits;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Random numbers of all sizes, with the special ones among them.
Lanes random_lanes(support::Dice& dice) {
  constexpr double special[] = {0.0, -0.0, 1.0, -1.0, inf, -inf, 5e-324, 1e308};
  Lanes x;
  for (int i = 0; i < lane_count; i++)
    x.set(i, dice.chance(0.2) ? special[dice.below(8)]
                              : dice.between(-1.0, 1.0) * std::pow(10.0, dice.between(-12.0, 12.0)));
  return x;
}

// No tolerance anywhere in this file: a lane does what a scalar does, or it does not. NaN answers only need to be NaN:
// their sign and payload are not fixed by IEEE 754.
bool agrees(double wide, double one) { return same_bits(wide, one) || (std::isnan(wide) && std::isnan(one)); }

template <class Wide, class One>
void expect_lanes_equal_scalars(const char* what, const Wide& wide, const One& one) {
  support::Dice dice(1);
  for (int trial = 0; trial < 1000; trial++) {
    const Lanes a = random_lanes(dice), b = random_lanes(dice), c = wide(a, b);
    for (int i = 0; i < lane_count; i++)
      ASSERT_TRUE(agrees(c[i], one(a[i], b[i]))) << what << " of " << a[i] << ", " << b[i] << " is " << c[i];
  }
}

#define EXPECT_LANES_EQUAL(expression)                                            \
  expect_lanes_equal_scalars(                                                     \
      #expression, [](Lanes a, Lanes b) -> Lanes { return (void)b, expression; }, \
      [](double a, double b) -> double { return (void)b, expression; })

TEST(Lanes, arithmetic_equals_scalar_bit_for_bit) {
  EXPECT_LANES_EQUAL(a + b);
  EXPECT_LANES_EQUAL(a - b);
  EXPECT_LANES_EQUAL(a * b);
  EXPECT_LANES_EQUAL(a / b);
  EXPECT_LANES_EQUAL(-a);
  EXPECT_LANES_EQUAL(a += b);
  EXPECT_LANES_EQUAL(a -= b);
  EXPECT_LANES_EQUAL(a *= b);
  EXPECT_LANES_EQUAL(a /= b);
  EXPECT_LANES_EQUAL(a * b + a);  // would differ if one of them were fused
}

TEST(Lanes, functions_equal_scalar_bit_for_bit) {
  EXPECT_LANES_EQUAL(sinew::sqrt(a));
  EXPECT_LANES_EQUAL(sinew::abs(a));
  EXPECT_LANES_EQUAL(sinew::max(a, b));
  EXPECT_LANES_EQUAL(sinew::min(a, b));
  EXPECT_LANES_EQUAL(select(a < b, a, b));
  EXPECT_LANES_EQUAL(select(a > b, a, b));
  EXPECT_LANES_EQUAL(select(a <= b, a, b));
  EXPECT_LANES_EQUAL(select(a >= b, a, b));
  EXPECT_LANES_EQUAL(select((a < b) | (a > a * b), a, b));
  EXPECT_LANES_EQUAL(select((a < b) & (a > a * b), a, b));
}

TEST(Lanes, a_number_broadcasts_to_every_lane_with_its_bits) {
  for (double x : {0.0, -0.0, 1.5, -inf, nan, 5e-324}) {
    const Lanes wide = x;
    for (int i = 0; i < lane_count; i++) EXPECT_TRUE(same_bits(wide[i], x)) << x;
  }
}

TEST(Lanes, setting_one_lane_leaves_the_others) {
  Lanes x = 1.0;
  set_lane(x, lane_count - 1, 2.0);
  for (int i = 0; i < lane_count; i++) EXPECT_EQ(lane(x, i), i == lane_count - 1 ? 2.0 : 1.0);
  double one = 1.0;
  set_lane(one, 0, 3.0);
  EXPECT_EQ(lane(one, 0), 3.0);
}

TEST(Lanes, any_sees_a_single_lane_and_nothing_else) {
  Lanes x = 0.0;
  EXPECT_FALSE(any(x > Lanes(0.5)));
  x.set(lane_count - 1, 1.0);
  EXPECT_TRUE(any(x > Lanes(0.5)));
  EXPECT_TRUE(any(true));
  EXPECT_FALSE(any(false));
}

TEST(Lanes, all_finite_is_false_when_one_lane_is_not) {
  EXPECT_TRUE(all_finite(1e308));
  for (double bad : {inf, -inf, nan}) {
    EXPECT_FALSE(all_finite(bad));
    for (int i = 0; i < lane_count; i++) {
      Lanes x = 1.0;
      EXPECT_TRUE(all_finite(x));
      x.set(i, bad);
      EXPECT_FALSE(all_finite(x));
    }
  }
}

TEST(Lanes, a_function_is_applied_to_each_lane) {
  Lanes x;
  for (int i = 0; i < lane_count; i++) x.set(i, i);
  const Lanes y = each_lane(x, [](double v) { return 2.0 * v + 1.0; });
  for (int i = 0; i < lane_count; i++) EXPECT_EQ(y[i], 2.0 * i + 1.0);
  EXPECT_EQ(each_lane(3.0, [](double v) { return 2.0 * v + 1.0; }), 7.0);
}

}  // namespace lanes_test
}  // namespace sinew
