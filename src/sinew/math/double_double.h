// Numbers as unevaluated sums hi + lo of two doubles, |lo| at most half a unit of the last place of hi: about 106 bits.
// Exact sums by Knuth (The Art of Computer Programming 2, 4.2.2), exact products by Dekker (Numer. Math. 18, 224-242, 1971),
// without fused multiply-add, so that every machine gives the same bits.
#pragma once
#include <bit>
#include <cstdint>
#include <limits>

namespace sinew::math {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct DoubleDouble {
  double hi, lo;
};

inline std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }
inline double of_bits(std::uint64_t b) { return std::bit_cast<double>(b); }
inline double copy_sign(double size, double sign) {
  constexpr std::uint64_t top = std::uint64_t(1) << 63;
  return of_bits((bits_of(size) & ~top) | (bits_of(sign) & top));
}
inline double size_of(double x) { return copy_sign(x, 0.0); }
// 2^n for n of normal numbers, -1022 to 1023.
inline double power_of_two(int n) { return of_bits(std::uint64_t(n + 1023) << 52); }

inline DoubleDouble exact_sum(double a, double b) {
  const double s = a + b, c = s - a;
  return {s, (a - (s - c)) + (b - c)};
}
// For |a| >= |b| or a = 0.
inline DoubleDouble exact_sum_ordered(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}
// Upper 26 bits and the rest, each exact; |x| < 2^996.
inline DoubleDouble halves(double x) {
  const double c = 134217729.0 * x, hi = c - (c - x);  // 2^27 + 1
  return {hi, x - hi};
}
inline DoubleDouble exact_product(double a, double b) {
  const double p = a * b;
  const DoubleDouble x = halves(a), y = halves(b);
  return {p, ((x.hi * y.hi - p) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}
inline DoubleDouble exact_square(double a) {
  const double p = a * a;
  const DoubleDouble x = halves(a);
  return {p, ((x.hi * x.hi - p) + 2.0 * x.hi * x.lo) + x.lo * x.lo};
}
// a b, the product of the low parts dropped.
inline DoubleDouble product(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble p = exact_product(a.hi, b.hi);
  return exact_sum_ordered(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

}  // namespace sinew::math
