#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sinew/imports/ellipsoid.h"
#include "sinew/imports/mesh_file.h"
#include "sinew/imports/mjcf_parts.h"
#include "sinew/math/elementary.h"
#include "sinew/parts/shape/solid.h"
#include "sinew/sim/errors.h"

namespace sinew::imports {
namespace {

using pugi::xml_node;

constexpr double pi_of_geoms = 3.14159265358979323846;

std::vector<Vec3d> points_of(const std::vector<double>& numbers) {
  std::vector<Vec3d> points;
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
    points.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  return points;
}

std::vector<std::array<int, 3>> triangles_of(XmlFile& xml, xml_node mesh, std::size_t points) {
  const std::vector<double> numbers = xml.numbers(mesh, "face");
  std::vector<std::array<int, 3>> triangles;
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) {
    std::array<int, 3> t{};
    for (std::size_t k = 0; k < 3; k++) {
      if (!(numbers[i + k] >= 0.0 && numbers[i + k] < double(points))) {
        xml.fail(mesh, fmt::format("a face names vertex {} of {}", numbers[i + k], points));
        return {};
      }
      t[k] = int(numbers[i + k]);
    }
    triangles.push_back(t);
  }
  return triangles;
}

// Sizes of MJCF are half lengths; fromto gives an axis and its length instead.
bool read_sizes(MjcfRobot& m, xml_node node, const std::string& cls, const std::string& type, MjcfGeom& g) {
  auto size = m.document.numbers(node, "size", cls);
  size.resize(3, 0.0);
  Shape& s = g.shape.shape;
  const auto ends = m.document.numbers(node, "fromto", cls);
  if (ends.size() == 6) {
    const Vec3d a(ends[0], ends[1], ends[2]), b(ends[3], ends[4], ends[5]), along = b - a;
    const double length = norm(along);
    if (!(length > 0.0)) return false;
    const Vec3d z = along * (1.0 / length);
    const Mat3d R =
        z[2] < -1.0 + 1e-15 ? to_matrix(Quatd{0, 1, 0, 0}) : to_matrix(normalized(Quatd{1.0 + z[2], -z[1], z[0], 0.0}));
    g.shape.X_BS = {R, (a + b) * 0.5};
    if (type == "box" || type == "ellipsoid") {
      size[2] = 0.5 * length;
      size[1] = size[0];
    } else {
      size[1] = 0.5 * length;
    }
  }
  s.radius = size[0];
  s.half_length = size[1];
  if (type == "box") s.half = {size[0], size[1], size[2]};
  if (type == "ellipsoid") g.radii = {size[0], size[1], size[2]};
  if (type == "sphere") return size[0] > 0.0;
  if (type == "box" || type == "ellipsoid") return std::min({size[0], size[1], size[2]}) > 0.0;
  return size[0] > 0.0 && size[1] > 0.0;
}

void read_mesh_geom(MjcfRobot& m, xml_node node, const std::string& name, MjcfGeom& g) {
  const auto mesh = m.meshes.find(name);
  g.shape.shape.kind = ShapeKind::Hull;
  if (mesh == m.meshes.end()) return m.document.xml.fail(node, fmt::format("there is no mesh \"{}\" in <asset>", name));
  g.shape.written = mesh->second.written;
  g.shape.file = mesh->second.file;
  g.shape.scale = mesh->second.scale;
  g.shape.X_BS = g.shape.X_BS * mesh->second.X.inverse();
  g.missing = g.shape.file.empty() && mesh->second.points.empty();
  g.inertia = mesh->second.inertia;
  if (!mesh->second.points.empty()) {
    const MjcfMesh& given = mesh->second;
    g.shape.scale = Vec3d(1, 1, 1);
    g.shape.shape.mesh = make_hull(given.points);
    const TriangleMesh& hull = *g.shape.shape.mesh;
    const MeshData data{given.triangles.empty() ? hull.vertex : given.points,
                        given.triangles.empty() ? hull.triangle : given.triangles};
    g.solid = solid_of_mjcf_mesh(data, g.inertia);
  }
}

Solid solid_of_geom(const MjcfGeom& g) {
  if (norm(g.radii) > 0.0) {  // of an ellipsoid, exactly
    const Vec3d r = g.radii;
    Solid s;
    s.volume = 4.0 / 3.0 * pi_of_geoms * r[0] * r[1] * r[2];
    const double k = s.volume / 5.0;
    s.inertia = {k * (r[1] * r[1] + r[2] * r[2]), 0, 0,
                 k * (r[0] * r[0] + r[2] * r[2]), 0, k * (r[0] * r[0] + r[1] * r[1])};
    return s;
  }
  if (g.solid) return *g.solid;
  return solid_of(g.shape.shape);
}

// Reads the triangles of mesh geoms of bodies whose inertia is theirs.
void read_solids(MjcfRobot& m, int body) {
  for (MjcfGeom& g : m.geoms) {
    if (g.body != body || g.shape.file.empty() || g.solid || g.mass == 0.0) continue;
    try {
      MeshData data = read_mesh(g.shape.file);
      for (Vec3d& x : data.vertices)
        for (int i = 0; i < 3; i++) x[i] *= g.shape.scale[i];
      if (g.shape.scale[0] * g.shape.scale[1] * g.shape.scale[2] < 0.0)
        for (auto& t : data.triangles) std::swap(t[1], t[2]);
      g.solid = solid_of_mjcf_mesh(data, g.inertia);
    } catch (const InputError&) {  // said where its hull is made
      g.missing = true;
    }
  }
}

}  // namespace

