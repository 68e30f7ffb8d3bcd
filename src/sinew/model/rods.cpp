#include "sinew/model/rods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "sinew/math/elementary.h"
#include "sinew/model/number_checks.h"

namespace sinew {
namespace {

struct CrossSection {
  double A, I_y, I_z, J;  // area, of bending about y and z, of torsion [m^2, m^4]
};

// Torsion of a rectangle a >= b after Saint-Venant: J = a b^3 (1/3 - 0.21 b/a (1 - b^4 / (12 a^4))), to 0.5 %.
CrossSection section_of(const RodPlan& r) {
  const double pi = std::numbers::pi;
  if (r.width > 0.0) {
    const double a = std::max(r.width, r.height), b = std::min(r.width, r.height), x = b / a;
    return {r.width * r.height, r.width * r.height * r.height * r.height / 12,
            r.height * r.width * r.width * r.width / 12,
            a * b * b * b * (1.0 / 3 - 0.21 * x * (1 - x * x * x * x / 12))};
  }
  const double r2 = r.radius * r.radius;
  return {pi * r2, pi * r2 * r2 / 4, pi * r2 * r2 / 4, pi * r2 * r2 / 2};
}

struct Maker {
  const RodPlan& rod;
  Plan& plan;
  CrossSection s = section_of(rod);
  double h = rod.length / rod.segments;
  double G = rod.shear_modulus();
  double eta_G = rod.shear_viscosity >= 0.0 ? rod.shear_viscosity : rod.viscosity * G / rod.E;
  Vec3d turn = rod.rest_curvature * h;  // of a segment at rest

  std::string name(int i) const { return fmt::format("{}.{}", rod.name, i); }

  double reach() const { return rod.width > 0.0 ? 0.5 * math::hypot(rod.width, rod.height) : rod.radius; }

  // Bodies are centred at their node, but for the two at the ends.
  void add_body(int i) {
    const bool first = i == 0, last = i == rod.segments;
    const double L = first || last ? 0.5 * h : h, m = rod.density * s.A * L, slender = m * L * L / 12;
    BodyPlan b;
    b.name = name(i);
    b.mass = m;
    b.com = {first ? 0.25 * h : last ? -0.25 * h : 0.0, 0, 0};
    const double rho_L = rod.density * L;
    b.inertia = Sym3d::diagonal(0.0);
    b.inertia.xx = rho_L * (s.I_y + s.I_z);
    b.inertia.yy = rho_L * s.I_y + slender;
    b.inertia.zz = rho_L * s.I_z + slender;
    b.drag_length = L;
    b.drag_along = rod.drag_along;
    b.drag_across = rod.drag_across;
    if (rod.shape != RodShape::None) b.shapes = {shape_of(L, b.com)};
    plan.bodies.push_back(std::move(b));
  }

  ShapePlan shape_of(double L, const Vec3d& com) const {
    ShapePlan out;
    out.name = "skin";
    out.material = rod.material;
    out.shape.radius = rod.radius;
    if (rod.shape == RodShape::Sphere) {
      out.shape.kind = ShapeKind::Sphere;
    } else if (rod.shape == RodShape::Box) {
      out.shape.kind = ShapeKind::Box;
      out.position = com;
      out.shape.half = {0.5 * L, 0.5 * rod.width, 0.5 * rod.height};
    } else {
      out.shape.kind = ShapeKind::Capsule;
      out.position = com;
      out.shape.half_length = 0.5 * L;
      out.orientation = quaternion_exp(Vec3d(0, 0.5 * std::numbers::pi, 0));  // its z along the rod
    }
    return out;
  }

  void add_base() {
    JointPlan j;
    j.name = rod.name + ".base";
    j.child = name(0);
    j.p_parent = rod.p_parent;
    j.orientation = rod.orientation;
    if (rod.parent == "free") {
      j.kind = JointKind::Free;
      j.position = {0.25 * h, 0, 0, 1, 0, 0, 0};  // of the centre of mass
    } else {
      j.kind = JointKind::Weld;
      j.parent = rod.parent;
    }
    plan.joints.push_back(std::move(j));
  }

