#include "sinew/imports/ellipsoid.h"

#include <vector>

#include "sinew/math/elementary.h"

namespace sinew::imports {

MeshPtr ellipsoid_hull(const Vec3d& radii) {
  constexpr double pi = 3.14159265358979323846;
  std::vector<Vec3d> points;
  constexpr int rings = 12, around = 24;
  for (int i = 0; i <= rings; i++)
    for (int k = 0; k < (i == 0 || i == rings ? 1 : around); k++) {
      const double a = pi * i / rings, b = 2.0 * pi * k / around;
      points.push_back(
          {radii[0] * math::sin(a) * math::cos(b), radii[1] * math::sin(a) * math::sin(b), radii[2] * math::cos(a)});
    }
  return make_hull(points);
}

}  // namespace sinew::imports
