#include "sinew/model/compile_contacts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "sinew/math/check.h"
#include "sinew/model/contact_parts.h"
#include "sinew/model/glob.h"
#include "sinew/model/obstacles.h"
#include "sinew/parts/law/axis_law.h"
#include "sinew/parts/terrain/steps.h"
#include "sinew/parts/touch/collide.h"

namespace sinew {
namespace {

// With slots from 0 on.
ShapePair pair_between(const Model& model, int shape1, int shape2) {
  SINEW_ASSERT(shape2 >= 0 && shape2 < int(model.shapes.size()) && shape1 < int(model.shapes.size()));
  const bool ground = shape1 < 0;
  const ShapeInfo& b = model.shapes[shape2];
  const int material1 = ground ? 0 : model.shapes[shape1].material_index;
  const MaterialPair& m = model.between[std::size_t(material1) * model.materials.size() + b.material_index];
  // where both bodies have a say, the first material of the pair decides
  const bool other = !ground && model.shapes[shape1].link >= 0 && m.law > 0 && m.first_orients;
  const int n = ground ? touch_capacity(model.terrain.kind, b.shape.kind)
                       : touch_capacity(model.shapes[shape1].shape.kind, b.shape.kind);
  return {shape1, shape2, m.law, 0, n, other ? shape1 : shape2};
}

void add_shapes(const Plan& plan, const std::function<int(const std::string&)>& link_of, Model& model) {
  for (const BodyPlan& body : plan.bodies)
    for (const ShapePlan& s : body.shapes) {
      const int link = link_of(body.name);
      const Posed& X_FB = model.links[link].X_FB;
      const Posed X_BS{to_matrix(normalized(s.orientation)), s.position};
      model.shapes.push_back(
          {body.name + "." + s.name, s.shape, link, X_FB * X_BS, normalized(X_FB.R * s.along), s.material, 0});
    }
  int i = 0;
  for (const PlacedShape& box : boxes_of(plan.ground.terrain))
    model.shapes.push_back({"ground.step" + std::to_string(i++), box.shape, world_body, box.X_WS, Vec3d(1, 0, 0),
                            plan.ground.material, 0, true});
  for (const WorldShape& o : obstacles_of(plan.ground))
    model.shapes.push_back({o.name, o.shape, world_body, o.X_WS, Vec3d(1, 0, 0), o.material, 0});
}

// The law of two materials: its pair if there is one, else the law for all.
MaterialPair law_of(const Plan& plan, const std::string& a, const std::string& b) {
  for (std::size_t i = 0; i < plan.contact.pairs.size(); i++) {
    const PairPlan& p = plan.contact.pairs[i];
    if ((p.material1 == a && p.material2 == b) || (p.material1 == b && p.material2 == a))
      return {int(i) + 1, p.material1 == a};
  }
  return {0, false};
}

int index_of(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return int(found - names.begin());
  names.push_back(name);
  return int(names.size()) - 1;
}

// The damping number follows from the restitution unless it is given.
void add_law(const ContactLaw<double>& law, PenaltyLaw<double> penalty, Params<double>& params) {
  params.contact_laws.push_back(law);
  if (!(penalty.u > 0.0)) penalty.u = law::damping_number(law.restitution, penalty.rule);
  penalty.restitution = law.restitution;
  if (penalty.compensate_load) penalty.load_loss = law::load_loss(law.restitution);
  params.penalty_laws.push_back(penalty);
}

const MaterialPlan* material_of(const Plan& plan, const std::string& name) {
  const auto found = std::ranges::find(plan.contact.materials, name, &MaterialPlan::name);
  return found == plan.contact.materials.end() ? nullptr : &*found;
}

// docs/contact.md#materials: the law of two surfaces. nullptr: one of which nothing is known.
void add_law_of_two(const Plan& plan, const MaterialPlan* a, const MaterialPlan* b, Params<double>& params) {
  ContactLaw<double> law = plan.contact.law;
  PenaltyLaw<double> penalty = plan.contact.penalty;
  // each number of both, or of the one that gives it
  const auto join = [&](double MaterialPlan::*number, double none, auto combine, auto put) {
    const double x = a ? a->*number : none, y = b ? b->*number : none;
    if (x != none && y != none)
      put(combine(x, y));
    else if (x != none || y != none)
      put(x != none ? x : y);
  };
  const auto mean = [](double x, double y) { return std::sqrt(x * y); };
  join(
      &MaterialPlan::stiffness, 0.0, [](double x, double y) { return x * y / (x + y); },
      [&](double k) { penalty.stiffness = k; });
  join(&MaterialPlan::restitution, -1.0, mean, [&](double e) { law.restitution = e; });
  join(&MaterialPlan::mu, -1.0, mean, [&](double mu) { law.mu_forward = law.mu_backward = law.mu_trans = mu; });
  add_law(law, penalty, params);
}

void add_materials(const Plan& plan, Model& model, Params<double>& params) {
  model.materials = {plan.ground.material};
  for (ShapeInfo& s : model.shapes) s.material_index = index_of(model.materials, s.material);
  for (const PatchPlan& p : plan.ground.patches)
    if (!p.material.empty()) index_of(model.materials, p.material);
  std::map<std::pair<std::string, std::string>, int> made;
  for (const std::string& a : model.materials)
    for (const std::string& b : model.materials) {
      MaterialPair pair = law_of(plan, a, b);
      const MaterialPlan *of_a = material_of(plan, a), *of_b = material_of(plan, b);
      if (pair.law == 0 && (of_a || of_b)) {
        const auto [entry, is_new] = made.try_emplace(std::minmax(a, b), int(params.contact_laws.size()));
        if (is_new) add_law_of_two(plan, of_a, of_b, params);
        pair.law = entry->second;
      }
      model.between.push_back(pair);
    }
}

// Of the ground's patches: where they are, and their laws.
void add_patches(const Plan& plan, Model& model, Params<double>& params) {
  const auto limits = [](const std::vector<double>& given, double* out) {
    out[0] = given.size() == 2 ? given[0] : -law::unbounded;
    out[1] = given.size() == 2 ? given[1] : law::unbounded;
  };
  for (const PatchPlan& p : plan.ground.patches) {
    Patch patch{.name = p.name, .x = {}, .y = {}, .disc = p.radius > 0.0, .center = {}, .radius2 = 0.0, .law = {}};
    limits(p.x, patch.x);
    limits(p.y, patch.y);
    if (patch.disc) std::copy_n(p.center.begin(), 2, patch.center);
    patch.radius2 = p.radius * p.radius;
    if (!p.material.empty() && p.material != plan.ground.material) {
      const std::size_t row = std::size_t(index_of(model.materials, p.material)) * model.materials.size();
      for (std::size_t i = 0; i < model.materials.size(); i++) patch.law.push_back(model.between[row + i].law);
    }
    model.patches.push_back(patch);
    model.soft_ground = model.soft_ground || p.stiffness > 0.0;
    const bool bounces = p.restitution >= 0.0;
    params.patches.push_back({.stiffness = p.stiffness,
                              .damping = p.damping,
                              .mu = p.mu,
                              .restitution = p.restitution,
                              .u = bounces ? law::damping_number(p.restitution, plan.contact.penalty.rule) : 0.0});
  }
}

// Neighbours at a joint do not touch, nor do bodies that the plan keeps apart.
void add_apart(const Plan& plan, Model& model) {
  std::set<std::pair<int, int>> apart;
  for (std::size_t i = 0; i < model.joints.size(); i++) {
    const JointInfo& j = model.joints[i];
    apart.insert(std::minmax(j.parent, j.child));
    if (i > 0 && plan.joints[i].second_of_pair) apart.insert(std::minmax(model.joints[i - 1].parent, j.child));
  }
  std::erase_if(apart, [](const auto& p) { return p.first < 0; });
  for (const std::string& rule : plan.contact.ignore) {
    const std::size_t colon = rule.find(':');
    const std::string first = rule.substr(0, colon), second = rule.substr(colon + 1);
    for (int a = 0; a < model.link_count(); a++)
      for (int b = 0; b < model.link_count(); b++)
        if (a != b && matches(first, model.body_names[a]) && matches(second, model.body_names[b]))
          apart.insert(std::minmax(a, b));
  }
  model.apart.assign(apart.begin(), apart.end());
}

constexpr std::size_t few_pairs = 600;

void add_pairs(const Plan& plan, Model& model) {
  const int n = int(model.shapes.size());
  const Culling culling = plan.contact.options.culling;
  const auto add = [&](int shape1, int shape2) {
    ShapePair pair = pair_between(model, shape1, shape2);
    pair.slot = model.n_slots;
    model.n_slots += pair.n_slots;
    model.pairs.push_back(pair);
  };
  if (plan.ground.terrain.kind != TerrainKind::None)
    for (int i = 0; i < n; i++)
      if (model.shapes[i].link >= 0) add(-1, i);
  const std::size_t with_ground = model.pairs.size();
  const std::size_t most = culling == Culling::Auto ? few_pairs : culling == Culling::All ? model.pairs.max_size() : 0;
  for (int i = 0; i < n && model.pairs.size() - with_ground <= most; i++)
    for (int k = 0; k < n; k++)
      if (model.shapes[k].link >= 0 && (i < k || model.shapes[i].link < 0) && model.may_touch(i, k)) add(i, k);
  model.crowd = model.pairs.size() - with_ground > most;
  if (!model.crowd) return;
  if (culling == Culling::Auto) model.contact.culling = Culling::Grid;
  model.pairs.clear();
  model.n_slots = plan.contact.options.capacity;
  if (model.n_slots > 0) return;
  for (const ShapeInfo& s : model.shapes)
    if (s.link >= 0) model.n_slots += 6 * std::min(4, touch_capacity(s.shape.kind, s.shape.kind)) + 4;
}

void add_axis_rows(const Plan& plan, Model& model, Params<double>& params) {
  using Kind = AxisRowInfo::Kind;
  const auto at = [](const std::vector<double>& v, int i, double fallback) { return v.empty() ? fallback : v[i]; };
  for (int i = 0; i < int(plan.joints.size()); i++) {
    const JointPlan& j = plan.joints[i];
    JointInfo& info = model.joints[i];
    info.servo_in_rows = plan.implicit_servos && info.has_servo && info.n_coords == info.n_axes;
    for (int c = 0; c < info.n_axes; c++) {
      params.lower.push_back(at(j.lower, c, -law::unbounded));
      params.upper.push_back(at(j.upper, c, law::unbounded));
      law::each_axis_law(params, [&]<class L>(law::AxisLawKind kind, const char*, std::vector<double>& numbers) {
        numbers.push_back(law::visit_axis_law(kind, j, [&]<class>(const auto& of_j) { return at(of_j, c, 0.0); }));
      });
      params.friction.push_back({at(j.dry_friction_backward, c, -1.0), at(j.friction_static_ratio, c, 1.0),
                                 at(j.friction_stribeck_speed, c, 0.0), at(j.friction_load, c, 0.0)});
      const bool rubs = params.friction.back().backward > 0.0 || params.friction.back().load > 0.0;
      if (info.driven) continue;
      if (std::isfinite(params.lower.back())) model.axis_rows.push_back({Kind::Lower, i, c});
      if (std::isfinite(params.upper.back())) model.axis_rows.push_back({Kind::Upper, i, c});
      law::each_axis_law(params, [&]<class L>(law::AxisLawKind kind, const char*, const std::vector<double>& numbers) {
        if (numbers.back() != 0.0 || (rubs && kind == law::AxisLawKind::DryFriction))
          model.axis_rows.push_back({Kind::Law, i, c, kind});
      });
      if (!info.servo_in_rows || at(j.kp, c, 0.0) + at(j.kd, c, 0.0) <= 0.0) continue;
      if (at(j.free_play, c, 0.0) == 0.0) {
        model.axis_rows.push_back({Kind::Servo, i, c});
      } else {
        model.axis_rows.push_back({Kind::Servo, i, c, {}, 1});
        model.axis_rows.push_back({Kind::Servo, i, c, {}, -1});
      }
    }
  }
}

// Largest frequency of a penalty contact, from the stiffness and what each body resists with at its farthest point [rad/s].
double fastest_contact(const Model& model, const Params<double>& params) {
  double most = 0.0;
  for (const PenaltyLaw<double>& p : params.penalty_laws) most = std::max({most, p.stiffness, p.tangential});
  for (const PatchNumbers<double>& p : params.patches) most = std::max(most, p.stiffness);
  double give = 0.0;  // largest 1 / mass of a point
  for (const ShapeInfo& s : model.shapes) {
    if (s.link < 0) continue;
    const Inertia<double>& I = params.links[s.link].I_F;
    const double arm = norm(s.X_FS.p - params.links[s.link].c_F) + s.shape.reach();
    const double least = std::min({I.I.xx, I.I.yy, I.I.zz});
    give = std::max(give, 1.0 / I.m + (least > 0.0 ? arm * arm / least : 0.0));
  }
  return std::sqrt(most * give * 2.0);
}

// Extent of the thinnest shape that others may pass; 0: there is only ground that has no other side.
double thinnest_shape(const Model& model) {
  const bool both = model.crowd || model.terrain.kind == TerrainKind::Mesh ||
                    std::ranges::any_of(model.pairs, [](const ShapePair& p) { return p.shape1 >= 0; });
  double least = law::unbounded;
  for (const ShapeInfo& s : model.shapes)
    for (const Vec3d& d : {Vec3d(1, 0, 0), Vec3d(0, 1, 0), Vec3d(0, 0, 1)}) {
      const double thick = extent(s.shape, d) + extent(s.shape, d * -1.0);
      if (thick > 0.0) least = std::min(least, thick);
    }
  return both && std::isfinite(least) ? least : 0.0;
}

void find_robots(Model& model) {
  model.robot.resize(model.link_count());
  std::iota(model.robot.begin(), model.robot.end(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const JointInfo& j : model.joints) {
      if (j.parent < 0 || model.robot[j.parent] == model.robot[j.child]) continue;
      model.robot[j.parent] = model.robot[j.child] = std::min(model.robot[j.parent], model.robot[j.child]);
      changed = true;
    }
  }
  model.n_robots = model.link_count();
}

}  // namespace

bool Model::may_touch(int shape_a, int shape_b) const {
  SINEW_ASSERT(shape_a >= 0 && shape_a < int(shapes.size()) && shape_b >= 0 && shape_b < int(shapes.size()));
  const int a = shapes[shape_a].link, b = shapes[shape_b].link;
  if (a == b) return false;
  if (a < 0 || b < 0) return true;
  const std::pair<int, int> both = std::minmax(a, b);
  return contact.between_bodies && !std::ranges::binary_search(apart, both);
}

ShapePair Model::pair(int id) const {
  SINEW_ASSERT(id >= 0 && id < pair_count());
  if (!crowd) return pairs[id];
  const int n = int(shapes.size()), a = id / (n + 1), b = id % (n + 1);
  if (b == n) return pair_between(*this, -1, a);
  return shapes[b].link < 0 ? pair_between(*this, b, a) : pair_between(*this, a, b);
}

void compile_contacts(const Plan& plan, const std::function<int(const std::string&)>& link_of, Model& model,
                      Params<double>& params) {
  model.terrain = plan.ground.terrain;
  const auto needs_mesh = [](const ShapePlan& s) { return s.shape.kind > ShapeKind::Box; };
  if (model.terrain.kind == TerrainKind::Heights &&
      std::ranges::any_of(plan.bodies, [&](const BodyPlan& b) { return std::ranges::any_of(b.shapes, needs_mesh); }))
    model.terrain.mesh = mesh_of(model.terrain.field);  // of a field: see collide
  model.contact = plan.contact.options;
  model.implicit_servos = plan.implicit_servos;
  add_law(plan.contact.law, plan.contact.penalty, params);
  for (const PairPlan& pair : plan.contact.pairs) add_law(pair.law, pair.penalty, params);
  add_shapes(plan, link_of, model);
  find_robots(model);
  add_materials(plan, model, params);
  add_patches(plan, model, params);
  add_apart(plan, model);
  add_pairs(plan, model);
  compile_adhesion(plan, model, params);
  add_axis_rows(plan, model, params);
  model.substeps = plan.substeps;
  model.adaptive_tolerance = plan.adaptive_tolerance;
  model.freeze_forces = plan.freeze_forces;
  model.thinnest = thinnest_shape(model);
  if (model.contact.response != Response::Penalty) return;
  model.contact_frequency = fastest_contact(model, params);
  const ContactOptions& options = model.contact;
  model.stiff_contacts = options.forces == PenaltyForces::Auto && contact_parts(model, options.stiff_step) > many_parts;
  if (model.stiff_contacts) model.substeps = 1;
}

}  // namespace sinew
