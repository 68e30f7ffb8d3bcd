// Height of the ground over a point (x, y) of the level plane.
//   plane   z = (height - n_x x - n_y y) / n_z
//   steps   the floor, or the top of the step there
//   heights the triangle there; beside the grid: as at its nearest point
//   profile the floor, or the top of the piece there
//   mesh    the highest of the triangles there that look up; beside the mesh: 0
// No ground, or a plane that stands upright: 0.
#pragma once
#include "sinew/parts/terrain/terrain.h"

namespace sinew {

double height_at(const Terrain& terrain, double x, double y);

}  // namespace sinew
