// Shapes on a plane, exactly: gap = n . x - height - r for the centre of a sphere, the ends of a capsule, the corners of a
// box, hull or mesh, and the lowest points of a cylinder's rims. n points out of the ground, x [m], r radius [m].
#include "sinew/math/check.h"
#include "sinew/parts/touch/cylinder.h"
#include "sinew/parts/touch/gather.h"

namespace sinew {
namespace {

// Corners within the margin; those inside a flat part of the surface or in a hollow are never lowest.
int mesh_on_plane(const Vec3d& n, double height, const TriangleMesh& m, const Posed& X_WS, double margin, Touch* out) {
  Gather found{.margin = margin, .same = 0.0};
  const Vec3d down = -transpose_times(X_WS.R, n);
  const double above = dot(n, X_WS.p) - height;
  for_triangles(
      m, [&](const Aabb& box) { return above - box.extent(down) <= margin; },
      [&](int t) {
        for (int i = 0; i < 3; i++) {
          if (!(m.owns[std::size_t(t)] >> i & 1) || !(m.sharp[std::size_t(t)] >> (3 + i) & 1)) continue;
          const double gap = above - dot(down, m.corner(t, i));
          if (gap <= margin) found.add(X_WS * m.corner(t, i) - n * (0.5 * gap), n, gap, m.triangle[std::size_t(t)][i]);
        }
      });
  return found.choose(touch_capacity(TerrainKind::Plane, ShapeKind::Mesh), out);
}

}  // namespace

int collide_plane(const Vec3d& n, double height, const Shape& shape, const Posed& X_WS, double margin, Touch* out) {
  SINEW_ASSERT(is_unit(n));
  int count = 0;
  const auto add = [&](const Vec3d& x, double radius, int feature) {
    const double s = dot(n, x) - height;
    if (s - radius <= margin) out[count++] = {x - n * (0.5 * (s + radius)), n, s - radius, feature};
  };
  switch (shape.kind) {
    case ShapeKind::Sphere:
      add(X_WS.p, shape.radius, 0);
      break;
    case ShapeKind::Capsule:
      for (int end = 0; end < 2; end++)
        add(axis_of(shape, X_WS).at((2 * end - 1) * shape.half_length), shape.radius, end);
      break;
    case ShapeKind::Box:
      for (int corner = 0; corner < 8; corner++) add(X_WS * corner_of(shape.half, corner), 0.0, corner);
      break;
    case ShapeKind::Cylinder:
      for_lowest_rim_points(shape, transpose_times(X_WS.R, n),
                            [&](const Vec3d& x, int feature) { add(X_WS * x, 0.0, feature); });
      break;
    case ShapeKind::Hull:
    case ShapeKind::Mesh:
      return mesh_on_plane(n, height, *shape.mesh, X_WS, margin, out);
  }
  return count;
}

}  // namespace sinew
