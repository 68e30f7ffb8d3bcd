// make_world: from a plan to a world at rest with its constraints: loops assembled, velocities consistent.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sinew/math/check.h"
#include "sinew/model/fits.h"
#include "sinew/model/rods.h"
#include "sinew/model/section_plant.h"
#include "sinew/step/smooth.h"
#include "sinew/world/observe.h"

namespace sinew {
namespace {

// Maximal coordinates start where the tree puts the bodies.
void place_bodies(const Compiled& tree, const Compiled& maximal, State<double>& state) {
  SINEW_ASSERT(tree.model->links.size() == maximal.model->links.size() && int(state.q.size()) == maximal.model->nq);
  const Model& from = *tree.model;
  const Model& to = *maximal.model;
  Frames<double> frames(from);
  Prescribed<double> driven(from);
  prescribe(from, tree.params, 0.0, driven);
  evaluate_frames(from, tree.params, tree.state.q.data(), tree.state.u.data(), driven, frames);
  for (int i = 0; i < to.link_count(); i++) {
    const Link& link = to.links[i];
    if (link.driven) continue;  // a driven free joint is not cut and keeps its motion
    const Frame<double>& F = frames.link[i];
    const Posed& X_WJ = maximal.params.links[i].X_PJ;
    const Posed X_WF = F.X * from.links[i].X_FB * link.X_FB.inverse();
    joint::Free::coordinates(X_WJ.inverse() * X_WF, state.q.data() + link.q);
    const Vec3d w = transpose_times(X_WF.R, F.V.w);
    const Vec3d v = transpose_times(X_WJ.R, F.V.v + cross(F.V.w, X_WF.p - F.X.p));
    for (int k = 0; k < 3; k++) {
      state.u[link.u + k] = w[k];
      state.u[link.u + 3 + k] = v[k];
    }
  }
}

// How often the axis of a drive has turned, which a cut joint does not know.
void place_drives(const Compiled& tree, const Model& maximal, State<double>& state) {
  for (std::size_t i = 0; i < maximal.drives.size(); i++) {
    const DriveInfo &from = tree.model->drives[i], &to = maximal.drives[i];
    if (!to.by_jacobian) state.memory[std::size_t(to.memory + drive::memory::x)] = tree.state.q[std::size_t(from.q)];
  }
}

std::string cut_key(const Plan& plan, const Cut& cut) {
  const JointPlan& j = plan.joints[cut.joint];
  return (j.loop ? "loop." : "joint.") + j.name;
}

// Every joint must have something to move.
void check_inertia(const Plan& plan, const Model& model, const Workspace<double>& ws) {
  std::vector<Problem> problems;
  for (int i = 0; i < model.link_count(); i++) {
    const Link& link = model.links[i];
    const int n = link.driven ? 0 : joint::freedom_count(link.kind);
    for (int r = 0; r < n; r++) {
      const double inverse = ws.blocks.D[6 * link.axis + r * n + r];
      if (std::isfinite(inverse) && inverse > 0.0 && inverse < 1e14) continue;
      const std::string& body = model.body_names[i];
      if (link.joint < 0)
        problems.push_back({"body." + body,
                            "in maximal coordinates every body needs mass and inertia: give it some, or "
                            "set robot.coordinates = \"tree\""});
      else
        problems.push_back({"joint." + plan.joints[link.joint].name,
                            fmt::format("nothing resists its motion along axis {}: give body '{}' (or what it carries) "
                                        "mass away from the joint or an inertia",
                                        r, body)});
      break;
    }
  }
  if (!problems.empty()) throw PlanError(std::move(problems));
}

// Newton's method on the gaps, each time with a fresh factor. False: they cannot be closed.
bool close_loops(World<double>& world, Workspace<double>& ws) {
  SINEW_ASSERT(fits(world.model(), world.state) && int(ws.tau.size()) == world.model().nu);
  const Model& model = world.model();
  State<double>& s = world.state;
  double gap = 1.0;
  for (int pass = 0; pass < 50 && gap > 1e-13; pass++) {
    accelerations(model, world.params, world.input, {s.t, s.q.data(), s.u.data()}, ws);
    gap = close_gaps_by_mass<double>(model, world.params, s.t, s.q.data(), nullptr, ws);
    if (!std::isfinite(gap)) break;
  }
  if (!(gap < 1e-9)) return false;
  accelerations(model, world.params, world.input, {s.t, s.q.data(), s.u.data()}, ws);
  close_velocities(model, s.u.data(), ws);
  return true;
}

void assemble(const Plan& plan, World<double>& world, Workspace<double>& ws) {
  const Model& model = world.model();
  if (!close_loops(world, ws)) {
    std::vector<Problem> problems;
    for (const Cut& cut : model.cuts) {
      double worst = 0.0;
      for (int r = cut.row; r < cut.row + cut.n_rows; r++) worst = std::fmax(worst, std::abs(ws.cuts.gap[r]));
      if (!(worst < 1e-9))
        problems.push_back(
            {cut_key(plan, cut), fmt::format("cannot be closed: a gap of {:.3g} m (or rad) is left; check "
                                             "the lengths, or start nearer to a closed position",
                                             worst)});
    }
    for (const Coupling& c : model.couplings)
      if (const double gap = std::abs(ws.cuts.gap[c.row]); !(gap < 1e-9))
        problems.push_back({(c.joint >= 0 ? "joint." : "coupling.") + c.name,
                            fmt::format("cannot be met: {:.3g} m (or rad) is left; start nearer "
                                        "to a place where it holds",
                                        gap)});
    throw PlanError(std::move(problems));
  }
}

std::string list_of(std::span<const std::string_view> names) {
  return fmt::format("\"{}\"", fmt::join(names, "\", \""));
}

BuiltWorld make_section_world(const Plan& plan, const WorldOptions& options) {
  if (options.coordinates == Coordinates::Maximal)
    throw PlanError(std::vector<Problem>{
        {"robot.coordinates", "\"maximal\" cuts joints between rigid bodies, and this robot has none: use \"tree\""}});
  Compiled compiled = compile(plan, Coordinates::Tree);
  const auto methods = compiled.model->plant->methods();
  const Stepper* stepper = find_section_stepper(options.stepper);
  if (!stepper || std::ranges::find(methods, options.stepper) == methods.end())
    throw PlanError(std::vector<Problem>{
        {"integrator.method", fmt::format("\"{}\" has no meaning for this robot, which has equations of its "
                                          "own: use one of {}",
                                          options.stepper, list_of(methods))}});
  World<double> world(compiled.model, compiled.params, compiled.state, *stepper);
  place_sections(world.model(), world.state, *world.plant().make_workspace(world.model()));
  world.state.work.start = observe(world).energy.total();
  return {std::move(world), std::move(compiled)};
}

}  // namespace

bool settle(World<double>& world) {
  check_fits("settle", world.model(), world.state);
  check_fits("settle", world.model(), world.params);
  if (!world.model().has_rows()) return true;
  Workspace<double> ws(world.model());
  return close_loops(world, ws);
}

World<double> make_world(const Plan& plan, const WorldOptions& options) { return build_world(plan, options).world; }

BuiltWorld build_world(const Plan& plan, const WorldOptions& options) {
  if (has_unmade_rods(plan)) return build_world(with_rods(plan), options);
  if (plan.make_plant) return make_section_world(plan, options);
  const Stepper* stepper = find_stepper(options.stepper);
  if (!stepper) throw PlanError({{"integrator.method", fmt::format("no stepper is named '{}'", options.stepper)}});
  Compiled compiled = compile(plan, options.coordinates);
  const bool is_tree = options.coordinates == Coordinates::Tree;
  Compiled tree = is_tree ? compiled : compile(plan, Coordinates::Tree);
  if (!is_tree) {
    place_bodies(tree, compiled, compiled.state);
    place_drives(tree, *compiled.model, compiled.state);
  }
  World<double> world(compiled.model, std::move(compiled.params), std::move(compiled.state), *stepper);
  Workspace<double> ws(world.model());
  accelerations(world.model(), world.params, world.input, {0.0, world.state.q.data(), world.state.u.data()}, ws);
  check_inertia(plan, world.model(), ws);
  if (options.assembled && world.model().has_rows()) assemble(plan, world, ws);
  const Energy<double> energy = observe(world).energy;
  world.state.work.start = energy.total();
  return {std::move(world), std::move(tree)};
}

}  // namespace sinew
