// Triangles from STL (binary or text), OBJ and PLY files, by Assimp, in single precision, as it keeps them. Polygons become
// triangles, equal vertices one, and triangles that lose a corner by that are left out.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "sinew/math/linear.h"

namespace sinew::text {

struct MeshData {
  std::vector<Vec3d> vertices;
  std::vector<std::array<int, 3>> triangles;
};

// Throws InputError, "FILE: WHAT: HOW TO FIX".
MeshData read_mesh(const std::string& file);

}  // namespace sinew::text