  void add_tip() {
    if (rod.child.empty()) return;
    const auto carries = [&](const JointPlan& j) { return !j.loop && j.child == rod.child; };
    JointPlan j;
    j.name = rod.name + ".tip";
    j.kind = JointKind::Weld;
    j.loop = rod.child == "world" || std::ranges::any_of(plan.joints, carries);
    if (rod.child == "world") {
      j.parent = "world";
      j.child = name(rod.segments);
      j.p_parent = rod.p_child;
      j.orientation = rod.child_orientation;
    } else {
      j.parent = name(rod.segments);
      j.child = rod.child;
      j.p_child = rod.p_child;
      j.orientation = conjugate(rod.child_orientation);
    }
    plan.joints.push_back(std::move(j));
  }

  // One value for each axis of a six-axis joint: about x, y, z, then along them.
  std::vector<double> six(double torsion, double y, double z, double stretch, double shear) const {
    std::vector<double> all{torsion / h, y / h, z / h, stretch / h, shear / h, shear / h};
    if (rod.freedoms == RodFreedoms::Kirchhoff) all.resize(3);
    if (rod.freedoms == RodFreedoms::Planar) all = {all[2]};
    return all;
  }

  static double given_or(double given, double own) { return given >= 0.0 ? given : own; }

  void add_elastic(JointPlan& j) const {
    constexpr JointKind kinds[] = {JointKind::Flex, JointKind::Ball, JointKind::Revolute};
    j.kind = kinds[int(rod.freedoms)];
    const double k = rod.shear_factor;
    j.stiffness = six(given_or(rod.GJ, G * s.J), given_or(rod.EI_y, rod.E * s.I_y), given_or(rod.EI_z, rod.E * s.I_z),
                      given_or(rod.EA, rod.E * s.A), given_or(rod.GA, k * G * s.A));
    if (rod.viscosity > 0.0 || rod.shear_viscosity > 0.0)
      j.damping = six(eta_G * s.J, rod.viscosity * s.I_y, rod.viscosity * s.I_z, rod.viscosity * s.A, k * eta_G * s.A);
  }

  // h K(X, t) in the middle X of the segment: cos(a - w t) = sin(w t + pi/2 - a). The bias rises with the wave, as what a
  // passage leaves of its absence.
  void add_driven(JointPlan& j, double X) const {
    const RodWavePlan& w = rod.wave;
    const double two_pi = 2 * std::numbers::pi, b = h * w.bias;
    Motion<double> m;
    m.offset = b;
    m.amplitude = h * (w.amplitude + w.slope * X / rod.length);
    m.frequency = 1 / w.period;
    m.phase = 0.25 * two_pi - two_pi * X / w.wavelength - w.phase;
    m.ramp = w.ramp;
    if (w.ramp > 0.0) m.passage = {0.0, w.ramp, -b, -3 * b, -6 * b};
    j.kind = JointKind::Revolute;
    j.drive = Drive::Motion;
    j.motion = {m};
  }

  void add_joint(int i) {
    JointPlan j;
    j.name = name(i);
    j.parent = name(i - 1);
    j.child = name(i);
    j.p_parent = {0.5 * h, 0, 0};
    j.p_child = {-0.5 * h, 0, 0};
    j.orientation = quaternion_exp(turn);
    const Mat3d back = to_matrix(quaternion_exp(turn * -0.5));
    j.axis = back.col(2);
    j.axis2 = back.col(1);
    if (rod.wave.on) {
      add_driven(j, (i - 0.5) * h);
      if (rod.wave.axis == 0) {
        j.axis = back.col(1);
        j.axis2 = back.col(2);
      }
    } else {
      add_elastic(j);
    }
    plan.joints.push_back(std::move(j));
  }

  // Neighbours overlap, and so do the ends and what holds them.
  void ignore_contacts() {
    if (rod.shape == RodShape::None) return;
    auto& ignore = plan.contact.ignore;
    ignore.push_back(fmt::format("{0}.*:{0}.*", rod.name));
    for (int i = 1; i <= rod.segments && (i - 0.5) * h < 2 * reach(); i++) {
      if (rod.parent != "world" && rod.parent != "free") ignore.push_back(rod.parent + ":" + name(i));
      if (!rod.child.empty() && rod.child != "world") ignore.push_back(name(rod.segments - i) + ":" + rod.child);
    }
  }

