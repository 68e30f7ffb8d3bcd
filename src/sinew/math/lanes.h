// Lanes: several robots in one machine register, one robot a lane.
// Every function inside a step is written once for a scalar S and instantiated for S = double and S = Lanes, so a
// batch costs no second implementation. The width equals the register of the build (4 doubles with AVX, 2 without):
// wider lanes spill and were measured slower.
#pragma once
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace sinew {

#ifdef __AVX__
inline constexpr int lane_count = 4;
#else
inline constexpr int lane_count = 2;
#endif

struct Lanes {
  using Raw = double __attribute__((vector_size(8 * lane_count)));
  using RawMask = std::int64_t __attribute__((vector_size(8 * lane_count)));
  Raw raw;

  Lanes() = default;
  Lanes(double x) : raw(x - Raw{}) {}  // implicit: numbers broadcast (x - 0 keeps the sign of zero)
  explicit Lanes(Raw x) : raw(x) {}

  double operator[](int lane) const { return raw[lane]; }
  void set(int lane, double x) { raw[lane] = x; }

  Lanes& operator+=(Lanes b) { return raw += b.raw, *this; }
  Lanes& operator-=(Lanes b) { return raw -= b.raw, *this; }
  Lanes& operator*=(Lanes b) { return raw *= b.raw, *this; }
  Lanes& operator/=(Lanes b) { return raw /= b.raw, *this; }
  friend Lanes operator+(Lanes a, Lanes b) { return Lanes(a.raw + b.raw); }
  friend Lanes operator-(Lanes a, Lanes b) { return Lanes(a.raw - b.raw); }
  friend Lanes operator*(Lanes a, Lanes b) { return Lanes(a.raw * b.raw); }
  friend Lanes operator/(Lanes a, Lanes b) { return Lanes(a.raw / b.raw); }
  friend Lanes operator-(Lanes a) { return Lanes(-a.raw); }
};

// The answer of a comparison, lane by lane: all bits set where true.
struct LaneMask {
  Lanes::RawMask raw;
  friend LaneMask operator&(LaneMask a, LaneMask b) { return {a.raw & b.raw}; }
  friend LaneMask operator|(LaneMask a, LaneMask b) { return {a.raw | b.raw}; }
};
inline LaneMask operator<(Lanes a, Lanes b) { return {a.raw < b.raw}; }
inline LaneMask operator>(Lanes a, Lanes b) { return {a.raw > b.raw}; }
inline LaneMask operator<=(Lanes a, Lanes b) { return {a.raw <= b.raw}; }
inline LaneMask operator>=(Lanes a, Lanes b) { return {a.raw >= b.raw}; }

template <class S>
concept Real = std::same_as<S, double> || std::same_as<S, Lanes>;
template <Real S>
using Mask = std::conditional_t<std::same_as<S, Lanes>, LaneMask, bool>;

// What a robot-dependent branch becomes: both sides are computed, the mask chooses.
inline double select(bool which, double yes, double no) { return which ? yes : no; }
inline Lanes select(LaneMask which, Lanes yes, Lanes no) { return Lanes(which.raw ? yes.raw : no.raw); }

inline bool any(bool m) { return m; }
inline bool any(LaneMask m) {
  std::int64_t bits = 0;  // no branch for each lane
  for (int i = 0; i < lane_count; i++) bits |= m.raw[i];
  return bits != 0;
}
inline bool negate(bool m) { return !m; }
inline LaneMask negate(LaneMask m) { return {~m.raw}; }
inline bool lane(bool m, int) { return m; }
inline bool lane(LaneMask m, int i) { return m.raw[i] != 0; }
inline void set_lane(bool& m, int, bool value) { m = value; }
inline void set_lane(LaneMask& m, int i, bool value) { m.raw[i] = value ? -1 : 0; }
template <Real S>
Mask<S> mask_of(bool m) {
  if constexpr (std::same_as<S, Lanes>)
    return {m ? ~Lanes::RawMask{} : Lanes::RawMask{}};
  else
    return m;
}

template <Real S>
inline constexpr int lanes_of = std::same_as<S, Lanes> ? lane_count : 1;

inline double lane(double x, int) { return x; }
inline double lane(Lanes x, int i) { return x[i]; }
inline void set_lane(double& x, int, double value) { x = value; }
inline void set_lane(Lanes& x, int i, double value) { x.set(i, value); }

// f of each lane, for the rare functions that need no speed (inside a step: only outside the fast ranges).
template <class F>
inline double each_lane(double x, F f) {
  return f(x);
}
template <class F>
inline Lanes each_lane(Lanes x, F f) {
  Lanes y;
  for (int i = 0; i < lane_count; i++) y.set(i, f(x[i]));
  return y;
}

inline double sqrt(double x) { return std::sqrt(x); }
inline Lanes sqrt(Lanes x) {  // rounds as the scalar one does
#if defined(__AVX__)
  return Lanes(__builtin_ia32_sqrtpd256(x.raw));
#elif defined(__SSE2__)
  return Lanes(__builtin_ia32_sqrtpd(x.raw));
#else
  return each_lane(x, [](double v) { return std::sqrt(v); });
#endif
}
template <Real S>
S abs(S x) {
  return select(x < S(0.0), -x, x);
}
template <Real S>
S max(S a, S b) {
  return select(a > b, a, b);
}
template <Real S>
S min(S a, S b) {
  return select(a < b, a, b);
}
// In every lane.
template <Real S>
bool all_finite(S x) {
  bool ok = true;
  for (int i = 0; i < lanes_of<S>; i++) ok = ok && std::isfinite(lane(x, i));
  return ok;
}

}  // namespace sinew
