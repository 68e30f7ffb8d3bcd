#include "sinew/sim/support_quantities.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "sinew/control/legs/support_polygon.h"
#include "sinew/parts/terrain/height.h"

namespace sinew::sim {
namespace {

bool is_sole(const Model& model, const ShapePair& pair) {
  return pair.shape1 < 0 && model.shapes[pair.shape2].name.ends_with(".sole") &&
         model.shapes[pair.shape2].shape.kind == ShapeKind::Box;
}
// On the ground or on an obstacle that stands on it.
bool is_under_sole(const Model& model, const ShapePair& pair) {
  const ShapeInfo& foot = model.shapes[pair.shape2];
  return foot.name.ends_with(".sole") && foot.shape.kind == ShapeKind::Box &&
         (pair.shape1 < 0 || model.shapes[pair.shape1].link < 0);
}
bool is_point_foot(const Model& model, const ShapePair& pair) {
  return pair.shape1 < 0 && model.shapes[pair.shape2].name.ends_with(".foot");
}

Posed shape_pose(const Moment& m, int index) {
  const ShapeInfo& shape = m.world.model().shapes[index];
  const Posed X_WF = m.seen.bodies[shape.link].X_WB * m.world.model().links[shape.link].X_FB.inverse();
  return X_WF * shape.X_FS;
}

// How far a ball is from a box that stands on the ground [m].
double gap_to(const Moment& m, int box, const Vec3d& at, double radius) {
  const ShapeInfo& info = m.world.model().shapes[box];
  if (info.link >= 0 || info.shape.kind != ShapeKind::Box) return std::numeric_limits<double>::infinity();
  const Vec3d p = info.X_FS.inverse() * at;
  Vec3d out;
  for (int k = 0; k < 3; k++) out[k] = std::max(0.0, std::abs(p[k]) - info.shape.half[k]);
  return norm(out) - radius;
}

bool stands_on_obstacle(const Moment& m, int foot) {
  const Shape& shape = m.world.model().shapes[foot].shape;
  const Vec3d at = shape_pose(m, foot).p;
  return std::ranges::any_of(m.world.model().pairs, [&, i = 0](const ShapePair& p) mutable {
    const bool carries = m.seen.contacts[std::size_t(i++)].normal > 0.0;
    if (p.shape2 != foot || p.shape1 < 0) return false;
    return carries || (shape.kind == ShapeKind::Sphere && gap_to(m, p.shape1, at, shape.radius) < 1e-3);
  });
}

double height_over(const Terrain& ground, const Vec3d& at) { return dot(ground.normal, at) - ground.height; }

struct FeetThatStand {
  std::array<Vec3d, legged::most_legs> points;
  std::size_t n = 0;
  void add(const Vec3d& point) {
    if (n < points.size()) points[n++] = point;
  }
  legged::SupportPolygon polygon() const { return legged::polygon_of({points.data(), n}); }
};

// How far a ball is over the ground: over a plane exactly; over other ground by its height and slope around the ball, where that is no wall [m].
double gap_of(const Terrain& ground, const Vec3d& at, double radius) {
  if (ground.kind == TerrainKind::None) return std::numeric_limits<double>::infinity();
  if (ground.kind == TerrainKind::Plane) return height_over(ground, at) - radius;
  const auto height = [&](double x, double y) { return height_at(ground, x, y); };
  const double here = height(at[0], at[1]);
  double slope[2];
  for (int k = 0; k < 2; k++) {
    const double dx = k == 0 ? radius : 0.0, dy = k == 1 ? radius : 0.0;
    slope[k] = (height(at[0] + dx, at[1] + dy) - height(at[0] - dx, at[1] - dy)) / (2.0 * radius);
    if (!(slope[k] > -1.0 && slope[k] < 1.0)) slope[k] = 0.0;
  }
  return (at[2] - here) / std::sqrt(1.0 + slope[0] * slope[0] + slope[1] * slope[1]) - radius;
}

// A foot carries, or is less than a millimetre over the ground: feet that land hard leave it for a step or two.
void add_point_foot(const Moment& m, std::size_t i, FeetThatStand& feet) {
  const Model& model = m.world.model();
  const int index = model.pairs[i].shape2;
  const Shape& shape = model.shapes[index].shape;
  const Vec3d at = shape_pose(m, index).p;
  const bool near = shape.kind == ShapeKind::Sphere && gap_of(model.terrain, at, shape.radius) < 1e-3;
  if (m.seen.contacts[i].normal > 0.0)
    feet.add(m.seen.contacts[i].point);
  else if (near || stands_on_obstacle(m, index))
    feet.add(at);
}

void add_sole(const Moment& m, std::size_t i, FeetThatStand& feet) {
  const Model& model = m.world.model();
  const int index = model.pairs[i].shape2;
  const Vec3d half = model.shapes[index].shape.half;
  const Posed X = shape_pose(m, index);
  std::array<Vec3d, 4> corners;
  double lowest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 4; k++) {
    corners[k] = X * Vec3d(k < 2 ? half[0] : -half[0], k % 2 == 0 ? half[1] : -half[1], -half[2]);
    lowest = std::min(lowest, height_over(model.terrain, corners[k]));
  }
  if (m.seen.contacts[i].normal > 0.0 || stands_on_obstacle(m, index) ||
      (model.terrain.kind == TerrainKind::Plane && lowest < 1e-3))
    for (const Vec3d& corner : corners) feet.add(corner);
}

FeetThatStand feet_of(const Moment& m) {
  const Model& model = m.world.model();
  FeetThatStand feet;
  for (std::size_t i = 0; i < model.pairs.size(); i++) {
    if (is_point_foot(model, model.pairs[i])) add_point_foot(m, i, feet);
    if (is_sole(model, model.pairs[i])) add_sole(m, i, feet);
  }
  return feet;
}

// Sum of normal forces of all soles, and of these times their points.
double pressed(const Moment& m, Vec3d& sum) {
  const Model& model = m.world.model();
  double load = 0.0;
  sum = Vec3d::zero();
  for (std::size_t i = 0; i < model.pairs.size(); i++) {
    const auto& contact = m.seen.contacts[i];
    if (!is_under_sole(model, model.pairs[i]) || !(contact.normal > 0.0)) continue;
    load += contact.normal;
    sum += contact.point * contact.normal;
  }
  return load;
}

}  // namespace

