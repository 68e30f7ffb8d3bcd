// Side by side: the same struct of several links <-> one struct of Lanes, one link a lane.
// Two numbers at a time, so that a register is filled by four loads and emptied by four stores.
#pragma once
#ifdef __AVX__
#include <immintrin.h>
#endif

#include <array>
#include <type_traits>
#include <utility>

#include "sinew/math/check.h"
#include "sinew/math/linear.h"

namespace sinew {

using LaneLinks = std::array<int, lane_count>;  // which link each lane holds

namespace lane_pack {

template <class T>
using Each = std::array<T*, lane_count>;  // where each lane comes from or goes to

// x(lane), side by side
template <class X>
SINEW_INLINE Lanes number(X x) {
  return [&]<int... k>(std::integer_sequence<int, k...>) SINEW_INLINE_LAMBDA { return Lanes(Lanes::Raw{x(k)...}); }
  (std::make_integer_sequence<int, lane_count>());
}

#ifdef __AVX__
SINEW_INLINE void load_two(const Each<const double>& from, int at, Lanes* to) {
  const auto pairs = [&](int low, int high) SINEW_INLINE_LAMBDA {
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(from[low] + at)), _mm_loadu_pd(from[high] + at), 1);
  };
  const __m256d even = pairs(0, 2), odd = pairs(1, 3);
  to[at] = Lanes(_mm256_unpacklo_pd(even, odd));
  to[at + 1] = Lanes(_mm256_unpackhi_pd(even, odd));
}
SINEW_INLINE void store_two(const Lanes* from, int at, const Each<double>& to) {
  const __m256d even = _mm256_unpacklo_pd(from[at].raw, from[at + 1].raw);
  const __m256d odd = _mm256_unpackhi_pd(from[at].raw, from[at + 1].raw);
  _mm_storeu_pd(to[0] + at, _mm256_castpd256_pd128(even));
  _mm_storeu_pd(to[2] + at, _mm256_extractf128_pd(even, 1));
  _mm_storeu_pd(to[1] + at, _mm256_castpd256_pd128(odd));
  _mm_storeu_pd(to[3] + at, _mm256_extractf128_pd(odd, 1));
}
SINEW_INLINE void add_two(const Lanes* what, int at, const Each<double>& to) {
  const __m256d even = _mm256_unpacklo_pd(what[at].raw, what[at + 1].raw);
  const __m256d odd = _mm256_unpackhi_pd(what[at].raw, what[at + 1].raw);
  const auto add = [at](double* x, __m128d y)
                       SINEW_INLINE_LAMBDA { _mm_storeu_pd(x + at, _mm_add_pd(_mm_loadu_pd(x + at), y)); };
  add(to[0], _mm256_castpd256_pd128(even));
  add(to[1], _mm256_castpd256_pd128(odd));
  add(to[2], _mm256_extractf128_pd(even, 1));
  add(to[3], _mm256_extractf128_pd(odd, 1));
}
#else
SINEW_INLINE void load_two(const Each<const double>& from, int at, Lanes* to) {
  for (int i = at; i < at + 2; i++) to[i] = number([&](int k) SINEW_INLINE_LAMBDA { return from[k][i]; });
}
SINEW_INLINE void store_two(const Lanes* from, int at, const Each<double>& to) {
  for (int i = at; i < at + 2; i++)
    for (int k = 0; k < lane_count; k++) to[k][i] = from[i][k];
}
SINEW_INLINE void add_two(const Lanes* what, int at, const Each<double>& to) {
  for (int k = 0; k < lane_count; k++)
    for (int i = at; i < at + 2; i++) to[k][i] += what[i][k];
}
#endif

template <int n>
SINEW_INLINE void load(const Each<const double>& from, Lanes* to) {
  [&]<int... i>(std::integer_sequence<int, i...>) SINEW_INLINE_LAMBDA { (load_two(from, 2 * i, to), ...); }
  (std::make_integer_sequence<int, n / 2>());
  if constexpr (n % 2 == 1) to[n - 1] = number([&](int k) SINEW_INLINE_LAMBDA { return from[k][n - 1]; });
}
template <int n>
SINEW_INLINE void store(const Lanes* from, const Each<double>& to) {
  [&]<int... i>(std::integer_sequence<int, i...>) SINEW_INLINE_LAMBDA { (store_two(from, 2 * i, to), ...); }
  (std::make_integer_sequence<int, n / 2>());
  if constexpr (n % 2 == 1)
    for (int k = 0; k < lane_count; k++) to[k][n - 1] = from[n - 1][k];
}

// Adds to what is there, lane by lane, so that two lanes may lead to the same numbers.
template <int n>
SINEW_INLINE void add(const Lanes* what, const Each<double>& to) {
  static_assert(n % 2 == 0);
  [&]<int... i>(std::integer_sequence<int, i...>) SINEW_INLINE_LAMBDA { (add_two(what, 2 * i, to), ...); }
  (std::make_integer_sequence<int, n / 2>());
}

}  // namespace lane_pack

// get(link) refers to the number or the struct of numbers of one link.
#define SINEW_OF_LINK(x) \
  [&](int i) SINEW_INLINE_LAMBDA -> auto& { return x; }

template <class Get>
SINEW_INLINE Lanes gather_number(const LaneLinks& who, Get get) {
  return lane_pack::number([&](int k) SINEW_INLINE_LAMBDA { return get(who[k]); });
}
// Wide: a struct of Lanes; get refers to the same struct of doubles. (Not a template as argument: clang 14 falls over it.)
template <class Wide, class Get>
inline constexpr int numbers_in = [] {
  using Narrow = std::remove_reference_t<std::invoke_result_t<Get, int>>;
  static_assert(sizeof(Wide) / sizeof(Lanes) == sizeof(Narrow) / sizeof(double), "not the same struct");
  return int(sizeof(Wide) / sizeof(Lanes));
}();

template <class Wide, class Get>
SINEW_INLINE Wide gather(const LaneLinks& who, Get get) {
  lane_pack::Each<const double> from;
  for (int k = 0; k < lane_count; k++) from[k] = reinterpret_cast<const double*>(&get(who[k]));
  Wide to;
  lane_pack::load<numbers_in<Wide, Get>>(from, reinterpret_cast<Lanes*>(&to));
  return to;
}

// Only the lanes [first, last) are written.
template <class Wide, class Get>
SINEW_INLINE void scatter(const Wide& from, const LaneLinks& who, int first, int last, Get get) {
  SINEW_ASSERT(first >= 0 && first <= last && last <= lane_count);
  constexpr int n = numbers_in<Wide, Get>;
  double unused[n];
  lane_pack::Each<double> to;
  for (int k = 0; k < lane_count; k++)
    to[k] = k >= first && k < last ? reinterpret_cast<double*>(&get(who[k])) : unused;
  lane_pack::store<n>(reinterpret_cast<const Lanes*>(&from), to);
}
template <class Get>
SINEW_INLINE void scatter_number(const Lanes& from, const LaneLinks& who, int first, int last, Get get) {
  double unused;
  for (int k = 0; k < lane_count; k++) *(k >= first && k < last ? &get(who[k]) : &unused) = from[k];
}

}  // namespace sinew
