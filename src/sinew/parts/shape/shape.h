// Shapes that touch things: sphere, capsule, box. Plain numbers in the shape's own axes.
#pragma once
#include <array>
#include <string_view>

#include "sinew/math/spatial.h"

namespace sinew {

enum class ShapeKind { Sphere, Capsule, Box };
inline constexpr std::array<std::string_view, 3> shape_names{"sphere", "capsule", "box"};

struct Shape {
  ShapeKind kind = ShapeKind::Sphere;
  double radius = 0.0;         // of a sphere (0: a point) or capsule [m]
  double half_length = 0.0;    // capsule: its axis is z, the centres of its ends are at z = +- half_length [m]
  Vec3d half = Vec3d::zero();  // box: half of its edges [m]

  // of a sphere about the origin that holds all of it
  double reach() const {
    return kind == ShapeKind::Sphere ? radius : kind == ShapeKind::Capsule ? half_length + radius : norm(half);
  }
};

}  // namespace sinew
