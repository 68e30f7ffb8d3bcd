#include "sinew/math/elementary.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace sinew::math {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), least = std::numeric_limits<double>::denorm_min();
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// Arguments made of bits and exact operations only: the same on every machine.
class Arguments {
 public:
  double between(double low, double high) { return low + (high - low) * (double(engine_() >> 11) * 0x1p-53); }
  // Either sign, the exponent of two evenly spread.
  double of_size(int low, int high) {
    const int exponent = low + int(engine_() % std::uint64_t(high - low));
    const double size = std::ldexp(between(1.0, 2.0), exponent);
    return engine_() & 1 ? -size : size;
  }
  double positive(int low, int high) { return std::abs(of_size(low, high)); }

 private:
  std::mt19937_64 engine_{18};
};

// From the true value (of the extended-precision library, 11 more bits) in units of the last place of a double of that size.
double ulps(double got, long double want) {
  if (std::isnan(want)) return std::isnan(got) ? 0.0 : inf;
  const double size = std::abs(double(want));
  if (std::isinf(size)) return got == double(want) ? 0.0 : inf;
  const double next = std::nextafter(size, inf),
               place = std::isinf(next) ? size - std::nextafter(size, 0.0) : next - size;
  return double(std::abs(got - want) / (long double)(place));
}

struct Case {
  const char* name;
  double bound;  // [ulp]
  std::uint64_t hash;
  std::vector<std::function<double(Arguments&)>> x;
  std::function<double(double)> of;
  std::function<long double(long double)> wanted;
};
struct Case2 {
  const char* name;
  double bound;
  std::uint64_t hash;
  std::function<double(Arguments&)> x, y;
  std::function<double(double, double)> of;
  std::function<long double(long double, long double)> wanted;
};

auto between(double low, double high) {
  return [=](Arguments& a) { return a.between(low, high); };
}
auto of_size(int low, int high) {
  return [=](Arguments& a) { return a.of_size(low, high); };
}
auto positive(int low, int high) {
  return [=](Arguments& a) { return a.positive(low, high); };
}

#define SINEW_CASE(f, bound, hash, ...)                                                                     \
  Case {                                                                                                    \
#f, bound, hash, {__VA_ARGS__ }, [](double x) { return f(x); }, [](long double x) { return std::f(x); } \
  }
#define SINEW_CASE2(f, bound, hash, x_of, y_of)                                                               \
  Case2 {                                                                                                     \
#f, bound, hash, x_of, y_of,                                                                              \
        [](double x, double y) { return f(x, y); }, [](long double x, long double y) { return std::f(x, y); } \
  }

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      SINEW_CASE(sin, 1.0, 0xcec70efdc40b6cc9, between(-10, 10), between(-1e6, 1e6), of_size(-60, 0),
                 of_size(17, 1023)),
      SINEW_CASE(cos, 1.0, 0xe28b8e286f1b129e, between(-10, 10), between(-1e6, 1e6), of_size(-60, 0),
                 of_size(17, 1023)),
      SINEW_CASE(tan, 1.0, 0xa920c9cb918d516f, between(-10, 10), between(-1e6, 1e6), of_size(-60, 0),
                 of_size(17, 1023)),
      SINEW_CASE(asin, 1.0, 0x2ccb04be6208493c, between(-1, 1), of_size(-60, 0), between(0.9, 1)),
      SINEW_CASE(acos, 1.0, 0x4d39eae2df99ced4, between(-1, 1), of_size(-60, 0), between(0.9, 1)),
      SINEW_CASE(atan, 1.0, 0x5270744c3caab24b, between(-10, 10), between(-1, 1), of_size(-60, 80)),
      SINEW_CASE(exp, 1.0, 0x475d805c35385e2a, between(-20, 20), between(-745, 709.7), of_size(-60, 0),
                 between(-745, -708)),
      SINEW_CASE(expm1, 1.0, 0xf8fcff278213e6d2, between(-0.5, 0.5), between(-40, 709.7), of_size(-60, 0)),
      SINEW_CASE(log, 1.0, 0xc36a22c3619f6fc0, between(0, 10), between(0.99, 1.01), positive(-1022, 1023),
                 positive(-1074, -1022)),
      SINEW_CASE(log1p, 1.0, 0x0e31a08e1d101e09, between(-1, 10), between(-0.01, 0.01), of_size(-60, -1),
                 positive(0, 1023)),
      SINEW_CASE(log2, 1.0, 0x55f15bffaf5c0924, between(0, 10), between(0.99, 1.01), positive(-1022, 1023)),
      SINEW_CASE(log10, 1.0, 0xd82b966cdeb7d240, between(0, 10), between(0.99, 1.01), positive(-1022, 1023)),
      SINEW_CASE(sinh, 2.0, 0x6a2cd0d231ffa65d, between(-3, 3), between(-710.4, 710.4), of_size(-60, 0)),
      SINEW_CASE(cosh, 2.0, 0xbb86516c4d497593, between(-3, 3), between(-710.4, 710.4), of_size(-60, 0)),
      SINEW_CASE(tanh, 2.0, 0x8eb9f14bbb1fd375, between(-3, 3), between(-25, 25), of_size(-60, 0)),
      SINEW_CASE(cbrt, 1.0, 0x4e7727341871a104, between(-3, 3), of_size(-1022, 1023), of_size(-1074, -1022)),
      SINEW_CASE(erfc, 6.0, 0x1a86edafa1587382, between(-6, 6), between(0, 26), of_size(-60, 0)),
  };
  return all;
}

