// Shapes that touch things: sphere, capsule, box, cylinder, convex hull, closed mesh. Plain numbers in the shape's own axes.
#pragma once
#include <array>
#include <string_view>

#include "sinew/math/spatial.h"
#include "sinew/parts/shape/mesh.h"

namespace sinew {

enum class ShapeKind { Sphere, Capsule, Box, Cylinder, Hull, Mesh };
inline constexpr std::array<std::string_view, 6> shape_names{"sphere", "capsule", "box", "cylinder", "hull", "mesh"};

struct Shape {
  ShapeKind kind = ShapeKind::Sphere;
  double radius = 0.0;       // of a sphere (0: a point), capsule or cylinder [m]
  double half_length = 0.0;  // capsule, cylinder: the axis is z, the centres of the ends are at z = +- half_length [m]
  Vec3d half = Vec3d::zero();  // box: half of its edges [m]
  MeshPtr mesh = {};           // of a hull or mesh; see make_hull, make_mesh

  // of a sphere about the origin that holds all of it
  double reach() const {
    switch (kind) {
      case ShapeKind::Sphere:
        return radius;
      case ShapeKind::Capsule:
        return half_length + radius;
      case ShapeKind::Box:
        return norm(half);
      case ShapeKind::Cylinder:
        return std::sqrt(radius * radius + half_length * half_length);
      case ShapeKind::Hull:
      case ShapeKind::Mesh:
        return mesh ? mesh->reach : 0.0;
    }
    return 0.0;
  }
};

// Largest d . x over the shape, in its own axes. d need not be a unit vector.
double extent(const Shape& shape, const Vec3d& d);

// The least box along the world's axes that holds the shape: exact for all kinds.
Aabb aabb_of(const Shape& shape, const Posed& X_WS);

}  // namespace sinew
