#include "sinew/math/trig.h"

#include <gtest/gtest.h>

#include <numbers>
#include <vector>

#include "tests/support/bits.h"
#include "tests/support/dice.h"

namespace sinew {
namespace trig_test {

using support::same_bits;

// Distance from the true value (of the extended-precision library, 11 more bits) in units of the last place of a double
// of that size.
double ulps(double got, long double want) {
  const double size = std::abs(double(want)), next = std::nextafter(size, 2.0);
  return double(std::abs(got - want) / (long double)(next - size));
}

struct Worst {
  double sine = 0.0, cosine = 0.0, at_sine = 0.0, at_cosine = 0.0;
  void see(double x) {
    double s, c;
    sincos(x, s, c);
    const double es = ulps(s, std::sin((long double)x)), ec = ulps(c, std::cos((long double)x));
    if (!(es <= sine)) sine = es, at_sine = x;
    if (!(ec <= cosine)) cosine = ec, at_cosine = x;
  }
};

// The worst case is a sine just below 1/2, whose last place is half that of its argument: the argument's error counts
// twice. Below ten turns the reduction rounds once (0.9 ulp of the sine), the kernel adds 0.2 and the last sum 0.5. Beyond,
// the third part of pi/2 is felt and the reduction rounds twice: 0.9 more.
constexpr double few_turns = 1.6, many_turns = 2.5;

TEST(SinCos, is_accurate_to_the_last_places_over_the_fast_range) {
  support::Dice dice(1);
  Worst near, far;
  for (int i = 0; i < 200000; i++) near.see(dice.between(-60.0, 60.0));
  for (int i = 0; i < 100000; i++) near.see(std::pow(10.0, dice.between(-300.0, 0.0)));
  for (int i = 0; i < 200000; i++) far.see(dice.between(-1e5, 1e5));
  EXPECT_LE(near.sine, few_turns) << "at " << near.at_sine;
  EXPECT_LE(near.cosine, few_turns) << "at " << near.at_cosine;
  EXPECT_LE(far.sine, many_turns) << "at " << far.at_sine;
  EXPECT_LE(far.cosine, many_turns) << "at " << far.at_cosine;
}

TEST(SinCos, keeps_its_digits_beside_multiples_of_a_quarter_and_an_eighth_turn) {
  Worst worst;
  for (int k = -120000; k <= 120000; k++) {
    const double x = k * (std::numbers::pi / 4);
    worst.see(x);
    worst.see(std::nextafter(x, 1e9));
    worst.see(std::nextafter(x, -1e9));
  }
  EXPECT_LE(worst.sine, many_turns) << "at " << worst.at_sine;
  EXPECT_LE(worst.cosine, many_turns) << "at " << worst.at_cosine;
}

TEST(SinCos, huge_angles_are_those_of_the_elementary_functions) {
  for (double x : {1.0000001e5, -2.5e5, 1e10, -1e22, 1.7e308}) {
    double s, c;
    sincos(x, s, c);
    EXPECT_EQ(s, math::sin(x)) << x;  // the same function: no tolerance
    EXPECT_EQ(c, math::cos(x)) << x;
  }
}

TEST(SinCos, zero_of_either_sign_gives_zero_and_exactly_one) {
  for (double zero : {0.0, -0.0}) {
    double s, c;
    sincos(zero, s, c);
    EXPECT_EQ(s, 0.0);
    EXPECT_EQ(c, 1.0);
  }
}

TEST(SinCos, no_number_gives_no_number) {
  for (double x : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                   -std::numeric_limits<double>::infinity()}) {
    double s, c;
    sincos(x, s, c);
    EXPECT_TRUE(std::isnan(s) && std::isnan(c)) << x;
  }
}

// Angles of every size, some beyond the fast range.
double random_angle(support::Dice& dice) {
  return dice.between(-1.0, 1.0) * std::pow(10.0, dice.between(-3.0, dice.chance(0.2) ? 9.0 : 4.0));
}

TEST(SinCos, a_lane_has_the_bits_of_a_scalar_whatever_its_neighbours_are) {
  support::Dice dice(2);
  for (int trial = 0; trial < 20000; trial++) {
    Lanes x, s, c;
    for (int i = 0; i < lane_count; i++) x.set(i, random_angle(dice));
    sincos(x, s, c);
    for (int i = 0; i < lane_count; i++) {
      double s1, c1;
      sincos(x[i], s1, c1);
      ASSERT_TRUE(same_bits(s, i, s1) && same_bits(c, i, c1)) << "angle " << x[i] << " in lane " << i;
    }
  }
}

TEST(SinCos, many_angles_at_once_have_the_bits_of_single_ones) {
  support::Dice dice(3);
  for (int n = 0; n <= 2 * lane_count + 1; n++)
    for (int trial = 0; trial < 500; trial++) {
      std::vector<double> x(n), other(n);  // every second angle from the other array
      std::vector<int> at(n);
      for (int i = 0; i < n; i++) {
        x[i] = random_angle(dice);
        at[i] = i % 2 ? -1 - i : i;
        if (i % 2) other[i] = x[i];
      }
      std::vector<SinCos<double>> all(n + lane_count);
      sincos_of(at, x.data(), other.data(), all.data());
      for (int i = 0; i < n; i++) {
        double s, c;
        sincos(x[i], s, c);
        ASSERT_TRUE(same_bits(all[i].sin, s) && same_bits(all[i].cos, c)) << "angle " << x[i] << " of " << n;
      }
    }
}

TEST(WrapAngle, is_the_same_angle_within_half_a_turn) {
  support::Dice dice(4);
  for (int i = 0; i < 10000; i++) {
    const double x = dice.between(-1.0, 1.0) * std::pow(10.0, dice.between(-3.0, 5.0)), y = wrap_angle(x);
    // the product of turns and 2 pi is rounded, and 2 pi itself: two roundings of |x|
    const double rounding = 4e-16 * (1.0 + std::abs(x));
    EXPECT_LE(std::abs(y), std::numbers::pi + rounding) << x;
    EXPECT_NEAR(std::sin(y), std::sin(x), rounding) << x;
    EXPECT_NEAR(std::cos(y), std::cos(x), rounding) << x;
  }
}

TEST(WrapAngle, leaves_angles_inside_half_a_turn_as_they_are) {
  for (double x : {0.0, 1.0, -1.0, 3.14159, -3.14159}) EXPECT_EQ(wrap_angle(x), x);
}

TEST(AngleOf, is_the_angle_of_the_vector_in_every_lane) {
  support::Dice dice(5);
  for (int trial = 0; trial < 100; trial++) {
    Lanes y, x;
    for (int i = 0; i < lane_count; i++) y.set(i, dice.between(-1, 1)), x.set(i, dice.between(-1, 1));
    const Lanes angle = angle_of(y, x);
    for (int i = 0; i < lane_count; i++) EXPECT_TRUE(same_bits(angle, i, angle_of(y[i], x[i])));
  }
  EXPECT_DOUBLE_EQ(angle_of(1.0, 0.0), std::numbers::pi / 2);  // y first
}

}  // namespace trig_test
}  // namespace sinew
