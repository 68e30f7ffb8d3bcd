// Plan -> Model: orders the bodies into a forest, numbers coordinates, moves every quantity into the link frames.
#include "sinew/model/compile.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string_view>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"
#include "sinew/model/compile_contacts.h"
#include "sinew/model/compile_count.h"
#include "sinew/model/compile_couplings.h"
#include "sinew/model/compile_loads.h"
#include "sinew/model/compile_sensors.h"
#include "sinew/model/drives.h"
#include "sinew/model/fits.h"
#include "sinew/model/rods.h"
#include "sinew/model/section_plant.h"
#include "sinew/model/set_points.h"

namespace sinew {
namespace {

struct Compiler {
  const Plan& plan;
  Coordinates coordinates;
  Model model = {};
  Params<double> params = {};
  State<double> state = {};
  std::vector<int> order = {};              // plan body of each link
  std::map<std::string, int> link_of = {};  // by body name
  std::vector<int> carrier = {};            // plan joint that carries each link
  std::vector<int> youngest_child = {};     // of each link, among those that are there already; -1: none

  static bool is_identity(const Mat3d& R) {
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++)
        if (R(i, k) != (i == k ? 1.0 : 0.0)) return false;
    return true;
  }

  // The joint's frame in the child's axes: z along the axis, y as near to axis2 as it can be.
  static Mat3d joint_axes(const JointPlan& j) {
    const Vec3d z = normalized(j.axis);
    const auto perpendicular = [&z](const Vec3d& a) { return a - z * dot(z, a); };
    Vec3d y = perpendicular(j.axis2);
    if (!(norm(y) > 1e-6 * norm(j.axis2))) y = perpendicular(std::abs(z[0]) < 0.5 ? Vec3d(1, 0, 0) : Vec3d(0, 1, 0));
    y = normalized(y);
    return {cross(y, z), y, z};
  }
  static Posed joint_in_child(const JointPlan& j) { return {joint_axes(j), j.p_child}; }
  static Posed joint_in_parent(const JointPlan& j) {
    return {to_matrix(normalized(j.orientation)) * joint_axes(j), j.p_parent};
  }

  // Bodies and the joints below them by name: a pile has thousands, and a search for each would take their square.
  struct ByName {
    std::map<std::string_view, int> body;
    std::map<std::string_view, std::vector<int>> below;  // joints, in the order of the plan
  };
  ByName by_name() const {
    ByName names;
    for (std::size_t b = 0; b < plan.bodies.size(); b++) names.body[plan.bodies[b].name] = int(b);
    for (std::size_t i = 0; i < plan.joints.size(); i++)
      if (!plan.joints[i].loop) names.below[plan.joints[i].parent].push_back(int(i));
    return names;
  }
  void visit_children(const std::string& parent, const ByName& names) {
    const auto found = names.below.find(parent);
    if (found == names.below.end()) return;
    for (const int i : found->second) {
      const std::string& child = plan.joints[i].child;
      link_of[child] = int(order.size());
      order.push_back(names.body.at(child));
      carrier.push_back(i);
      visit_children(child, names);
    }
  }

  bool is_cut(const JointPlan& j) const {
    return j.loop || (coordinates == Coordinates::Maximal && j.kind != JointKind::Free);
  }
  int link_named(const std::string& name) const { return name == "world" ? world_body : link_of.at(name); }
  Posed frame_in_link(int link) const {  // X_FB, identity for the world
    return link == world_body ? Posed::identity() : model.links[link].X_FB;
  }

