// Lanes: four robots side by side, one robot a lane.
// Every function inside a step is written once for a scalar S and instantiated for S = double and S = Lanes, so a
// batch costs no second implementation. Four doubles on every machine, in one register with AVX and in two without: sums over
// lanes, the contacts of a pack and so the bits of a run do not depend on the processor, and neither does any layout. How a
// single Lanes is passed by value does, so only inlined functions take it that way; all others take references.
#pragma once
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "sinew/math/inline.h"
#ifndef __AVX__
#include "sinew/math/halves.h"
#endif

namespace sinew {

inline constexpr int lane_count = 4;

struct Lanes {
#ifdef __AVX__
  using Raw = double __attribute__((vector_size(32)));
  using RawMask = std::int64_t __attribute__((vector_size(32)));
#else
  using Raw = Halves<double>;
  using RawMask = HalvesMask;
#endif
  Raw raw;

  Lanes() = default;
  SINEW_INLINE Lanes(double x) : raw{x, x, x, x} {}  // implicit: numbers broadcast
  SINEW_INLINE explicit Lanes(const Raw& x) : raw(x) {}

  SINEW_INLINE double operator[](int lane) const { return raw[lane]; }
  SINEW_INLINE void set(int lane, double x) {
#ifdef __AVX__
    raw[lane] = x;
#else
    raw.set(lane, x);
#endif
  }

  SINEW_INLINE Lanes& operator+=(const Lanes& b) { return raw = raw + b.raw, *this; }
  SINEW_INLINE Lanes& operator-=(const Lanes& b) { return raw = raw - b.raw, *this; }
  SINEW_INLINE Lanes& operator*=(const Lanes& b) { return raw = raw * b.raw, *this; }
  SINEW_INLINE Lanes& operator/=(const Lanes& b) { return raw = raw / b.raw, *this; }
  SINEW_INLINE friend Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.raw + b.raw); }
  SINEW_INLINE friend Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.raw - b.raw); }
  SINEW_INLINE friend Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.raw * b.raw); }
  SINEW_INLINE friend Lanes operator/(const Lanes& a, const Lanes& b) { return Lanes(a.raw / b.raw); }
  SINEW_INLINE friend Lanes operator-(const Lanes& a) { return Lanes(-a.raw); }
};
static_assert(sizeof(Lanes) == 32 && alignof(Lanes) == 32);  // NOLINT(misc-redundant-expression): they are two

// The answer of a comparison, lane by lane: all bits set where true.
struct LaneMask {
  Lanes::RawMask raw;
  SINEW_INLINE friend LaneMask operator&(const LaneMask& a, const LaneMask& b) { return {a.raw & b.raw}; }
  SINEW_INLINE friend LaneMask operator|(const LaneMask& a, const LaneMask& b) { return {a.raw | b.raw}; }
};
SINEW_INLINE LaneMask operator<(const Lanes& a, const Lanes& b) { return {a.raw < b.raw}; }
SINEW_INLINE LaneMask operator>(const Lanes& a, const Lanes& b) { return {a.raw > b.raw}; }
SINEW_INLINE LaneMask operator<=(const Lanes& a, const Lanes& b) { return {a.raw <= b.raw}; }
SINEW_INLINE LaneMask operator>=(const Lanes& a, const Lanes& b) { return {a.raw >= b.raw}; }

// For the explicit instantiations at the end of a source: INSTANTIATE(S) lists them for the scalar S.
#define SINEW_FOR_SCALARS(INSTANTIATE) INSTANTIATE(double) INSTANTIATE(Lanes)

template <class S>
concept Real = std::same_as<S, double> || std::same_as<S, Lanes>;
template <Real S>
using Mask = std::conditional_t<std::same_as<S, Lanes>, LaneMask, bool>;

// What a robot-dependent branch becomes: both sides are computed, the mask chooses.
SINEW_INLINE double select(bool which, double yes, double no) { return which ? yes : no; }
SINEW_INLINE Lanes select(const LaneMask& which, const Lanes& yes, const Lanes& no) {
  const auto& m = which.raw;
  const auto &a = yes.raw, &b = no.raw;
#ifdef __AVX__
  return Lanes(m ? a : b);
#else
  return Lanes(Lanes::Raw(m.low ? a.low : b.low, m.high ? a.high : b.high));
#endif
}

