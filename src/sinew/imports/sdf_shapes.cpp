// Links of SDF: inertia, shapes, and how these rub and bounce. As in Gazebo, friction and bounce of two shapes are the smaller of both.
// Friction of drilling over a patch of radius a, with its coefficient mu: mu 3 pi/16 a N.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/imports/ellipsoid.h"
#include "sinew/imports/height_map.h"
#include "sinew/imports/sdf_parts.h"
#include "sinew/sim/errors.h"

namespace sinew::imports {
namespace {

using pugi::xml_node;

constexpr double pi_of_sdf = 3.14159265358979323846;

struct SdfShapeReader {
  SdfRobot& r;
  XmlFile& xml = r.xml;

  void read_mesh(xml_node mesh, RobotShape& shape) {
    shape.shape.kind = ShapeKind::Hull;
    shape.written = sdf_text(xml, mesh, "uri");
    shape.scale = sdf_vector(xml, mesh, "scale", Vec3d(1, 1, 1));
    const FoundFile found = r.find(mesh, shape.written);
    shape.file = found.path;
    if (found.path.empty())
      xml.warn(mesh, fmt::format("mesh {}: {}: give the folder of its model in robot.packages", shape.written,
                                 found.outside ? "it is outside of the model's folders" : "no such file"));
  }

  bool read_polyline(xml_node geometry, RobotShape& shape) {
    std::vector<Vec3d> points;
    int lines = 0;
    for (const xml_node line : xml.children(geometry, "polyline")) {
      const double height = sdf_number(xml, line, "height", 1.0);
      lines++;
      for (const xml_node point : xml.children(line, "point")) {
        const auto at = xml.parse_numbers(point.text().get());
        if (!at || at->size() != 2) {
          xml.fail(point, "<point> of <polyline>: give two finite numbers");
          return false;
        }
        for (const double z : {0.0, height}) points.push_back({(*at)[0], (*at)[1], z});
      }
    }
    shape.shape.kind = ShapeKind::Hull;
    shape.shape.mesh = make_hull(points);
    shape.written = "polyline";
    xml.warn(geometry, fmt::format("{} polylines are one convex prism", lines), NoteKind::Decision);
    return !shape.shape.mesh->vertex.empty();
  }

  void take_plane(xml_node node, const SdfLink& link, const Posed& X_BS) {
    const Vec3d n = sdf_vector(xml, node, "normal", Vec3d(0, 0, 1));
    xml.child(node, "size");  // ground goes on
    if (!link.is_static) return xml.warn(node, "a plane on a body that moves is left out");
    if (r.robot.has_ground) return xml.warn(node, "a second plane is left out: there is one ground");
    if (!(norm(n) > 0.0)) return xml.fail(node, "the normal of a plane must not be zero");
    const Posed X = link.X_W * X_BS;
    r.robot.has_ground = true;
    r.robot.ground_normal = X.R * n * (1.0 / norm(n));
    r.robot.ground_height = dot(r.robot.ground_normal, X.p);
  }

  void take_heightmap(xml_node node, const SdfLink& link, const Posed& X_BS) {
    const std::string uri = sdf_text(xml, node, "uri");
    const Vec3d size = sdf_vector(xml, node, "size", Vec3d(1, 1, 1)), at = sdf_vector(xml, node, "pos", Vec3d::zero());
    r.accept(node, {"texture", "blend", "use_terrain_paging", "sampling"});
    if (!link.is_static) return xml.warn(node, "a height field on a body that moves is left out");
    if (r.robot.has_ground) return xml.warn(node, "a second ground is left out: there is one");
    const FoundFile found = r.find(node, uri);
    if (found.path.empty())
      return xml.warn(node, fmt::format("height field {}: no such file in the model's folders", uri));
    if (!(size[0] > 0.0 && size[1] > 0.0)) return xml.fail(node, "size of <heightmap> must be > 0");
    try {
      HeightValues heights = read_heights(found.path);
      const double highest = *std::ranges::max_element(heights.z);
      for (double& z : heights.z) z *= highest > 0.0 ? std::abs(size[2]) / highest : 0.0;
      set_ground(r.robot, heights, 0.5 * size[0], 0.5 * size[1], link.X_W * X_BS * Posed{Mat3d::identity(), at});
    } catch (const InputError& e) {
      xml.fail(node, fmt::format("height field {}", e.problems.front()));
    }
  }

