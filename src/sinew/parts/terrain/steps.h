// Stairs and profiles as boxes, side by side, each from below the floor (the plane z = height) up to its own height.
#pragma once
#include "sinew/parts/shape/shape.h"
#include "sinew/parts/terrain/terrain.h"

namespace sinew {

struct PlacedShape {
  Shape shape;
  Posed X_WS;
};

std::vector<PlacedShape> boxes_of(const Terrain& terrain);

}  // namespace sinew
