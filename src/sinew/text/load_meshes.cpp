#include "sinew/text/load_meshes.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "sinew/imports/mesh_file.h"
#include "sinew/sim/errors.h"

namespace sinew::text {
namespace fs = std::filesystem;
namespace {

// Recordings and checkpoints name their meshes by absolute paths. Where such a file is gone, for all was moved, the one of the same
// name beside the recording will do, alone or in a folder as before.
std::string path_of(const std::string& folder, const std::string& file) {
  const fs::path path(file), beside(folder);
  if (!path.is_absolute()) return (beside / path).lexically_normal().string();
  std::error_code error;
  if (fs::exists(path, error)) return file;
  for (const fs::path& found : {beside / path.parent_path().filename() / path.filename(), beside / path.filename()})
    if (fs::exists(found, error)) return found.lexically_normal().string();
  return file;
}

std::vector<Vec3d> triples(const std::vector<double>& numbers) {
  std::vector<Vec3d> out;
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) out.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  return out;
}

struct MeshLoader {
  const std::string& folder;
  const std::function<std::string(std::string_view)>& place_of;
  std::vector<std::string>& problems;

  void fail(const std::string& key, const std::string& what) {
    problems.push_back(fmt::format("{}: {}: {}", place_of(key), key, what));
  }

  bool read(const std::string& key, const std::string& file, double scale, imports::MeshData& mesh) {
    try {
      mesh = imports::read_mesh(path_of(folder, file));
    } catch (const InputError& e) {
      for (const std::string& problem : e.problems) fail(key, problem);
      return false;
    }
    for (Vec3d& x : mesh.vertices) x = x * scale;
    return true;
  }

  bool are_triples(const std::string& key, const std::vector<double>& numbers, const char* of) {
    if (numbers.size() % 3 == 0) return true;
    fail(key, fmt::format("{} numbers are given, but {}: give a multiple of three", numbers.size(), of));
    return false;
  }

  void load(const std::string& key, ShapePlan& s) {
    const bool hull = s.shape.kind == ShapeKind::Hull;
    if (!hull && s.shape.kind != ShapeKind::Mesh) return;
    imports::MeshData mesh;
    if (!s.file.empty()) {
      if (!read(key + ".file", s.file, s.scale, mesh)) return;
    } else if (!are_triples(key + ".points", s.points, "each point has three")) {
      return;
    } else {
      mesh.vertices = triples(s.points);
    }
    s.shape.mesh = hull ? make_hull(mesh.vertices) : make_mesh(std::move(mesh.vertices), std::move(mesh.triangles));
  }

  void load(GroundPlan& ground) {
    if (ground.terrain.kind != TerrainKind::Mesh) return;
    const GroundMeshPlan& from = ground.mesh;
    imports::MeshData mesh;
    if (!from.file.empty()) {
      if (!read("ground.mesh.file", from.file, from.scale, mesh)) return;
    } else {
      const bool sound = are_triples("ground.mesh.vertices", from.vertices, "each vertex has three") &
                         are_triples("ground.mesh.triangles", from.triangles, "each triangle has three");
      if (!sound) return;
      mesh.vertices = triples(from.vertices);
      for (const Vec3d& t : triples(from.triangles)) {
        for (int i = 0; i < 3; i++)
          if (t[i] != std::floor(t[i]) || t[i] > max_mesh_vertices)
            return fail("ground.mesh.triangles", fmt::format("{} is no vertex: count them 0, 1, 2 ...", t[i]));
        mesh.triangles.push_back({int(t[0]), int(t[1]), int(t[2])});
      }
    }
    for (Vec3d& x : mesh.vertices) x = x + from.position;
    ground.terrain.mesh = make_mesh(std::move(mesh.vertices), std::move(mesh.triangles));
  }
};

}  // namespace

void load_meshes(Plan& plan, const std::string& folder, const std::function<std::string(std::string_view)>& place_of,
                 std::vector<std::string>& problems) {
  MeshLoader loader{folder, place_of, problems};
  for (BodyPlan& body : plan.bodies)
    for (ShapePlan& s : body.shapes) loader.load(fmt::format("body.{}.shape.{}", body.name, s.name), s);
  loader.load(plan.ground);
}

std::string path_beside(const std::string& folder, const std::string& file) { return path_of(folder, file); }

namespace {

template <class F>
void for_each_file(sim::Scenario& scenario, const F& f) {
  const auto one = [&](std::string& file) {
    if (!file.empty()) f(file);
  };
  for (BodyPlan& body : scenario.plan.bodies)
    for (ShapePlan& s : body.shapes) one(s.file);
  for (JointPlan& joint : scenario.plan.joints) one(joint.table_file);
  one(scenario.plan.ground.mesh.file);
  one(scenario.policy.file);
  one(scenario.fmu.file);
  if (scenario.robot_keys)
    for (std::string* file : scenario.robot_keys->files()) one(*file);
}

}  // namespace

std::vector<std::string> files_of(const sim::Scenario& scenario) {
  sim::Scenario copy = scenario;
  std::vector<std::string> files;
  for_each_file(copy, [&](const std::string& file) { files.push_back(path_of(scenario.folder, file)); });
  return files;
}

void make_paths_absolute(sim::Scenario& scenario) {
  for_each_file(scenario, [&](std::string& file) {
    file = fs::absolute(path_of(scenario.folder, file)).lexically_normal().string();
  });
}

}  // namespace sinew::text
