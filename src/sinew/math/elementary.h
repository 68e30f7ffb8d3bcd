// Elementary functions with the same bits on every machine, for double.
// The C library's are not: they differ between libraries, and within glibc between processors with and without fused
// multiply-add. These use only + - * / sqrt, which IEEE 754 rounds in one way, and integers. All numbers that reach a state or
// a result go through them; scripts/check_includes.py refuses std::sin and the like elsewhere.
//
// Largest error, in units of the last place (tests/math/elementary_test.cpp):
//   below 0.6   pow log log2 log10
//   below 1     sin cos tan asin acos atan exp expm1 log1p cbrt hypot
//   below 2     atan2 sinh cosh tanh
//   below 6     erfc
//   bessel_j0, bessel_j1: about 1e-16 (1 + |x|), absolute
// Special values follow C's Annex F. Arguments of any size: sin(1e300) is right to the last place as well.
// They depend on nothing but their arguments, and the compiler is told so: else it keeps nothing in registers across a call.
// For sine and cosine inside a step use sincos of math/trig.h, which takes Lanes too.
#pragma once

namespace sinew::math {

[[gnu::const]] double sin(double x) noexcept;
[[gnu::const]] double cos(double x) noexcept;
[[gnu::const]] double tan(double x) noexcept;
struct SinAndCos {
  double sin, cos;
};
[[gnu::const]] SinAndCos sin_and_cos(double x) noexcept;  // the bits of both, for little more than one
[[gnu::const]] double asin(double x) noexcept;
[[gnu::const]] double acos(double x) noexcept;
[[gnu::const]] double atan(double x) noexcept;
[[gnu::const]] double atan2(double y, double x) noexcept;

[[gnu::const]] double exp(double x) noexcept;
[[gnu::const]] double expm1(double x) noexcept;
[[gnu::const]] double log(double x) noexcept;
[[gnu::const]] double log1p(double x) noexcept;
[[gnu::const]] double log2(double x) noexcept;
[[gnu::const]] double log10(double x) noexcept;
[[gnu::const]] double pow(double x, double y) noexcept;

[[gnu::const]] double sinh(double x) noexcept;
[[gnu::const]] double cosh(double x) noexcept;
[[gnu::const]] double tanh(double x) noexcept;

[[gnu::const]] double cbrt(double x) noexcept;
[[gnu::const]] double hypot(double x, double y) noexcept;

[[gnu::const]] double erfc(double x) noexcept;

// Bessel functions of the first kind, J_0 and J_1.
[[gnu::const]] double bessel_j0(double x) noexcept;
[[gnu::const]] double bessel_j1(double x) noexcept;

}  // namespace sinew::math
