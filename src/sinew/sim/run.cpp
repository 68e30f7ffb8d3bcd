#include "sinew/sim/run.h"

#include "sinew/math/hash.h"
#include "sinew/model/contact_parts.h"
#include "sinew/world/contacts.h"

namespace sinew::sim {
namespace {

// Stores a run again and again.
class Store {
 public:
  Store(Simulation& simulation, const RunHooks& hooks)
      : simulation_(simulation), hooks_(hooks), next_(simulation.time() + hooks.checkpoint_every) {}

  // A run that ends between two whole steps, be it by round-off, can be gone on from the last one.
  void before_step() {
    const Scenario& s = simulation_.scenario();
    if (is_on() && simulation_.is_last() && double(simulation_.progress().k + 1) * s.step != s.duration &&
        simulation_.check())
      store();
  }
  void after_step() {
    if (is_on() && simulation_.is_sound() && simulation_.time() >= next_) store();
  }
  // Before the last snapshots: a run that goes on from here takes them itself, after its controller has been asked.
  void at_end() {
    if (!simulation_.diagnosis() && is_on() && simulation_.is_whole() && simulation_.check()) store();
  }

 private:
  bool is_on() const { return hooks_.checkpoint_every > 0.0; }
  void store() {  // only whole steps can be gone on from
    if (hooks_.checkpoint && simulation_.is_whole()) hooks_.checkpoint(simulation_.progress());
    next_ = simulation_.time() + hooks_.checkpoint_every;
  }

  Simulation& simulation_;
  const RunHooks& hooks_;
  double next_;  // [s]
};

std::string place_of(const Unsolved& unsolved, const Model& model) {
  if (unsolved.pair >= 0) return "contact " + contact_name(model, unsolved.pair);
  return unsolved.axis >= 0 ? axis_law_name(model, unsolved.axis) : "contact";
}

void add_measured(const Scenario& scenario, std::vector<ResultValue>& out) {
  if (!scenario.robot_keys) return;
  for (const robots::Measurement& m : scenario.robot_keys->measure(scenario.seed))
    out.push_back({m.name, m.unit, m.values.size() != 1, m.values, !m.is_main, false, true});
}

std::uint64_t hash_of(const std::vector<ResultValue>& results) {
  Hasher hasher;
  for (const ResultValue& r : results) {
    for (const char c : r.name) hasher.add(std::uint64_t(static_cast<unsigned char>(c)));
    for (const double x : r.values) hasher.add(x);
  }
  return hasher.h;
}

RunResult measure(const Experiment& experiment, Watcher* watcher) {
  const Scenario& scenario = experiment.scenario;
  if (watcher) {
    watcher->look(experiment.world());
    watcher->keep();
  }
  RunResult out{};
  out.scenario = scenario.name;
  out.seed = scenario.seed;
  out.is_bench = true;
  add_measured(scenario, out.results);
  out.hash = hash_of(out.results);
  return out;
}

bool is_to_stop(const RunHooks& hooks) {
  return (hooks.interrupted && hooks.interrupted->load(std::memory_order_relaxed)) ||
         (hooks.watcher && hooks.watcher->wants_to_stop());
}

}  // namespace

// With a controller from elsewhere, a policy or an FMU, the robot's own has nothing to say: it remembers nothing here.
RunResult result_of(Simulation& simulation, bool interrupted, bool has_own_controller) {
  const Scenario& scenario = simulation.scenario();
  const World<double>& world = simulation.world();
  const Model& model = world.model();
  const Progress& progress = simulation.progress();
  const auto& seen = simulation.seen();
  RunResult out;
  out.scenario = scenario.name;
  out.seed = scenario.seed;
  out.end = world.state.t;
  out.step = scenario.step;
  out.steps = progress.k;
  out.solver = progress.solver;
  out.solver.iterations_mean = progress.k ? progress.iterations / double(progress.k) : 0.0;
  out.energy = seen.energy;
  out.work = world.state.work;
  out.balance_error = seen.balance_error;
  out.results = simulation.results();
  add_measured(scenario, out.results);
  out.at = scenario.at;
  out.snapshots = progress.snapshots;
  out.hash = simulation.hash();
  out.is_bench = false;
  out.has_loops = model.has_rows();
  out.diagnosis = simulation.diagnosis();
  out.ending = out.diagnosis ? Ending::Failed : interrupted ? Ending::Interrupted : Ending::Done;
  out.has_contacts = model.n_slots > 0;
  if (model.substeps == 0) out.penalty_parts = least_parts(model, scenario.step);
  out.stiff_contacts = model.stiff_contacts;
  out.contacts = seen.total;
  out.tolerance = model.contact.tolerance;
  out.drives = account_of_drives(world);
  out.drive_remarks = remarks_on_drives(world);
  out.drive_doubt = doubt_about_drives(world, seen.balance_error, progress.totals.through);
  out.remark = world.plant().remark(world.state.plant);
  const bool is_own = scenario.control_kind != ControlKind::Policy && scenario.control_kind != ControlKind::Fmu;
  const bool has_memory = has_own_controller && is_own;
  if (has_memory && scenario.robot_keys && !scenario.robot_keys->memory_block().empty()) {
    const int block = memory_offset(scenario.plan, scenario.robot_keys->memory_block());
    const std::span<const double> memory(world.state.memory);
    for (const std::string& line : scenario.robot_keys->remarks(memory.subspan(std::size_t(block))))
      out.remark += (out.remark.empty() ? "" : "; ") + line;
  }
  out.unsolved = progress.unsolved;
  if (out.unsolved) out.unsolved_where = place_of(*out.unsolved, model);
  return out;
}

RunResult run(const Experiment& experiment, const RunHooks& hooks) {
  if (is_bench(experiment.scenario)) return measure(experiment, hooks.watcher);
  const std::shared_ptr<const Experiment> borrowed(std::shared_ptr<void>(), &experiment);
  Simulation simulation(borrowed, {.end = experiment.scenario.duration,
                                   .with_results = true,
                                   .watcher = hooks.watcher,
                                   .from = hooks.resume,
                                   .controller = hooks.controller});
  Store store(simulation, hooks);
  bool interrupted = false;
  while (!simulation.is_over() && !interrupted) {
    interrupted = is_to_stop(hooks);
    if (interrupted) break;
    store.before_step();
    simulation.advance();
    store.after_step();
    if (hooks.progress) hooks.progress(simulation.time());
  }
  store.at_end();
  simulation.finish();
  return result_of(simulation, interrupted, hooks.controller == nullptr);
}

RunResult run(const Scenario& scenario, const RunHooks& hooks) { return run(Experiment(scenario), hooks); }

}  // namespace sinew::sim
