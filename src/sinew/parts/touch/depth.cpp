#include "sinew/parts/touch/depth.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/parts/terrain/height.h"
#include "sinew/parts/touch/surface.h"

namespace sinew {
namespace {

constexpr double outside = -1.0;

double depth_in_steps(const Terrain& terrain, const Vec3d& x) {
  const Steps& s = terrain.steps;
  const double below_floor = terrain.height - x[2];
  if (below_floor > 0.0) return below_floor;
  const double up = height_at(terrain, x[0], x[1]) - x[2];
  if (!(up > 0.0) || !(s.rise > 0.0)) return outside;
  // the step of which the top is at least as high as x: its riser is the way to the front
  const double riser = s.start + std::floor(-below_floor / s.rise) * s.run;
  return std::min({up, x[0] - riser, 0.5 * s.width - std::abs(x[1]), s.start + s.count * s.run - x[0]});
}

double depth_in_profile(const Terrain& terrain, const Vec3d& x) {
  const Profile& p = terrain.profile;
  const double below_floor = terrain.height - x[2];
  if (below_floor > 0.0) return below_floor;
  const double up = height_at(terrain, x[0], x[1]) - x[2];
  if (!(up > 0.0)) return outside;
  // to the faces on both sides, beyond which it is lower than x
  double least = std::min(up, 0.5 * p.width - std::abs(x[1]));
  for (std::size_t i = 0; i < p.x.size(); i++)
    if (p.z[x[0] < p.x[i] ? i + 1 : i] <= x[2]) least = std::min(least, std::abs(x[0] - p.x[i]));
  return std::min({least, x[0] - (p.x.front() - p.beyond), p.x.back() + p.beyond - x[0]});
}

double depth_in_heights(const HeightField& f, double steepest, const Terrain& terrain, const Vec3d& x) {
  const bool over =
      x[0] >= f.x0 && x[0] <= f.x0 + (f.nx - 1) * f.dx && x[1] >= f.y0 && x[1] <= f.y0 + (f.ny - 1) * f.dy;
  return over ? (height_at(terrain, x[0], x[1]) - x[2]) / std::sqrt(1.0 + steepest * steepest) : outside;
}

double depth_in_mesh(const TriangleMesh& mesh, const Vec3d& x) {
  const Surface surface(mesh);
  const double up = surface.ground_over(x);
  Foot foot;
  return up > 0.0 && surface.foot(x, up, foot) ? std::min(up, -foot.s) : up;
}

}  // namespace

double steepest_slope(const Terrain& terrain) {
  if (terrain.kind != TerrainKind::Heights) return 0.0;
  const HeightField& f = terrain.field;
  double most = 0.0;  // squared
  const auto see = [&](double rise_x, double rise_y) {
    const double a = rise_x / f.dx, b = rise_y / f.dy;
    most = std::max(most, a * a + b * b);
  };
  for (int i = 0; i + 1 < f.nx; i++)
    for (int k = 0; k + 1 < f.ny; k++) {
      const double z = f.at(i, k), x = f.at(i + 1, k), y = f.at(i, k + 1), far = f.at(i + 1, k + 1);
      see(x - z, far - x);
      see(far - y, y - z);
    }
  return std::sqrt(most);
}

double depth_in(const Terrain& terrain, double steepest, const Vec3d& x) {
  SINEW_ASSERT(!(steepest < 0.0));
  switch (terrain.kind) {
    case TerrainKind::None:
      return outside;
    case TerrainKind::Plane:
      return terrain.height - dot(terrain.normal, x);
    case TerrainKind::Steps:
      return depth_in_steps(terrain, x);
    case TerrainKind::Profile:
      return depth_in_profile(terrain, x);
    case TerrainKind::Heights:
      return depth_in_heights(terrain.field, steepest, terrain, x);
    case TerrainKind::Mesh:
      return terrain.mesh ? depth_in_mesh(*terrain.mesh, x) : outside;
  }
  return outside;
}

double depth_in(const Terrain& terrain, double steepest, const Shape& shape, const Posed& X_WS) {
  if (terrain.kind != TerrainKind::Plane) return depth_in(terrain, steepest, X_WS.p) - shape.reach();
  return depth_in(terrain, steepest, X_WS.p) - extent(shape, transpose_times(X_WS.R, terrain.normal));
}

}  // namespace sinew
