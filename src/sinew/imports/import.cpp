#include "sinew/imports/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <utility>

#include "sinew/imports/height_map.h"
#include "sinew/imports/mesh_file.h"
#include "sinew/imports/mjcf.h"
#include "sinew/imports/sdf.h"
#include "sinew/imports/urdf.h"
#include "sinew/imports/write_scenario.h"
#include "sinew/imports/xml.h"
#include "sinew/math/elementary.h"
#include "sinew/sim/errors.h"

namespace sinew::imports {
namespace {

struct Hull {
  MeshPtr mesh = {};  // none: the points are flat
  bool thinned = false;
};

// The points that are farthest along directions spread evenly over the sphere (Fibonacci's spiral).
std::vector<Vec3d> farthest_points(const std::vector<Vec3d>& points, int directions) {
  constexpr double golden = 2.39996322972865332;
  std::vector<bool> taken(points.size(), false);
  for (int i = 0; i < directions; i++) {
    const double z = 1.0 - (2.0 * i + 1.0) / directions, r = std::sqrt(std::max(0.0, 1.0 - z * z));
    const Vec3d d(r * math::cos(golden * i), r * math::sin(golden * i), z);
    std::size_t best = 0;
    for (std::size_t k = 1; k < points.size(); k++)
      if (dot(d, points[k]) > dot(d, points[best])) best = k;
    if (!points.empty()) taken[best] = true;
  }
  std::vector<Vec3d> chosen;
  for (std::size_t k = 0; k < points.size(); k++)
    if (taken[k]) chosen.push_back(points[k]);
  return chosen;
}

// Contacts need no more; and points that nearly lie in a plane may make a hull whose facets do not fit together.
Hull hull_of(const std::vector<Vec3d>& points) {
  constexpr std::size_t most_points = 2000;
  const auto sound = [](const MeshPtr& mesh) { return !mesh->vertex.empty() && defects_of(*mesh, true).empty(); };
  if (points.size() <= most_points)
    if (MeshPtr all = make_hull(points); all->vertex.empty() || sound(all))
      return {all->vertex.empty() ? nullptr : all, false};
  for (const int directions : {400, 100, 26})
    if (MeshPtr some = make_hull(farthest_points(points, directions)); sound(some)) return {some, true};
  return {};
}

// Reads the meshes of hulls. What has none is left out of its body.
struct HullLoader {
  ImportedRobot& robot;
  bool without;
  std::vector<std::string>& missing;
  std::map<std::pair<std::string, std::array<double, 3>>, Hull> known = {};

  Hull load(const RobotShape& shape) {
    const auto key = std::pair(shape.file, std::array{shape.scale[0], shape.scale[1], shape.scale[2]});
    const auto [entry, fresh] = known.try_emplace(key);
    if (!fresh) return entry->second;
    MeshData mesh = read_mesh(shape.file);
    for (Vec3d& x : mesh.vertices)
      for (int i = 0; i < 3; i++) x[i] *= shape.scale[i];
    entry->second = hull_of(mesh.vertices);
    return entry->second;
  }

  // false: leave it out
  bool take(const RobotBody& body, RobotShape& shape) {
    if (shape.shape.kind != ShapeKind::Hull) return true;
    const auto say = [&](NoteKind kind, const std::string& what) {
      robot.notes.add(kind, robot.file, shape.line, what);
    };
    if (without && !shape.shape.mesh) {
      say(NoteKind::Decision, fmt::format("{}: the mesh {} is left out", body.name, shape.written));
      return false;
    }
    if (shape.shape.mesh) return true;  // its points are given
    if (shape.file.empty()) return false;
    try {
      const Hull hull = load(shape);
      shape.shape.mesh = hull.mesh;
      shape.thinned = hull.thinned;
      if (hull.mesh && hull.thinned)
        say(NoteKind::Decision,
            fmt::format("mesh {}: its hull is that of {} of its points, farthest along as many directions",
                        shape.written, hull.mesh->vertex.size()));
    } catch (const InputError& e) {
      say(NoteKind::Warning, fmt::format("mesh {}", e.problems.front()));
      return false;
    }
    if (!shape.shape.mesh) say(NoteKind::Repair, fmt::format("mesh {}: it is flat and is left out", shape.written));
    return shape.shape.mesh != nullptr;
  }