  void make() {
    add_base();
    for (int i = 0; i <= rod.segments; i++) {
      add_body(i);
      if (i > 0) add_joint(i);
    }
    add_tip();
    ignore_contacts();
  }
};

// Over the nodes up to the end, and to the end itself if it lies between two of them.
void lay_along(const RodPlan& rod, CablePlan& cable) {
  const double h = rod.length / rod.segments, end = cable.end < 0.0 ? rod.length : cable.end;
  const auto add = [&](int i, double x) {
    cable.bodies.push_back(fmt::format("{}.{}", rod.name, i));
    cable.points.insert(cable.points.end(), {x, cable.offset_y, cable.offset_z});
  };
  for (int i = 0; i <= rod.segments && i * h <= end * (1 + 1e-12); i++) add(i, 0.0);
  const int last = int(cable.bodies.size()) - 1;
  const double rest = end - last * h;
  if (rest > 1e-9 * h) add(rest > 0.5 * h ? last + 1 : last, rest > 0.5 * h ? rest - h : rest);
  cable.rod.clear();
}

// At the section X of a rod: on the body that carries it, at its place there. A rod's node 0 and its last one are half as long.
void lay_at(const RodPlan& rod, double X, double share, LoadPlan& load) {
  const double h = rod.length / rod.segments;
  const int i = std::clamp(int(std::floor(X / h + 0.5)), 0, rod.segments);
  load.bodies.push_back(fmt::format("{}.{}", rod.name, i));
  load.points.push_back({X - i * h, 0.0, 0.0});
  load.shares.push_back(share);
}

void lay_on(const RodPlan& rod, LoadPlan& load) {
  const double h = rod.length / rod.segments;
  if (!load.spread) lay_at(rod, load.at < 0.0 ? rod.length : load.at, 1.0, load);
  for (int i = 0; load.spread && i <= rod.segments; i++) {
    const double from = std::max(0.0, (i - 0.5) * h), to = std::min(rod.length, (i + 0.5) * h);
    lay_at(rod, 0.5 * (from + to), to - from, load);
  }
  load.rod.clear();
}

struct RodChecker : NumberChecks {
  const Plan& plan;

  bool is_body(const std::string& name) const {
    const auto named = [&](const auto& part) { return part.name == name; };
    if (name == "world" || std::ranges::any_of(plan.bodies, named)) return true;
    return std::ranges::any_of(plan.rods, [&](const RodPlan& r) {
      for (int i = 0; i <= r.segments; i++)
        if (name == fmt::format("{}.{}", r.name, i)) return true;
      return false;
    });
  }

  void check_unit(const std::string& key, const Quatd& o) {
    if (!(std::abs(o.w * o.w + o.x * o.x + o.y * o.y + o.z * o.z - 1) <= 1e-3))
      fail(key, "the quaternion (w, x, y, z) must have length 1");
  }

  void check_section(const std::string& key, const RodPlan& r) {
    check_positive(key + ".length", r.length, "m");
    check_positive(key + ".density", r.density, "kg/m^3");
    check_positive(key + ".E", r.E, "Pa");
    check_not_negative(key + ".G", r.G, "Pa");
    check_positive(key + ".shear_factor", r.shear_factor, "");
    if (!(r.nu > -1.0 && r.nu <= 0.5)) fail(key + ".nu", fmt::format("must be above -1 and at most 0.5, is {}", r.nu));
    if (r.width != 0.0 || r.height != 0.0) {
      check_positive(key + ".width", r.width, "m");
      check_positive(key + ".height", r.height, "m");
    } else {
      check_positive(key + ".radius", r.radius, "m");
    }
    if (r.shape == RodShape::Box && !(r.width > 0.0))
      fail(key + ".shape", "only a rod with width and height can be a row of boxes: give them, or use \"capsule\"");
    if (r.shape != RodShape::Box && r.shape != RodShape::None && r.width > 0.0)
      fail(key + ".shape", "a rod with width and height is a row of boxes, or has no shape: use \"box\" or \"none\"");
    check_not_negative(key + ".viscosity", r.viscosity, "Pa s");
    check_not_negative(key + ".drag_along", r.drag_along, "N s/m^2");
    check_not_negative(key + ".drag_across", r.drag_across, "N s/m^2");
    for (const double x : {r.EA, r.GA, r.GJ, r.EI_y, r.EI_z})
      if (!std::isfinite(x)) fail(key + ".EI_z", "EA, GA, GJ, EI_y and EI_z must be finite");
  }