  void add_link(int i) {
    SINEW_ASSERT(i == model.link_count());
    const JointPlan& j = plan.joints[carrier[i]];
    const BodyPlan& b = plan.bodies[order[i]];
    const bool cut = is_cut(j);
    Link link;
    link.kind = cut ? JointKind::Free : j.kind;
    link.parent = cut ? world_body : link_named(j.parent);
    link.joint = cut ? -1 : carrier[i];
    link.driven = !cut && j.drive == Drive::Motion;
    link.root = link.parent == world_body ? i : model.links[link.parent].root;
    const int nq = joint::coordinate_count(link.kind), nu = joint::freedom_count(link.kind);
    link.q = link.driven ? model.n_prescribed_q : model.nq;
    link.u = link.driven ? model.n_prescribed_u : model.nu;
    link.axis = model.n_frame_axes;
    (link.driven ? model.n_prescribed_q : model.nq) += nq;
    (link.driven ? model.n_prescribed_u : model.nu) += nu;
    model.n_frame_axes += nu;
    link.leaf = link.last_child = true;
    if (link.parent >= 0) {
      model.links[link.parent].leaf = false;
      int& youngest = youngest_child[link.parent];
      if (youngest >= 0) model.links[youngest].last_child = false;
      youngest = i;
    }
    link.angle = int(model.angles.size());
    joint::visit(link.kind, [&]<class J>() {
      for (int a : J::angles) model.angles.push_back(link.driven ? -1 - (link.q + a) : link.q + a);
    });

    Posed X_BF = cut ? Posed::identity() : joint_in_child(j);
    if (link.kind == JointKind::Free) X_BF.p = b.com;  // a free frame sits at the centre of mass
    link.X_FB = X_BF.inverse();
    LinkParams<double> p;
    p.X_PJ = cut ? Posed::identity() : frame_in_link(link.parent) * joint_in_parent(j);
    link.aligned = is_identity(p.X_PJ.R);
    p.c_F = link.kind == JointKind::Free ? Vec3d::zero() : link.X_FB * b.com;
    p.I_F = inertia_at_origin(b.mass, p.c_F, rotate(link.X_FB.R, b.inertia));
    p.n_F = link.X_FB.R * normalized(b.plate_normal);
    p.area = b.plate_area;
    model.has_sun |= plan.sun.pressure > 0.0 && b.plate_area > 0.0;
    model.links.push_back(link);
    model.body_names.push_back(b.name);
    params.links.push_back(p);
  }

  void add_joint(int index) {
    SINEW_ASSERT(index == int(model.joints.size()));
    const JointPlan& j = plan.joints[index];
    JointInfo info{j.name, j.kind, link_named(j.parent), link_named(j.child), model.n_axes, 0, model.n_coords, 0};
    info.n_axes = joint::freedom_count(j.kind);
    info.n_coords = joint::coordinate_count(j.kind);
    model.n_axes += info.n_axes;
    model.n_coords += info.n_coords;
    info.driven = j.drive == Drive::Motion;
    info.has_servo = j.drive == Drive::Servo;
    info.has_torque = j.drive == Drive::Torque;
    const auto at = [](const std::vector<double>& v, int i, double fallback) { return v.empty() ? fallback : v[i]; };
    for (int i = 0; i < info.n_axes; i++) {
      params.springs.push_back({at(j.stiffness, i, 0.0), at(j.damping, i, 0.0)});
      params.armature.push_back(at(j.armature, i, 0.0));
      info.has_spring |= params.springs.back().k != 0.0 || params.springs.back().d != 0.0;
      Servo<double> servo{at(j.kp, i, 0.0), at(j.kd, i, 0.0)};
      servo.limit = at(j.limit, i, servo.limit);
      servo.no_load_speed = at(j.no_load_speed, i, servo.no_load_speed);
      servo.play = at(j.free_play, i, 0.0);
      params.servos.push_back(servo);
    }
    std::vector<double> rest(info.n_coords);
    joint::visit(j.kind, [&]<class J>() { J::neutral(rest.data()); });
    if (!j.rest.empty()) rest = j.rest;
    params.rest.insert(params.rest.end(), rest.begin(), rest.end());
    if (j.drive != Drive::None) {
      info.motion = model.n_motions;
      model.n_motions += info.n_axes;
      for (int i = 0; i < info.n_axes; i++) params.motions.push_back(j.motion.empty() ? Motion<double>{} : j.motion[i]);
    }
    if (is_cut(j))
      add_cut(index, info);
    else
      info.link = info.child;
    if (carries_inertia(j)) add_reflected(j, info);
    model.has_driven |= info.driven;
    model.has_torques |= info.has_torque;
    model.joints.push_back(std::move(info));
  }

