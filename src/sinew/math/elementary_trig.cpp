// Sine, cosine and tangent: x = n pi/2 + y, |y| <= pi/4, y to 106 bits, and the minimax kernels on that interval
// (coefficients as in Sun's fdlibm, k_sin.c, k_cos.c and k_tan.c).
// Reduction: below 2^20 by pi/2 in four parts (W. J. Cody and W. Waite, Software Manual for the Elementary Functions, 1980),
// beyond by the bits of 2/pi that matter (M. H. Payne and R. N. Hanek, ACM SIGNUM Newsletter 18, 19-24, 1983).
#include "sinew/math/double_double.h"
#include "sinew/math/elementary.h"

namespace sinew::math {
namespace {

constexpr double quarter_pi = 0x1.921fb54442d18p-1;

struct Quadrant {
  int n;  // mod 4
  DoubleDouble y;
};

using Wide = unsigned __int128;

// 2/pi, after 64 zeros
constexpr std::uint64_t two_over_pi[21] = {0,
                                           0xa2f9836e4e441529,
                                           0xfc2757d1f534ddc0,
                                           0xdb6295993c439041,
                                           0xfe5163abdebbc561,
                                           0xb7246e3a424dd2e0,
                                           0x06492eea09d1921c,
                                           0xfe1deb1cb129a73e,
                                           0xe88235f52ebb4484,
                                           0xe99c7026b45f7e41,
                                           0x3991d639835339f4,
                                           0x9c845f8bbdf9283b,
                                           0x1ff897ffde05980f,
                                           0xef2f118b5a0a6d1f,
                                           0x6d367ecf27cb09b7,
                                           0x4f463f669e5fea2d,
                                           0x7527bac7ebe5f17b,
                                           0x3d0739f78a5292ea,
                                           0x6bfb5fb11f8d5d08,
                                           0x56033046fc7b6bab,
                                           0xf0cfbc209af4361d};

// x = m 2^e with an integer m below 2^53. Of 2^e 2/pi only bits of weight 2 and less matter, because whole turns drop out:
// 192 of them, times m, are x 2/pi modulo 4 with an error below 2^-137. The nearest a double comes to a multiple of pi/2 is
// 2^-62, so more than 70 bits are left.
Quadrant reduce_large(double x) {
  const std::uint64_t b = bits_of(x), m = (b & 0xfffffffffffff) | 0x10000000000000;
  const int e = int((b >> 52) & 0x7ff) - 1075;                    // -32 to 971
  const int first = 62 + e, word = first / 64, bit = first % 64;  // bit 64 of the table has weight 1/2
  std::uint64_t w[3];
  for (int i = 0; i < 3; i++)
    w[i] = bit == 0 ? two_over_pi[word + i] : two_over_pi[word + i] << bit | two_over_pi[word + i + 1] >> (64 - bit);
  const Wide low = Wide(w[2]) * m, middle = Wide(w[1]) * m + (low >> 64);
  std::uint64_t p2 = std::uint64_t(low), p1 = std::uint64_t(middle), p0 = w[0] * m + std::uint64_t(middle >> 64);
  int n = int(p0 >> 62);
  const bool above = (p0 >> 61) & 1;  // a fraction of 1/2 and more: from the next multiple backwards
  p0 = p0 << 2 | p1 >> 62;
  p1 = p1 << 2 | p2 >> 62;
  p2 <<= 2;
  if (above) {
    n++;
    p0 = ~p0;
    p1 = ~p1;
    p2 = ~p2;  // less by 2^-190 than it should be
  }
  int zeros = 0;
  for (; zeros < 2 && p0 == 0; zeros++) {
    p0 = p1;
    p1 = p2;
    p2 = 0;
  }
  zeros *= 64;
  if (const int more = std::countl_zero(p0); more > 0 && more < 64) {
    p0 = p0 << more | p1 >> (64 - more);
    p1 = p1 << more | p2 >> (64 - more);
    zeros += more;
  }
  // 53 bits, and the 64 after them
  const std::uint64_t rest = p0 << 53 | p1 >> 11;
  const double scale = power_of_two(-zeros - 53), hi = double(p0 >> 11) * scale,
               lo = double(rest >> 11) * (scale * 0x1p-53);
  DoubleDouble y = product({hi, lo}, {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54});
  const bool negative = above != (x < 0.0);
  if (negative) y = {-y.hi, -y.lo};
  return {(x < 0.0 ? -n : n) & 3, y};
}

// n pi/2 from x, |x| < 2^20: the products with the first three parts are exact.
Quadrant reduce(double x) {
  if (!(size_of(x) < 0x1p20)) return reduce_large(x);
  const double shifted = x * 0x1.45f306dc9c883p-1 + 0x1.8p52, n = shifted - 0x1.8p52;
  const double t = x - n * 0x1.921fb544p+0;
  const DoubleDouble a = exact_sum(t, -(n * 0x1.0b4611a6p-34)), b = exact_sum(a.hi, -(n * 0x1.3198a2ep-69));
  return {int(n) & 3, exact_sum(b.hi, (a.lo + b.lo) - n * 0x1.b839a252049c1p-104)};
}

double kernel_sin(const DoubleDouble& y) {
  const double x = y.hi, z = x * x, v = z * x;
  const double r =
      8.33333333332248946124e-03 +
      z * (-1.98412698298579493134e-04 +
           z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  return x - ((z * (0.5 * y.lo - v * r) - y.lo) - v * -1.66666666666666324348e-01);
}

double kernel_cos(const DoubleDouble& y) {
  const double x = y.hi, z = x * x;
  const double r = z * (4.16666666666666019037e-02 +
                        z * (-1.38888888888741095749e-03 +
                             z * (2.48015872894767294178e-05 +
                                  z * (-2.75573143513906633035e-07 +
                                       z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
  const double half = 0.5 * z, w = 1.0 - half;
  return w + (((1.0 - w) - half) + (z * r - x * y.lo));
}

// tan(y), or -1/tan(y).
double kernel_tan(DoubleDouble y, bool inverse) {
  const bool large = size_of(y.hi) >= 0.67434, negative = y.hi < 0.0;
  if (large) {  // tan(y) from tan(pi/4 - y)
    if (negative) y = {-y.hi, -y.lo};
    y = {(quarter_pi - y.hi) + (0x1.1a62633145c07p-55 - y.lo), 0.0};
  }
  const double x = y.hi, z = x * x, w = z * z;
  const double even =
      1.33333333333201242699e-01 +
      w * (2.18694882948595424599e-02 +
           w * (3.59207910759131235356e-03 +
                w * (5.88041240820264096874e-04 + w * (7.81794442939557092300e-05 + w * -1.85586374855275456654e-05))));
  const double odd = z * (5.39682539762260521377e-02 +
                          w * (8.86323982359930005737e-03 +
                               w * (1.45620945432529025516e-03 +
                                    w * (2.46463134818469906812e-04 +
                                         w * (7.14072491382608190305e-05 + w * 2.59073051863633712884e-05)))));
  const double s = z * x, r = y.lo + z * (s * (even + odd) + y.lo) + 3.33333333333334091986e-01 * s, t = x + r;
  if (large) {
    const double v = inverse ? -1.0 : 1.0, out = v - 2.0 * (x - (t * t / (t + v) - r));
    return negative ? -out : out;
  }
  if (!inverse) return t;
  // -1/t with the digits that t itself has lost
  constexpr std::uint64_t upper = 0xffffffff00000000;
  const double t_hi = of_bits(bits_of(t) & upper), t_lo = r - (t_hi - x);
  const double a = -1.0 / t, a_hi = of_bits(bits_of(a) & upper);
  return a_hi + a * ((1.0 + a_hi * t_hi) + a_hi * t_lo);
}

bool is_number(double x) { return ((bits_of(x) >> 52) & 0x7ff) != 0x7ff; }

}  // namespace

double sin(double x) noexcept {
  if (size_of(x) < quarter_pi) return size_of(x) < 0x1p-27 ? x : kernel_sin({x, 0.0});
  if (!is_number(x)) return nan;
  const Quadrant q = reduce(x);
  const double s = q.n & 1 ? kernel_cos(q.y) : kernel_sin(q.y);
  return q.n & 2 ? -s : s;
}

double cos(double x) noexcept {
  if (size_of(x) < quarter_pi) return kernel_cos({x, 0.0});
  if (!is_number(x)) return nan;
  const Quadrant q = reduce(x);
  const double c = q.n & 1 ? kernel_sin(q.y) : kernel_cos(q.y);
  return q.n == 1 || q.n == 2 ? -c : c;
}

SinAndCos sin_and_cos(double x) noexcept {
  if (size_of(x) < quarter_pi) return {size_of(x) < 0x1p-27 ? x : kernel_sin({x, 0.0}), kernel_cos({x, 0.0})};
  if (!is_number(x)) return {nan, nan};
  const Quadrant q = reduce(x);
  const double s = kernel_sin(q.y), c = kernel_cos(q.y);
  const double sine = q.n & 1 ? c : s, cosine = q.n & 1 ? s : c;
  return {q.n & 2 ? -sine : sine, q.n == 1 || q.n == 2 ? -cosine : cosine};
}

double tan(double x) noexcept {
  if (size_of(x) < quarter_pi) return size_of(x) < 0x1p-28 ? x : kernel_tan({x, 0.0}, false);
  if (!is_number(x)) return nan;
  const Quadrant q = reduce(x);
  return kernel_tan(q.y, q.n & 1);
}

}  // namespace sinew::math
