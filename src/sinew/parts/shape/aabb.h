// Boxes along the axes.
#pragma once
#include <algorithm>

#include "sinew/math/linear.h"

namespace sinew {

struct Aabb {  // a box along the axes
  Vec3d low, high;

  static Aabb nothing() { return {{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}}; }
  void add(const Vec3d& x) {
    for (int i = 0; i < 3; i++) {
      low[i] = x[i] < low[i] ? x[i] : low[i];
      high[i] = x[i] > high[i] ? x[i] : high[i];
    }
  }
  void grow(double by) {
    for (int i = 0; i < 3; i++) {
      low[i] -= by;
      high[i] += by;
    }
  }
  bool meets(const Aabb& b) const {  // without branches: in a heap they could not be foreseen
    bool meets = true;
    for (int i = 0; i < 3; i++) meets = meets & (low[i] <= b.high[i]) & (b.low[i] <= high[i]);
    return meets;
  }
  // Largest d . x over the box.
  double extent(const Vec3d& d) const {
    double most = 0.0;
    for (int i = 0; i < 3; i++) most += d[i] * (d[i] > 0.0 ? high[i] : low[i]);
    return most;
  }
  double size() const { return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]}); }  // longest edge
};

inline Aabb join(const Aabb& a, const Aabb& b) {
  Aabb out;
  for (int i = 0; i < 3; i++) {
    out.low[i] = std::min(a.low[i], b.low[i]);
    out.high[i] = std::max(a.high[i], b.high[i]);
  }
  return out;
}

}  // namespace sinew