  void load_all() {
    for (RobotBody& body : robot.bodies) {
      const std::size_t before = body.shapes.size();
      std::string first;
      std::erase_if(body.shapes, [&](RobotShape& shape) {
        const bool kept = take(body, shape);
        if (!kept && first.empty())
          first = fmt::format("{}:{}: {}: the mesh {}", robot.file, shape.line, body.name, shape.written);
        return !kept;
      });
      if (!without && before > 0 && body.shapes.empty())
        missing.push_back(first +
                          " is all that it touches with, and is missing: give the folder of its package in "
                          "robot.packages, or leave meshes out by --without-meshes");
    }
  }
};

std::string ending_of_model(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  for (char& c : ending) c = char(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

ImportedRobot read_robot(XmlFile& xml, const ModelFolders& folders) {
  const std::string kind = xml.root().name();
  if (kind == "robot") return read_urdf(xml, folders);
  if (kind == "mujoco") return read_mjcf(xml, folders);
  if (kind == "sdf") return read_sdf(xml, folders);
  const std::string at = fmt::format("{}:{}: ", xml.file(), xml.line(xml.root()));
  if (kind == "mujocoinclude")
    throw InputError(at + "this is a file of parts, made to be included by others: name the file that includes it");
  throw InputError(
      fmt::format("{}<{}> is no robot: URDF begins with <robot>, MJCF with <mujoco>, SDF with <sdf>", at, kind));
}

// So that its lowest point touches the ground.
void put_on_ground(ImportedRobot& robot) {
  if (robot.bodies.empty()) return;
  const std::vector<Posed> poses = start_poses(robot);
  double lowest = infinite;
  for (std::size_t i = 0; i < poses.size(); i++)
    for (const RobotShape& shape : robot.bodies[i].shapes) {
      const Posed X = poses[i] * shape.X_BS;
      lowest = std::min(lowest, X.p[2] - extent(shape.shape, transpose_times(X.R, Vec3d(0, 0, -1))));
    }
  if (lowest == infinite) return;
  const bool floats = std::ranges::any_of(robot.bodies, [](const RobotBody& b) { return b.parent < 0 && b.free; });
  if (robot.heights || robot.ground_mesh) {
    lowest = -depth_in_ground(robot, poses);
    if (!(lowest < -1e-9) || !floats) return;
    robot.notes.add(NoteKind::Decision, robot.file, 0,
                    fmt::format("it starts {:.4g} m higher, where nothing is in the ground", -lowest));
    for (RobotBody& body : robot.bodies)
      if (body.parent < 0 && body.free) body.X_PB.p[2] -= lowest;
    return;
  }
  if (robot.has_ground && (lowest >= robot.ground_height || robot.ground_normal[2] < 1.0 - 1e-12)) return;
  if (robot.has_ground && floats) {
    lowest -= robot.ground_height;
    robot.notes.add(NoteKind::Decision, robot.file, 0,
                    fmt::format("it starts {:.4g} m higher, where nothing is in the ground", -lowest));
  } else if (!robot.has_ground && !robot.place_on_ground && !floats) {
    return;  // nothing can fall
  } else if ((!floats && lowest < 0.0) || !robot.place_on_ground) {
    robot.has_ground = true;
    robot.ground_height = lowest;
    robot.notes.add(NoteKind::Decision, robot.file, 0,
                    fmt::format("the ground is at z = {:.4g} m, where the lowest shape ends", lowest));
    return;
  }
  for (RobotBody& body : robot.bodies)
    if (body.parent < 0 && body.free) body.X_PB.p[2] -= lowest;
}

Imported import_xml(XmlFile& xml, const ImportOptions& options) {
  const ModelFolders folders = model_folders(xml.file(), options.packages);
  ImportedRobot robot = read_robot(xml, folders);
  Imported out;
  HullLoader{robot, options.without_meshes, out.missing}.load_all();
  if (!options.without_meshes)
    for (const std::string& what : robot.unweighed)
      out.missing.push_back(what + ": put it there, or go on by --without-meshes");
  prepare(robot, options.prepare);
  put_on_ground(robot);
  if (robot.visuals > 0)
    robot.notes.add(NoteKind::Decision, robot.file, 0,
                    fmt::format("{} visuals are not kept: bodies are drawn by what they touch with", robot.visuals));
  WrittenScenario written = write_scenario(robot, options.folder);
  out.text = std::move(written.text);
  out.places = std::move(written.places);
  int n = 0;
  for (const Note& note : robot.notes.list) {
    out.notes.push_back(text_of(note, ++n));
    if (note.kind == NoteKind::Warning) out.warnings.push_back(out.notes.back());
  }
  return out;
}

}  // namespace

bool is_model_file(const std::string& file) {
  const std::string ending = ending_of_model(file);
  return ending == ".urdf" || ending == ".xml" || ending == ".mjcf" || ending == ".sdf" || ending == ".world";
}

Imported import_model(const std::string& file, const ImportOptions& options) {
  XmlFile xml(file);
  return import_xml(xml, options);
}

Imported import_model_text(const std::string& text, const std::string& file, const ImportOptions& options) {
  XmlFile xml(text, file);
  return import_xml(xml, options);
}

}  // namespace sinew::imports