const std::vector<Case2>& cases_of_two() {
  static const std::vector<Case2> all = {
      SINEW_CASE2(pow, 1.0, 0xae5d8b2d2e683298, between(0, 4), between(-300, 300)),
      SINEW_CASE2(pow, 1.0, 0x0fc5e680e330bafb, positive(-1074, 1023), between(-1.5, 1.5)),
      SINEW_CASE2(pow, 1.0, 0x77bc0ed2f09dae89, between(0.999, 1.001), of_size(-10, 19)),
      SINEW_CASE2(atan2, 2.0, 0x76e53ab74e1c8adb, of_size(-10, 10), of_size(-10, 10)),
      SINEW_CASE2(atan2, 2.0, 0xe7a21f79306083ac, of_size(-1022, 1023), of_size(-1022, 1023)),
      SINEW_CASE2(hypot, 1.0, 0x031d5c854fb58701, between(-1, 1), between(-1, 1)),
      SINEW_CASE2(hypot, 1.0, 0x781365ff06aa089d, of_size(-1074, -1000), of_size(-1074, -1000)),
      SINEW_CASE2(hypot, 1.0, 0x5e0fde23c1b4fa7c, of_size(980, 1023), of_size(980, 1023)),
      SINEW_CASE2(hypot, 1.0, 0x142a6609bfe17fe9, of_size(-30, 30), of_size(-30, 30)),
  };
  return all;
}

TEST(Elementary, functions_are_right_to_the_last_places) {
  constexpr int n = 100000;
  Arguments arguments;
  for (const Case& c : cases())
    for (std::size_t range = 0; range < c.x.size(); range++) {
      double worst = 0.0, at = 0.0;
      for (int i = 0; i < n; i++)
        if (const double x = c.x[range](arguments), e = ulps(c.of(x), c.wanted(x)); !(e <= worst)) worst = e, at = x;
      EXPECT_LT(worst, c.bound) << c.name << ", range " << range << ", at " << at;
    }
  for (const Case2& c : cases_of_two()) {
    double worst = 0.0, at_x = 0.0, at_y = 0.0;
    for (int i = 0; i < n; i++) {
      const double x = c.x(arguments), y = c.y(arguments), e = ulps(c.of(x, y), c.wanted(x, y));
      if (!(e <= worst)) worst = e, at_x = x, at_y = y;
    }
    EXPECT_LT(worst, c.bound) << c.name << " at " << at_x << ", " << at_y;
  }
}

struct Fnv {
  std::uint64_t value = 0xcbf29ce484222325;
  void add(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    for (int i = 0; i < 64; i += 8) value = (value ^ ((bits >> i) & 0xff)) * 0x100000001b3;
  }
};

// Of 1e5 results each: another compiler, processor or library must not change a bit.
TEST(Elementary, functions_have_these_bits_on_every_machine) {
  constexpr int n = 100000;
  for (const Case& c : cases()) {
    Arguments arguments;
    Fnv fnv;
    for (int i = 0; i < n; i++) fnv.add(c.of(c.x[i % c.x.size()](arguments)));
    EXPECT_EQ(fnv.value, c.hash) << c.name << " 0x" << std::hex << fnv.value;
  }
  for (const Case2& c : cases_of_two()) {
    Arguments arguments;
    Fnv fnv;
    for (int i = 0; i < n; i++) {
      const double x = c.x(arguments), y = c.y(arguments);
      fnv.add(c.of(x, y));
    }
    EXPECT_EQ(fnv.value, c.hash) << c.name << " 0x" << std::hex << fnv.value;
  }
}