void read_mjcf_assets(MjcfRobot& m) {
  MjcfDocument& doc = m.document;
  XmlFile& xml = doc.xml;
  for (const xml_node asset : doc.sections("asset")) {
    for (const char* looks : {"texture", "material", "skin"})
      for (const xml_node node : asset.children(looks)) doc.accept_all(node, fmt::format("<{}>", looks));
    for (const xml_node node : xml.children(asset, "mesh")) {
      doc.accept(node);
      MjcfMesh mesh;
      mesh.written = xml.text(node, "file");
      mesh.scale = doc.vector(node, "scale", "", Vec3d(1, 1, 1));
      mesh.points = points_of(xml.numbers(node, "vertex"));
      mesh.triangles = triangles_of(xml, node, mesh.points.size());
      static const std::map<std::string, MeshInertia> modes{{"legacy", MeshInertia::Legacy},
                                                            {"convex", MeshInertia::Convex},
                                                            {"exact", MeshInertia::Exact},
                                                            {"shell", MeshInertia::Shell}};
      const std::string mode = doc.text(node, "inertia", "", doc.compiler.exact_meshes ? "exact" : "legacy");
      if (modes.contains(mode))
        mesh.inertia = modes.at(mode);
      else
        xml.fail(node, fmt::format("inertia=\"{}\" of <mesh>: legacy, convex, exact or shell", mode));
      mesh.X.p = xml.vector(node, "refpos", Vec3d::zero());
      if (const auto q = xml.numbers(node, "refquat"); q.size() == 4)
        mesh.X.R = to_matrix(normalized(Quatd{q[0], q[1], q[2], q[3]}));
      std::string file = mesh.written;
      if (doc.compiler.strip_path) file = std::filesystem::path(file).filename().string();
      const FoundFile found = file.empty() ? FoundFile{} : find_model_file(doc.folders, file, doc.compiler.meshdir);
      mesh.file = found.path;
      if (found.outside)
        xml.warn(node, fmt::format("mesh {}: it is outside of the model's folders and is not read", mesh.written));
      else if (found.path.empty() && mesh.points.empty())
        xml.warn(node, fmt::format("mesh {}: no such file", mesh.written));
      for (Vec3d& x : mesh.points)
        for (int i = 0; i < 3; i++) x[i] *= mesh.scale[i];
      m.meshes[xml.text(node, "name", std::filesystem::path(mesh.written).stem().string())] = std::move(mesh);
    }
  }
}

