// Elementary functions that give the same bits for double and for every lane.
// Sine and cosine: three-part reduction by pi/2 and the minimax kernels of the C library's double precision
// (remainder below 1 ulp on [-pi/4, pi/4]). With the reduction the error is at most 1.6 ulp within ten turns and 2.5 ulp up
// to 1e5 rad. Beyond that those of math/elementary.h answer, lane by lane.
#pragma once
#include <vector>

#include "sinew/math/elementary.h"
#include "sinew/math/lanes.h"

namespace sinew {

template <Real S>
SINEW_INLINE S round_to_integer(S x) {
  const S magic = 6755399441055744.0;  // 1.5 * 2^52: adding it leaves no fraction bits
  return (x + magic) - magic;
}

template <Real S>
SINEW_INLINE void sincos(S x, S& sine, S& cosine) {
  const S k = round_to_integer(x * S(0.63661977236758134308));  // 2/pi
  // pi/2 in three parts; the first two have trailing zeros, so k * part is exact for |k| < 2^20
  S r = x - k * S(1.57079632673412561417e+00);
  r = r - k * S(6.07710050630396597660e-11);
  r = r - k * S(2.02226624879595063154e-21);
  const S z = r * r;
  const S s = r + r * z *
                      (S(-1.66666666666666324348e-01) +
                       z * (S(8.33333333332248946124e-03) +
                            z * (S(-1.98412698298579493134e-04) +
                                 z * (S(2.75573137070700676789e-06) +
                                      z * (S(-2.50507602534068634195e-08) + z * S(1.58969099521155010221e-10))))));
  const S c = S(1.0) - z * S(0.5) +
              z * z *
                  (S(4.16666666666666019037e-02) +
                   z * (S(-1.38888888888741095749e-03) +
                        z * (S(2.48015872894767294178e-05) +
                             z * (S(-2.75573143513906633035e-07) +
                                  z * (S(2.08757232129817482790e-09) + z * S(-1.13596475577881948265e-11))))));
  // quadrant k mod 4: odd swaps, 2 and 3 negate the sine, 1 and 2 the cosine
  const S half = round_to_integer(k * S(0.5) - S(0.25));  // floor(k/2)
  const S odd = k - half * S(2.0);                        // 0 or 1
  const S upper = half - round_to_integer(half * S(0.5) - S(0.25)) * S(2.0);
  const S a = select(odd > S(0.5), c, s), b = select(odd > S(0.5), s, c);
  sine = select(upper > S(0.5), -a, a);
  cosine = select(abs(odd - upper) > S(0.5), -b, b);
  const auto far = abs(x) > S(1e5);
  if (any(far)) [[unlikely]] {  // only these lanes: the bits of the others do not depend on their neighbours
    sine = select(far, each_lane(x, [](double v) { return math::sin(v); }), sine);
    cosine = select(far, each_lane(x, [](double v) { return math::cos(v); }), cosine);
  }
}

template <Real S>
struct SinCos {
  S sin, cos;
};

// Many angles at once, angle i = q[at[i]], or other[-1 - at[i]] where at[i] is negative: a single robot's angles fill the
// register as a batch's would; the bits are the same. out is written up to full registers.
void sincos_of(const std::vector<int>& at, const double* q, const double* other, SinCos<double>* out);
void sincos_of(const std::vector<int>& at, const Lanes* q, const Lanes* other, SinCos<Lanes>* out);

// The same angle in [-pi, pi].
template <Real S>
SINEW_INLINE S wrap_angle(S x) {
  return x - S(6.283185307179586477) * round_to_integer(x * S(0.15915494309189533577));
}

// Angle of the vector (x, y); lane by lane (used for read-outs and joint gaps only).
inline double angle_of(double y, double x) { return math::atan2(y, x); }
SINEW_INLINE Lanes angle_of(Lanes y, Lanes x) {
  Lanes a;
  for (int i = 0; i < lane_count; i++) a.set(i, math::atan2(y[i], x[i]));
  return a;
}

}  // namespace sinew
