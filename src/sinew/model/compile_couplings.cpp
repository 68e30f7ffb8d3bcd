#include "sinew/model/compile_couplings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "sinew/math/check.h"
#include "sinew/model/number_checks.h"

namespace sinew {
namespace {

// Coordinates are what the axes have turned and slid by, and axes stand still in the parent.
bool counts_along_axes(JointKind kind) {
  return joint::visit(kind, []<class J>() {
    return J::nq == J::nu && J::nu > 0 && J::turning_axes.empty() && !J::drifts && J::name != joint::Flex::name;
  });
}

bool is_angle(JointKind kind, int axis) {
  return joint::visit(kind, [axis]<class J>() { return std::ranges::find(J::angles, axis) != J::angles.end(); });
}

double entry(const std::vector<double>& values, std::size_t i) { return i < values.size() ? values[i] : 0.0; }

struct CouplingChecker : NumberChecks {
  const Plan& plan;

  void check_numbers(const std::string& key, const CouplingPlan& c) {
    const auto size = [&](const char* name, const std::vector<double>& values, bool needed) {
      if (values.size() != c.joints.size() && (needed || !values.empty()))
        fail(key + "." + name,
             fmt::format("{} joints need {} numbers, there are {}", c.joints.size(), c.joints.size(), values.size()));
      if (!std::ranges::all_of(values, [](double x) { return std::isfinite(x); }))
        fail(key + "." + name, "must be finite");
    };
    size("axes", c.axes, false);
    size("factors", c.factors, c.squares.empty() && c.cubes.empty() && c.fourths.empty());
    size("squares", c.squares, false);
    size("cubes", c.cubes, false);
    size("fourths", c.fourths, false);
    if (!std::isfinite(c.sum)) fail(key + ".sum", "must be finite");
  }

  void check_joints(const std::string& key, const CouplingPlan& c) {
    if (c.joints.empty()) return fail(key + ".joints", "a coupling needs the joints that it holds to each other");
    check_numbers(key, c);
    bool moves = false;
    for (std::size_t i = 0; i < c.joints.size(); i++) {
      const auto found = std::ranges::find(plan.joints, c.joints[i], &JointPlan::name);
      if (found == plan.joints.end()) {
        fail(key + ".joints", fmt::format("no joint is named '{}'", c.joints[i]));
        continue;
      }
      const int n = joint::freedom_count(found->kind);
      if (!counts_along_axes(found->kind))
        fail(key + ".joints",
             fmt::format("the {} joint '{}' has no coordinate that adds up along an axis: couple revolute, prismatic, "
                         "planar or cylindrical joints",
                         joint::name_of(found->kind), c.joints[i]));
      else if (const double axis = entry(c.axes, i); !(axis >= 0.0 && axis < n && axis == std::floor(axis)))
        fail(key + ".axes", fmt::format("the {} joint '{}' has {} axes, counted from 0: there is no axis {}",
                                        joint::name_of(found->kind), c.joints[i], n, axis));
      moves |= found->drive != Drive::Motion;
    }
    if (!moves)
      fail(key + ".joints", "all of its joints follow given motions exactly: give one of them another drive, or none");
  }

  void check_distance(const std::string& key, const CouplingPlan& c) {
    if (c.bodies.size() != 2) fail(key + ".bodies", "a distance needs two bodies, of which one may be \"world\"");
    for (const std::string& name : c.bodies)
      if (name != "world" && std::ranges::find(plan.bodies, name, &BodyPlan::name) == plan.bodies.end())
        fail(key + ".bodies", fmt::format("no body is named '{}'", name));
    if (c.bodies.size() == 2 && c.bodies[0] == c.bodies[1])
      fail(key + ".bodies", "points of one body keep their distance anyway: name two bodies");
    if (c.points.size() != 6)
      fail(key + ".points", fmt::format("two bodies need 6 numbers: x, y, z of a point in the axes of each; there are "
                                        "{}",
                                        c.points.size()));
    if (!std::ranges::all_of(c.points, [](double x) { return std::isfinite(x); }))
      fail(key + ".points", "must be finite");
    check_positive(key + ".length", c.length, "m");
  }

  void check_screw(const std::string& key, const JointPlan& j) {
    if (!std::isfinite(j.tie.pitch) || j.tie.pitch == 0.0)
      fail(key + ".pitch", "a screw needs a pitch, the way along its axis of one turn, that is finite and not zero");
    if (j.kind != kind_of(j.tie.kind)) fail(key + ".kind", "a screw is a cylindrical joint with a tie");
    const auto fits = [&](const char* name, const std::vector<double>& values) {
      if (values.size() != 2) return;
      const double follows = values[0] * j.tie.slope();
      if (!(std::abs(values[1] - follows) <= 1e-9 * (1.0 + std::abs(follows))))
        fail(key + "." + name,
             fmt::format("a screw that has turned by {:.6g} has gone {:.6g} along its axis, not {:.6g}: give the turn "
                         "alone",
                         values[0], follows, values[1]));
    };
    fits("position", j.position);
    fits("velocity", j.velocity);
  }

  void check_tie(const JointPlan& j) {
    const std::string key = (j.loop ? "loop." : "joint.") + j.name;
    if (!j.tie.is_there()) return;
    if (j.drive == Drive::Motion || j.drive == Drive::Computed)
      fail(key + ".drive", fmt::format("a {} joint holds its axes to each other and cannot follow given motions of all "
                                       "of them: use drive = \"servo\" or \"torque\"",
                                       name_of(j.tie.kind)));
    if (j.tie.kind == JointTie::Screw) return check_screw(key, j);
    if (j.kind != kind_of(j.tie.kind)) fail(key + ".kind", "a distance is a flex joint with a tie");
    check_positive(key + ".length", j.tie.length, "m");
  }