bool has_soles(const Model& model, int) {
  if (model.crowd) return false;
  const auto soles = std::ranges::count_if(model.pairs, [&](const ShapePair& pair) { return is_sole(model, pair); });
  return soles >= 1 && 4 * soles <= legged::most_legs;
}

bool has_support(const Model& model, int) {
  if (model.crowd) return false;
  const auto feet =
      std::ranges::count_if(model.pairs, [&](const ShapePair& pair) { return is_point_foot(model, pair); });
  return (feet >= 3 && feet <= legged::most_legs) || (feet == 0 && has_soles(model, 0));
}

double is_aloft(const Moment& m, int, int) { return m.seen.total.count == 0 && feet_of(m).n == 0 ? 1.0 : 0.0; }

double static_margin_of(const Moment& m, int, int) { return legged::static_margin(feet_of(m).polygon(), m.seen.com.p); }

double zmp_of(const Moment& m, int, int component) {
  Vec3d sum;
  const double load = pressed(m, sum);
  return load > 0.0 ? sum[component] / load : std::numeric_limits<double>::quiet_NaN();
}

// Of all forces and moments of the ground on bodies with soles.
double zmp_moment_of(const Moment& m, int, int) {
  const Model& model = m.world.model();
  Vec3d sum;
  const double load = pressed(m, sum);
  if (!(load > 0.0)) return 0.0;
  const Vec3d at = sum * (1.0 / load);
  double moment = 0.0;
  for (std::size_t i = 0; i < model.pairs.size(); i++) {
    const int link = model.shapes[model.pairs[i].shape2].link;
    const auto is_same = [&](const ShapePair& p) {
      return is_under_sole(model, p) && model.shapes[p.shape2].link == link;
    };
    // a body once, however many pairs its sole is in
    if (!is_under_sole(model, model.pairs[i]) || std::ranges::any_of(std::span(model.pairs).first(i), is_same))
      continue;
    const auto& touched = m.seen.touched[std::size_t(link)];
    moment += touched.torque[2] + cross(m.seen.bodies[std::size_t(link)].p_WC - at, touched.force)[2];
  }
  return moment;
}

double zmp_margin_of(const Moment& m, int, int) {
  Vec3d sum;
  const double load = pressed(m, sum);
  if (!(load > 0.0)) return -std::numeric_limits<double>::infinity();
  return legged::static_margin(feet_of(m).polygon(), sum * (1.0 / load));
}

}  // namespace sinew::sim
