#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/model/check_contacts.h"
#include "sinew/model/number_checks.h"

namespace sinew {
namespace {

bool all_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
}

struct ShapeChecker : NumberChecks {
  const Plan& plan;

  // What is read from a file is said with its name.
  void check_defects(const std::string& key, const std::string& file, const TriangleMesh& mesh, bool closed) {
    for (const std::string& defect : defects_of(mesh, closed))
      fail(key, file.empty() ? defect : fmt::format("{}: {}", file, defect));
  }

  void check_mesh(const std::string& key, const ShapePlan& s) {
    const bool hull = s.shape.kind == ShapeKind::Hull;
    const std::string at = key + (s.file.empty() && hull ? ".points" : ".file");
    if (!s.shape.mesh)
      fail(at, hull ? "a hull needs points: give file or points" : "a mesh needs triangles: give file");
    else if (hull && s.shape.mesh->facet.empty() && std::ranges::all_of(s.shape.mesh->vertex, is_finite))
      fail(at, fmt::format("{} points span no volume: give at least four that do not lie in one plane",
                           s.shape.mesh->vertex.size()));
    else
      check_defects(at, s.file, *s.shape.mesh, true);
  }

  void check_shape(const std::string& key, const ShapePlan& s) {
    const Shape& shape = s.shape;
    if (shape.kind == ShapeKind::Sphere) check_not_negative(key + ".radius", shape.radius, "m");
    if (shape.kind == ShapeKind::Capsule || shape.kind == ShapeKind::Cylinder) {
      check_positive(key + ".radius", shape.radius, "m");
      check_positive(key + ".length", 2.0 * shape.half_length, "m");
    }
    if (shape.kind == ShapeKind::Box &&
        !(is_finite(shape.half) && std::min({shape.half[0], shape.half[1], shape.half[2]}) > 0.0))
      fail(key + ".size", fmt::format("all three edges of a box must be finite and > 0 m, they are {}, {}, {}",
                                      2 * shape.half[0], 2 * shape.half[1], 2 * shape.half[2]));
    if (shape.kind == ShapeKind::Hull || shape.kind == ShapeKind::Mesh) check_mesh(key, s);
    if (!is_finite(s.position)) fail(key + ".position", "must be finite");
    const Quatd& o = s.orientation;
    if (!(std::abs(o.w * o.w + o.x * o.x + o.y * o.y + o.z * o.z - 1) <= 1e-3))
      fail(key + ".orientation", "the quaternion (w, x, y, z) must have length 1");
    if (!(norm(s.along) > 0.0) || !is_finite(s.along)) fail(key + ".along", "the axis must be finite and not zero");
    if (s.material.empty()) fail(key + ".material", "a material needs a name");
  }

  void check_shapes() {
    for (const BodyPlan& body : plan.bodies) {
      std::set<std::string> names;
      for (const ShapePlan& s : body.shapes) {
        const std::string key = fmt::format("body.{}.shape.{}", body.name, s.name);
        if (!names.insert(s.name).second) fail(key, "two shapes of this body have this name");
        check_shape(key, s);
      }
    }
  }

  void check_steps(const Steps& steps) {
    if (steps.count < 1) fail("ground.steps.count", fmt::format("must be >= 1, is {}", steps.count));
    if (!std::isfinite(steps.start)) fail("ground.steps.start", "must be finite");
    check_positive("ground.steps.rise", steps.rise, "m");
    check_positive("ground.steps.run", steps.run, "m");
    check_positive("ground.steps.width", steps.width, "m");
  }