// Multiples of pi/2 and the double that comes nearest to one of all (J.-M. Muller, Elementary Functions, 11.3.2).
TEST(Elementary, sine_and_cosine_keep_their_digits_where_they_vanish) {
  std::vector<double> angles = {6381956970095103.0 * 0x1p797, 1.7976931348623157e308, 0x1p20, 0x1p1023};
  for (int k = 1; k < 2000000; k += 17) angles.push_back(k * 1.57079632679489661923);
  for (const double x : angles) {
    ASSERT_LT(ulps(sin(x), std::sin((long double)x)), 1.0) << x;
    ASSERT_LT(ulps(cos(-x), std::cos((long double)x)), 1.0) << x;
    ASSERT_EQ(sin_and_cos(x).sin, sin(x)) << x;
    ASSERT_EQ(sin_and_cos(-x).cos, cos(-x)) << x;
    ASSERT_LT(ulps(tan(x), std::tan((long double)x)), 1.0) << x;
  }
  EXPECT_EQ(cos(6381956970095103.0 * 0x1p797), -4.6871659242546277e-19);
}

void expect_same(double got, double want, const char* what) {
  if (std::isnan(want))
    EXPECT_TRUE(std::isnan(got)) << what << " is " << got;
  else
    EXPECT_TRUE(got == want && std::signbit(got) == std::signbit(want)) << what << " is " << got << ", not " << want;
}

// C, Annex F.
TEST(Elementary, special_values_are_those_of_the_standard) {
  const double special[] = {0.0,    -0.0,  1.0,    -1.0, inf,  -inf, no_number, least,
                            -least, 1e300, -1e300, 3.0,  -3.0, 2.0,  -0.5,      0.5};
  for (const Case& c : cases())
    for (const double x : special) {
      const auto want = double(c.wanted(x));
      // what is no special value of this function may differ in the last place
      if (want != 0.0 && !std::isinf(want) && !std::isnan(want) && want != x && std::abs(want) != 1.0) continue;
      expect_same(c.of(x), want, c.name);
    }
  for (const double x : special)
    for (const double y : special) {
      const double power = std::pow(x, y), angle = std::atan2(x, y), length = std::hypot(x, y);
      expect_same(pow(x, y), power, "pow");
      EXPECT_LE(std::isnan(angle) ? !std::isnan(atan2(x, y)) : ulps(atan2(x, y), angle), 1.0) << x << ", " << y;
      EXPECT_TRUE(std::isnan(angle) || std::signbit(atan2(x, y)) == std::signbit(angle)) << x << ", " << y;
      EXPECT_LE(std::isnan(length) ? !std::isnan(hypot(x, y)) : ulps(hypot(x, y), length), 1.0) << x << ", " << y;
    }
}

TEST(Elementary, what_is_exact_stays_exact) {
  for (int n = -1074; n <= 1023; n++) {
    EXPECT_EQ(log2(std::ldexp(1.0, n)), n);
    EXPECT_EQ(pow(2.0, n), std::ldexp(1.0, n));
  }
  for (int n = -5; n <= 22; n++) EXPECT_EQ(log10(n < 0 ? 1.0 / pow(10.0, -n) : pow(10.0, n)), n);
  for (int n = 1; n < 1000; n++) {
    EXPECT_EQ(cbrt(double(n) * n * n), n);
    EXPECT_EQ(hypot(3.0 * n, 4.0 * n), 5.0 * n);
    EXPECT_EQ(pow(n, 3), double(n) * n * n);
    EXPECT_EQ(pow(double(n) * n, 0.5), n);
  }
}

TEST(Elementary, overflow_and_underflow_come_where_they_should) {
  EXPECT_EQ(exp(709.782712893384), 0x1.fffffffffff2ap+1023);  // the largest argument but one ulp
  EXPECT_EQ(exp(709.7827128933841), inf);
  EXPECT_EQ(exp(-745.13), least);
  EXPECT_EQ(exp(-745.14), 0.0);
  EXPECT_TRUE(std::isfinite(sinh(710.47)) && std::isfinite(cosh(710.47)));
  EXPECT_EQ(sinh(-710.48), -inf);
  EXPECT_EQ(pow(2.0, 1024.0), inf);
  EXPECT_EQ(pow(-2.0, 1025.0), -inf);
  EXPECT_EQ(pow(2.0, -1080.0), 0.0);
  EXPECT_EQ(hypot(1.5e308, 1.5e308), inf);
}

// The library's own series: J_0 and J_1 of small and middling arguments.
TEST(Elementary, bessel_functions_agree_with_the_standard_librarys) {
  for (double x = 0.0; x < 30.0; x += 0.037) {
    EXPECT_NEAR(bessel_j0(x), std::cyl_bessel_j(0.0, x), 1e-14) << x;
    EXPECT_NEAR(bessel_j1(x), std::cyl_bessel_j(1.0, x), 1e-14) << x;
  }
  EXPECT_NEAR(bessel_j0(2.404825557695773), 0.0, 3e-16);  // its first zero
  EXPECT_NEAR(bessel_j1(-1.0), -0.44005058574493355, 2e-16);
  EXPECT_NEAR(bessel_j0(1000.0), 0.02478668615242880, 1e-13);
  EXPECT_EQ(bessel_j0(0.0), 1.0);
}

}  // namespace
}  // namespace sinew::math
