// Inverse trigonometric functions. asin(x) = x + x^3 R(x^2) up to 1/2, beyond by asin(x) = pi/2 - 2 asin(sqrt((1 - x)/2));
// atan by four intervals, atan(x) = atan(c) + atan((x - c)/(1 + x c)) (rational and minimax coefficients as in Sun's fdlibm,
// e_asin.c and s_atan.c).
#include <cmath>

#include "sinew/math/double_double.h"
#include "sinew/math/elementary.h"

namespace sinew::math {
namespace {

constexpr double pi = 0x1.921fb54442d18p+1, pi_lo = 0x1.1a62633145c07p-53;

// (asin(x)/x - 1), z = x^2 <= 1/4
double arc_part(double z) {
  const double p = z * (1.66666666666666657415e-01 +
                        z * (-3.25565818622400915405e-01 +
                             z * (2.01212532134862925881e-01 +
                                  z * (-4.00555345006794114027e-02 +
                                       z * (7.91534994289814532176e-04 + z * 3.47933107596021167570e-05)))));
  const double q =
      1.0 + z * (-2.40339491173441421878e+00 +
                 z * (2.02094576023350569471e+00 + z * (-6.88283971605453293030e-01 + z * 7.70381505559019352791e-02)));
  return p / q;
}

// Square root of z and what is missing: upper 32 bits, and the rest to more than 53 bits in all.
DoubleDouble split_root(double z) {
  const double s = std::sqrt(z), upper = of_bits(bits_of(s) & 0xffffffff00000000);
  return {upper, (z - upper * upper) / (s + upper)};
}

}  // namespace

double asin(double x) noexcept {
  const double size = size_of(x);
  if (!(size < 1.0)) return size == 1.0 ? copy_sign(0.5 * pi, x) : nan;
  if (size < 0.5) return size < 0x1p-27 ? x : x + x * arc_part(x * x);
  const double z = (1.0 - size) * 0.5, part = arc_part(z);
  if (size >= 0.975) {
    const double s = std::sqrt(z);
    return copy_sign(0.5 * pi - (2.0 * (s + s * part) - 0.5 * pi_lo), x);
  }
  const DoubleDouble root = split_root(z);
  const double s = root.hi + root.lo, left = 2.0 * s * part - (0.5 * pi_lo - 2.0 * root.lo),
               right = 0.25 * pi - 2.0 * root.hi;
  return copy_sign(0.25 * pi - (left - right), x);
}

double acos(double x) noexcept {
  const double size = size_of(x);
  if (!(size < 1.0)) return x == 1.0 ? 0.0 : x == -1.0 ? pi : nan;
  if (size < 0.5) return size < 0x1p-57 ? 0.5 * pi : 0.5 * pi - (x - (0.5 * pi_lo - x * arc_part(x * x)));
  const double z = (1.0 - size) * 0.5, part = arc_part(z);
  if (x < 0.0) {
    const double s = std::sqrt(z);
    return pi - 2.0 * (s + (s * part - 0.5 * pi_lo));
  }
  const DoubleDouble root = split_root(z);
  return 2.0 * (root.hi + ((root.hi + root.lo) * part + root.lo));
}

double atan(double x) noexcept {
  constexpr DoubleDouble of[4] = {{4.63647609000806093515e-01, 2.26987774529616870924e-17},   // of 1/2
                                  {7.85398163397448278999e-01, 3.06161699786838301793e-17},   // of 1
                                  {9.82793723247329054082e-01, 1.39033110312309984516e-17},   // of 3/2
                                  {1.57079632679489655800e+00, 6.12323399573676603587e-17}};  // of infinity
  const double size = size_of(x);
  if (x != x || size < 0x1p-27) return x;
  if (size >= 0x1p66) return copy_sign(of[3].hi, x);
  int at = -1;
  double t = size;
  if (size >= 2.4375) {
    at = 3;
    t = -1.0 / size;
  } else if (size >= 1.1875) {
    at = 2;
    t = (size - 1.5) / (1.0 + 1.5 * size);
  } else if (size >= 0.6875) {
    at = 1;
    t = (size - 1.0) / (size + 1.0);
  } else if (size >= 0.4375) {
    at = 0;
    t = (2.0 * size - 1.0) / (2.0 + size);
  }
  const double z = t * t, w = z * z;
  const double odd = z * (3.33333333333329318027e-01 +
                          w * (1.42857142725034663711e-01 +
                               w * (9.09088713343650656196e-02 +
                                    w * (6.66107313738753120669e-02 +
                                         w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)))));
  const double even =
      w *
      (-1.99999999998764832476e-01 +
       w * (-1.11111104054623557880e-01 +
            w * (-7.69187620504482999495e-02 + w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02))));
  const double less = t * (odd + even);
  return copy_sign(at < 0 ? t - less : of[at].hi - ((less - of[at].lo) - t), x);
}

double atan2(double y, double x) noexcept {
  if (x != x || y != y) return nan;
  const bool behind = bits_of(x) >> 63;
  const double a = size_of(y), b = size_of(x);
  if (a == 0.0) return behind ? copy_sign(pi, y) : y;
  if (b == 0.0) return copy_sign(0.5 * pi, y);
  if (b == infinity) {
    if (a == infinity) return copy_sign(behind ? 0.75 * pi : 0.25 * pi, y);
    return copy_sign(behind ? pi : 0.0, y);
  }
  if (a == infinity) return copy_sign(0.5 * pi, y);
  const int apart = int(bits_of(a) >> 52) - int(bits_of(b) >> 52);
  double angle;
  if (apart > 60)
    angle = 0.5 * pi;
  else if (behind && apart < -60)
    angle = 0.0;
  else
    angle = atan(a / b);
  return copy_sign(behind ? pi - (angle - pi_lo) : angle, y);
}

}  // namespace sinew::math
