#include "sinew/report/health_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/math/elementary.h"
#include "sinew/sim/simulation.h"
#include "sinew/world/contacts.h"

namespace sinew::report {
namespace {

constexpr double least_overlap = 1e-5;  // [m]: contacts that close at the start are a little in each other
constexpr double blink = 1e-9;          // [s]: what touches is known after a step
constexpr double seconds = 1.0;
constexpr int most_steps = 1000;
constexpr double most_tilt = std::numbers::pi / 6;  // [rad]: beyond, it has fallen
constexpr double most_sunk = 0.5;                   // share of its height: beyond, it has collapsed
constexpr std::size_t most_named = 5;

std::string overlaps(const Model& model, const Observation<double>& seen) {
  if (model.crowd) {
    const double deepest = seen.total.penetration;
    return deepest > least_overlap ? fmt::format("! at the start shapes overlap, by {:.3g} m at most\n", deepest)
                                   : "at the start nothing overlaps\n";
  }
  std::vector<std::pair<double, int>> found;
  for (std::size_t i = 0; i < seen.contacts.size(); i++)
    if (seen.contacts[i].gap < -least_overlap) found.emplace_back(seen.contacts[i].gap, int(i));
  if (found.empty()) return "at the start nothing overlaps\n";
  std::ranges::sort(found);
  std::string text =
      fmt::format("! at the start {} pair{} of shapes overlap:", found.size(), found.size() > 1 ? "s" : "");
  for (std::size_t i = 0; i < std::min(found.size(), most_named); i++)
    text += fmt::format("{} {} by {:.3g} m", i > 0 ? "," : "", contact_name(model, found[i].second), -found[i].first);
  return text + (found.size() > most_named ? ", ...\n" : "\n");
}

// Of a level plane below it; 0: no such plane.
double height_above_ground(const Plan& plan, const Vec3d& p) {
  const Terrain& t = plan.ground.terrain;
  return t.kind == TerrainKind::Plane ? std::max(dot(t.normal, p) - t.height, 0.0) : 0.0;
}

std::string standing(const sim::Experiment& experiment, int base) {
  // it lives as long as the simulation
  sim::Simulation simulation(std::shared_ptr<const sim::Experiment>(std::shared_ptr<void>(), &experiment));
  const BodyMotion<double> before = simulation.seen().bodies[std::size_t(base)];
  const int n = std::min(int(std::ceil(seconds / experiment.scenario.step)), most_steps);
  const auto failed = simulation.step(n);
  if (failed) return fmt::format("! it does not get through its first {:.3g} s: {}\n", seconds, failed->what);
  const BodyMotion<double>& after = simulation.seen().bodies[std::size_t(base)];
  const Vec3d up = transpose_times(before.X_WB.R, Vec3d(0, 0, 1));
  const double tilt = math::acos(std::clamp((after.X_WB.R * up)[2], -1.0, 1.0));
  const double sunk = before.p_WC[2] - after.p_WC[2], height = height_above_ground(experiment.plan(), before.p_WC);
  const bool falls = tilt > most_tilt || (height > 0.0 && sunk > most_sunk * height);
  return fmt::format("{} after {:.3g} s: {} is {:.3g} m {} and tilted by {:.3g} degrees{}\n",
                     falls ? "! it falls:" : "it stands:", simulation.time(),
                     experiment.model().body_names[std::size_t(base)], std::abs(sunk), sunk >= 0.0 ? "lower" : "higher",
                     tilt * 180.0 / std::numbers::pi, falls ? "; are its joints driven, and strongly enough?" : "");
}

}  // namespace

std::string health_of_start(const sim::Experiment& experiment) {
  const Model& model = experiment.model();
  if (sim::is_bench(experiment.scenario) || model.plant) return "";
  std::string out;
  if (model.n_slots > 0) {
    World<double> world = experiment.world();
    world.step(blink);
    out += overlaps(model, observe(world));
  }
  const bool has_ground = experiment.plan().ground.terrain.kind != TerrainKind::None;
  const auto floats = std::ranges::find(experiment.plan().joints, JointKind::Free, &JointPlan::kind);
  if (has_ground && floats != experiment.plan().joints.end()) out += standing(experiment, model.body(floats->child));
  return out;
}

}  // namespace sinew::report
