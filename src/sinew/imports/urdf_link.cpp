#include "sinew/imports/urdf_link.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/math/elementary.h"
#include "sinew/math/rotation.h"

namespace sinew::imports {
namespace {

using pugi::xml_node;

void read_mesh_shape(XmlFile& xml, const ModelFolders& folders, xml_node mesh, RobotShape& shape) {
  shape.shape.kind = ShapeKind::Hull;
  shape.written = xml.text(mesh, "filename");
  shape.scale = xml.vector(mesh, "scale", Vec3d(1, 1, 1));
  const FoundFile found = find_model_file(folders, shape.written);
  shape.file = found.path;
  if (found.outside)
    xml.warn(mesh, fmt::format("mesh {}: it is outside of the model's folders and is not read: give its folder in "
                               "robot.packages",
                               shape.written));
  else if (found.path.empty())
    xml.warn(mesh,
             fmt::format("mesh {}: no such file: give the folder of its package in robot.packages", shape.written));
}

void read_long_shape(XmlFile& xml, xml_node node, ShapeKind kind, Shape& s) {
  s.kind = kind;
  s.radius = xml.number(node, "radius", 0.0);
  s.half_length = 0.5 * xml.number(node, "length", 0.0);
}

}  // namespace

Mat3d rotation_of_rpy(const Vec3d& rpy) {
  const auto about = [](int axis, double angle) {
    const double s = math::sin(0.5 * angle), c = math::cos(0.5 * angle);
    return Quatd{c, axis == 0 ? s : 0.0, axis == 1 ? s : 0.0, axis == 2 ? s : 0.0};
  };
  return to_matrix(about(2, rpy[2]) * about(1, rpy[1]) * about(0, rpy[0]));
}

Posed urdf_origin(XmlFile& xml, xml_node node) {
  const xml_node origin = xml.child(node, "origin");
  if (!origin) return Posed::identity();
  return {rotation_of_rpy(xml.vector(origin, "rpy", Vec3d::zero())), xml.vector(origin, "xyz", Vec3d::zero())};
}

void read_urdf_inertial(XmlFile& xml, xml_node link, RobotBody& body) {
  const xml_node inertial = xml.child(link, "inertial");
  if (!inertial) return;
  const Posed X = urdf_origin(xml, inertial);
  const xml_node mass = xml.child(inertial, "mass"), inertia = xml.child(inertial, "inertia");
  body.mass = mass ? xml.number(mass, "value", 0.0) : 0.0;
  body.com = X.p;
  if (!inertia) return;
  const auto read = [&](const char* name) { return xml.number(inertia, name, 0.0); };
  const Sym3d I{read("ixx"), read("ixy"), read("ixz"), read("iyy"), read("iyz"), read("izz")};
  body.inertia = rotate(X.R, I);
}

bool read_urdf_geometry(XmlFile& xml, const ModelFolders& folders, xml_node collision, RobotShape& shape) {
  const xml_node geometry = xml.child(collision, "geometry");
  shape.X_BS = urdf_origin(xml, collision);
  if (!geometry) {
    xml.warn(collision, "a collision without geometry is left out");
    return false;
  }
  Shape& s = shape.shape;
  if (const xml_node box = xml.child(geometry, "box")) {
    s.kind = ShapeKind::Box;
    s.half = xml.vector(box, "size", Vec3d::zero()) * 0.5;
  } else if (const xml_node sphere = xml.child(geometry, "sphere")) {
    s.kind = ShapeKind::Sphere;
    s.radius = xml.number(sphere, "radius", 0.0);
  } else if (const xml_node cylinder = xml.child(geometry, "cylinder")) {
    read_long_shape(xml, cylinder, ShapeKind::Cylinder, s);
  } else if (const xml_node capsule = xml.child(geometry, "capsule")) {  // not URDF, but of many programs
    read_long_shape(xml, capsule, ShapeKind::Capsule, s);
  } else if (const xml_node mesh = xml.child(geometry, "mesh")) {
    read_mesh_shape(xml, folders, mesh, shape);
    return true;
  } else {
    xml.warn(collision, "a collision without a known shape is left out");
    return false;
  }
  const bool flat = s.kind == ShapeKind::Box      ? std::min({s.half[0], s.half[1], s.half[2]}) <= 0.0
                    : s.kind == ShapeKind::Sphere ? s.radius <= 0.0
                                                  : s.radius <= 0.0 || s.half_length <= 0.0;
  if (flat) xml.warn(geometry, "a shape without extent is left out", NoteKind::Repair);
  return !flat;
}

}  // namespace sinew::imports