  void check_rod(const RodPlan& r) {
    const std::string key = "rod." + r.name;
    if (r.parent != "free" && !is_body(r.parent))
      fail(key + ".parent", fmt::format("no body is named '{}': give one, \"world\" or \"free\"", r.parent));
    if (!r.child.empty() && !is_body(r.child)) fail(key + ".tip_on", fmt::format("no body is named '{}'", r.child));
    if (r.segments < 1 || r.segments > 10000)
      fail(key + ".segments", fmt::format("must be from 1 to 10000, is {}", r.segments));
    check_unit(key + ".orientation", r.orientation);
    check_unit(key + ".tip_orientation", r.child_orientation);
    if (!is_finite(r.p_parent)) fail(key + ".p_parent", "must be finite");
    if (!is_finite(r.p_child)) fail(key + ".p_tip", "must be finite");
    if (!is_finite(r.rest_curvature)) fail(key + ".rest_curvature", "must be finite");
    check_section(key, r);
    if (r.freedoms == RodFreedoms::Planar && (r.rest_curvature[0] != 0.0 || r.rest_curvature[1] != 0.0))
      fail(key + ".rest_curvature", "a planar rod bends about z alone: give [0, 0, K]");
    if (!r.wave.on) return;
    check_positive(key + ".wave.wavelength", r.wave.wavelength, "m");
    check_positive(key + ".wave.period", r.wave.period, "s");
    check_not_negative(key + ".wave.ramp", r.wave.ramp, "s");
  }

  void check_cable(const CablePlan& c) {
    if (c.rod.empty()) return;
    const std::string key = "cable." + c.name;
    const auto rod = std::ranges::find(plan.rods, c.rod, &RodPlan::name);
    if (rod == plan.rods.end())
      fail(key + ".rod", fmt::format("no rod is named '{}'", c.rod));
    else if (c.end > rod->length * (1 + 1e-12) || c.end == 0.0)
      fail(key + ".end",
           fmt::format("must be on the rod, above 0 and up to its length of {} m, is {}", rod->length, c.end));
    if (!c.bodies.empty() || !c.points.empty())
      fail(key + ".rod", "the cable runs along a rod and over points of bodies: give rod, or bodies and points");
  }

  void check_load(const LoadPlan& load) {
    const std::string key = "load." + load.name;
    if (load.rod.empty()) {
      if (load.spread && load.bodies.empty()) fail(key + ".spread", "only a load on a rod is spread: give rod");
      return;
    }
    const auto rod = std::ranges::find(plan.rods, load.rod, &RodPlan::name);
    if (rod == plan.rods.end())
      fail(key + ".rod", fmt::format("no rod is named '{}'", load.rod));
    else if (!load.spread && load.at > rod->length)
      fail(key + ".at", fmt::format("must be on the rod, up to its length of {} m, is {}", rod->length, load.at));
    if (!load.body.empty()) fail(key + ".rod", "the load acts on a rod and on a body: give one of them");
  }

  void run() {
    for (const LoadPlan& load : plan.loads) check_load(load);
    std::set<std::string> names;
    for (const RodPlan& r : plan.rods) {
      if (!names.insert(r.name).second) fail("rod." + r.name, "two rods have this name");
      check_rod(r);
    }
    for (const CablePlan& c : plan.cables) check_cable(c);
  }
};

}  // namespace

bool has_unmade_rods(const Plan& plan) {
  return std::ranges::any_of(plan.rods, [](const RodPlan& r) { return !r.made; }) ||
         std::ranges::any_of(plan.cables, [](const CablePlan& c) { return !c.rod.empty(); }) ||
         std::ranges::any_of(plan.loads, [](const LoadPlan& l) { return !l.rod.empty(); });
}

std::vector<Problem> problems_of_rods(const Plan& plan) {
  std::vector<Problem> problems;
  RodChecker{{problems}, plan}.run();
  return problems;
}

Plan with_rods(Plan plan) {
  if (!has_unmade_rods(plan)) return plan;
  auto problems = problems_of_rods(plan);
  if (!problems.empty()) throw PlanError(std::move(problems));
  for (std::size_t i = 0; i < plan.rods.size(); i++) {
    if (plan.rods[i].made) continue;
    Maker{plan.rods[i], plan}.make();
    plan.rods[i].made = true;
  }
  for (CablePlan& c : plan.cables)
    if (!c.rod.empty()) lay_along(*std::ranges::find(plan.rods, c.rod, &RodPlan::name), c);
  for (LoadPlan& l : plan.loads)
    if (!l.rod.empty()) lay_on(*std::ranges::find(plan.rods, l.rod, &RodPlan::name), l);
  return plan;
}

}  // namespace sinew
