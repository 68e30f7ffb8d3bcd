// The part of the links' dynamics that needs no recursion, for several links at once: a single robot's links fill the
// register as the robots of a batch would, one link a lane; a batch takes one link at a time. The bits are the same.
#pragma once
#include <algorithm>
#include <utility>

#include "sinew/kinematics/frames.h"
#include "sinew/math/check.h"

namespace sinew {

template <Real S>
inline constexpr int links_per_pack = std::same_as<S, double> ? lane_count : 1;
template <Real S>
int packs_of(int n_links) {
  return (n_links + links_per_pack<S> - 1) / links_per_pack<S>;
}

// The links of one pack; the last one is repeated where there are no more.
template <Real S>
struct Pack {
  int link[links_per_pack<S>];

  Pack(int pack, int n_links) {
    SINEW_ASSERT(pack >= 0 && n_links > 0 && pack * links_per_pack<S> < n_links);
    for (int k = 0; k < links_per_pack<S>; k++) link[k] = std::min(pack * links_per_pack<S> + k, n_links - 1);
  }
  Pack(int pack, const std::vector<int>& links) : Pack(pack, int(links.size())) {
    for (int& i : link) i = links[i];
  }
  // get(link), side by side
  template <class Get>
  SINEW_INLINE Lanes number(Get get) const {
    if constexpr (std::same_as<S, Lanes>)
      return get(link[0]);
    else
      return [&]<int... k>(std::integer_sequence<int, k...>) SINEW_INLINE_LAMBDA {
        return Lanes(Lanes::Raw{get(link[k])...});
      }
    (std::make_integer_sequence<int, lane_count>());
  }
  template <class Get>
  SINEW_INLINE Vec3<Lanes> vector(Get get) const {
    return {number([&](int i) SINEW_INLINE_LAMBDA -> const auto& { return get(i)[0]; }),
            number([&](int i) SINEW_INLINE_LAMBDA -> const auto& { return get(i)[1]; }),
            number([&](int i) SINEW_INLINE_LAMBDA -> const auto& { return get(i)[2]; })};
  }
  template <class Get>
  SINEW_INLINE Mat3<Lanes> matrix(Get get) const {
    return {vector([&](int i) SINEW_INLINE_LAMBDA -> const auto& { return get(i).c[0]; }),
            vector([&](int i) SINEW_INLINE_LAMBDA -> const auto& { return get(i).c[1]; }),
            vector([&](int i) SINEW_INLINE_LAMBDA -> const auto& { return get(i).c[2]; })};
  }
  template <class Get>
  SINEW_INLINE Sym3<Lanes> symmetric(Get get) const {
    return {number([&](int i) SINEW_INLINE_LAMBDA -> const auto& { return get(i).xx; }),
            number([&](int i) SINEW_INLINE_LAMBDA -> const auto& { return get(i).xy; }),
            number([&](int i) SINEW_INLINE_LAMBDA -> const auto& { return get(i).xz; }),
            number([&](int i) SINEW_INLINE_LAMBDA -> const auto& { return get(i).yy; }),
            number([&](int i) SINEW_INLINE_LAMBDA -> const auto& { return get(i).yz; }),
            number([&](int i) SINEW_INLINE_LAMBDA -> const auto& { return get(i).zz; })};
  }
};

// One link's number of a pack.
template <Real S>
SINEW_INLINE S take(const Lanes& x, int k) {
  if constexpr (std::same_as<S, Lanes>)
    return x;
  else
    return reinterpret_cast<const double*>(&x)[k];
}
template <Real S>
SINEW_INLINE Vec3<S> take(const Vec3<Lanes>& x, int k) {
  return {take<S>(x[0], k), take<S>(x[1], k), take<S>(x[2], k)};
}
template <Real S>
SINEW_INLINE Sym3<S> take(const Sym3<Lanes>& x, int k) {
  return {take<S>(x.xx, k), take<S>(x.xy, k), take<S>(x.xz, k), take<S>(x.yy, k), take<S>(x.yz, k), take<S>(x.zz, k)};
}
template <Real S>
SINEW_INLINE Wrench<S> take(const Wrench<Lanes>& x, int k) {
  return {take<S>(x.n, k), take<S>(x.f, k)};
}

inline Gravity<Lanes> in_all_lanes(const Gravity<double>& g) { return broadcast<Lanes>(g); }
inline const Gravity<Lanes>& in_all_lanes(const Gravity<Lanes>& g) { return g; }

}  // namespace sinew
