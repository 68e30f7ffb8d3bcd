// Four numbers as two registers of two: Lanes on processors without registers of four. In memory they lie as the four do.
#pragma once
#include <cstdint>

#include "sinew/math/inline.h"

namespace sinew {

template <class T>
struct HalfOf;
template <>
struct HalfOf<double> {
  using Type = double __attribute__((vector_size(16)));
};
template <>
struct HalfOf<std::int64_t> {
  using Type = std::int64_t __attribute__((vector_size(16)));
};

template <class T>
struct alignas(32) Halves {
  using Half = typename HalfOf<T>::Type;
  Half low, high;

  Halves() = default;
  SINEW_INLINE Halves(Half l, Half h) : low(l), high(h) {}
  SINEW_INLINE Halves(T a, T b, T c, T d) : low{a, b}, high{c, d} {}

  SINEW_INLINE T operator[](int i) const { return i < 2 ? low[i & 1] : high[i & 1]; }
  SINEW_INLINE void set(int i, T x) { i < 2 ? low[i & 1] = x : high[i & 1] = x; }

  SINEW_INLINE friend Halves operator+(const Halves& a, const Halves& b) { return {a.low + b.low, a.high + b.high}; }
  SINEW_INLINE friend Halves operator-(const Halves& a, const Halves& b) { return {a.low - b.low, a.high - b.high}; }
  SINEW_INLINE friend Halves operator*(const Halves& a, const Halves& b) { return {a.low * b.low, a.high * b.high}; }
  SINEW_INLINE friend Halves operator/(const Halves& a, const Halves& b) { return {a.low / b.low, a.high / b.high}; }
  SINEW_INLINE friend Halves operator-(const Halves& a) { return {-a.low, -a.high}; }
  SINEW_INLINE friend Halves operator~(const Halves& a) { return {~a.low, ~a.high}; }
  SINEW_INLINE friend Halves operator&(const Halves& a, const Halves& b) { return {a.low & b.low, a.high & b.high}; }
  SINEW_INLINE friend Halves operator|(const Halves& a, const Halves& b) { return {a.low | b.low, a.high | b.high}; }
};

using HalvesMask = Halves<std::int64_t>;

SINEW_INLINE HalvesMask operator<(const Halves<double>& a, const Halves<double>& b) {
  return {HalvesMask::Half(a.low < b.low), HalvesMask::Half(a.high < b.high)};
}
SINEW_INLINE HalvesMask operator>(const Halves<double>& a, const Halves<double>& b) { return b < a; }
SINEW_INLINE HalvesMask operator<=(const Halves<double>& a, const Halves<double>& b) {
  return {HalvesMask::Half(a.low <= b.low), HalvesMask::Half(a.high <= b.high)};
}
SINEW_INLINE HalvesMask operator>=(const Halves<double>& a, const Halves<double>& b) { return b <= a; }

}  // namespace sinew
