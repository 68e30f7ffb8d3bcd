// Bit-for-bit comparison of results, also across lanes. Zeros of different sign differ; equal NaN patterns agree.
#pragma once
#include <bit>
#include <cstdint>

#include "sinew/math/spatial.h"

namespace sinew::support {

inline bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
inline bool same_bits(const Lanes& wide, int which, double one) { return same_bits(wide[which], one); }
inline bool same_bits(const Vec3<Lanes>& wide, int which, const Vec3d& one) {
  return same_bits(wide[0], which, one[0]) && same_bits(wide[1], which, one[1]) && same_bits(wide[2], which, one[2]);
}
inline bool same_bits(const Mat3<Lanes>& wide, int which, const Mat3d& one) {
  return same_bits(wide.c[0], which, one.c[0]) && same_bits(wide.c[1], which, one.c[1]) &&
         same_bits(wide.c[2], which, one.c[2]);
}
inline bool same_bits(const Pose<Lanes>& wide, int which, const Posed& one) {
  return same_bits(wide.R, which, one.R) && same_bits(wide.p, which, one.p);
}
inline bool same_bits(const Twist<Lanes>& wide, int which, const Twist<double>& one) {
  return same_bits(wide.w, which, one.w) && same_bits(wide.v, which, one.v);
}
inline bool same_bits(const Wrench<Lanes>& wide, int which, const Wrench<double>& one) {
  return same_bits(wide.n, which, one.n) && same_bits(wide.f, which, one.f);
}

}  // namespace sinew::support
