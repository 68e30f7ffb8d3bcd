#include "sinew/imports/write_ground.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew::imports {

std::string number(double x) {
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  const std::string text = fmt::format("{}", x == 0.0 ? 0.0 : x);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string list_of(std::span<const double> values) {
  std::string text;
  for (const double x : values) text += (text.empty() ? "" : ", ") + number(x);
  return "[" + text + "]";
}
std::string list_of(std::initializer_list<double> values) { return list_of(std::span(values.begin(), values.size())); }
std::string list_of(const Vec3d& v) { return list_of({v[0], v[1], v[2]}); }
std::string list_of(const Quatd& q) { return list_of({q.w, q.x, q.y, q.z}); }

namespace {

std::string heights_text(const HeightField& f) {
  std::string text = "\n[ground]\nkind = \"heights\"\n\n[ground.heights]\n";
  text += fmt::format("nx = {}\nny = {}\nx0 = {}\ny0 = {}\ndx = {}\ndy = {}\n", f.nx, f.ny, number(f.x0), number(f.y0),
                      number(f.dx), number(f.dy));
  return text + "z = " + list_of(f.z) + "\n";
}

std::string ground_mesh_text(const TriangleMesh& mesh) {
  std::string vertices, corners;
  for (const Vec3d& x : mesh.vertex)
    vertices += fmt::format("{}{}, {}, {}", vertices.empty() ? "" : ", ", number(x[0]), number(x[1]), number(x[2]));
  for (const auto& t : mesh.triangle)
    corners += fmt::format("{}{}, {}, {}", corners.empty() ? "" : ", ", t[0], t[1], t[2]);
  return fmt::format(
      "\n[ground]\nkind = \"mesh\"  # a field of heights that is turned\n\n[ground.mesh]\nvertices = [{}]\ntriangles = "
      "[{}]\n",
      vertices, corners);
}

}  // namespace

std::string ground_text(const ImportedRobot& robot) {
  if (robot.heights) return heights_text(*robot.heights);
  if (robot.ground_mesh) return ground_mesh_text(*robot.ground_mesh);
  if (!robot.has_ground && !robot.place_on_ground) return "";
  std::string text =
      std::string("\n[ground]\nkind = \"plane\"") + (robot.has_ground ? "\n" : "  # the file has none\n");
  const Vec3d& n = robot.ground_normal;
  if (n[0] != 0.0 || n[1] != 0.0 || n[2] != 1.0) text += "normal = " + list_of(n) + "\n";
  if (robot.ground_height != 0.0) text += "height = " + number(robot.ground_height) + "\n";
  return text;
}

}  // namespace sinew::imports