  // A drive on a cut joint acts through rows as inertia does.
  bool carries_inertia(const JointPlan& j) const {
    const auto is_on = [&](const std::string& joint) { return joint == j.name; };
    return std::ranges::any_of(plan.transmissions, is_on, &TransmissionPlan::joint) ||
           std::ranges::any_of(j.armature, [](double a) { return a > 0.0; }) ||
           (is_cut(j) && std::ranges::any_of(plan.drives, [&](const DrivePlan& d) {
              return d.kind != drive::Kind::Servo && d.joint == j.name;
            }));
  }

  void add_reflected(const JointPlan& j, const JointInfo& info) {
    const auto found = std::ranges::find(plan.transmissions, j.name, &TransmissionPlan::joint);
    const bool is_moved = found != plan.transmissions.end();
    const int which = is_moved ? int(found - plan.transmissions.begin()) : -1;
    model.reflected.push_back({info.link >= 0 ? info.link : -1 - info.cut, info.axis, info.n_axes, which});
    if (is_moved) params.transmissions[which] = {make_transmission(*found, j), found->reflected + found->slider_mass};
  }

  void add_cut(int index, JointInfo& info) {
    const JointPlan& j = plan.joints[index];
    info.cut = int(model.cuts.size());
    const int n_ideal = 6 - info.n_axes;
    const bool has_axes = info.driven || info.has_spring || info.has_servo || carries_inertia(j);
    const int n_rows = n_ideal + (has_axes ? info.n_axes : 0);
    model.cuts.push_back({index, j.kind, info.parent, info.child, model.n_rows, n_ideal, n_rows});
    model.n_rows += n_rows;
    params.cuts.push_back(
        {frame_in_link(info.parent) * joint_in_parent(j), frame_in_link(info.child) * joint_in_child(j)});
  }

  void order_cuts() {
    model.joint_rule = plan.joint_rule;
    model.projection = plan.projection;
    model.velocity_terms = plan.velocity_terms;
    if (plan.projection != Projection::Head) return;
    model.cuts_downward.resize(model.cuts.size());
    std::iota(model.cuts_downward.begin(), model.cuts_downward.end(), 0);
    std::ranges::stable_sort(model.cuts_downward, {}, [&](int k) { return model.cuts[k].body2; });
  }

  bool is_held(const Link& root) const {
    if (root.joint < 0) return false;
    const JointInfo& joint = model.joints[root.joint];
    return joint.has_spring || joint.has_servo || joint.drive >= 0 ||
           std::ranges::any_of(model.axis_rows, [&](const AxisRowInfo& row) { return row.joint == root.joint; });
  }

  void find_flyers() {
    model.has_dampers = std::ranges::any_of(
        model.joints, [](const JointInfo& joint) { return joint.has_spring && !joint.driven && joint.link >= 0; });
    std::vector<int> size_of_robot(model.links.size());  // links; robots are numbered by links
    std::vector<bool> is_tied(model.links.size());       // trees, by their roots: a cut joint holds them in the world
    for (int i = 0; i < model.link_count(); i++) size_of_robot[model.robot[i]]++;
    for (const Cut& cut : model.cuts)
      if (cut.body1 < 0) is_tied[model.links[cut.body2].root] = true;
    for (const CouplingTerm& line : model.coupling_terms)
      for (const int body : {line.body1, line.body2})
        if (line.joint < 0 && body >= 0) is_tied[model.links[body].root] = true;
    for (int i = 0; i < model.link_count(); i++) {
      const Link& link = model.links[i];
      if (link.parent >= 0 || link.kind != JointKind::Free || link.driven || is_held(link)) continue;
      const bool is_whole = link.tree_end - i == size_of_robot[model.robot[i]];  // no other tree belongs to it
      if (is_whole && !is_tied[i]) model.flyers.push_back(i);
    }
  }

