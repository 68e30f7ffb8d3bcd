// Rays against shapes and the ground: the least s >= 0 with p + s d on the surface, for range sensors. d has length 1.
// A ray that begins inside a shape sees it at 0, as a sensor does that lies on something.
#pragma once
#include "sinew/parts/shape/shape.h"
#include "sinew/parts/terrain/terrain.h"

namespace sinew {

struct Ray {
  Vec3d p, d;  // where it begins [m]; which way
};

// Up to `most` [m]; beyond that, and where there is nothing: most. The ray is in the axes of the shape, of the ground in the world's.
double distance_along(const Ray& ray, const Shape& shape, double most);
double distance_along(const Ray& ray, const Terrain& terrain, double most);

}  // namespace sinew
