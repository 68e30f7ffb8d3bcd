#include "sinew/model/compile_loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/model/number_checks.h"

namespace sinew {
namespace {

// What the cable is given, r(t) (value + amplitude sin(2 pi f t + phase)): what a passage leaves of its absence is the rise of
// the constant part.
Motion<double> motion_of(const CablePlan& c) {
  Motion<double> m;
  m.offset = c.value;
  m.amplitude = c.amplitude;
  m.frequency = c.frequency;
  m.phase = c.phase;
  m.ramp = c.ramp;
  if (c.ramp > 0.0) m.passage = {0.0, c.ramp, -c.value, -3 * c.value, -6 * c.value};
  return m;
}

// The same of a load, whose table is there from its start on.
Motion<double> motion_of(const LoadPlan& load) {
  Motion<double> m;
  m.offset = load.factor;
  m.amplitude = load.amplitude;
  m.frequency = load.frequency;
  m.phase = load.phase;
  m.ramp = load.ramp;
  m.start = load.start;
  m.table = load.table;
  if (load.ramp > 0.0) m.passage = {load.start, load.ramp, -load.factor, -3 * load.factor, -6 * load.factor};
  return m;
}

struct LoadChecker : NumberChecks {
  const Plan& plan;

  void check_drag(const BodyPlan& b) {
    const std::string key = "body." + b.name;
    check_not_negative(key + ".drag_length", b.drag_length, "m");
    check_not_negative(key + ".drag_along", b.drag_along, "N s/m^2");
    check_not_negative(key + ".drag_across", b.drag_across, "N s/m^2");
    if (!is_finite(b.drag_axis) || !(norm(b.drag_axis) > 0.0))
      fail(key + ".drag_axis", "the axis must be finite and not zero");
  }

  void check_lift(const BodyPlan& b) {
    const std::string key = "body." + b.name + ".gravity_compensation";
    if (!std::isfinite(b.gravity_compensation)) fail(key, "must be finite");
    if (b.gravity_compensation != 0.0 && turns(plan.gravity.kind))
      fail(key, "in turning axes there is no weight that could be carried: remove it, or choose another gravity.kind");
  }

  void check_points(const std::string& key, const CablePlan& c) {
    const std::size_t n = c.bodies.size();
    if (n < 2)
      fail(key + ".bodies", "a cable needs at least two points: name the bodies that it leads over, or give rod");
    if (c.points.size() != 3 * n)
      fail(key + ".points", fmt::format("{} bodies need {} numbers: x, y, z of the cable's place in the axes of each; "
                                        "there are {}",
                                        n, 3 * n, c.points.size()));
    if (!std::ranges::all_of(c.points, [](double x) { return std::isfinite(x); }))
      fail(key + ".points", "must be finite");
    for (const std::string& name : c.bodies)
      if (name != "world" && std::ranges::find(plan.bodies, name, &BodyPlan::name) == plan.bodies.end())
        fail(key + ".bodies", fmt::format("no body is named '{}'", name));
  }

  void check_cable(const CablePlan& c) {
    const std::string key = "cable." + c.name;
    check_points(key, c);
    for (const double x : {c.value, c.amplitude, c.frequency, c.phase})
      if (!std::isfinite(x)) fail(key + ".amplitude", "what the cable is given must be finite");
    check_not_negative(key + ".ramp", c.ramp, "s");
    if (c.kind == CableKind::Chamber) check_positive(key + ".area", c.area, "m^2");
    if (!is_elastic(c.kind)) return;
    check_positive(key + ".stiffness", c.stiffness, "N/m");
    check_not_negative(key + ".damping", c.damping, "N s/m");
    check_not_negative(key + ".length0", c.length0, "m");
  }

  void check_load(const LoadPlan& load) {
    const std::string key = "load." + load.name;
    const auto is_known = [&](const std::string& name) {
      return std::ranges::find(plan.bodies, name, &BodyPlan::name) != plan.bodies.end();
    };
    if (load.bodies.empty() && !is_known(load.body))
      fail(key + ".body", load.body.empty() ? "a load needs the body, or the rod, on which it acts"
                                            : fmt::format("no body is named '{}'", load.body));
    if (!is_finite(load.point) || !is_finite(load.force) || !is_finite(load.couple))
      fail(key + ".force", "point, force and couple must be finite");
    for (const double x : {load.factor, load.amplitude, load.frequency, load.phase, load.start})
      if (!std::isfinite(x)) fail(key + ".factor", "what the load is over time must be finite");
    check_not_negative(key + ".ramp", load.ramp, "s");
    if (load.ramp > 0.0 && load.start > 0.0 && load.factor != 0.0)
      fail(key + ".ramp", "a ramp begins at t = 0: give a start, or a ramp, or say both in a table");
  }