  void set_initial_state() {
    state.q.resize(model.nq);
    state.u.assign(model.nu, 0.0);
    state.contact.assign(std::size_t(slot::size) * model.n_slots, 0.0);
    state.axis_P.assign(model.axis_rows.size(), 0.0);
    state.pad.assign(std::size_t(pad::size) * model.pads.size(), 0.0);
    state.memory.assign(std::size_t(memory_size(model.memory)), 0.0);
    if (model.plant) {
      state.plant.resize(model.plant->state_size());
      model.plant->start(state.plant);
    }
    put_start(plan, model, state);
  }

  Compiled run() {
    model.coordinates = coordinates;
    model.plant = plan.plant;
    model.memory = plan.memory;
    params.gravity = tilted(plan);
    params.sun = plan.sun;
    params.sun.direction = normalized(plan.sun.direction);
    model.n_transmissions = int(plan.transmissions.size());
    params.transmissions.resize(plan.transmissions.size());
    visit_children("world", by_name());
    youngest_child.assign(order.size(), -1);
    for (std::size_t i = 0; i < order.size(); i++) add_link(int(i));
    for (std::size_t i = 0; i < plan.joints.size(); i++) add_joint(int(i));
    for (int i = model.link_count() - 1, end = i + 1; i >= 0; i--) {  // a tree's links are contiguous
      model.links[i].tree_end = end;
      if (model.links[i].root == i) end = i;
    }
    SINEW_ASSERT(order.size() == plan.bodies.size());  // the plan is checked: every body hangs on a joint
    compile_couplings(
        plan, [this](const std::string& name) { return link_named(name); }, model, params);
    find_ranks(model);
    compile_loads(
        plan, [this](const std::string& name) { return link_named(name); }, model, params);
    compile_contacts(
        plan, [this](const std::string& name) { return link_of.at(name); }, model, params);
    compile_drives(plan, model, params);
    compile_sensors(
        plan, [this](const std::string& name) { return link_named(name); }, model);
    order_cuts();
    find_flyers();
    set_initial_state();
    SINEW_ASSERT(fits(model, params) && fits(model, state));
    return {std::make_shared<const Model>(std::move(model)), std::move(params), std::move(state)};
  }
};

std::atomic<std::int64_t> compiled = 0;

}  // namespace

Compiled compile(const Plan& plan, Coordinates coordinates) {
  if (plan.make_plant && !plan.plant) return compile(with_sections(plan), coordinates);
  if (has_unmade_rods(plan)) return compile(with_rods(plan), coordinates);
  if (has_unmade_drives(plan)) return compile(with_drives(plan), coordinates);
  auto problems = problems_of(plan, coordinates);
  if (!problems.empty()) throw PlanError(std::move(problems));
  compiled++;
  return Compiler{plan, coordinates}.run();
}

std::int64_t compile_count() { return compiled; }

void put_start(const Plan& plan, const Model& model, State<double>& state) {
  SINEW_ASSERT(int(state.q.size()) == model.nq && int(state.u.size()) == model.nu);
  for (const Link& link : model.links) {
    if (link.driven) continue;
    joint::visit(link.kind, [&]<class J>() {
      J::neutral(state.q.data() + link.q);
      if (link.joint < 0) return;
      const JointPlan& j = plan.joints[link.joint];
      std::copy(j.position.begin(), j.position.end(), state.q.begin() + link.q);
      std::copy(j.velocity.begin(), j.velocity.end(), state.u.begin() + link.u);
      if (j.tie.kind == JointTie::Distance && j.position.empty()) state.q[std::size_t(link.q + 2)] = j.tie.length;
      if constexpr (J::nq != J::nu) {
        double* quat = state.q.data() + link.q + J::nq - 4;
        joint::write_quat(normalized(joint::read_quat(quat)), quat);
      }
    });
  }
}

