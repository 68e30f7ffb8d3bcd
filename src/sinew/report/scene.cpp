#include "sinew/report/scene.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "sinew/math/elementary.h"
#include "sinew/model/compile.h"
#include "sinew/parts/terrain/height.h"
#include "sinew/report/plot_drive.h"
#include "sinew/world/contacts.h"

namespace sinew::report {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson list(const Vec3d& v) { return OrderedJson::array({v[0], v[1], v[2]}); }
OrderedJson list(const Quatd& q) { return OrderedJson::array({q.w, q.x, q.y, q.z}); }

// Flat lists: x, y, z of each vertex, three indices of each triangle.
void add_mesh(const TriangleMesh& mesh, OrderedJson& out) {
  OrderedJson vertices = OrderedJson::array(), triangles = OrderedJson::array();
  for (const Vec3d& v : mesh.vertex)
    for (int i = 0; i < 3; i++) vertices.push_back(v[i]);
  for (const auto& t : mesh.triangle)
    for (const int v : t) triangles.push_back(v);
  out["vertices"] = std::move(vertices);
  out["triangles"] = std::move(triangles);
}

// Only the sizes that its kind has.
OrderedJson shape_of(const std::string& name, std::string_view kind, const Shape& shape, const Vec3d& p,
                     const Quatd& q) {
  OrderedJson out{{"name", name}, {"kind", kind}};
  if (shape.kind == ShapeKind::Box)
    out["half"] = list(shape.half);
  else if (shape.mesh)
    add_mesh(*shape.mesh, out);
  else
    out["radius"] = shape.radius;
  if (shape.kind == ShapeKind::Capsule || shape.kind == ShapeKind::Cylinder) out["half_length"] = shape.half_length;
  out["p"] = list(p);
  out["q"] = list(q);
  return out;
}

bool is_point(const ShapePlan& s) { return s.shape.kind == ShapeKind::Sphere && s.shape.radius == 0.0; }

// Half the edges a, b, c of the box with the body's mass and moments: Ixx = m (b^2 + c^2) / 3, and so on. Zero where the moments
// are not along the body's axes, or there are none.
Vec3d box_of(const BodyPlan& body) {
  const Sym3d& I = body.inertia;
  if (!(body.mass > 0.0) || I.xy != 0.0 || I.xz != 0.0 || I.yz != 0.0) return Vec3d::zero();
  const double k = 1.5 / body.mass, sum = I.xx + I.yy + I.zz;
  const auto half = [&](double moment) { return std::sqrt(std::max(k * (sum - 2.0 * moment), 0.0)); };
  return {half(I.xx), half(I.yy), half(I.zz)};
}

OrderedJson bodies_of(const Plan& plan) {
  OrderedJson bodies = OrderedJson::array();
  for (const BodyPlan& body : plan.bodies) {
    OrderedJson shapes = OrderedJson::array();
    for (const auto* list : {&body.shapes, &body.drawn})
      for (const ShapePlan& s : *list)
        shapes.push_back(
            shape_of(s.name, shape_names[int(s.shape.kind)], s.shape, s.position, normalized(s.orientation)));
    bodies.push_back({{"name", body.name}, {"mass", body.mass}, {"com", list(body.com)}, {"shapes", shapes}});
    const Vec3d box = box_of(body);
    if (norm(box) > 0.0 && body.drawn.empty() && std::ranges::all_of(body.shapes, is_point))
      bodies.back()["box"] = list(box);
  }
  return bodies;
}

OrderedJson joints_of(const Plan& plan) {
  OrderedJson joints = OrderedJson::array();
  if (plan.plant) return joints;  // sections hang together without any
  for (const JointPlan& j : plan.joints)
    joints.push_back({{"name", j.name},
                      {"kind", joint::name_of(j.kind)},
                      {"body1", j.parent == "world" ? "" : j.parent},
                      {"body2", j.child},
                      {"p1", list(j.p_parent)},
                      {"p2", list(j.p_child)}});
  return joints;
}

OrderedJson contacts_of(const Model& model) {
  OrderedJson contacts = OrderedJson::array();
  const auto body_of = [&](int shape) {
    const int link = shape < 0 ? world_body : model.shapes[shape].link;
    return link < 0 ? std::string() : model.body_names[link];
  };
  for (std::size_t i = 0; i < model.pairs.size(); i++)
    contacts.push_back({{"name", contact_name(model, int(i))},
                        {"body", body_of(model.pairs[i].shape2)},
                        {"other", body_of(model.pairs[i].shape1)}});
  return contacts;
}

OrderedJson ground_of(const Terrain& t) {
  // of steps and of a profile the floor; what stands on it are obstacles
  const bool floor = t.kind == TerrainKind::Steps || t.kind == TerrainKind::Profile;
  OrderedJson ground{{"kind", floor ? "steps" : terrain_names[int(t.kind)]}};
  if (t.kind == TerrainKind::Plane) ground["normal"] = list(t.normal);
  if (t.kind == TerrainKind::Plane || floor) ground["height"] = t.height;
  if (t.kind == TerrainKind::Heights) {
    const HeightField& f = t.field;
    ground.update({{"nx", f.nx}, {"ny", f.ny}, {"x0", f.x0}, {"y0", f.y0}, {"dx", f.dx}, {"dy", f.dy}, {"z", f.z}});
  }
  if (t.kind == TerrainKind::Mesh && t.mesh) add_mesh(*t.mesh, ground);
  return ground;
}

// Steps are among them. A capsule of the world is a peg: there is no other.
OrderedJson obstacles_of(const Model& model) {
  OrderedJson obstacles = OrderedJson::array();
  for (const ShapeInfo& s : model.shapes) {
    if (s.link != world_body) continue;
    const std::string_view kind = s.shape.kind == ShapeKind::Capsule ? "peg" : shape_names[int(s.shape.kind)];
    obstacles.push_back(shape_of(s.name, kind, s.shape, s.X_FS.p, to_quaternion(s.X_FS.R)));
  }
  return obstacles;
}

// Where a patch without limits is drawn, from the middle of the ground [m].
constexpr double far = 10.0;

// Points of a patch as seen from above, `rings` parts deep and `around` wide: rows of a rectangle, or circles of a disc.
struct PatchGrid {
  int rings, around;
  std::vector<std::array<double, 2>> points;  // (rings + 1) (around + 1)
};

PatchGrid grid_of(const Patch& p, int parts) {
  PatchGrid grid{parts, p.disc ? 48 : parts, {}};
  const auto between = [](const double* limits, double s) {
    const double low = std::max(limits[0], -far), high = std::min(limits[1], far);
    return low + s * (std::max(high, low) - low);
  };
  for (int i = 0; i <= grid.rings; i++)
    for (int k = 0; k <= grid.around; k++) {
      const double s = double(i) / grid.rings, t = double(k) / grid.around;
      if (p.disc) {
        const double r = s * std::sqrt(p.radius2), angle = 2.0 * std::numbers::pi * t;
        grid.points.push_back({std::clamp(p.center[0] + r * math::cos(angle), p.x[0], p.x[1]),
                               std::clamp(p.center[1] + r * math::sin(angle), p.y[0], p.y[1])});
      } else {
        grid.points.push_back({between(p.x, s), between(p.y, t)});
      }
    }
  return grid;
}

// Their triangles lie on the ground.
OrderedJson patches_of(const Model& model, const Params<double>& params) {
  OrderedJson patches = OrderedJson::array();
  for (std::size_t i = 0; i < model.patches.size(); i++) {
    const Patch& p = model.patches[i];
    const PatchGrid grid = grid_of(p, model.terrain.kind == TerrainKind::Plane ? 1 : 32);
    OrderedJson vertices = OrderedJson::array(), triangles = OrderedJson::array();
    for (const auto& [x, y] : grid.points)
      for (const double v : {x, y, height_at(model.terrain, x, y)}) vertices.push_back(v);
    for (int a = 0; a < grid.rings; a++)
      for (int b = 0; b < grid.around; b++) {
        const int at = a * (grid.around + 1) + b, next = at + grid.around + 1;
        for (const int v : {at, next, next + 1, at, next + 1, at + 1}) triangles.push_back(v);
      }
    patches.push_back({{"name", p.name},
                       {"soft", params.patches[i].stiffness > 0.0},
                       {"vertices", std::move(vertices)},
                       {"triangles", std::move(triangles)}});
  }
  return patches;
}

// What each can hold: as far as its voltage or its limit lets it go; at rest alone where neither is known.
OrderedJson drives_of(const sim::Experiment& experiment) {
  OrderedJson drives = OrderedJson::array();
  const World<double> world = experiment.world();
  for (std::size_t i = 0; i < world.model().drives.size(); i++) {
    const DriveInfo& d = world.model().drives[i];
    const Envelope bounds = envelope_of(world.params.drives[i], 0.0);
    drives.push_back({{"name", d.name},
                      {"turns", d.setup.is_angle},
                      {"speed", bounds.speed},
                      {"least", bounds.least},
                      {"most", bounds.most}});
  }
  return drives;
}

}  // namespace

std::string scene_json(const sim::Experiment& experiment) {
  const sim::Scenario& scenario = experiment.scenario;
  const Model& model = experiment.model();
  const Plan& plan = experiment.plan();
  const Gravity<double> gravity = tilted(plan);
  OrderedJson scene{{"format", "sinew scene 1"},
                    {"name", scenario.name},
                    {"title", scenario.title},
                    {"gravity", list(gravity.kind == GravityKind::Uniform ? gravity.g : Vec3d::zero())},
                    {"bodies", bodies_of(plan)},
                    {"joints", joints_of(plan)},
                    {"contacts", contacts_of(model)},
                    {"ground", ground_of(model.terrain)},
                    {"obstacles", obstacles_of(model)}};
  if (!model.patches.empty()) scene["patches"] = patches_of(model, experiment.world().params);
  if (!model.drives.empty()) scene["drives"] = drives_of(experiment);
  return scene.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace sinew::report
