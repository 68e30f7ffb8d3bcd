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
// For sine and cosine inside a step use sincos of math/trig.h, which takes Lanes too.
#pragma once

namespace sinew::math {

double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);

double exp(double x);
double expm1(double x);
double log(double x);
double log1p(double x);
double log2(double x);
double log10(double x);
double pow(double x, double y);

double sinh(double x);
double cosh(double x);
double tanh(double x);

double cbrt(double x);
double hypot(double x, double y);

double erfc(double x);

// Bessel functions of the first kind, J_0 and J_1.
double bessel_j0(double x);
double bessel_j1(double x);

}  // namespace sinew::math
