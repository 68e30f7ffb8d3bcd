#include "sinew/text/mesh_file.h"

#include <fmt/format.h>

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <cctype>
#include <filesystem>
#include <memory>

#include "sinew/files/shared_library.h"
#include "sinew/parts/shape/mesh.h"
#include "sinew/sim/errors.h"

namespace sinew::text {
namespace {

std::string ending_of(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  for (char& c : ending) c = char(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

[[noreturn]] void fail(const std::string& file, const std::string& what, const std::string& fix) {
  throw InputError(fmt::format("{}: {}: {}", file, what, fix));
}

void add(const aiMesh& part, const std::string& file, MeshData& mesh) {
  const int first = int(mesh.vertices.size());
  for (unsigned i = 0; i < part.mNumVertices; i++) {
    const aiVector3D& v = part.mVertices[i];
    mesh.vertices.push_back({double(v.x), double(v.y), double(v.z)});
    if (!is_finite(mesh.vertices.back()))
      fail(file, fmt::format("vertex {} is not finite", mesh.vertices.size()), "correct it");
  }
  for (unsigned i = 0; i < part.mNumFaces; i++) {
    const aiFace& face = part.mFaces[i];
    if (face.mNumIndices != 3) fail(file, "a face has fewer than three corners", "give at least three");
    mesh.triangles.push_back(
        {first + int(face.mIndices[0]), first + int(face.mIndices[1]), first + int(face.mIndices[2])});
  }
}

// A function of Assimp's, which is loaded when the first mesh is read.
template <class F>
F* assimp(const char* name) {
  static const SharedLibrary library(SINEW_ASSIMP_LIBRARY);
  return reinterpret_cast<F*>(library.symbol(name));
}

}  // namespace

MeshData read_mesh(const std::string& file) {
  const std::string ending = ending_of(file);
  if (ending != ".obj" && ending != ".stl" && ending != ".ply")
    fail(file, "neither STL, OBJ nor PLY", "convert it to a file that ends in .stl, .obj or .ply");
  if (!std::filesystem::is_regular_file(file))
    fail(file, "no such file", "check the path, which starts at the scenario's folder");
  const std::unique_ptr<const aiScene, decltype(&aiReleaseImport)> scene(
      assimp<decltype(aiImportFile)>("aiImportFile")(file.c_str(), aiProcess_Triangulate),
      assimp<decltype(aiReleaseImport)>("aiReleaseImport"));
  if (!scene)
    fail(file, fmt::format("cannot be read ({})", assimp<decltype(aiGetErrorString)>("aiGetErrorString")()),
         "write it again");
  MeshData mesh;
  for (unsigned i = 0; i < scene->mNumMeshes; i++) add(*scene->mMeshes[i], file, mesh);
  if (int(mesh.vertices.size()) > 6 * max_mesh_vertices)  // STL names each vertex about six times
    fail(file, fmt::format("it has more than {} vertices", max_mesh_vertices), "simplify it");
  weld(mesh.vertices, mesh.triangles);
  if (mesh.triangles.empty()) fail(file, "there are no triangles in it", "write it again with a surface");
  return mesh;
}

}  // namespace sinew::text
