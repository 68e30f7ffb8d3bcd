#include "sinew/model/compile_contacts.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "sinew/model/obstacles.h"
#include "sinew/parts/law/axis_law.h"
#include "sinew/parts/terrain/steps.h"
#include "sinew/parts/touch/collide.h"

namespace sinew {
namespace {

void add_shapes(const Plan& plan, const std::function<int(const std::string&)>& link_of, Model& model) {
  for (const BodyPlan& body : plan.bodies)
    for (const ShapePlan& s : body.shapes) {
      const int link = link_of(body.name);
      const Posed& X_FB = model.links[link].X_FB;
      const Posed X_BS{to_matrix(normalized(s.orientation)), s.position};
      model.shapes.push_back(
          {body.name + "." + s.name, s.shape, link, X_FB * X_BS, normalized(X_FB.R * s.along), s.material});
    }
  int i = 0;
  for (const PlacedShape& box : boxes_of(plan.ground.terrain))
    model.shapes.push_back(
        {"ground.step" + std::to_string(i++), box.shape, world_body, box.X_WS, Vec3d(1, 0, 0), plan.ground.material});
  for (const WorldShape& o : obstacles_of(plan.ground))
    model.shapes.push_back({o.name, o.shape, world_body, o.X_WS, Vec3d(1, 0, 0), o.material});
}

// The law of two materials: its pair if there is one, else the law for all.
int law_of(const Plan& plan, const std::string& a, const std::string& b) {
  for (std::size_t i = 0; i < plan.contact.pairs.size(); i++) {
    const PairPlan& p = plan.contact.pairs[i];
    if ((p.material1 == a && p.material2 == b) || (p.material1 == b && p.material2 == a)) return int(i) + 1;
  }
  return 0;
}

void add_pair(const Plan& plan, int shape1, int shape2, Model& model) {
  const ShapeInfo& b = model.shapes[shape2];
  const bool ground = shape1 < 0;
  const std::string& material1 = ground ? plan.ground.material : model.shapes[shape1].material;
  const int law = law_of(plan, material1, b.material);
  int axes_of = shape2;  // where both bodies have a say, the first material of the pair decides
  if (!ground && model.shapes[shape1].link >= 0 && law > 0 && plan.contact.pairs[law - 1].material1 == material1)
    axes_of = shape1;
  const int n = ground ? touch_capacity(plan.ground.terrain.kind, b.shape.kind)
                       : touch_capacity(model.shapes[shape1].shape.kind, b.shape.kind);
  model.pairs.push_back({shape1, shape2, law, model.n_slots, n, axes_of});
  model.n_slots += n;
}

void add_pairs(const Plan& plan, Model& model) {
  std::set<std::pair<int, int>> joined;  // neighbours at a joint do not touch
  for (std::size_t i = 0; i < model.joints.size(); i++) {
    const JointInfo& j = model.joints[i];
    joined.insert(std::minmax(j.parent, j.child));
    if (i > 0 && plan.joints[i].second_of_pair) joined.insert(std::minmax(model.joints[i - 1].parent, j.child));
  }
  const int n = int(model.shapes.size());
  if (plan.ground.terrain.kind != TerrainKind::None)
    for (int i = 0; i < n; i++)
      if (model.shapes[i].link >= 0) add_pair(plan, -1, i, model);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      const int a = model.shapes[i].link, b = model.shapes[k].link;
      if (b < 0 || a == b) continue;
      const bool with_world = a < 0;
      const bool may_touch = i < k && plan.contact.options.between_bodies && !joined.contains(std::minmax(a, b));
      if (with_world || may_touch) add_pair(plan, i, k, model);
    }
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
      if (info.driven) continue;
      if (std::isfinite(params.lower.back())) model.axis_rows.push_back({Kind::Lower, i, c});
      if (std::isfinite(params.upper.back())) model.axis_rows.push_back({Kind::Upper, i, c});
      law::each_axis_law(params, [&]<class L>(law::AxisLawKind kind, const char*, const std::vector<double>& numbers) {
        if (numbers.back() != 0.0) model.axis_rows.push_back({Kind::Law, i, c, kind});
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

}  // namespace

void compile_contacts(const Plan& plan, const std::function<int(const std::string&)>& link_of, Model& model,
                      Params<double>& params) {
  model.terrain = plan.ground.terrain;
  model.contact = plan.contact.options;
  model.implicit_servos = plan.implicit_servos;
  params.contact_laws.push_back(plan.contact.law);
  for (const PairPlan& pair : plan.contact.pairs) params.contact_laws.push_back(pair.law);
  add_shapes(plan, link_of, model);
  add_pairs(plan, model);
  add_axis_rows(plan, model, params);
}

}  // namespace sinew
