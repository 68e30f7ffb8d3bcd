#include "sinew/parts/terrain/height.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"

namespace sinew {
namespace {

double height_of_steps(const Terrain& terrain, double x, double y) {
  SINEW_ASSERT(terrain.steps.count >= 1 && terrain.steps.run > 0.0);
  const Steps& s = terrain.steps;
  if (std::abs(y) > 0.5 * s.width || x < s.start || x > s.start + s.count * s.run) return terrain.height;
  const int i = std::min(int((x - s.start) / s.run), s.count - 1);
  return terrain.height + (i + 1) * s.rise;
}

double height_of_profile(const Terrain& terrain, double x, double y) {
  const Profile& p = terrain.profile;
  SINEW_ASSERT(!p.x.empty() && p.z.size() == p.x.size() + 1);
  if (std::abs(y) > 0.5 * p.width || x < p.x.front() - p.beyond || x > p.x.back() + p.beyond) return terrain.height;
  return p.z[std::size_t(std::ranges::upper_bound(p.x, x) - p.x.begin())];
}

double height_of_field(const HeightField& f, double x, double y) {
  SINEW_ASSERT(f.nx >= 2 && f.ny >= 2 && f.dx > 0.0 && f.dy > 0.0);
  const double a = std::clamp((x - f.x0) / f.dx, 0.0, f.nx - 1.0), b = std::clamp((y - f.y0) / f.dy, 0.0, f.ny - 1.0);
  const int i = std::min(int(a), f.nx - 2), k = std::min(int(b), f.ny - 2);
  const double s = a - i, t = b - k, z = f.at(i, k), far = f.at(i + 1, k + 1);
  // cut along the diagonal from (i, k) to (i + 1, k + 1)
  if (s >= t) return z + s * (f.at(i + 1, k) - z) + t * (far - f.at(i + 1, k));
  return z + t * (f.at(i, k + 1) - z) + s * (far - f.at(i, k + 1));
}

double height_of_mesh(const TriangleMesh& m, double x, double y) {
  double top = -1e300;
  for_triangles(
      m, [&](const Aabb& box) { return box.low[0] <= x && x <= box.high[0] && box.low[1] <= y && y <= box.high[1]; },
      [&](int t) {
        const Vec3d &n = m.normal[std::size_t(t)], &a = m.corner(t, 0);
        if (n[2] <= 0.0) return;
        for (int i = 0; i < 3; i++) {
          const Vec3d &p = m.corner(t, i), e = m.corner(t, (i + 1) % 3) - p;
          if (e[0] * (y - p[1]) - e[1] * (x - p[0]) < -1e-12 * (e[0] * e[0] + e[1] * e[1])) return;
        }
        top = std::max(top, a[2] - (n[0] * (x - a[0]) + n[1] * (y - a[1])) / n[2]);
      });
  return top > -1e300 ? top : 0.0;
}

}  // namespace

MeshPtr mesh_of(const HeightField& f) {
  SINEW_CHECK(f.nx >= 0 && f.ny >= 0 && f.z.size() == std::size_t(f.nx) * std::size_t(f.ny), "mesh_of: ", f.z.size(),
              " heights for ", f.nx, " x ", f.ny, " points");
  std::vector<Vec3d> vertices;
  std::vector<std::array<int, 3>> triangles;
  for (int i = 0; i < f.nx; i++)
    for (int k = 0; k < f.ny; k++) vertices.push_back({f.x0 + i * f.dx, f.y0 + k * f.dy, f.at(i, k)});
  for (int i = 0; i + 1 < f.nx; i++)
    for (int k = 0; k + 1 < f.ny; k++) {
      const int a = i * f.ny + k, b = a + f.ny, c = b + 1, d = a + 1;
      triangles.push_back({a, b, c});
      triangles.push_back({a, c, d});
    }
  return make_mesh(std::move(vertices), std::move(triangles));
}

double height_at(const Terrain& terrain, double x, double y) {
  switch (terrain.kind) {
    case TerrainKind::None:
      return 0.0;
    case TerrainKind::Plane: {
      const Vec3d& n = terrain.normal;
      return n[2] > 1e-9 ? (terrain.height - n[0] * x - n[1] * y) / n[2] : 0.0;
    }
    case TerrainKind::Steps:
      return height_of_steps(terrain, x, y);
    case TerrainKind::Profile:
      return height_of_profile(terrain, x, y);
    case TerrainKind::Heights:
      return height_of_field(terrain.field, x, y);
    case TerrainKind::Mesh:
      return terrain.mesh ? height_of_mesh(*terrain.mesh, x, y) : 0.0;
  }
  return 0.0;
}

}  // namespace sinew
