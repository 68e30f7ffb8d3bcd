#include "sinew/report/mcap_scene.h"

#include <cmath>

#include "sinew/math/rotation.h"

namespace sinew::report {
namespace {

using McapJson = nlohmann::ordered_json;

const McapJson body_colour{{"r", 0.35}, {"g", 0.55}, {"b", 0.8}, {"a", 1.0}};
const McapJson ground_colour{{"r", 0.75}, {"g", 0.75}, {"b", 0.7}, {"a", 1.0}};
const McapJson force_colour{{"r", 0.9}, {"g", 0.3}, {"b", 0.1}, {"a", 1.0}};
constexpr double wide = 20.0, thin = 0.001;  // of a level ground, which has no end [m]

Vec3d vector_of(const McapJson& list) {
  return {list.at(0).get<double>(), list.at(1).get<double>(), list.at(2).get<double>()};
}
Quatd quaternion_of(const McapJson& list) { return {list.at(0), list.at(1), list.at(2), list.at(3)}; }

McapJson point_json(const Vec3d& p) { return {{"x", p[0]}, {"y", p[1]}, {"z", p[2]}}; }
McapJson pose_json(const Vec3d& p, const Quatd& q) {
  return {{"position", point_json(p)}, {"orientation", {{"x", q.x}, {"y", q.y}, {"z", q.z}, {"w", q.w}}}};
}

// The least turn that brings the axis a to the direction of b.
Quatd turn_to(const Vec3d& a, const Vec3d& b) {
  const Vec3d axis = cross(a, b);
  const double w = 1.0 + dot(a, b);
  if (w < 1e-12) {  // half a turn about anything across
    const Vec3d across = std::abs(a[0]) < 0.5 ? Vec3d(1.0, 0.0, 0.0) : Vec3d(0.0, 0.0, 1.0);
    return {0.0, across[0], across[1], across[2]};
  }
  return normalized(Quatd{w, axis[0], axis[1], axis[2]});
}

struct McapEntity {
  McapJson json, colour;

  McapEntity(const std::string& frame, const std::string& id, const McapJson& time, const McapJson& c) : colour(c) {
    json = {{"timestamp", time},
            {"frame_id", frame},
            {"id", id},
            {"lifetime", {{"sec", 0}, {"nsec", 0}}},
            {"frame_locked", true},
            {"metadata", McapJson::array()}};
    for (const char* list : {"arrows", "cubes", "spheres", "cylinders", "lines", "triangles", "texts", "models"})
      json[list] = McapJson::array();
  }

  void add_sphere(const Vec3d& p, double radius) {
    const double d = 2.0 * radius;
    json["spheres"].push_back(
        {{"pose", pose_json(p, Quatd{1.0, 0.0, 0.0, 0.0})}, {"size", point_json({d, d, d})}, {"color", colour}});
  }
  void add_cylinder(const Vec3d& p, const Quatd& q, double radius, double half_length) {
    const double d = 2.0 * radius;
    json["cylinders"].push_back({{"pose", pose_json(p, q)},
                                 {"size", point_json({d, d, 2.0 * half_length})},
                                 {"bottom_scale", 1.0},
                                 {"top_scale", 1.0},
                                 {"color", colour}});
  }
  void add_cube(const Vec3d& p, const Quatd& q, const Vec3d& size) {
    json["cubes"].push_back({{"pose", pose_json(p, q)}, {"size", point_json(size)}, {"color", colour}});
  }
  void add_triangles(const Vec3d& p, const Quatd& q, McapJson points, McapJson indices) {
    json["triangles"].push_back({{"pose", pose_json(p, q)},
                                 {"points", std::move(points)},
                                 {"color", colour},
                                 {"colors", McapJson::array()},
                                 {"indices", std::move(indices)}});
  }
  void add_mesh(const McapJson& mesh, const Vec3d& p, const Quatd& q) {
    McapJson points = McapJson::array();
    const McapJson& v = mesh.at("vertices");
    for (std::size_t i = 0; i + 2 < v.size(); i += 3) points.push_back({{"x", v[i]}, {"y", v[i + 1]}, {"z", v[i + 2]}});
    add_triangles(p, q, std::move(points), mesh.at("triangles"));
  }

