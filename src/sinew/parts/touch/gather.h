// Collects the points of one pair, each once, and chooses the few that stand for all. Private to this room.
#pragma once
#include <cstdint>

#include "sinew/math/check.h"
#include "sinew/parts/touch/closest.h"

namespace sinew {

// A name made of parts: stable, and hardly ever the same for other parts. >= 0.
inline int feature_of(std::int64_t a, std::int64_t b = 0, std::int64_t c = 0) {
  std::uint64_t h = 0x9e3779b97f4a7c15u;
  for (const std::int64_t x : {a, b, c}) {
    h = (h ^ std::uint64_t(x)) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  }
  return int(h & 0x7fffffff);
}

// Few, and nearly sorted as they come. Equal ones keep their order, which std::sort leaves to the standard library.
inline void sort_by_feature(Touch* touch, int count) {
  SINEW_ASSERT(touch || count == 0);
  for (int i = 1; i < count; i++) {
    const Touch moved = touch[i];
    int at = i;
    for (; at > 0 && touch[at - 1].feature > moved.feature; at--) touch[at] = touch[at - 1];
    touch[at] = moved;
  }
}

struct Gather {
  static constexpr int most = 64;
  double margin;  // points with larger gaps are left out [m]
  double same;    // points nearer than this with nearly the same normal are one [m]
  int count = 0;
  Touch touch[most] = {};

  // p: midway between the surfaces
  void add(const Vec3d& p, const Vec3d& n, double gap, int feature) {
    if (!(gap <= margin)) return;
    int worst = 0;
    for (int i = 0; i < count; i++) {
      const Touch& other = touch[i];
      if (other.feature == feature || (norm(other.p - p) <= same && dot(other.n, n) > 0.9999)) {
        if (gap < other.gap) touch[i] = {p, n, gap, feature};
        return;
      }
      if (other.gap > touch[worst].gap) worst = i;
    }
    if (count < most)
      touch[count++] = {p, n, gap, feature};
    else if (gap < touch[worst].gap)
      touch[worst] = {p, n, gap, feature};
  }

  // The deepest, then again and again the one that is farthest from those chosen, less if it is less deep. Gaps and distances
  // that differ by rounding alone are equal; of equal ones the lowest feature is chosen, so that a choice lasts.
  int choose(int capacity, Touch* out) {
    SINEW_ASSERT(capacity >= 1 && capacity <= max_touches && count <= most);
    sort_by_feature(touch, count);
    if (count <= capacity) return std::copy(touch, touch + count, out), count;
    double least = touch[0].gap, size = 0.0;
    for (int i = 1; i < count; i++) {
      least = std::min(least, touch[i].gap);
      size = std::max(size, norm(touch[i].p - touch[0].p));
    }
    const double depth = std::max(margin - least, 1e-300), close = 1e-6 * std::min(depth, size);
    double apart[most];
    for (int i = 0; i < count; i++) apart[i] = size;
    for (int k = 0; k < capacity; k++) {
      int best = 0;  // also where none is worth a number
      double most_worth = -1.0;
      for (int i = 0; i < count; i++) {
        const double worth =
            apart[i] * (k == 0 && touch[i].gap > least + close ? 0.0 : (margin - touch[i].gap) / depth);
        if (worth > most_worth * (1.0 + 1e-6)) {
          most_worth = worth;
          best = i;
        }
      }
      out[k] = touch[best];
      for (int i = 0; i < count; i++) apart[i] = std::min(apart[i], norm(touch[i].p - touch[best].p));
    }
    sort_by_feature(out, capacity);
    return capacity;
  }
};

}  // namespace sinew
