// Triangles from STL files (binary or text) and OBJ files. Numbers of OBJ and of text are read in full precision; binary
// STL holds floats. Of OBJ the lines v and f count; polygons become fans of triangles. Equal vertices become one.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "sinew/math/linear.h"

namespace sinew::io {

struct MeshData {
  std::vector<Vec3d> vertices;
  std::vector<std::array<int, 3>> triangles;
};

// Throws InputError, each problem as "FILE:LINE: WHAT: HOW TO FIX".
MeshData read_mesh(const std::string& file);

}  // namespace sinew::io
