// Ground that does not move: nothing, a plane, steps on a plane (boxes of the world: see steps.h), a field of heights, a mesh.
#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "sinew/math/spatial.h"
#include "sinew/parts/shape/mesh.h"

namespace sinew {

enum class TerrainKind { None, Plane, Steps, Heights, Mesh };
inline constexpr std::array<std::string_view, 5> terrain_names{"none", "plane", "steps", "heights", "mesh"};

// Heights over a regular grid: z(i, k) at x = x0 + i dx, y = y0 + k dy, stored with k (y) running fastest. Each cell is two
// triangles, cut along the diagonal from (i, k) to (i + 1, k + 1). Outside the grid there is no ground.
struct HeightField {
  int nx = 0, ny = 0;                             // number of points
  double x0 = 0.0, y0 = 0.0, dx = 1.0, dy = 1.0;  // [m]
  std::vector<double> z;                          // [m]

  double at(int i, int k) const { return z[std::size_t(i) * ny + k]; }
};

struct Steps {  // stairs that go up along +x; before the first there is the plane z = height
  int count = 5;
  double start = 0.5;            // x of the first riser [m]
  double rise = 0.1, run = 0.3;  // [m]
  double width = 2.0;            // in y, centred at 0 [m]
};

struct Terrain {
  TerrainKind kind = TerrainKind::None;
  Vec3d normal = Vec3d(0, 0, 1);  // plane: unit vector out of the ground
  double height = 0.0;            // plane: normal . x = height on it [m]
  Steps steps;
  HeightField field;
  MeshPtr mesh = {};  // in the world's axes; may be open. Its triangles look out of the ground
};

// The triangles of a field.
MeshPtr mesh_of(const HeightField& field);

}  // namespace sinew
