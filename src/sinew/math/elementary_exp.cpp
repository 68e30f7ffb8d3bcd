// exp(x) = 2^(k/32) exp(r), x = k ln2/32 + r, |r| <= ln2/64: a table of 2^(j/32) to 106 bits and the series of exp(r) - 1
// (P. T. P. Tang, ACM Trans. Math. Softw. 15, 144-157, 1989). What is rounded before the last sum is below 1/90 of it.
#include "sinew/math/elementary.h"
#include "sinew/math/elementary_tables.h"

namespace sinew::math {
namespace {

struct ExpParts {
  int exponent, j;  // k = 32 exponent + j
  double r, rest;   // the remainder is r + rest
  double series;    // exp(r) - 1 - r
};

// |x| < 800
inline ExpParts exp_parts(double x) {
  constexpr double magic = 0x1.8p52;                                         // adding it leaves no fraction bits
  constexpr double part1 = 0x1.62e42fefap-6, part2 = 0x1.cf79abc9e3b3ap-45;  // ln2/32; k part1 is exact
  const double shifted = x * 0x1.71547652b82fep+5 + magic, kd = shifted - magic;
  const double hi = x - kd * part1, lo = kd * part2, r = hi - lo;
  const int k = int(kd);
  const double z = r * r;
  const double q =
      z * ((0.5 + r * (1.0 / 6)) + z * ((1.0 / 24 + r * (1.0 / 120)) + z * (1.0 / 720 + r * (1.0 / 5040))));
  return {k >> 5, k & 31, r, (hi - r) - lo, q};
}

// (hi + lo) 2^e of a result too small to be normal, rounded once. hi is in [1, 2).
double subnormal(double hi, double lo, int e) {
  const double big = power_of_two(-1022 - e);  // its last place is that of the result, before scaling
  const DoubleDouble s = exact_sum(big, hi);
  return ((s.hi + (s.lo + lo)) - big) * power_of_two(-1022) * power_of_two(e + 1022);
}

inline double scaled(double hi, double lo, int e) {
  if (e >= -1022 && e <= 1023) [[likely]]
    return (hi + lo) * power_of_two(e);
  if (e > 0) return (hi + lo) * 2.0 * power_of_two(e - 1);
  return subnormal(hi, lo, e);
}

}  // namespace

double exp_of_sum(double x, double lo) {
  if (!(x < 709.8 && x > -745.2)) return x != x ? x : x > 0.0 ? infinity : 0.0;
  const ExpParts a = exp_parts(x);
  const DoubleDouble& T = root_of_two[a.j];
  const double rest = a.rest + lo;
  return scaled(T.hi, T.lo + T.hi * (a.r + (a.series + (rest + rest * a.r))), a.exponent);
}

double exp(double x) noexcept {
  if (!(x < 709.8 && x > -745.2)) return x != x ? x : x > 0.0 ? infinity : 0.0;
  const ExpParts a = exp_parts(x);
  const DoubleDouble& T = root_of_two[a.j];
  return scaled(T.hi, T.lo + T.hi * (a.r + a.series), a.exponent);
}

namespace {

// exp(x) - 1 for |x| <= 40. With w = 2^(k/32): (w - 1) + r + (w - 1) r + w (exp(r) - 1 - r), the first sum exact.
inline DoubleDouble expm1_parts(double x) {
  const ExpParts a = exp_parts(x);
  const double scale = power_of_two(a.exponent);
  const DoubleDouble T = root_of_two[a.j];
  const double w = scale * T.hi;
  const DoubleDouble from_one = exact_sum(w, -1.0), first = exact_sum(from_one.hi, a.r);
  const double rest = from_one.lo + (from_one.hi * a.r + (w * (a.series + a.rest) + scale * T.lo));
  return exact_sum_ordered(first.hi, first.lo + rest);
}

// exp(size)/2, which overflows later than exp(size). 8 ln2.hi from size is exact from 22 on.
double half_exp(double size) {
  if (size < 709.0) return 0.5 * exp(size);
  return 128.0 * exp_of_sum(size - 8.0 * ln2.hi, -8.0 * ln2.lo);
}

}  // namespace

double expm1(double x) noexcept {
  if (x != x || size_of(x) < 0x1p-54) return x;
  if (x > 40.0) return exp(x) - 1.0;
  if (x < -40.0) return -1.0;
  return expm1_parts(x).hi;
}

double sinh(double x) noexcept {
  const double size = size_of(x), half = copy_sign(0.5, x);
  if (x != x || size < 0x1p-28) return x;
  if (size >= 22.0) return copy_sign(half_exp(size), x);
  const double t = expm1(size);
  return size < 1.0 ? half * (2.0 * t - t * t / (t + 1.0)) : half * (t + t / (t + 1.0));
}

double cosh(double x) noexcept {
  const double size = size_of(x);
  if (x != x) return x;
  if (size >= 22.0) return half_exp(size);
  if (size >= 0.35) {
    const double t = exp(size);
    return 0.5 * t + 0.5 / t;
  }
  const double t = expm1(size), w = 1.0 + t;
  return 1.0 + t * t / (w + w);
}

// (exp(2x) - 1) / (exp(2x) + 1), up to 1 with what numerator and denominator have lost.
double tanh(double x) noexcept {
  const double size = size_of(x);
  if (x != x || size < 0x1p-28) return x;
  if (size >= 22.0) return copy_sign(1.0, x);
  const DoubleDouble up = expm1_parts(2.0 * size);
  if (size >= 1.0) return copy_sign(1.0 - 2.0 / (up.hi + 2.0), x);
  const DoubleDouble down = exact_sum(2.0, up.hi);
  const double inverse = 1.0 / down.hi, q = up.hi * inverse;
  return copy_sign(q + (up.lo - q * (down.lo + up.lo)) * inverse, x);
}

}  // namespace sinew::math