  void check_marker(const MarkerPlan& m) {
    const std::string key = "marker." + m.name;
    if (std::ranges::find(plan.bodies, m.body, &BodyPlan::name) == plan.bodies.end())
      fail(key + ".body",
           m.body.empty() ? "a marker needs the body that carries it" : fmt::format("no body is named '{}'", m.body));
    if (!is_finite(m.position)) fail(key + ".position", "must be finite");
  }

  void run() {
    for (const BodyPlan& b : plan.bodies) {
      check_drag(b);
      check_lift(b);
    }
    std::set<std::string> loads;
    for (const LoadPlan& load : plan.loads) {
      if (!loads.insert(load.name).second) fail("load." + load.name, "two loads have this name");
      check_load(load);
    }
    std::set<std::string> marked;
    for (const MarkerPlan& m : plan.markers) {
      if (!marked.insert(m.name).second) fail("marker." + m.name, "two markers have this name");
      check_marker(m);
    }
    std::set<std::string> names;
    for (const CablePlan& c : plan.cables) {
      if (!names.insert(c.name).second) fail("cable." + c.name, "two cables have this name");
      check_cable(c);
    }
  }
};

// On one body, or on the bodies of a rod.
void compile_load(const LoadPlan& load, const std::function<int(const std::string&)>& link, Model& model,
                  Params<double>& params) {
  const int motion = model.n_motions++;
  params.motions.push_back(motion_of(load));
  const auto add = [&](const std::string& body, const Vec3d& point, double share) {
    const int i = link(body);
    const Posed& X_FB = model.links[std::size_t(i)].X_FB;
    const auto turned = [&](const Vec3d& v) { return (load.follows ? X_FB.R * v : v) * share; };
    model.loads.push_back({load.name, i, motion, load.follows});
    params.loads.push_back({X_FB * point, turned(load.force), turned(load.couple)});
  };
  if (load.bodies.empty()) add(load.body, load.point, 1.0);
  for (std::size_t k = 0; k < load.bodies.size(); k++) add(load.bodies[k], load.points[k], load.shares[k]);
}

}  // namespace

void check_loads(const Plan& plan, std::vector<Problem>& problems) { LoadChecker{{problems}, plan}.run(); }

void compile_loads(const Plan& plan, const std::function<int(const std::string&)>& link, Model& model,
                   Params<double>& params) {
  for (const RodPlan& r : plan.rods)
    model.rods.push_back({r.name, link(r.name + ".0"), link(fmt::format("{}.{}", r.name, r.segments))});
  std::vector<const BodyPlan*> body_of(model.links.size());
  for (const BodyPlan& b : plan.bodies) body_of[link(b.name)] = &b;
  for (int i = 0; i < model.link_count(); i++) {
    const BodyPlan& b = *body_of[i];
    if (b.gravity_compensation != 0.0) {
      model.lifted_links.push_back(i);
      params.lifts.push_back(b.gravity_compensation);
    }
    const double L = b.drag_length;
    if (L * (b.drag_along + b.drag_across) == 0.0) continue;
    model.drag_links.push_back(i);
    params.drags.push_back({model.links[i].X_FB.R * normalized(b.drag_axis), b.drag_along * L, b.drag_across * L,
                            b.drag_across * L * L * L / 12});
  }
  for (const LoadPlan& load : plan.loads) compile_load(load, link, model, params);
  for (const MarkerPlan& m : plan.markers) model.markers.push_back({m.name, link(m.body), m.position});
  for (const CablePlan& c : plan.cables) {
    model.cables.push_back({c.name, c.kind, int(model.cable_links.size()), int(c.bodies.size()), model.n_motions++});
    params.motions.push_back(motion_of(c));
    params.cables.push_back({c.stiffness, c.damping, c.length0, c.kind == CableKind::Chamber ? -c.area : 1.0});
    for (std::size_t i = 0; i < c.bodies.size(); i++) {
      const int at = link(c.bodies[i]);
      const Vec3d p{c.points[3 * i], c.points[3 * i + 1], c.points[3 * i + 2]};
      model.cable_links.push_back(at);
      params.cable_points.push_back(at == world_body ? p : model.links[at].X_FB * p);
    }
  }
}

template <Real S>
void broadcast_loads(const Params<double>& from, Params<S>& to) {
  for (const auto& d : from.drags) to.drags.push_back({broadcast<S>(d.t_F), S(d.along), S(d.across), S(d.turning)});
  for (const double x : from.lifts) to.lifts.push_back(S(x));
  for (const auto& l : from.loads)
    to.loads.push_back({broadcast<S>(l.p_F), broadcast<S>(l.force), broadcast<S>(l.couple)});
  for (const auto& c : from.cables) to.cables.push_back({S(c.k), S(c.d), S(c.length0), S(c.scale)});
  for (const auto& p : from.cable_points) to.cable_points.push_back(broadcast<S>(p));
}
template void broadcast_loads(const Params<double>&, Params<double>&);
template void broadcast_loads(const Params<double>&, Params<Lanes>&);

}  // namespace sinew
