#include "sinew/batch/together.h"

#include <algorithm>
#include <array>
#include <optional>

#include "sinew/math/check.h"
#include "sinew/model/lane_params.h"

namespace sinew {
namespace {

// One of the runs in a register.
struct Rider {
  std::unique_ptr<sim::Simulation> simulation;
  sim::Watcher* watcher = nullptr;
  bool rides = true;  // else it has come to its end, or goes on alone
  bool stopped = false;
  bool is_told = false;  // a controller or sensors write into its state between steps

  bool wants_to_stop(const std::atomic<bool>* interrupted) const {
    return (interrupted && interrupted->load(std::memory_order_relaxed)) || (watcher && watcher->wants_to_stop());
  }
};

class Register4 {
 public:
  explicit Register4(std::span<const sim::Experiment* const> experiments) : wide_(widen(experiments[0]->world())) {
    for (std::size_t i = 0; i < experiments.size(); i++) {
      const World<double> world = experiments[i]->world();
      const bool fits = set_lane_params(wide_.params, int(i), world.params);
      SINEW_CHECK(fits, "run_together: the numbers of robot ", i, " cannot be in a lane");
    }
  }

  void take(int lane, const World<double>& world) {
    set_lane_state(wide_.state, lane, world.state);
    take_input(lane, world.input);
  }
  void take_input(int lane, const Input<double>& input) {
    for (std::size_t c = 0; c < input.torque.size(); c++) wide_.input.torque[c].set(lane, input.torque[c]);
    for (std::size_t c = 0; c < input.drive.size(); c++) wide_.input.drive[c].set(lane, input.drive[c]);
  }
  // What a controller or sensors wrote.
  void take_memory(int lane, const World<double>& world) {
    for (std::size_t i = 0; i < world.state.memory.size(); i++) wide_.state.memory[i].set(lane, world.state.memory[i]);
    take_input(lane, world.input);
  }
  // The lane of a robot that has left stands still in the shape of another one.
  void copy_lane(int from, int to) {
    for_each_number(wide_.state, [&](Lanes& x) { x.set(to, x[from]); });
    for (Lanes& x : wide_.input.torque) x.set(to, x[from]);
    for (Lanes& x : wide_.input.drive) x.set(to, x[from]);
  }
  StepReport step(double dt) { return wide_.step(dt); }
  void set_clock(const StepClock& clock) { static_cast<StepClock&>(wide_.state) = clock; }

  void give(int lane, State<double>& state) const {
    static_cast<StepClock&>(state) = wide_.state;
    const auto of = [&](const std::vector<Lanes>& from, std::vector<double>& to) {
      for (std::size_t i = 0; i < to.size(); i++) to[i] = from[i][lane];
    };
    of(wide_.state.q, state.q);
    of(wide_.state.u, state.u);
    of(wide_.state.contact, state.contact);
    of(wide_.state.axis_P, state.axis_P);
    of(wide_.state.pad, state.pad);
    of(wide_.state.plant, state.plant);
    of(wide_.state.past, state.past);
    of(wide_.state.memory, state.memory);
    const Work<Lanes>& w = wide_.state.work;
    state.work = {w.actuators[lane], w.external[lane], w.damping[lane],
                  w.friction[lane],  w.impact[lane],   w.start[lane]};
    give_bounces(lane, state.bounces);
  }

 private:
  void give_bounces(int lane, Bounces<double>& to) const {
    std::array<double, 10 + Bounces<double>::most> numbers{};
    std::size_t n = 0;
    for_each_bounce(wide_.state.bounces, [&](const Lanes& x) { numbers[n++] = x[lane]; });
    n = 0;
    for_each_bounce(to, [&](double& x) { x = numbers[n++]; });
  }

