// Logarithms to about 65 bits and the power made of them.
// x = 2^k m, m in [sqrt(1/2), sqrt 2); log x = k ln2 - log c + log(1 + r), r = m c - 1 exactly, where c of the table is near 1/m:
// |r| < 1/64 (P. T. P. Tang, ACM Trans. Math. Softw. 16, 378-400, 1990). r - r^2/2 is kept to 106 bits, the rest of the series is
// below r^3/3, so its rounding is 2^-65 of the sum at most; pow, whose exponent is up to 745, needs that.
#include "sinew/math/elementary.h"
#include "sinew/math/elementary_tables.h"

namespace sinew::math {
namespace {

// Of x + more, x finite and above 0, |more| below its last place, and 0 where x is not normal. Short: 58 bits are enough.
template <bool is_short>
inline DoubleDouble log_of(double x, double more) {
  int k = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    k = -54;
  }
  constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcd;
  const int shift = int(std::int64_t(bits_of(x) - root_half) >> 52);
  k += shift;
  const double m = of_bits(bits_of(x) - (std::uint64_t(std::int64_t(shift)) << 52));
  const LogEntry& e = log_entries[int(m * 64.0) - first_log_entry];
  const double m_hi = of_bits(bits_of(m) & ~std::uint64_t(0x1fffff)), m_lo = m - m_hi;  // 32 bits and 21
  const DoubleDouble r = exact_sum(m_hi * e.inverse - 1.0, m_lo * e.inverse);
  const double r_lo = more == 0.0 ? r.lo : r.lo + more / x * m * e.inverse;
  const double z = r.hi, z2 = z * z, z4 = z2 * z2;
  const double series = z * z2 *
                        (((1.0 / 3 - z * 0.25) + z2 * (0.2 - z * (1.0 / 6))) +
                         z4 * (((1.0 / 7 - z * 0.125) + z2 * (1.0 / 9 - z * 0.1)) + z4 * (1.0 / 11)));
  const DoubleDouble a = exact_sum(double(k) * ln2.hi + e.hi, z);
  const double small = (double(k) * ln2.lo + e.lo) + (r_lo - z * r_lo) + series;
  if constexpr (is_short) return exact_sum_ordered(a.hi, a.lo + (small - 0.5 * z2));
  const DoubleDouble square = exact_square(z), b = exact_sum(a.hi, -0.5 * square.hi);
  return exact_sum_ordered(b.hi, b.lo + (a.lo + (small - 0.5 * square.lo)));
}

// log of what is no positive finite number
double log_of_special(double x) {
  if (x == 0.0) return -infinity;
  return x < 0.0 ? nan : x;
}

bool is_ordinary(double x) { return x > 0.0 && x < infinity; }

// 0: no integer, 1: odd, 2: even
int parity(double y) {
  const double size = size_of(y);
  if (size >= 0x1p53) return 2;
  if (size < 1.0) return size == 0.0 ? 2 : 0;
  const auto whole = std::int64_t(size);
  if (double(whole) != size) return 0;
  return whole & 1 ? 1 : 2;
}

// x is 0 or infinite
double pow_of_extreme(double x, double y) {
  const double size = (x == 0.0) == (y > 0.0) ? 0.0 : infinity;
  return parity(y) == 1 ? copy_sign(size, x) : size;
}

}  // namespace

double log(double x) noexcept {
  if (!is_ordinary(x)) return log_of_special(x);
  return log_of<true>(x, 0.0).hi;
}

double log1p(double x) noexcept {
  if (size_of(x) < 0x1p-54) return x;
  if (!(x > -1.0 && x < infinity)) return x == -1.0 ? -infinity : x < -1.0 ? nan : x;
  const DoubleDouble u = exact_sum(1.0, x);
  return log_of<true>(u.hi, u.lo).hi;
}

double log2(double x) noexcept {
  if (!is_ordinary(x)) return log_of_special(x);
  return product(log_of<false>(x, 0.0), {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56}).hi;
}

double log10(double x) noexcept {
  if (!is_ordinary(x)) return log_of_special(x);
  return product(log_of<false>(x, 0.0), {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57}).hi;
}

double pow(double x, double y) noexcept {
  if (y == 0.0 || x == 1.0) return 1.0;
  if (x != x || y != y) return nan;
  const double size = size_of(x);
  if (size_of(y) == infinity) return size == 1.0 ? 1.0 : (size > 1.0) == (y > 0.0) ? infinity : 0.0;
  if (size == 0.0 || size == infinity) return pow_of_extreme(x, y);
  const int whole = x < 0.0 ? parity(y) : 2;
  if (whole == 0) return nan;
  const double sign = whole == 1 ? -1.0 : 1.0;
  if (size == 1.0) return sign;
  if (size_of(y) < 0x1p-65) return sign;  // |y log x| is below 2^-55
  if (size_of(y) > 0x1p64) return sign * ((size > 1.0) == (y > 0.0) ? infinity : 0.0);
  const DoubleDouble log_x = log_of<false>(size, 0.0), p = exact_product(y, log_x.hi);
  if (!(size_of(p.hi) < 1000.0)) return sign * (p.hi > 0.0 ? infinity : 0.0);
  return sign * exp_of_sum(p.hi, p.lo + y * log_x.lo);
}

}  // namespace sinew::math
