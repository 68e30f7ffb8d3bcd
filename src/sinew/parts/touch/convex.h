// Two convex cores and the direction in which they are farthest apart, or overlap least. Private to this room.
// A core is a point (sphere), a segment (capsule, edge), a box, a cylinder or a hull: what is left of a shape without its radius.
#pragma once
#include "sinew/parts/touch/closest.h"

namespace sinew {

struct Core {
  const Shape* shape = nullptr;
  const Segment* line = nullptr;  // instead of a shape, in its axes
  Posed X;

  Core(const Shape& s, const Posed& X_) : shape(&s), X(X_) {}
  Core(const Segment* segment, const Posed& X_) : line(segment), X(X_) {}
  Vec3d support(const Vec3d& d) const;  // the point that lies farthest along d
  double radius() const {
    return shape && (shape->kind == ShapeKind::Sphere || shape->kind == ShapeKind::Capsule) ? shape->radius : 0.0;
  }
};

struct Separation {
  Vec3d n;     // unit, from a to b
  Vec3d a, b;  // nearest points, or the deepest ones
  double s;    // distance of the cores along n; negative: they overlap by that [m]
};

// Separation of the cores along n: least n . (b - a) over both.
double separation_along(const Core& a, const Core& b, const Vec3d& n);

// False: they are farther apart than the margin. One of them must have a volume.
bool separate(const Core& a, const Core& b, double margin, Separation& out);

}  // namespace sinew