Gravity<double> tilted(const Plan& plan) {
  Gravity<double> out = plan.gravity;
  if (plan.incline == 0.0) return out;  // bit for bit
  const double c = math::cos(plan.incline), s = math::sin(plan.incline);
  const Vec3d k{math::sin(plan.downhill_azimuth), -math::cos(plan.downhill_azimuth), 0.0};  // axis of the rotation
  out.g = out.g * c + cross(k, out.g) * s + k * (dot(k, out.g) * (1.0 - c));
  return out;
}

template <Real S>
Params<S> broadcast(const Params<double>& p) {
  Params<S> out;
  for (const auto& l : p.links)
    out.links.push_back({broadcast<S>(l.X_PJ),
                         {S(l.I_F.m), broadcast<S>(l.I_F.mc), broadcast<S>(l.I_F.I)},
                         broadcast<S>(l.c_F),
                         broadcast<S>(l.n_F),
                         S(l.area)});
  for (const auto& c : p.cuts) out.cuts.push_back({broadcast<S>(c.X_1J), broadcast<S>(c.X_2F)});
  broadcast_couplings(p, out);
  for (const auto& s : p.springs) out.springs.push_back({S(s.k), S(s.d)});
  out.armature.assign(p.armature.begin(), p.armature.end());
  for (const auto& t : p.transmissions) out.transmissions.push_back({broadcast<S>(t.rods), S(t.mass)});
  for (double r : p.rest) out.rest.push_back(S(r));
  for (const auto& s : p.servos) out.servos.push_back({S(s.kp), S(s.kd), S(s.limit), S(s.no_load_speed), S(s.play)});
  for (const auto& d : p.drives) out.drives.push_back(drive::broadcast<S>(d));
  for (const auto& m : p.motions) out.motions.push_back(broadcast<S>(m));
  out.lower.assign(p.lower.begin(), p.lower.end());
  out.upper.assign(p.upper.begin(), p.upper.end());
  for (const auto& f : p.friction)
    out.friction.push_back({S(f.backward), S(f.static_ratio), S(f.stribeck_speed), S(f.load)});
  law::each_axis_law(out, [&]<class L>(law::AxisLawKind kind, const char*, std::vector<S>& numbers) {
    law::visit_axis_law(kind, p, [&]<class>(const auto& of_p) { numbers.assign(of_p.begin(), of_p.end()); });
  });
  for (const auto& l : p.contact_laws) out.contact_laws.push_back(broadcast<S>(l));
  for (const auto& l : p.penalty_laws) out.penalty_laws.push_back(broadcast<S>(l));
  for (const auto& l : p.patches)
    out.patches.push_back({S(l.stiffness), S(l.damping), S(l.mu), S(l.restitution), S(l.u)});
  out.adhesion = broadcast<S>(p.adhesion);
  for (const auto& pad : p.pads) out.pads.push_back({S(pad.area), S(pad.width)});
  broadcast_loads(p, out);
  out.gravity = broadcast<S>(p.gravity);
  out.sun = {S(p.sun.pressure), broadcast<S>(p.sun.direction), S(p.sun.specular), S(p.sun.diffuse)};
  return out;
}
template Params<double> broadcast(const Params<double>&);
template Params<Lanes> broadcast(const Params<double>&);

template <Real S>
Input<S> neutral_input(const Model& model) {
  const std::size_t commands = model.plant ? model.plant->commands().size() : std::size_t(model.n_axes);
  return {std::vector<S>(commands, S(0.0)), std::vector<Wrench<S>>(model.links.size(), Wrench<S>::zero()),
          std::vector<S>(std::size_t(set_point_count(model)), S(drive::command::none))};
}
template Input<double> neutral_input(const Model&);
template Input<Lanes> neutral_input(const Model&);

int Model::body(std::string_view name) const {
  for (std::size_t i = 0; i < body_names.size(); i++)
    if (body_names[i] == name) return int(i);
  return world_body;
}

int Model::joint(std::string_view name) const {
  for (std::size_t i = 0; i < joints.size(); i++)
    if (joints[i].name == name) return int(i);
  return -1;
}

}  // namespace sinew
