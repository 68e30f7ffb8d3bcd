// On a plane: the clearance along z of the lowest ball, (n . c - height - r) / n_z. On steps, heights and meshes: from above
// all ground the shapes go down by the distance to what is nearest, which never goes too far, until that is nothing. On a slope b
// the rest shrinks by 1 - cos b each time.
#include "robots/on_ground.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/model/obstacles.h"
#include "sinew/parts/touch/collide.h"

namespace sinew::robots {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The centres of a sphere and of the ends of a capsule; the corners of a box.
template <class F>
void for_balls(const PlacedShape& s, F f) {
  const Shape& shape = s.shape;
  if (shape.kind != ShapeKind::Box) {
    for (const double end : {-1.0, 1.0}) f(s.X_WS.p + s.X_WS.R.col(2) * (end * shape.half_length), shape.radius);
    return;
  }
  for (int k = 0; k < 8; k++)
    f(s.X_WS * Vec3d{k & 1 ? shape.half[0] : -shape.half[0], k & 2 ? shape.half[1] : -shape.half[1],
                     k & 4 ? shape.half[2] : -shape.half[2]},
      0.0);
}

double way_to_plane(const Vec3d& n, double height, const std::vector<PlacedShape>& shapes) {
  double least = infinity;
  for (const PlacedShape& s : shapes)
    for_balls(s, [&](const Vec3d& c, double r) { least = std::min(least, (dot(n, c) - height - r) / n[2]); });
  return least;
}

// Least gap up to the margin; infinite if there is none.
double gap_to(const Terrain& terrain, const std::vector<PlacedShape>& boxes, const PlacedShape& s, double down,
              double margin) {
  Touch touch[max_touches];
  Posed X = s.X_WS;
  X.p[2] -= down;
  double least = infinity;
  const auto take = [&](int n) {
    for (int i = 0; i < n; i++) least = std::min(least, touch[i].gap);
  };
  take(collide(terrain, s.shape, X, margin, touch));
  for (const PlacedShape& box : boxes) take(collide(box.shape, box.X_WS, s.shape, X, margin, touch));
  return least;
}

// A file's mistakes are reported later, all at once.
bool is_sound(const Terrain& t) {
  if (t.kind == TerrainKind::Mesh) return t.mesh && defects_of(*t.mesh, false).empty();
  if (t.kind == TerrainKind::Profile) return !t.profile.x.empty() && t.profile.z.size() == t.profile.x.size() + 1;
  const HeightField& f = t.field;
  return t.kind != TerrainKind::Heights ||
         (f.nx >= 2 && f.ny >= 2 && f.dx > 0.0 && f.dy > 0.0 && f.z.size() == std::size_t(f.nx) * std::size_t(f.ny));
}

}  // namespace

double way_to_ground(const Terrain& terrain, const std::vector<PlacedShape>& shapes) {
  const bool plane = terrain.kind == TerrainKind::Plane && terrain.normal[2] > 0.0;
  if (plane) return way_to_plane(terrain.normal, terrain.height, shapes);
  const bool rough = terrain.kind != TerrainKind::None && terrain.kind != TerrainKind::Plane;
  if (!rough || !is_sound(terrain)) return way_to_plane(Vec3d(0, 0, 1), 0.0, shapes);
  const std::vector<PlacedShape> boxes = boxes_of(terrain);
  double top = terrain.height, bottom = terrain.height;
  if (terrain.kind == TerrainKind::Steps) top += terrain.steps.count * terrain.steps.rise;
  if (terrain.kind == TerrainKind::Profile) top = std::ranges::max(terrain.profile.z);
  if (terrain.kind == TerrainKind::Heights) {
    const auto [least, largest] = std::ranges::minmax(terrain.field.z);
    bottom = least;
    top = largest;
  }
  if (terrain.kind == TerrainKind::Mesh) {
    bottom = terrain.mesh->tree[0].box.low[2];
    top = terrain.mesh->tree[0].box.high[2];
  }
  const double highest = way_to_plane(Vec3d(0, 0, 1), top, shapes);
  double lowest = -infinity;  // as far as the last shape is above the deepest ground
  for (const PlacedShape& s : shapes) lowest = std::max(lowest, way_to_plane(Vec3d(0, 0, 1), bottom, {s}));
  const double margin = 0.05;
  for (double down = highest; down < lowest + margin;) {
    double gap = margin;
    for (const PlacedShape& s : shapes) gap = std::min(gap, gap_to(terrain, boxes, s, down, gap));
    if (gap < 1e-10) return down;
    down += gap;
  }
  const Problem nothing{"robot.x0",
                        "there is no ground below the robot: start it elsewhere, or make the ground larger"};
  throw PlanError({nothing});
}

void check_obstacles(const GroundPlan& ground, const std::vector<PlacedShape>& shapes) {
  if (!is_sound(ground.terrain)) return;
  std::vector<Problem> problems;
  for (const WorldShape& o : obstacles_of(ground)) {
    double depth = 0.0;
    for (const PlacedShape& s : shapes) {
      Touch touch[max_touches];
      const int n = collide(o.shape, o.X_WS, s.shape, s.X_WS, 0.0, touch);
      for (int i = 0; i < n; i++) depth = std::max(depth, -touch[i].gap);
    }
    if (depth > 1e-6)
      problems.push_back(
          {o.name.starts_with("peg.") ? "ground.pegs" : "ground." + o.name,
           fmt::format("the robot starts {:.3g} m inside '{}': move one of them (robot.x0, y0, yaw0)", depth, o.name)});
  }
  if (!problems.empty()) throw PlanError(std::move(problems));
}

}  // namespace sinew::robots