SINEW_INLINE bool any(bool m) { return m; }
SINEW_INLINE bool any(const LaneMask& m) {
  std::int64_t bits = 0;  // no branch for each lane
  for (int i = 0; i < lane_count; i++) bits |= m.raw[i];
  return bits != 0;
}
SINEW_INLINE bool negate(bool m) { return !m; }
SINEW_INLINE LaneMask negate(const LaneMask& m) { return {~m.raw}; }
SINEW_INLINE bool all(bool m) { return m; }
SINEW_INLINE bool all(const LaneMask& m) { return !any(negate(m)); }
SINEW_INLINE bool lane(bool m, int) { return m; }
SINEW_INLINE bool lane(const LaneMask& m, int i) { return m.raw[i] != 0; }
SINEW_INLINE void set_lane(bool& m, int, bool value) { m = value; }
SINEW_INLINE void set_lane(LaneMask& m, int i, bool value) {
  const std::int64_t bits = value ? -1 : 0;
#ifdef __AVX__
  m.raw[i] = bits;
#else
  m.raw.set(i, bits);
#endif
}
template <Real S>
SINEW_INLINE Mask<S> mask_of(bool m) {
  if constexpr (std::same_as<S, Lanes>)
    return {m ? ~Lanes::RawMask{} : Lanes::RawMask{}};
  else
    return m;
}

template <Real S>
inline constexpr int lanes_of = std::same_as<S, Lanes> ? lane_count : 1;

SINEW_INLINE double lane(double x, int) { return x; }
SINEW_INLINE double lane(const Lanes& x, int i) { return x[i]; }
SINEW_INLINE void set_lane(double& x, int, double value) { x = value; }
SINEW_INLINE void set_lane(Lanes& x, int i, double value) { x.set(i, value); }

// Lane k of the result is lane k-th of a, or of b from 4 on.
template <int k0, int k1, int k2, int k3>
SINEW_INLINE Lanes shuffle(const Lanes& a, const Lanes& b) {
#ifdef __AVX__
  return Lanes(__builtin_shufflevector(a.raw, b.raw, k0, k1, k2, k3));
#else
  const auto of = [&](int k) SINEW_INLINE_LAMBDA { return k < 4 ? a[k] : b[k - 4]; };
  return Lanes(Lanes::Raw(of(k0), of(k1), of(k2), of(k3)));
#endif
}

// f of each lane, for the rare functions that need no speed (inside a step: only outside the fast ranges).
template <class F>
SINEW_INLINE double each_lane(double x, F f) {
  return f(x);
}
template <class F>
SINEW_INLINE Lanes each_lane(const Lanes& x, F f) {
  Lanes y;
  for (int i = 0; i < lane_count; i++) y.set(i, f(x[i]));
  return y;
}

SINEW_INLINE double sqrt(double x) { return std::sqrt(x); }
SINEW_INLINE Lanes sqrt(const Lanes& x) {  // rounds as the scalar one does
#if defined(__AVX__)
  return Lanes(Lanes::Raw(__builtin_ia32_sqrtpd256(x.raw)));
#elif defined(__SSE2__)
  return Lanes(Lanes::Raw(__builtin_ia32_sqrtpd(x.raw.low), __builtin_ia32_sqrtpd(x.raw.high)));
#else
  return each_lane(x, [](double v) { return std::sqrt(v); });
#endif
}
template <Real S>
SINEW_INLINE S abs(const S& x) {
  return select(x < S(0.0), -x, x);
}
template <Real S>
SINEW_INLINE S max(const S& a, const S& b) {
  return select(a > b, a, b);
}
template <Real S>
SINEW_INLINE S min(const S& a, const S& b) {
  return select(a < b, a, b);
}
// In every lane.
template <Real S>
bool all_finite(const S& x) {
  bool ok = true;
  for (int i = 0; i < lanes_of<S>; i++) ok = ok && std::isfinite(lane(x, i));
  return ok;
}

}  // namespace sinew
