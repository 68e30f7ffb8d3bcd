// Triangles from STL (binary or text), OBJ, PLY and DAE files, by Assimp, in single precision, as it keeps them. Polygons become
// triangles, equal vertices one, and triangles that lose a corner by that are left out. Of DAE the unit counts and the upward axis does
// not, as in ROS. Assimp works in a process of its own with limits of time and memory: some damaged files would end or never leave it.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "sinew/math/linear.h"

namespace sinew::imports {

struct MeshData {
  std::vector<Vec3d> vertices;
  std::vector<std::array<int, 3>> triangles;
};

// Throws InputError, "FILE: WHAT: HOW TO FIX".
MeshData read_mesh(const std::string& file);

}  // namespace sinew::imports