void read_mjcf_geom(MjcfRobot& m, xml_node node, const std::string& childclass, const Posed& X_BF, int body) {
  MjcfDocument& doc = m.document;
  XmlFile& xml = doc.xml;
  xml.use(node);
  doc.accept(node);
  MjcfGeom g{.shape = {.name = xml.text(node, "name"), .shape = {}}};
  g.shape.line = xml.line(node);
  g.body = body;
  g.shape.X_BS = doc.pose(node, childclass);
  const std::string mesh = doc.text(node, "mesh", childclass, "");
  const std::string type = doc.text(node, "type", childclass, mesh.empty() ? "sphere" : "mesh");
  static const std::map<std::string, ShapeKind> kinds{
      {"sphere", ShapeKind::Sphere}, {"capsule", ShapeKind::Capsule}, {"cylinder", ShapeKind::Cylinder},
      {"box", ShapeKind::Box},       {"ellipsoid", ShapeKind::Hull},  {"mesh", ShapeKind::Hull}};
  if (type == "plane" || type == "hfield") {
    g.plane = true;  // ground
    if (type == "hfield") g.field = doc.text(node, "hfield", childclass, "");
    if (type == "hfield" && !m.fields.contains(g.field))
      return xml.warn(node, fmt::format("the height field \"{}\" is not there: its geom is left out", g.field));
  } else if (!kinds.contains(type)) {
    return xml.warn(node, fmt::format("a geom of type \"{}\" is left out", type));
  } else {
    g.shape.shape.kind = kinds.at(type);
    if (type != "mesh" && !mesh.empty()) xml.warn(node, fmt::format("a {} that is fitted to a mesh is left out", type));
    if (type != "mesh" && !mesh.empty()) return;
    if (type == "mesh")
      read_mesh_geom(m, node, mesh, g);
    else if (!read_sizes(m, node, childclass, type, g))
      return xml.warn(node, fmt::format("a {} without extent is left out", type), NoteKind::Repair);
    if (type == "ellipsoid") g.shape.shape.mesh = ellipsoid_hull(g.radii);
  }
  g.shape.X_BS = X_BF * g.shape.X_BS;
  const auto whole = [&](const char* name, int fallback) { return int(doc.number(node, name, childclass, fallback)); };
  g.contype = whole("contype", 1);
  g.conaffinity = whole("conaffinity", 1);
  g.condim = whole("condim", 3);
  g.priority = whole("priority", 0);
  g.group = doc.number(node, "group", childclass, 0.0);
  g.mass = doc.number(node, "mass", childclass, -1.0);
  g.density = doc.number(node, "density", childclass, 1000.0);
  const auto friction = doc.numbers(node, "friction", childclass);
  for (std::size_t i = 0; i < std::min<std::size_t>(friction.size(), 3); i++) g.friction[i] = friction[i];
  m.geoms.push_back(std::move(g));
}

void weigh_mjcf_bodies(MjcfRobot& m) {
  const MjcfCompiler& c = m.document.compiler;
  for (std::size_t b = 0; b < m.robot.bodies.size(); b++) {
    RobotBody& body = m.robot.bodies[b];
    if (c.inertia_from_geom == "false" || (c.inertia_from_geom != "true" && m.has_inertial[b])) continue;
    read_solids(m, int(b));
    MassSum sum;
    for (const MjcfGeom& g : m.geoms) {
      if (g.body != int(b) || g.plane || g.group < c.group_low || g.group > c.group_high) continue;
      if (g.missing && g.mass != 0.0) {
        const XmlFile& xml = m.document.xml;
        const std::string what =
            fmt::format("{}: its mass is that of the mesh {}, which is missing", body.name, g.shape.written);
        body.is_seen = true;  // it has mass, which is not known
        m.document.xml.notes.add(NoteKind::Warning, xml.file(), g.shape.line, what);
        m.robot.unweighed.push_back(fmt::format("{}:{}: {}", xml.file(), g.shape.line, what));
        continue;
      }
      const Solid s = solid_of_geom(g);
      if (!(s.volume > 0.0)) continue;
      const double mass = g.mass >= 0.0 ? g.mass : g.density * s.volume;
      Sym3d I = s.inertia;
      for (double* x : {&I.xx, &I.xy, &I.xz, &I.yy, &I.yz, &I.zz}) *x *= mass / s.volume;
      sum.add(g.shape.X_BS, mass, s.centre, I);
    }
    body.mass = sum.mass;
    body.com = sum.com();
    body.inertia = sum.inertia_about_com();
  }
}

}  // namespace sinew::imports
