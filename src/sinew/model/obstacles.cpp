#include "sinew/model/obstacles.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/elementary.h"
#include "sinew/parts/terrain/height.h"

namespace sinew {
namespace {

WorldShape peg(const Terrain& terrain, double x, double y, double radius, double height) {
  const double ground = height_at(terrain, x, y), below = radius + 0.1;
  const double top = ground + height - radius, bottom = ground - below;  // of the axis
  WorldShape out{{}, {.kind = ShapeKind::Capsule, .radius = radius}, Posed::identity(), {}};
  out.shape.half_length = 0.5 * (top - bottom);
  out.X_WS.p = {x, y, 0.5 * (top + bottom)};
  return out;
}

WorldShape placed(const Terrain& terrain, const ObstaclePlan& o) {
  if (o.kind == ObstacleKind::Peg) return peg(terrain, o.position[0], o.position[1], o.radius, o.height);
  WorldShape out{{}, {}, Posed::identity(), {}};
  out.X_WS.p = o.position;
  if (o.kind == ObstacleKind::Sphere) {
    out.shape.radius = o.radius;
    return out;
  }
  out.shape.kind = ShapeKind::Box;
  out.shape.half = o.size * 0.5;
  out.X_WS.R = to_matrix(Quatd{math::cos(0.5 * o.yaw), 0.0, 0.0, math::sin(0.5 * o.yaw)});
  return out;
}

}  // namespace

std::vector<WorldShape> obstacles_of(const GroundPlan& ground) {
  std::vector<WorldShape> shapes;
  for (const ObstaclePlan& o : ground.obstacles) {
    shapes.push_back(placed(ground.terrain, o));
    shapes.back().name = "obstacle." + o.name;
    shapes.back().material = o.material;
  }
  const PegsPlan& p = ground.pegs;
  for (std::size_t i = 0; i < std::min(p.x.size(), p.y.size()); i++) {
    shapes.push_back(peg(ground.terrain, p.x[i], p.y[i], p.radius, p.height));
    shapes.back().name = "peg." + std::to_string(i + 1);
    shapes.back().material = p.material;
  }
  return shapes;
}

}  // namespace sinew
