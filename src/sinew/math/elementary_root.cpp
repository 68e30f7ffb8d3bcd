// Lengths, cube roots, Bessel functions and the error function.
#include <cmath>

#include "sinew/math/elementary.h"
#include "sinew/math/elementary_tables.h"

namespace sinew::math {
namespace {

// Trapezoidal rule for J_n(x) = 1/pi integral of cos(n t - x sin t) over [0, pi]. The integrand is periodic: with N points in a
// turn the error is 2 J_(N-n)(x), below 1e-20 for the N used. Angles mirrored about 0 and pi/2 give the same value again.
double bessel(int n, double x) {
  if (!(size_of(x) < 1e6)) return x == x && size_of(x) == infinity ? 0.0 : x - x;
  const int quarter = 10 + int(0.5 * size_of(x)) + int(2.0 * cbrt(size_of(x)));  // a fourth of N
  double sum = 0.0, lost = 0.0;                                                  // compensated: N may be large
  for (int i = 0; i <= quarter; i++) {
    const double t = 1.57079632679489661923 * i / quarter;
    const double s = sin(t), value = n == 0 ? cos(x * s) : s * sin(x * s);
    const double term = i == 0 || i == quarter ? 0.5 * value : value;
    const DoubleDouble next = exact_sum(sum, term);
    sum = next.hi;
    lost += next.lo;
  }
  return (sum + lost) / quarter;
}

}  // namespace

// sqrt(x^2 + y^2), scaled where the squares would leave the range of doubles. The exact squares are rounded once, in their sum,
// so the root is off by less than one unit of the last place.
double hypot(double x, double y) noexcept {
  double a = size_of(x), b = size_of(y);
  if (a == infinity || b == infinity) return infinity;
  if (x != x || y != y) return x + y;
  if (a < b) {
    const double c = a;
    a = b;
    b = c;
  }
  if (b <= a * 0x1p-54) return a;
  double scale = 1.0;
  if (a > 0x1p480) {
    a *= 0x1p-600;
    b *= 0x1p-600;
    scale = 0x1p600;
  } else if (b < 0x1p-440) {
    a *= 0x1p600;
    b *= 0x1p600;
    scale = 0x1p-600;
  }
  const DoubleDouble a2 = exact_square(a), b2 = exact_square(b), sum = exact_sum_ordered(a2.hi, b2.hi);
  return std::sqrt(sum.hi + (sum.lo + (a2.lo + b2.lo))) * scale;
}

// A first value from a third of the exponent, bettered by a polynomial and by one step of Newton's method from a value that is
// cut to 23 bits, so that its square is exact (coefficients as in FreeBSD's s_cbrt.c).
double cbrt(double x) noexcept {
  const double size = size_of(x);
  if (x != x || size == infinity || size == 0.0) return x;
  double t = of_bits(((bits_of(size) >> 32) / 3 + 715094163) << 32);
  if (size < 0x1p-1022) t = of_bits(((bits_of(size * 0x1p54) >> 32) / 3 + 696219795) << 32);
  const double r = (t * t) * (t / size);
  t = t * ((1.87595182427177009643 + r * (-1.88497979543377169875 + r * 1.621429720105354466140)) +
           ((r * r) * r) * (-0.758397934778766047437 + r * 0.145996192886612446982));
  t = of_bits((bits_of(t) + 0x80000000) & 0xffffffffc0000000);
  const double s = t * t, quotient = size / s;
  t = t + t * ((quotient - t) / (t + t + quotient));
  return copy_sign(t, x);
}

// 1 - erf(x). Up to 0.4 the series erf(x) = 2/sqrt(pi) exp(-x^2) sum of 2^n x^(2n+1) / (2n+1)!!, whose terms are all of one sign;
// beyond, the trapezoidal rule of step h for exp(-x^2) x/pi times the integral of exp(-t^2)/(t^2 + x^2), with the residue of its
// pole: the error is exp(-(pi/h)^2) (F. Matta and A. Reichel, Math. Comp. 25, 339-344, 1971).
double erfc(double x) noexcept {
  const double a = size_of(x);
  if (x != x) return x;
  if (a > 28.0) return x > 0.0 ? 0.0 : 2.0;
  const DoubleDouble square = exact_square(a);
  const double decay = exp_of_sum(-square.hi, -square.lo);
  if (a < 0.4) {
    double term = x, sum = x;
    for (int n = 1; n < 16; n++) {
      term *= 2.0 * square.hi / (2 * n + 1);
      sum += term;
    }
    return 1.0 - 1.12837916709551257390 * decay * sum;
  }
  constexpr double h = 0.5, pi = 3.14159265358979323846;
  double sum = 0.0;
  for (int n = 13; n > 0; n--) sum += exp(-(n * n) * (h * h)) / (n * n * (h * h) + square.hi);
  const double tail = decay * (h * a / pi) * (1.0 / square.hi + 2.0 * sum);
  const double size = a < 6.0 ? tail + 2.0 / (1.0 - exp(2.0 * pi / h * a)) : tail;
  return x > 0.0 ? size : 2.0 - size;
}

double bessel_j0(double x) noexcept { return bessel(0, x); }
double bessel_j1(double x) noexcept { return bessel(1, x); }

}  // namespace sinew::math
