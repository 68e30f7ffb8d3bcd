// Ground that does not move: nothing, a plane, steps or a profile on a plane (boxes of the world: see steps.h), a field of heights,
// a mesh.
#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "sinew/math/spatial.h"
#include "sinew/parts/shape/mesh.h"

namespace sinew {

enum class TerrainKind { None, Plane, Steps, Heights, Mesh, Profile };
inline constexpr std::array<std::string_view, 6> terrain_names{"none", "plane", "steps", "heights", "mesh", "profile"};

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

// Level pieces one after the other along x, with upright faces between them: plates, ditches, stairs up and down. Piece i goes from
// x[i - 1] to x[i] and is z[i] high; the first and the last one go on by `beyond`. Beside and behind them is the floor, as high
// as the lowest piece.
struct Profile {
  std::vector<double> x = {};  // of the faces, ascending [m]
  std::vector<double> z = {};  // of the pieces, one more than faces [m]
  double width = 4.0;          // in y, centred at 0 [m]
  double beyond = 10.0;        // length of the first and of the last piece [m]
};

// Waves that are added to a field: a sum of plane waves of random directions, lengths and phases (rough.h).
struct Roughness {
  double rms = 0.0;     // root of the mean square of their height; 0: none [m]
  double length = 0.2;  // of the waves, which are from 2/3 to twice as long [m]
  int seed = 1;
  double level = 0.0;  // they grow from nothing at this distance from the origin, in full two lengths farther out [m]
};

struct Terrain {
  TerrainKind kind = TerrainKind::None;
  Vec3d normal = Vec3d(0, 0, 1);  // plane: unit vector out of the ground
  double height = 0.0;            // plane: normal . x = height on it [m]
  Steps steps;
  HeightField field;
  Roughness rough = {};  // whose waves are in field.z
  Profile profile = {};
  MeshPtr mesh = {};  // in the world's axes; may be open. Its triangles look out of the ground
};

// The triangles of a field.
MeshPtr mesh_of(const HeightField& field);

}  // namespace sinew
