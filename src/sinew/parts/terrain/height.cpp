#include "sinew/parts/terrain/height.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

double height_of_steps(const Terrain& terrain, double x, double y) {
  const Steps& s = terrain.steps;
  if (std::abs(y) > 0.5 * s.width || x < s.start || x > s.start + s.count * s.run) return terrain.height;
  const int i = std::min(int((x - s.start) / s.run), s.count - 1);
  return terrain.height + (i + 1) * s.rise;
}

double height_of_field(const HeightField& f, double x, double y) {
  const double a = std::clamp((x - f.x0) / f.dx, 0.0, f.nx - 1.0), b = std::clamp((y - f.y0) / f.dy, 0.0, f.ny - 1.0);
  const int i = std::min(int(a), f.nx - 2), k = std::min(int(b), f.ny - 2);
  const double s = a - i, t = b - k, z = f.at(i, k), far = f.at(i + 1, k + 1);
  // cut along the diagonal from (i, k) to (i + 1, k + 1)
  if (s >= t) return z + s * (f.at(i + 1, k) - z) + t * (far - f.at(i + 1, k));
  return z + t * (f.at(i, k + 1) - z) + s * (far - f.at(i, k + 1));
}

}  // namespace

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
    case TerrainKind::Heights:
      return height_of_field(terrain.field, x, y);
  }
  return 0.0;
}

}  // namespace sinew
