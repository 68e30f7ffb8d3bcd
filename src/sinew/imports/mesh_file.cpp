#include "sinew/imports/mesh_file.h"

#include <fmt/format.h>

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <memory>

#include "sinew/files/shared_library.h"
#include "sinew/imports/mesh_child.h"
#include "sinew/parts/shape/mesh.h"
#include "sinew/sim/errors.h"

namespace sinew::imports {
namespace {

std::string ending_of(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  for (char& c : ending) c = char(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

[[noreturn]] void fail(const std::string& file, const std::string& what, const std::string& fix) {
  throw InputError(fmt::format("{}: {}: {}", file, what, fix));
}

// Assimp would look for the end of the head for ever.
bool has_ply_head(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string head(1 << 16, '\0');
  in.read(head.data(), std::streamsize(head.size()));
  head.resize(std::size_t(in.gcount()));
  return head.find("end_header\n") != std::string::npos || head.find("end_header\r") != std::string::npos;
}

// A function of Assimp's, which is loaded when the first mesh is read.
template <class F>
F* assimp(const char* name) {
  static const SharedLibrary library(SINEW_ASSIMP_LIBRARY);
  return reinterpret_cast<F*>(library.symbol(name));
}

// Where a part is: products of the transformations above it. Row by row, the last row is 0 0 0 1.
using Placement = std::array<double, 12>;
constexpr Placement in_place{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

Placement under(const Placement& a, const aiMatrix4x4& b) {
  const double m[3][4] = {{b.a1, b.a2, b.a3, b.a4}, {b.b1, b.b2, b.b3, b.b4}, {b.c1, b.c2, b.c3, b.c4}};
  Placement out{};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) {
      double sum = j == 3 ? a[4 * i + 3] : 0.0;
      for (int k = 0; k < 3; k++) sum += a[4 * i + k] * m[k][j];
      out[4 * i + j] = sum;
    }
  return out;
}

Vec3d placed(const Placement& at, const Vec3d& x) {
  if (at == in_place) return x;
  Vec3d out;
  for (int i = 0; i < 3; i++) out[i] = at[4 * i] * x[0] + at[4 * i + 1] * x[1] + at[4 * i + 2] * x[2] + at[4 * i + 3];
  return out;
}

// What is wrong; empty: nothing.
std::string add(const aiMesh& part, const Placement& at, MeshData& mesh) {
  const std::size_t first = mesh.vertices.size();
  for (unsigned i = 0; i < part.mNumVertices; i++) {
    const aiVector3D& v = part.mVertices[i];
    mesh.vertices.push_back(placed(at, {double(v.x), double(v.y), double(v.z)}));
    if (!is_finite(mesh.vertices.back()))
      return fmt::format("vertex {} is not finite: correct it", mesh.vertices.size());
  }
  for (unsigned i = 0; i < part.mNumFaces; i++) {
    const aiFace& face = part.mFaces[i];
    if (face.mNumIndices != 3) return "a face has fewer than three corners: give at least three";
    std::array<int, 3> triangle{};
    for (int k = 0; k < 3; k++) {
      if (face.mIndices[k] >= part.mNumVertices)
        return fmt::format("a face names vertex {} of {}: write it again", face.mIndices[k], part.mNumVertices);
      triangle[std::size_t(k)] = int(first + face.mIndices[k]);
    }
    mesh.triangles.push_back(triangle);
  }
  return mesh.vertices.size() > 6 * std::size_t(max_mesh_vertices)  // STL names each vertex about six times
             ? fmt::format("it has more than {} vertices: simplify it", max_mesh_vertices)
             : "";
}

std::string add(const aiScene& scene, const aiNode& node, const Placement& above, int depth, MeshData& mesh) {
  if (depth > 100) return "its parts are nested more than 100 deep: write it again";
  const Placement at = under(above, node.mTransformation);
  for (unsigned i = 0; i < node.mNumMeshes; i++) {
    if (node.mMeshes[i] >= scene.mNumMeshes) return "a part is named that is not there: write it again";
    const std::string problem = add(*scene.mMeshes[node.mMeshes[i]], at, mesh);
    if (!problem.empty()) return problem;
  }
  for (unsigned i = 0; i < node.mNumChildren; i++) {
    const std::string problem = add(scene, *node.mChildren[i], at, depth + 1, mesh);
    if (!problem.empty()) return problem;
  }
  return "";
}

std::string read_by_assimp(const std::string& file, MeshData& mesh) {
  aiPropertyStore* properties = assimp<decltype(aiCreatePropertyStore)>("aiCreatePropertyStore")();
  assimp<decltype(aiSetImportPropertyInteger)>("aiSetImportPropertyInteger")(
      properties, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
  const aiScene* scene = assimp<decltype(aiImportFileExWithProperties)>("aiImportFileExWithProperties")(
      file.c_str(), aiProcess_Triangulate, nullptr, properties);
  if (!scene || !scene->mRootNode)
    return fmt::format("cannot be read ({}): write it again", assimp<decltype(aiGetErrorString)>("aiGetErrorString")());
  return add(*scene, *scene->mRootNode, in_place, 0, mesh);
}

}  // namespace

MeshData read_mesh(const std::string& file) {
  const std::string ending = ending_of(file);
  if (ending != ".obj" && ending != ".stl" && ending != ".ply" && ending != ".dae")
    fail(file, "neither STL, OBJ, PLY nor DAE", "convert it to a file that ends in .stl, .obj, .ply or .dae");
  if (!std::filesystem::is_regular_file(file))
    fail(file, "no such file", "check the path, which starts at the scenario's folder");
  if (ending == ".ply" && !has_ply_head(file)) fail(file, "its head has no end", "write it again");
  assimp<decltype(aiImportFileExWithProperties)>(
      "aiImportFileExWithProperties");  // loaded here, before there are two of us
  MeshData mesh = read_in_child(file, read_by_assimp);
  weld(mesh.vertices, mesh.triangles);
  if (mesh.triangles.empty()) fail(file, "there are no triangles in it", "write it again with a surface");
  return mesh;
}

}  // namespace sinew::imports