  void check_heights(const HeightField& f) {
    if (f.nx < 2) fail("ground.heights.nx", fmt::format("a field needs at least 2 points along x, has {}", f.nx));
    if (f.ny < 2) fail("ground.heights.ny", fmt::format("a field needs at least 2 points along y, has {}", f.ny));
    check_positive("ground.heights.dx", f.dx, "m");
    check_positive("ground.heights.dy", f.dy, "m");
    if (!all_finite({f.x0, f.y0})) fail("ground.heights", "x0 and y0 must be finite");
    if (f.nx >= 2 && f.ny >= 2 && f.z.size() != std::size_t(f.nx) * std::size_t(f.ny))
      fail("ground.heights.z", fmt::format("nx ny = {} x {} = {} heights are needed, {} are given", f.nx, f.ny,
                                           std::size_t(f.nx) * std::size_t(f.ny), f.z.size()));
    if (!all_finite(f.z)) fail("ground.heights.z", "all heights must be finite");
  }

  void check_profile(const Terrain& t) {
    const Profile& p = t.profile;
    if (p.x.empty() || p.z.size() != p.x.size() + 1)
      fail("ground.profile.z", fmt::format("every face has a piece before it, and the last one a piece behind it: {} x "
                                           "and {} z are given, z must have one more than x, and x at least one",
                                           p.x.size(), p.z.size()));
    if (!all_finite(p.x) || !std::ranges::is_sorted(p.x, std::ranges::less_equal{}))
      fail("ground.profile.x", "the faces must be finite and ascend, each beyond the one before");
    if (!all_finite(p.z)) fail("ground.profile.z", "all heights must be finite");
    if (!p.z.empty() && t.height != *std::ranges::min_element(p.z))
      fail("ground.profile.z", fmt::format("the floor ({} m) must be as high as the lowest piece ({} m)", t.height,
                                           *std::ranges::min_element(p.z)));
    check_positive("ground.profile.width", p.width, "m");
    check_positive("ground.profile.beyond", p.beyond, "m");
  }

  void check_region(const std::string& key, const PatchPlan& p) {
    for (const auto& [name, limits] : {std::pair{".x", &p.x}, std::pair{".y", &p.y}})
      if (!limits->empty() && !(limits->size() == 2 && all_finite(*limits) && (*limits)[0] < (*limits)[1]))
        fail(key + name, "must be two numbers, from and to, the first one smaller");
    check_not_negative(key + ".radius", p.radius, "m");
    if (p.radius > 0.0 && !(p.center.size() == 2 && all_finite(p.center)))
      fail(key + ".center", "a disc needs its centre: give center = [x, y], or no radius");
    if (!p.center.empty() && !(p.radius > 0.0))
      fail(key + ".radius", "a disc needs its radius: give radius > 0, or no center");
  }

  void check_patches() {
    std::set<std::string> names;
    if (!plan.ground.patches.empty() && plan.ground.terrain.kind == TerrainKind::None)
      fail("ground.patch." + plan.ground.patches[0].name,
           "there is no ground that it could be a part of: give ground.kind, such as \"plane\"");
    for (const PatchPlan& p : plan.ground.patches) {
      const std::string key = "ground.patch." + p.name;
      if (!names.insert(p.name).second) fail(key, "two patches have this name");
      check_region(key, p);
      check_not_negative(key + ".stiffness", p.stiffness, "N/m");
      check_not_negative(key + ".damping", p.damping, "N s/m");
      if (!(p.mu == -1.0 || p.mu >= 0.0) || std::isinf(p.mu))
        fail(key + ".mu", fmt::format("must be finite and >= 0, or -1: that of the materials; is {}", p.mu));
      if (!(p.restitution == -1.0 || (p.restitution >= 0.0 && p.restitution <= 1.0)))
        fail(key + ".restitution",
             fmt::format("must be from 0 to 1, or -1: that of the materials; is {}", p.restitution));
      check_softness(key, p);
    }
  }