  void run() {
    for (const JointPlan& j : plan.joints) check_tie(j);
    std::set<std::string> names;
    for (const CouplingPlan& c : plan.couplings) {
      const std::string key = "coupling." + c.name;
      if (!names.insert(c.name).second) fail(key, "two couplings have this name");
      c.kind == CouplingKind::Joints ? check_joints(key, c) : check_distance(key, c);
    }
  }
};

struct CouplingCompiler {
  Model& model;
  Params<double>& params;

  void begin(const std::string& name, double value) {
    model.couplings.push_back({name, model.n_rows++, int(model.coupling_terms.size()), 0});
    params.couplings.push_back({value, 0.0});
  }
  void add_term(int index, int axis, const std::array<double, 4>& factor) {
    const JointInfo& info = model.joints[std::size_t(index)];
    model.coupling_terms.push_back({index, axis, info.parent, info.child});
    params.coupling_terms.push_back({{factor[0], factor[1], factor[2], factor[3]}, Vec3d::zero(), Vec3d::zero()});
    model.couplings.back().n_terms++;
  }

  // Angles of cut joints are known but for whole turns. These change the sum by multiples of the least factor times 2 pi, if all factors
  // of such angles are multiples of it; otherwise such joints must stay within half a turn.
  void set_modulus() {
    const Coupling& c = model.couplings.back();
    double least = 0.0;
    std::vector<double> factors;
    for (int t = c.term; t < c.term + c.n_terms; t++) {
      const CouplingTerm& term = model.coupling_terms[std::size_t(t)];
      const JointInfo& info = model.joints[std::size_t(term.joint)];
      const double* f = params.coupling_terms[std::size_t(t)].factor;
      if (info.cut < 0 || !is_angle(info.kind, term.axis)) continue;
      if (f[0] == 0.0 || f[1] != 0.0 || f[2] != 0.0 || f[3] != 0.0) return;
      factors.push_back(std::abs(f[0]));
      least = least > 0.0 ? std::min(least, factors.back()) : factors.back();
    }
    for (const double f : factors)
      if (std::abs(f / least - std::round(f / least)) > 1e-12 * f / least) return;
    params.couplings.back().modulus = 2.0 * std::numbers::pi * least;
  }

  // Between points of two bodies, in their plan's axes.
  void add_distance(const std::array<int, 2>& bodies, const std::array<Vec3d, 2>& points) {
    const auto in_link = [&](std::size_t i) {
      return bodies[i] == world_body ? points[i] : model.links[std::size_t(bodies[i])].X_FB * points[i];
    };
    model.coupling_terms.push_back({-1, 0, bodies[0], bodies[1]});
    params.coupling_terms.push_back({{1.0, 0.0, 0.0, 0.0}, in_link(0), in_link(1)});
    model.couplings.back().n_terms++;
  }

  void add_tie(const JointPlan& j, int index) {
    if (!j.tie.is_there()) return;
    const JointInfo& info = model.joints[std::size_t(index)];
    const bool is_screw = j.tie.kind == JointTie::Screw;
    begin(j.name, is_screw ? 0.0 : j.tie.length);
    model.couplings.back().joint = index;
    if (!is_screw) return add_distance({info.parent, info.child}, {j.p_parent, j.p_child});
    add_term(index, 0, {j.tie.slope(), 0.0, 0.0, 0.0});
    add_term(index, 1, {-1.0, 0.0, 0.0, 0.0});
    set_modulus();
  }
};

}  // namespace

void check_couplings(const Plan& plan, std::vector<Problem>& problems) { CouplingChecker{{problems}, plan}.run(); }

void compile_couplings(const Plan& plan, const std::function<int(const std::string&)>& link, Model& model,
                       Params<double>& params) {
  SINEW_ASSERT(model.joints.size() == plan.joints.size());
  CouplingCompiler out{model, params};
  for (const CouplingPlan& c : plan.couplings) {
    const bool is_distance = c.kind == CouplingKind::Distance;
    out.begin(c.name, is_distance ? c.length : c.sum);
    if (is_distance) {
      const auto point = [&](std::size_t i) { return Vec3d(c.points[i], c.points[i + 1], c.points[i + 2]); };
      out.add_distance({link(c.bodies[0]), link(c.bodies[1])}, {point(0), point(3)});
      continue;
    }
    for (std::size_t i = 0; i < c.joints.size(); i++)
      out.add_term(model.joint(c.joints[i]), int(entry(c.axes, i)),
                   {entry(c.factors, i), entry(c.squares, i), entry(c.cubes, i), entry(c.fourths, i)});
    out.set_modulus();
  }
  for (std::size_t i = 0; i < plan.joints.size(); i++) out.add_tie(plan.joints[i], int(i));
}

template <Real S>
void broadcast_couplings(const Params<double>& from, Params<S>& to) {
  for (const auto& c : from.couplings) to.couplings.push_back({S(c.value), S(c.modulus)});
  for (const auto& t : from.coupling_terms)
    to.coupling_terms.push_back(
        {{S(t.factor[0]), S(t.factor[1]), S(t.factor[2]), S(t.factor[3])}, broadcast<S>(t.p_1), broadcast<S>(t.p_2)});
}
template void broadcast_couplings(const Params<double>&, Params<double>&);
template void broadcast_couplings(const Params<double>&, Params<Lanes>&);

}  // namespace sinew
