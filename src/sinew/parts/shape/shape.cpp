#include "sinew/parts/shape/shape.h"

#include <cmath>

namespace sinew {

double extent(const Shape& s, const Vec3d& d) {
  switch (s.kind) {
    case ShapeKind::Sphere:
      return s.radius * norm(d);
    case ShapeKind::Capsule:
      return s.half_length * std::abs(d[2]) + s.radius * norm(d);
    case ShapeKind::Box:
      return s.half[0] * std::abs(d[0]) + s.half[1] * std::abs(d[1]) + s.half[2] * std::abs(d[2]);
    case ShapeKind::Cylinder:
      return s.half_length * std::abs(d[2]) + s.radius * std::sqrt(d[0] * d[0] + d[1] * d[1]);
    case ShapeKind::Hull:
    case ShapeKind::Mesh:
      return s.mesh && !s.mesh->vertex.empty() ? dot(d, s.mesh->vertex[std::size_t(farthest(*s.mesh, d))]) : 0.0;
  }
  return 0.0;
}

Aabb aabb_of(const Shape& shape, const Posed& X_WS) {
  Aabb box;
  for (int i = 0; i < 3; i++) {
    const Vec3d d{X_WS.R(i, 0), X_WS.R(i, 1), X_WS.R(i, 2)};  // world axis i in the shape's axes
    box.low[i] = X_WS.p[i] - extent(shape, -d);
    box.high[i] = X_WS.p[i] + extent(shape, d);
  }
  return box;
}

}  // namespace sinew
