#include "sinew/parts/terrain/steps.h"

#include <algorithm>

namespace sinew {
namespace {

// From x0 to x1, centred at y = 0.
PlacedShape box_between(double x0, double x1, double width, double bottom, double top) {
  PlacedShape box{{.kind = ShapeKind::Box}, Posed::identity()};
  box.shape.half = {0.5 * (x1 - x0), 0.5 * width, 0.5 * (top - bottom)};
  box.X_WS.p = {0.5 * (x0 + x1), 0.0, 0.5 * (top + bottom)};
  return box;
}

// Pieces that are as low as the floor are the floor.
std::vector<PlacedShape> boxes_of(const Profile& p, double floor) {
  std::vector<PlacedShape> boxes;
  if (p.x.empty() || p.z.size() != p.x.size() + 1) return boxes;
  const double bottom = floor - (*std::ranges::max_element(p.z) - floor) - 0.1;
  for (std::size_t i = 0; i < p.z.size(); i++) {
    if (!(p.z[i] > floor)) continue;
    const double from = i == 0 ? p.x.front() - p.beyond : p.x[i - 1];
    const double to = i == p.x.size() ? p.x.back() + p.beyond : p.x[i];
    boxes.push_back(box_between(from, to, p.width, bottom, p.z[i]));
  }
  return boxes;
}

}  // namespace

std::vector<PlacedShape> boxes_of(const Terrain& terrain) {
  if (terrain.kind == TerrainKind::Profile) return boxes_of(terrain.profile, terrain.height);
  std::vector<PlacedShape> boxes;
  if (terrain.kind != TerrainKind::Steps) return boxes;
  const Steps& steps = terrain.steps;
  // Deep enough that nothing which stands on the floor finds a box's bottom nearer than its riser.
  const double bottom = terrain.height - steps.rise - 0.1;
  for (int i = 0; i < steps.count; i++) {
    const double top = terrain.height + (i + 1) * steps.rise;
    PlacedShape step{{.kind = ShapeKind::Box}, Posed::identity()};
    step.shape.half = {0.5 * steps.run, 0.5 * steps.width, 0.5 * (top - bottom)};
    step.X_WS.p = {steps.start + (i + 0.5) * steps.run, 0.0, 0.5 * (top + bottom)};
    boxes.push_back(step);
  }
  return boxes;
}

}  // namespace sinew