  World<Lanes> wide_;
};

void finish_alone(Rider& r, const std::atomic<bool>* interrupted) {
  sim::Simulation& s = *r.simulation;
  while (!s.is_over() && !r.stopped) {
    r.stopped = r.wants_to_stop(interrupted);
    if (!r.stopped) s.advance();
  }
}

// The step of all riders in one. False: it was not solved for all, and nothing has happened.
bool step_in_lanes(Register4& lanes, std::span<Rider> riders, double dt) {
  for (std::size_t i = 0; i < riders.size(); i++)
    if (riders[i].rides && riders[i].is_told) lanes.take_memory(int(i), riders[i].simulation->world());
  const StepReport report = lanes.step(dt);
  if (report.is_lost() || !report.converged) return false;
  for (std::size_t i = 0; i < riders.size(); i++) {
    if (!riders[i].rides) continue;
    StepReport own = report;
    own.residual = own.lane_residual[0] = report.lane_residual[i];
    lanes.give(int(i), riders[i].simulation->stepping().state);
    riders[i].simulation->after_step(own);
  }
  return true;
}

// Who is over, wants to stop or went back leaves. Gives the number of those that go on.
int let_out(Register4& lanes, std::span<Rider> riders, std::int64_t k, const std::atomic<bool>* interrupted) {
  int riding = 0, last = -1;
  for (std::size_t i = 0; i < riders.size(); i++) {
    Rider& r = riders[i];
    if (!r.rides) continue;
    r.stopped = !r.simulation->is_over() && r.wants_to_stop(interrupted);
    r.rides = !r.simulation->is_over() && !r.stopped && r.simulation->progress().k == k;
    if (!r.rides) continue;
    riding++;
    last = int(i);
  }
  if (last < 0) return 0;
  for (std::size_t i = 0; i < lane_count; i++)
    if (i >= riders.size() || !riders[i].rides) lanes.copy_lane(last, int(i));
  return riding;
}

void ride(Register4& lanes, std::span<Rider> riders, const std::atomic<bool>* interrupted) {
  for (std::int64_t k = 0; let_out(lanes, riders, k, interrupted) > 1; k++) {
    double dt = 0.0;
    for (Rider& r : riders)
      if (r.rides) dt = r.simulation->before_step();
    if (!step_in_lanes(lanes, riders, dt)) {
      for (std::size_t i = 0; i < riders.size(); i++) {
        if (!riders[i].rides) continue;
        sim::Simulation& s = *riders[i].simulation;
        s.after_step(s.stepping().step(dt));
        lanes.take(int(i), s.world());
      }
    }
    for (const Rider& r : riders)
      if (r.rides && r.simulation->progress().k == k + 1) lanes.set_clock(r.simulation->world().state);
  }
}

}  // namespace

// In as many parts whatever the robots do, with a report that tells the robots apart.
bool can_share_steps(const World<double>& world) {
  const Model& model = world.model();
  const auto methods = world.plant().methods();
  const int method = int(std::ranges::find(methods, world.stepper().name) - methods.begin());
  if (!world.plant().runs_batches(method)) return false;
  if (model.thinnest > 0.0 && model.substeps == 0) return false;
  return !model.has_rows() || world.stepper().name != "rk4";
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
  const World<double> world = a.world(), other = b.world();
  if (&world.stepper() != &other.stepper() && world.stepper().name != other.stepper().name) return false;
  if (!can_share_steps(world) || !can_step_together(a.model(), b.model())) return false;
  Params<Lanes> wide = broadcast<Lanes>(world.params);
  return set_lane_params(wide, 0, other.params);
}

std::vector<sim::RunResult> run_together(std::span<const sim::Experiment* const> experiments,
                                         std::span<sim::Watcher* const> watchers,
                                         const std::atomic<bool>* interrupted) {
  SINEW_CHECK(!experiments.empty() && experiments.size() <= std::size_t(lane_count),
              "run_together: ", experiments.size(), " robots for ", lane_count, " lanes");
  SINEW_CHECK(watchers.empty() || watchers.size() == experiments.size(), "run_together: ", watchers.size(),
              " watchers for ", experiments.size(), " robots");
  Register4 lanes(experiments);
  std::vector<Rider> riders(experiments.size());
  for (std::size_t i = 0; i < riders.size(); i++) {
    Rider& r = riders[i];
    r.watcher = watchers.empty() ? nullptr : watchers[i];
    const std::shared_ptr<const sim::Experiment> borrowed(std::shared_ptr<void>(), experiments[i]);
    sim::SimulationOptions options;
    options.end = experiments[i]->scenario.duration;
    options.with_results = true;
    options.watcher = r.watcher;
    r.simulation = std::make_unique<sim::Simulation>(borrowed, options);
    r.is_told = r.simulation->has_controller() || !r.simulation->world().model().sensors.empty();
    lanes.take(int(i), r.simulation->world());
  }
  ride(lanes, riders, interrupted);
  std::vector<sim::RunResult> out;
  for (Rider& r : riders) {
    finish_alone(r, interrupted);
    r.simulation->finish();
    out.push_back(sim::result_of(*r.simulation, r.stopped));
  }
  return out;
}

}  // namespace sinew
