// A reader of meshes in a process of its own, so that no file can end or stop this one.
#pragma once
#include <string>

#include "sinew/imports/mesh_file.h"

namespace sinew::imports {

inline constexpr int mesh_seconds = 10;                   // on the clock, after which a reader is given up
inline constexpr long long mesh_bytes = 4'000'000'000LL;  // of memory that it may have

// Fills the mesh; returns what is wrong, "WHAT: FIX", or nothing.
using MeshReader = std::string (*)(const std::string& file, MeshData& mesh);

// Throws InputError where the reader says what is wrong, dies, or takes too long; FileError where no process can be made.
MeshData read_in_child(const std::string& file, MeshReader reader, int seconds = mesh_seconds);

}  // namespace sinew::imports
