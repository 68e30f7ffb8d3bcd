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
