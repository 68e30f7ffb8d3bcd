// How deep in the ground something lies. Never more than its distance from the surface: what has come in through a riser, a slope or
// a wall is not deep, however high the ground stands over it. The border of a field or an open mesh is no surface.
#pragma once
#include "sinew/parts/shape/shape.h"
#include "sinew/parts/terrain/terrain.h"

namespace sinew {

// Steepest slope of a field of heights, of any other ground 0 [m/m].
double steepest_slope(const Terrain& terrain);

// Of a point [m]; below 0: it is not in the ground. steepest: steepest_slope(terrain).
//   plane    its distance
//   steps    below the floor; or the nearest way out of the stairs: up, to the front, to the sides, past the last step
//   heights  straight up, over sqrt(1 + steepest^2)
//   mesh     the nearest point of the surface
double depth_in(const Terrain& terrain, double steepest, const Vec3d& x);

// Of that point of a shape which is least deep: above 0 all of it is in the ground. Exact below a plane, else no more than that.
double depth_in(const Terrain& terrain, double steepest, const Shape& shape, const Posed& X_WS);

}  // namespace sinew
