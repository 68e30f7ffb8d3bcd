#include "sinew/world/under_ground.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"
#include "sinew/parts/touch/depth.h"

namespace sinew {
namespace {

Posed shape_pose(const Model& model, const Observation<double>& seen, const ShapeInfo& s) {
  SINEW_ASSERT(s.link >= 0 && s.link < int(seen.bodies.size()));
  return seen.bodies[s.link].X_WB * model.links[s.link].X_FB.inverse() * s.X_FS;
}

// Bodies that are welded to the world, or led along by it: nothing that touches them moves them.
std::vector<char> held_links(const Model& model) {
  std::vector<char> held(model.links.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const JointInfo& j : model.joints) {
      const bool from_held = j.parent < 0 || held[j.parent];
      if (j.child < 0 || held[j.child] || !from_held || !(j.driven || j.kind == JointKind::Weld)) continue;
      held[j.child] = 1;
      changed = true;
    }
  }
  return held;
}

// Depth to which a weight and an energy press a contact together: k x^n = F, k x^(n + 1) / (n + 1) = E.
double spring_way(const PenaltyLaw<double>& law, double weight, double energy) {
  SINEW_ASSERT(law.stiffness > 0.0 && law.exponent > 0.0);
  const double n = law.exponent;
  return math::pow(weight / law.stiffness, 1.0 / n) + math::pow((n + 1.0) * energy / law.stiffness, 1.0 / (n + 1.0));
}

// The most of all patches, of penalty contacts with the exponent of the law.
double patch_way(const Params<double>& params, int law, double weight, double energy) {
  double most = 0.0;
  for (const PatchNumbers<double>& p : params.patches) {
    if (!(p.stiffness > 0.0)) continue;
    PenaltyLaw<double> spring = law >= 0 ? params.penalty_laws[std::size_t(law)] : PenaltyLaw<double>{};
    spring.stiffness = p.stiffness;
    most = std::max(most, spring_way(spring, weight, energy));
  }
  return most;
}

}  // namespace

GroundWatch ground_watch_from(const World<double>& world, const Observation<double>& seen) {
  SINEW_ASSERT(seen.bodies.size() == world.model().links.size());
  const Model& model = world.model();
  GroundWatch watch;
  if (model.terrain.kind == TerrainKind::None) return watch;
  watch.steepest = steepest_slope(model.terrain);
  for (const auto& link : world.params.links) watch.weight += link.I_F.m;
  watch.weight *= norm(fall(world.params.gravity, seen.com.p, Vec3d::zero()));
  std::vector<Aabb> boxes(model.links.size(), Aabb::nothing());
  for (const ShapeInfo& s : model.shapes) {
    if (s.link < 0) continue;
    Aabb& box = boxes[model.robot[s.link]];
    box = join(box, aabb_of(s.shape, shape_pose(model, seen, s)));
  }
  const std::vector<char> held = held_links(model);
  for (const ShapeInfo& s : model.shapes)
    watch.tolerated.push_back(s.link < 0 || held[s.link] ? -1.0 : 1e-2 * boxes[model.robot[s.link]].size());
  return watch;
}

double top_speed(const World<double>& world, const Observation<double>& seen, const GroundWatch& watch) {
  SINEW_ASSERT(watch.tolerated.empty() || watch.tolerated.size() == world.model().shapes.size());
  const Model& model = world.model();
  double most = 0.0;
  for (std::size_t i = 0; i < watch.tolerated.size(); i++) {
    if (watch.tolerated[i] < 0.0) continue;
    const ShapeInfo& s = model.shapes[i];
    const BodyMotion<double>& b = seen.bodies[s.link];
    const Vec3d v = b.v_WC + cross(b.w_WB, shape_pose(model, seen, s).p - b.p_WC);
    most = std::max(most, norm(v) + norm(b.w_WB) * s.shape.reach());
  }
  return most;
}

Sunk find_sunk(const World<double>& world, const Observation<double>& seen, const GroundWatch& watch, double way,
               double energy) {
  SINEW_ASSERT(watch.tolerated.empty() || watch.tolerated.size() == world.model().shapes.size());
  const Model& model = world.model();
  const bool soft = model.contact.response == Response::Penalty;
  Sunk worst;
  for (std::size_t i = 0; i < watch.tolerated.size(); i++) {
    if (watch.tolerated[i] < 0.0) continue;
    const ShapeInfo& s = model.shapes[i];
    const double depth = depth_in(model.terrain, watch.steepest, s.shape, shape_pose(model, seen, s));
    if (!(depth > worst.depth)) continue;
    const int law = model.between[s.material_index].law;  // with the ground's material, which is the first
    double allowed = watch.tolerated[i] + way + model.contact.activation_gap;
    if (soft) allowed += spring_way(world.params.penalty_laws[law], watch.weight, energy);
    if (model.soft_ground) allowed += patch_way(world.params, soft ? law : -1, watch.weight, energy);
    if (depth > allowed) worst = {int(i), depth, allowed};
  }
  return worst;
}

std::string text_of(const Sunk& sunk, const Model& model) {
  SINEW_CHECK(sunk.shape >= 0 && sunk.shape < int(model.shapes.size()), "text_of: shape ", sunk.shape, " of ",
              model.shapes.size());
  return fmt::format("body {} is {:.3g} m below the ground (ground.kind = \"{}\") with all of its shape {}",
                     model.body_names[model.shapes[sunk.shape].link], sunk.depth,
                     terrain_names[int(model.terrain.kind)], model.shapes[sunk.shape].name);
}

}  // namespace sinew