  // false: nothing that a body can have
  bool read_geometry(xml_node geometry, const SdfLink& link, const Posed& X_BS, RobotShape& shape, bool& is_ground) {
    Shape& s = shape.shape;
    const auto round = [&](xml_node node, ShapeKind kind) {
      s.kind = kind;
      s.radius = sdf_number(xml, node, "radius", 0.0);
      if (kind != ShapeKind::Sphere) s.half_length = 0.5 * sdf_number(xml, node, "length", 0.0);
    };
    bool flat = false;
    if (const xml_node box = xml.child(geometry, "box")) {
      s.kind = ShapeKind::Box;
      s.half = sdf_vector(xml, box, "size", Vec3d(1, 1, 1)) * 0.5;
      flat = std::min({s.half[0], s.half[1], s.half[2]}) <= 0.0;
    } else if (const xml_node sphere = xml.child(geometry, "sphere")) {
      round(sphere, ShapeKind::Sphere);
      flat = s.radius <= 0.0;
    } else if (const xml_node cylinder = xml.child(geometry, "cylinder")) {
      round(cylinder, ShapeKind::Cylinder);
      flat = s.radius <= 0.0 || s.half_length <= 0.0;
    } else if (const xml_node capsule = xml.child(geometry, "capsule")) {
      round(capsule, ShapeKind::Capsule);
      flat = s.radius <= 0.0 || s.half_length <= 0.0;
    } else if (const xml_node ball = xml.child(geometry, "ellipsoid")) {
      const Vec3d radii = sdf_vector(xml, ball, "radii", Vec3d(1, 1, 1));
      flat = std::min({radii[0], radii[1], radii[2]}) <= 0.0;
      s.kind = ShapeKind::Hull;
      if (!flat) s.mesh = ellipsoid_hull(radii);
    } else if (const xml_node mesh = xml.child(geometry, "mesh")) {
      read_mesh(mesh, shape);
    } else if (geometry.child("polyline")) {
      flat = !read_polyline(geometry, shape);
    } else if (const xml_node plane = xml.child(geometry, "plane")) {
      is_ground = !r.robot.has_ground && link.is_static;
      take_plane(plane, link, X_BS);
      return false;
    } else if (const xml_node heights = xml.child(geometry, "heightmap")) {
      is_ground = !r.robot.has_ground && link.is_static;
      take_heightmap(heights, link, X_BS);
      return false;
    } else {
      if (!xml.child(geometry, "empty")) xml.warn(geometry, "a collision without a known shape is left out");
      return false;
    }
    if (flat) xml.warn(geometry, "a shape without extent is left out", NoteKind::Repair);
    return !flat;
  }

  void read_friction(xml_node surface, const Posed& X_BS, Surface& s) {
    const xml_node friction = xml.child(surface, "friction"), ode = xml.child(friction, "ode");
    r.accept(friction, {"bullet"});
    r.accept(ode, {"slip1", "slip2"});
    s.mu_long = std::max(0.0, sdf_number(xml, ode, "mu", 1.0));
    s.mu_trans = std::max(0.0, sdf_number(xml, ode, "mu2", 1.0));
    const Vec3d along = sdf_vector(xml, ode, "fdir1", Vec3d::zero());
    if (norm(along) > 0.0)
      s.along = X_BS.R * along * (1.0 / norm(along));
    else if (s.mu_long != s.mu_trans)
      xml.warn(ode, "mu and mu2 differ and fdir1 is not given: mu acts along x of the link", NoteKind::Decision);
    const xml_node torsional = xml.child(friction, "torsional");
    r.accept(torsional, {"surface_radius", "ode"});
    const double coefficient = sdf_number(xml, torsional, "coefficient", 1.0);
    const double patch = sdf_number(xml, torsional, "patch_radius", 0.0);
    if (sdf_flag(xml, torsional, "use_patch_radius", true))
      s.drilling = std::max(0.0, coefficient * 3.0 * pi_of_sdf / 16.0 * patch);
    else
      xml.warn(torsional, "torsional friction by surface_radius is left out: give patch_radius");
  }