  // origin: of the frame that the shape's place is given in
  void add_shape(const McapJson& s, const Vec3d& origin) {
    const Vec3d p = vector_of(s.at("p")) + origin;
    const Quatd q = quaternion_of(s.at("q"));
    const std::string kind = s.at("kind");
    if (kind == "sphere") add_sphere(p, s.at("radius"));
    if (kind == "box") add_cube(p, q, vector_of(s.at("half")) * 2.0);
    if (kind == "cylinder" || kind == "capsule" || kind == "peg")
      add_cylinder(p, q, s.at("radius"), s.at("half_length"));
    if (kind == "capsule" || kind == "peg")
      for (const double sign : {-1.0, 1.0})
        add_sphere(p + to_matrix(q) * Vec3d(0.0, 0.0, sign * s.at("half_length").get<double>()), s.at("radius"));
    if (s.contains("vertices")) add_mesh(s, p, q);
  }

  void add_ground(const McapJson& ground) {
    const Quatd level{1.0, 0.0, 0.0, 0.0};
    if (ground.contains("vertices")) add_mesh(ground, Vec3d::zero(), level);
    if (ground.contains("nx")) add_heights(ground);
    if (!ground.contains("height")) return;
    const Vec3d up(0.0, 0.0, 1.0), n = ground.contains("normal") ? vector_of(ground.at("normal")) : up;
    add_cube(n * (ground.at("height").get<double>() - 0.5 * thin), turn_to(up, n), {wide, wide, thin});
  }

  void add_heights(const McapJson& g) {
    const int nx = g.at("nx"), ny = g.at("ny");
    const double x0 = g.at("x0"), y0 = g.at("y0"), dx = g.at("dx"), dy = g.at("dy");
    McapJson points = McapJson::array(), indices = McapJson::array();
    for (int i = 0; i < nx; i++)
      for (int j = 0; j < ny; j++)
        points.push_back({{"x", x0 + i * dx}, {"y", y0 + j * dy}, {"z", g.at("z").at(i * ny + j)}});
    for (int i = 0; i + 1 < nx; i++)
      for (int j = 0; j + 1 < ny; j++)
        for (const int k : {0, ny, 1, ny, ny + 1, 1}) indices.push_back(i * ny + j + k);
    add_triangles(Vec3d::zero(), {1.0, 0.0, 0.0, 0.0}, std::move(points), std::move(indices));
  }
};

}  // namespace

McapJson scene_update(const McapJson& scene, const McapJson& time) {
  McapJson entities = McapJson::array();
  for (const McapJson& body : scene.at("bodies")) {
    McapEntity entity(body.at("name"), "body " + body.at("name").get<std::string>(), time, body_colour);
    const Vec3d origin = vector_of(body.at("com")) * -1.0;
    for (const McapJson& shape : body.at("shapes")) entity.add_shape(shape, origin);
    if (body.contains("box")) entity.add_cube(Vec3d::zero(), {1.0, 0.0, 0.0, 0.0}, vector_of(body.at("box")) * 2.0);
    entities.push_back(std::move(entity.json));
  }
  McapEntity ground("world", "ground", time, ground_colour);
  ground.add_ground(scene.at("ground"));
  for (const McapJson& obstacle : scene.at("obstacles")) ground.add_shape(obstacle, Vec3d::zero());
  entities.push_back(std::move(ground.json));
  return {{"deletions", McapJson::array()}, {"entities", std::move(entities)}};
}

McapJson force_update(const std::vector<ForceArrow>& arrows, double scale, const McapJson& time) {
  McapEntity entity("world", "contact forces", time, force_colour);
  for (const ForceArrow& a : arrows) {
    const Vec3d f(a.force[0], a.force[1], a.force[2]);
    const double size = norm(f), length = scale * size;
    if (!(size > 0.0)) continue;
    entity.json["arrows"].push_back(
        {{"pose", pose_json({a.point[0], a.point[1], a.point[2]}, turn_to({1.0, 0.0, 0.0}, f * (1.0 / size)))},
         {"shaft_length", 0.8 * length},
         {"shaft_diameter", 0.03 * length},
         {"head_length", 0.2 * length},
         {"head_diameter", 0.06 * length},
         {"color", force_colour}});
  }
  McapJson entities = McapJson::array();
  entities.push_back(std::move(entity.json));
  return {{"deletions", McapJson::array()}, {"entities", std::move(entities)}};
}

}  // namespace sinew::report
