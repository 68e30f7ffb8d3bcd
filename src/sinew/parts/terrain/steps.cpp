#include "sinew/parts/terrain/steps.h"

namespace sinew {

std::vector<PlacedShape> boxes_of(const Terrain& terrain) {
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
