#include "sinew/batch/together.h"

#include <algorithm>
#include <array>
#include <memory>

#include "sinew/batch/riders.h"
#include "sinew/math/check.h"
#include "sinew/model/lane_params.h"

namespace sinew {
namespace {

// One of the runs in a register.
struct Run {
  std::unique_ptr<sim::Simulation> simulation;
  sim::Watcher* watcher = nullptr;
  bool stopped = false;

  bool wants_to_stop(const std::atomic<bool>* interrupted) const {
    return (interrupted && interrupted->load(std::memory_order_relaxed)) || (watcher && watcher->wants_to_stop());
  }
};

void finish_alone(Run& r, const std::atomic<bool>* interrupted) {
  sim::Simulation& s = *r.simulation;
  while (!s.is_over() && !r.stopped) {
    r.stopped = r.wants_to_stop(interrupted);
    if (!r.stopped) s.advance();
  }
}

void ride(Riders& together, std::span<Rider> riders, std::span<Run> runs, const std::atomic<bool>* interrupted) {
  for (std::int64_t k = 0;; k++) {
    for (std::size_t i = 0; i < runs.size(); i++) {
      if (!riders[i].rides || runs[i].simulation->is_over()) continue;
      runs[i].stopped = runs[i].wants_to_stop(interrupted);
      riders[i].rides = !runs[i].stopped;
    }
    if (together.let_out(k) < 2) return;
    together.step(k);
  }
}

}  // namespace

// In as many parts whatever the robots do, with a report that tells the robots apart.
bool can_share_steps(const Model& model, const Stepper& stepper) {
  const Plant& plant = plant_of(model);
  const auto methods = plant.methods();
  const int method = int(std::ranges::find(methods, stepper.name) - methods.begin());
  if (!plant.runs_batches(method)) return false;
  if (model.thinnest > 0.0 && model.substeps == 0) return false;
  return !model.has_rows() || stepper.name != "rk4";
}

bool needs_own_report(const ResultPlan& result) {
  static constexpr std::array<std::string_view, 8> of_reports{
      "run.outside_cone_max", "run.friction_gain_max", "run.torque_max",     "run.saturated_time",
      "run.gap_max",          "run.iterations_mean",   "run.iterations_max", "run.residual_max"};
  return std::ranges::find(of_reports, result.signal) != of_reports.end() ||
         result.signal.find("solver.") != std::string::npos;
}

bool can_run_together(const sim::Experiment& a, const sim::Experiment& b) {
  if (is_bench(a.scenario) || a.scenario.step != b.scenario.step || a.scenario.duration != b.scenario.duration)
    return false;
  if (&a.stepper() != &b.stepper() && a.stepper().name != b.stepper().name) return false;
  if (!can_share_steps(a.model(), a.stepper()) || !can_step_together(a.model(), b.model())) return false;
  Params<Lanes> wide = broadcast<Lanes>(a.params());
  return set_lane_params(wide, 0, b.params());
}

std::vector<sim::RunResult> run_together(std::span<const sim::Experiment* const> experiments,
                                         std::span<sim::Watcher* const> watchers,
                                         const std::atomic<bool>* interrupted) {
  SINEW_CHECK(!experiments.empty() && experiments.size() <= std::size_t(lane_count),
              "run_together: ", experiments.size(), " robots for ", lane_count, " lanes");
  SINEW_CHECK(watchers.empty() || watchers.size() == experiments.size(), "run_together: ", watchers.size(),
              " watchers for ", experiments.size(), " robots");
  World<Lanes> wide = widen(experiments[0]->world());
  std::vector<Run> runs(experiments.size());
  std::vector<Rider> riders(experiments.size());
  for (std::size_t i = 0; i < runs.size(); i++) {
    const bool fits = set_lane_params(wide.params, int(i), experiments[i]->params());
    SINEW_CHECK(fits, "run_together: the numbers of robot ", i, " cannot be in a lane");
    Run& r = runs[i];
    r.watcher = watchers.empty() ? nullptr : watchers[i];
    const std::shared_ptr<const sim::Experiment> borrowed(std::shared_ptr<void>(), experiments[i]);
    sim::SimulationOptions options;
    options.end = experiments[i]->scenario.duration;
    options.with_results = true;
    options.watcher = r.watcher;
    r.simulation = std::make_unique<sim::Simulation>(borrowed, options);
    riders[i] = {r.simulation.get(), true, is_told(*r.simulation)};
  }
  const std::vector<MemoryPart> memory = memory_of_steps(wide.model());
  Riders together(wide, riders, memory);
  ride(together, riders, runs, interrupted);
  std::vector<sim::RunResult> out;
  for (Run& r : runs) {
    finish_alone(r, interrupted);
    r.simulation->finish();
    out.push_back(sim::result_of(*r.simulation, r.stopped));
  }
  return out;
}

}  // namespace sinew
