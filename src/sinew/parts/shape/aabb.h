// Boxes along the world's axes.
#pragma once
#include <algorithm>

#include "sinew/parts/shape/shape.h"

namespace sinew {

struct Aabb {
  Vec3d low, high;

  bool overlaps(const Aabb& o) const {
    return low[0] <= o.high[0] && o.low[0] <= high[0] && low[1] <= o.high[1] && o.low[1] <= high[1] &&
           low[2] <= o.high[2] && o.low[2] <= high[2];
  }
  double size() const { return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]}); }
};

inline Aabb join(const Aabb& a, const Aabb& b) {
  Aabb out;
  for (int i = 0; i < 3; i++) out.low[i] = std::min(a.low[i], b.low[i]), out.high[i] = std::max(a.high[i], b.high[i]);
  return out;
}

// Around a shape at its place.
inline Aabb aabb_of(const Shape& shape, const Posed& X_WS) {
  Aabb box;
  for (int i = 0; i < 3; i++) {
    double half = shape.reach();
    if (shape.kind == ShapeKind::Capsule) half = std::abs(X_WS.R(i, 2)) * shape.half_length + shape.radius;
    if (shape.kind == ShapeKind::Box)
      half = std::abs(X_WS.R(i, 0)) * shape.half[0] + std::abs(X_WS.R(i, 1)) * shape.half[1] +
             std::abs(X_WS.R(i, 2)) * shape.half[2];
    box.low[i] = X_WS.p[i] - half, box.high[i] = X_WS.p[i] + half;
  }
  return box;
}

}  // namespace sinew
