// Shapes with meshes for the tests of touch, and what is true of any two convex shapes:
//   gap = max over unit n of s(n),  s(n) = n . (p_B - p_A) - extent_A(n) - extent_B(-n)
// (distance if they are apart, minus the depth if they overlap). extent() is tested on its own.
#pragma once
#include "tests/parts/touch/scene.h"

namespace sinew::support {

inline Shape cylinder(double radius, double half_length) {
  return {.kind = ShapeKind::Cylinder, .radius = radius, .half_length = half_length};
}
inline Shape hull(const std::vector<Vec3d>& points) { return {.kind = ShapeKind::Hull, .mesh = make_hull(points)}; }
inline Shape mesh(std::vector<Vec3d> vertices, std::vector<std::array<int, 3>> triangles) {
  return {.kind = ShapeKind::Mesh, .mesh = make_mesh(std::move(vertices), std::move(triangles))};
}
inline std::vector<Vec3d> box_corners(const Vec3d& half) {
  std::vector<Vec3d> corners;
  for (int i = 0; i < 8; i++)
    corners.push_back({i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], i & 4 ? half[2] : -half[2]});
  return corners;
}
inline Shape box_hull(double x, double y, double z) { return hull(box_corners({x, y, z})); }
inline Shape box_mesh(double x, double y, double z) {  // the triangles of the hull
  Shape s = box_hull(x, y, z);
  return mesh(s.mesh->vertex, s.mesh->triangle);
}
inline Shape any_hull(Dice& dice, int points) {
  std::vector<Vec3d> x;
  const Vec3d size{dice.between(0.1, 0.5), dice.between(0.1, 0.5), dice.between(0.1, 0.5)};
  for (int i = 0; i < points; i++) {
    const Vec3d d = dice.direction();
    x.push_back({d[0] * size[0], d[1] * size[1], d[2] * size[2]});
  }
  return hull(x);
}
inline Shape any_solid(Dice& dice, ShapeKind kind) {
  if (kind == ShapeKind::Cylinder) return cylinder(dice.between(0.05, 0.4), dice.between(0.05, 0.4));
  if (kind == ShapeKind::Hull) return any_hull(dice, 6 + int(dice.between(0.0, 20.0)));
  return any_shape(dice, kind);
}

inline double radius_of_core(const Shape& s) {
  return s.kind == ShapeKind::Sphere || s.kind == ShapeKind::Capsule ? s.radius : 0.0;
}
inline double along(const Scene& s, const Vec3d& n) {
  return dot(n, s.X_WB.p - s.X_WA.p) - extent(s.a, transpose_times(s.X_WA.R, n)) -
         extent(s.b, transpose_times(s.X_WB.R, -n));
}

// A flat square z = 0 of irregular triangles, |x|, |y| <= size / 2.
inline MeshPtr irregular_plane(Dice& dice, double size, int cells) {
  std::vector<Vec3d> vertices;
  std::vector<std::array<int, 3>> triangles;
  const double step = size / cells;
  for (int i = 0; i <= cells; i++)
    for (int k = 0; k <= cells; k++) {
      const bool inside = i > 0 && k > 0 && i < cells && k < cells;
      vertices.push_back({-0.5 * size + step * (i + (inside ? dice.between(-0.3, 0.3) : 0.0)),
                          -0.5 * size + step * (k + (inside ? dice.between(-0.3, 0.3) : 0.0)), 0.0});
    }
  for (int i = 0; i < cells; i++)
    for (int k = 0; k < cells; k++) {
      const int a = i * (cells + 1) + k, b = a + cells + 1, c = b + 1, d = a + 1;
      const bool other = dice.between(0.0, 1.0) < 0.5;
      triangles.push_back(other ? std::array{a, b, c} : std::array{a, b, d});
      triangles.push_back(other ? std::array{a, c, d} : std::array{b, c, d});
    }
  return make_mesh(vertices, triangles);
}
inline Terrain ground_of(MeshPtr mesh) {
  Terrain terrain;
  terrain.kind = TerrainKind::Mesh, terrain.mesh = std::move(mesh);
  return terrain;
}
inline Terrain level() {
  Terrain terrain;
  terrain.kind = TerrainKind::Plane;
  return terrain;
}

}  // namespace sinew::support