  Surface read_surface(xml_node collision, const Posed& X_BS) {
    Surface s;
    const xml_node surface = xml.child(collision, "surface");
    read_friction(surface, X_BS, s);
    r.accept(surface, {"soft_contact"});
    const xml_node bounce = xml.child(surface, "bounce");
    s.restitution = std::clamp(sdf_number(xml, bounce, "restitution_coefficient", 0.0), 0.0, 1.0);
    if (bounce.child("threshold") && s.restitution > 0.0)
      xml.warn(bounce, "bodies bounce at any speed, not from threshold on", NoteKind::Decision);
    if (bounce.child("threshold")) xml.use_all(bounce.child("threshold"));
    const xml_node contact = xml.child(surface, "contact");
    for (const char* mask : {"collide_without_contact", "collide_without_contact_bitmask", "category_bitmask",
                             "poissons_ratio", "elastic_modulus", "bullet"})
      r.accept(contact, {mask});
    if (const xml_node bits = xml.child(contact, "collide_bitmask");
        bits && sdf_text(xml, contact, "collide_bitmask") != "65535")
      xml.warn(bits, "collide_bitmask: bodies touch nevertheless");
    const xml_node ode = xml.child(contact, "ode");
    s.stiffness = std::max(0.0, sdf_number(xml, ode, "kp", 0.0));
    r.accept(ode, {"soft_cfm", "soft_erp", "kd", "max_vel", "min_depth"});
    return s;
  }
};

}  // namespace

void read_sdf_inertial(SdfRobot& r, xml_node link, RobotBody& body) {
  XmlFile& xml = r.xml;
  const xml_node inertial = xml.child(link, "inertial");
  std::string from;
  const Posed X = read_sdf_pose(xml, inertial, from);
  if (!from.empty()) xml.warn(inertial, "<pose> of <inertial> is seen from its link, whatever relative_to says");
  body.mass = sdf_number(xml, inertial, "mass", 1.0);
  body.com = X.p;
  const xml_node inertia = xml.child(inertial, "inertia");
  const auto read = [&](const char* name, double fallback) { return sdf_number(xml, inertia, name, fallback); };
  const Sym3d I{read("ixx", 1), read("ixy", 0), read("ixz", 0), read("iyy", 1), read("iyz", 0), read("izz", 1)};
  body.inertia = rotate(X.R, I);
}

void read_sdf_collision(SdfRobot& r, xml_node collision, SdfLink& link, const Posed& X_BS) {
  SdfShapeReader reader{r};
  XmlFile& xml = r.xml;
  r.accept(collision, {"max_contacts", "laser_retro"});
  const xml_node geometry = xml.child(collision, "geometry");
  if (!geometry) return xml.warn(collision, "a collision without geometry is left out");
  RobotShape shape{.name = xml.text(collision, "name"), .shape = {}};
  shape.line = xml.line(collision);
  shape.X_BS = X_BS;
  bool is_ground = false;
  const bool touches = reader.read_geometry(geometry, link, X_BS, shape, is_ground);
  shape.surface = reader.read_surface(collision, X_BS);
  if (is_ground) r.ground = shape.surface;
  if (touches) link.body.shapes.push_back(std::move(shape));
}

void rub_sdf_ground(SdfRobot& r) {
  if (r.ground.mu_long < 0.0) return;
  for (SdfLink& link : r.links)
    for (RobotShape& shape : link.body.shapes) {
      Surface& s = shape.surface;
      s.mu_long = std::min(s.mu_long, r.ground.mu_long);
      s.mu_trans = std::min(s.mu_trans, r.ground.mu_trans);
      s.restitution = std::min(s.restitution, r.ground.restitution);
    }
}

}  // namespace sinew::imports