  // What the law of contact can do with soft ground.
  void check_softness(const std::string& key, const PatchPlan& p) {
    const ContactOptions& o = plan.contact.options;
    const bool penalty = o.response == Response::Penalty;
    if (o.solver == ContactSolver::NewtonNormal && p.restitution > 0.0)
      fail(key + ".restitution", "has no meaning for contact.solver = \"newton-normal\": remove it, or use \"auto\"");
    if (p.damping > 0.0 && penalty)
      fail(key + ".damping",
           "with contact.law = \"penalty\" the damping follows from the restitution: give restitution instead, or use "
           "\"rigid\"");
    else if (p.damping > 0.0 && !(p.stiffness > 0.0))
      fail(key + ".damping", "only soft ground has a damping: give stiffness as well, or remove it");
    if (!(p.stiffness > 0.0) || penalty) return;
    if (p.restitution >= 0.0)
      fail(key + ".restitution", "soft ground bounces by its stiffness and damping: remove one of the two");
    if (o.response != Response::Rigid)
      fail(key + ".stiffness", fmt::format("contact.law = \"{}\" knows hard ground only: use \"rigid\" or \"penalty\"",
                                           response_names[int(o.response)]));
    if (o.solver == ContactSolver::ProxFixed || o.solver == ContactSolver::NewtonNormal)
      fail(key + ".stiffness", fmt::format("contact.solver = \"{}\" knows hard ground only: use \"auto\"",
                                           contact_solver_names[int(o.solver)]));
  }

  void check_ground() {
    const Terrain& t = plan.ground.terrain;
    if (!std::isfinite(t.height)) fail("ground.height", "must be finite");
    if (!(std::abs(norm(t.normal) - 1.0) <= 1e-9))
      fail("ground.normal", fmt::format("the normal must have length 1, has {:.6g}", norm(t.normal)));
    if (plan.ground.material.empty()) fail("ground.material", "a material needs a name");
    if (t.kind == TerrainKind::Steps) check_steps(t.steps);
    if (t.kind == TerrainKind::Heights) check_heights(t.field);
    if (t.kind == TerrainKind::Mesh && !t.mesh)
      fail("ground.mesh", "the ground has no mesh: give file, or vertices and triangles");
    if (t.kind == TerrainKind::Mesh && t.mesh) check_defects("ground.mesh", plan.ground.mesh.file, *t.mesh, false);
    if (t.kind == TerrainKind::Profile) check_profile(t);
    check_patches();
    check_obstacles();
  }

  void check_obstacles() {
    std::set<std::string> names;
    for (const ObstaclePlan& o : plan.ground.obstacles) {
      const std::string key = "ground.obstacle." + o.name;
      if (!names.insert(o.name).second) fail(key, "two obstacles have this name");
      if (!is_finite(o.position)) fail(key + ".position", "must be finite");
      if (!std::isfinite(o.yaw)) fail(key + ".yaw", "must be finite");
      if (o.kind != ObstacleKind::Box) check_positive(key + ".radius", o.radius, "m");
      if (o.kind == ObstacleKind::Peg) check_positive(key + ".height", o.height, "m");
      if (o.kind == ObstacleKind::Box && !(is_finite(o.size) && std::min({o.size[0], o.size[1], o.size[2]}) > 0.0))
        fail(key + ".size", fmt::format("all three edges of a box must be finite and > 0 m, they are {}, {}, {}",
                                        o.size[0], o.size[1], o.size[2]));
      if (o.material.empty()) fail(key + ".material", "a material needs a name");
    }
    const PegsPlan& pegs = plan.ground.pegs;
    if (pegs.x.size() != pegs.y.size())
      fail("ground.pegs.y",
           fmt::format("every peg has an x and a y, but there are {} x and {} y", pegs.x.size(), pegs.y.size()));
    if (!all_finite(pegs.x)) fail("ground.pegs.x", "must be finite");
    if (!all_finite(pegs.y)) fail("ground.pegs.y", "must be finite");
    check_positive("ground.pegs.radius", pegs.radius, "m");
    check_positive("ground.pegs.height", pegs.height, "m");
    if (pegs.material.empty()) fail("ground.pegs.material", "a material needs a name");
  }

  void run() {
    check_shapes();
    check_ground();
  }
};

}  // namespace

void check_shapes(const Plan& plan, std::vector<Problem>& problems) { ShapeChecker{{problems}, plan}.run(); }

}  // namespace sinew
