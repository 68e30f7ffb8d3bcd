// Time goes in whole steps, t = k step, so that no rounding adds up; a last shorter step ends exactly at the duration.
// Snapshots between steps are taken from a fork of the world, which leaves the run itself as it is.
#include "sinew/io/run.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "sinew/io/formula.h"
#include "sinew/io/run_quantities.h"
#include "sinew/io/scenario_signals.h"
#include "sinew/io/statistics.h"
#include "sinew/io/still.h"
#include "sinew/model/rods.h"

namespace sinew::io {
namespace {

class Runner {
 public:
  Runner(const Scenario& scenario, const RunHooks& hooks);
  bool finished() const { return now_.k >= n_steps_ || diagnosis_; }
  void advance();
  double time() const { return world_.state.t; }
  RunResult result(bool interrupted);

 private:
  double time_of(std::int64_t k) const { return k >= n_steps_ ? scenario_.duration : double(k) * scenario_.step; }
  void begin();
  void resume(const Progress& from);
  bool is_check_due() const;
  bool is_whole() const { return double(now_.k) * scenario_.step == time(); }
  void store_before_end();
  void let_watch();
  void store();
  Account check(const StepReport& report);
  Sunk find_sunk(const World<double>& world, const Observation<double>& seen);
  void fail(const StepReport& report, Account found, double dt);
  void take_snapshots(double t, double t_next);
  Snapshot look(const World<double>& world) const;
  void account(const StepReport& report, double t, double dt);
  void mark_average();
  void remember_statistics(double dt);
  void remember_unsolved(const StepReport& report, double t);
  ResultValue value_of(std::size_t r, const Observation<double>& seen) const;
  std::vector<double> values_of(std::size_t r, const World<double>& world, const Observation<double>& seen) const;

  const Scenario& scenario_;
  const RunHooks& hooks_;
  World<double> world_, fork_;
  Observer<double> observer_;
  GroundWatch ground_;
  std::unique_ptr<Controller> controller_;  // nullptr: none
  Readings readings_;
  std::vector<Signal> signals_;
  std::vector<ResultPlan> results_;
  std::vector<Formula> result_formulas_;                   // none for a quantity of the run
  std::vector<const RunQuantity*> result_run_quantities_;  // nullptr: signals
  std::vector<int> at_order_;                              // snapshots by time
  bool has_statistics_;
  std::vector<double> looked_;  // scratch
  std::int64_t n_steps_;
  Progress now_, good_;                       // present; last one that passed the check
  double next_store_ = 0.0;                   // time of the next checkpoint [s]
  bool every_step_ = false;                   // looking for the step that failed
  std::int64_t looked_k_ = 0, failed_k_ = 0;  // steps done at the last check; at the one that failed
  std::optional<Diagnosis> diagnosis_;
};

std::int64_t count_steps(double duration, double step) {
  const double whole = std::floor(std::min(duration / step * (1 + 1e-12) + 1e-9, 9e15));  // more would not fit
  return std::int64_t(whole) + (duration - whole * step > 1e-9 * step ? 1 : 0);
}

Runner::Runner(const Scenario& scenario, const RunHooks& hooks)
    : scenario_(scenario),
      hooks_(hooks),
      world_(make_world(scenario)),
      fork_(world_),
      observer_(world_.model()),
      ground_(ground_watch_from(world_, observer_.observe(world_))),
      controller_(make_controller(scenario)),
      signals_(signals_of(scenario, world_.model())),
      results_(known_results(scenario)),
      n_steps_(count_steps(scenario.duration, scenario.step)) {
  for (const ResultPlan& result : results_) {
    result_run_quantities_.push_back(find_run_quantity(result.signal));
    result_formulas_.push_back(parse_formula(signals_, result.signal));
  }
  has_statistics_ = std::ranges::any_of(
      results_, [](const auto& r) { return r.from > 0.0 || (r.take != Take::Final && r.take != Take::Change); });
  at_order_.resize(scenario.at.size());
  std::iota(at_order_.begin(), at_order_.end(), 0);
  std::ranges::stable_sort(at_order_, {}, [&](int i) { return scenario.at[i]; });
  if (hooks.resume)
    resume(*hooks.resume);
  else
    begin();
  next_store_ = time() + hooks.checkpoint_every;
  let_watch();
  check({});
}

void Runner::begin() {
  now_.snapshots.resize(scenario_.at.size());
  now_.statistics.resize(results_.size());
  const auto& seen = observer_.observe(world_);
  now_.watch = watch_from(world_, seen);
  now_.tally.start = seen.com.p;
  for (const auto& link : world_.params.links) now_.tally.weight += link.I_F.m;
  now_.tally.weight *= norm(fall(world_.params.gravity, seen.com.p, Vec3d::zero()));
  remember_statistics(0.0);
  mark_average();
  now_.state = world_.state;
  good_ = now_;
}

void Runner::resume(const Progress& from) {
  now_ = good_ = from;
  looked_k_ = now_.k;
  world_.state = from.state;
  if (!from.torque.empty()) world_.input.torque = from.torque;
}

void Runner::advance() {
  const double t = time_of(now_.k), t_next = time_of(now_.k + 1);
  const bool is_last = now_.k + 1 == n_steps_;
  const double rest = scenario_.duration - double(now_.k) * scenario_.step;
  const double dt = is_last && rest < scenario_.step * (1 - 1e-9) ? rest : scenario_.step;
  if (is_last) store_before_end();
  if (controller_) {  // commands are held over the step, also in a fork
    read_sensors(world_, readings_);
    controller_->update(readings_, world_.state.memory, world_.input);
  }
  take_snapshots(t, t_next);
  const StepReport report = world_.step(dt);
  world_.state.t = t_next;
  now_.k++;
  account(report, t, dt);
  if (time() >= double(now_.samples) * scenario_.every - 1e-9 * scenario_.step) let_watch();
  if (report.is_lost() || is_check_due() || is_last) {
    const Account found = check(report);
    if (found == Account::InOrder) {
      if (hooks_.checkpoint_every > 0.0 && time() >= next_store_) store();
    } else if (every_step_ || found != Account::InDoubt) {
      fail(report, found, dt);
    }
  }
}

// What is kept of every step.
void Runner::account(const StepReport& report, double t, double dt) {
  now_.iterations += report.iterations;
  now_.solver.iterations_max = std::max(now_.solver.iterations_max, report.iterations);
  now_.solver.residual_max = std::max(now_.solver.residual_max, report.residual);
  now_.solver.gap_max = std::max(now_.solver.gap_max, report.gap);
  if (!report.converged) remember_unsolved(report, t);
  add_step(world_.model(), report, world_.state, dt, now_.tally);
  mark_average();
  if (has_statistics_) remember_statistics(dt);
}

// The mean speed begins here.
void Runner::mark_average() {
  if (now_.tally.t_mark >= 0.0 || time() < scenario_.t_avg_start - 1e-9 * scenario_.step) return;
  now_.tally.t_mark = time();
  now_.tally.mark = observer_.observe(world_).com.p;
}

void Runner::let_watch() {
  if (!hooks_.watcher) return;
  hooks_.watcher->look(world_);
  now_.sampled_k = now_.k;
  now_.samples = std::max(now_.samples + 1, std::int64_t(time() / scenario_.every * (1 + 1e-12)) + 1);
}

// Only whole steps can be gone on from.
void Runner::store() {
  if (hooks_.checkpoint && is_whole()) hooks_.checkpoint(good_);
  next_store_ = time() + hooks_.checkpoint_every;
}

// A run that ends between two whole steps, be it by round-off, can be gone on from the last one.
void Runner::store_before_end() {
  if (hooks_.checkpoint_every > 0.0 && double(now_.k + 1) * scenario_.step != scenario_.duration &&
      check({}) == Account::InOrder)
    store();
}

// Often at the start, when most mistakes show; then rarely, because looking costs more than a step. Only what has passed
// is recorded, so not too rarely for that either.
bool Runner::is_check_due() const {
  const auto k = now_.k;
  return every_step_ || k % 64 == 0 || (k < 64 && (k & (k - 1)) == 0) || time() - good_.state.t > 0.05;
}

// What is not in order may become so again: it is neither kept nor the end.
Account Runner::check(const StepReport& report) {
  if (report.is_lost()) return Account::Unexplained;
  const auto& seen = observer_.observe(world_);
  const Account found = now_.watch.look(world_, seen, int(now_.k - looked_k_));
  looked_k_ = now_.k;
  if (found != Account::InOrder) return found;
  if (find_sunk(world_, seen).shape >= 0) return Account::UnderGround;
  now_.state = world_.state;
  if (controller_) now_.torque = world_.input.torque;
  good_ = now_;
  if (hooks_.watcher) hooks_.watcher->keep();
  if (now_.k >= failed_k_) every_step_ = false;
  return found;
}

// Speeds are those of all looks so far: when it is looked at every step, those that led there.
Sunk Runner::find_sunk(const World<double>& world, const Observation<double>& seen) {
  now_.top_speed = std::max(now_.top_speed, top_speed(world, seen, ground_));
  return sinew::find_sunk(world, seen, ground_, 2.0 * scenario_.step * now_.top_speed, now_.watch.scale);
}

// Goes back to the last good moment; from there step by step, until the one step is found that fails.
void Runner::fail(const StepReport& report, Account found, double dt) {
  const World<double> after = world_;
  const std::int64_t k = now_.k;
  const Sunk sunk = found == Account::UnderGround ? find_sunk(after, observer_.observe(after)) : Sunk{};
  now_ = good_;
  looked_k_ = now_.k;
  world_.state = good_.state;
  if (!good_.torque.empty()) world_.input.torque = good_.torque;
  if (hooks_.watcher) hooks_.watcher->drop();
  if (every_step_) diagnosis_ = diagnose({world_, after, dt, report, good_.watch, controller_.get(), sunk});
  every_step_ = true, failed_k_ = k;
}

void Runner::take_snapshots(double t, double t_next) {
  const double near = 1e-9 * scenario_.step;
  for (; now_.next_at < at_order_.size(); now_.next_at++) {
    const int i = at_order_[now_.next_at];
    const double wanted = scenario_.at[i];
    if (wanted >= t_next - near && t_next > t) return;
    if (wanted > t_next + near) return;
    if (wanted - t <= near) {
      now_.snapshots[i] = look(world_);
      continue;
    }
    fork_ = world_;
    if (fork_.step(wanted - t).is_lost()) continue;
    fork_.state.t = wanted;
    now_.snapshots[i] = look(fork_);
  }
}

std::vector<double> Runner::values_of(std::size_t r, const World<double>& world,
                                      const Observation<double>& seen) const {
  if (!results_[r].known.empty()) return results_[r].known;
  if (result_run_quantities_[r]) return {result_run_quantities_[r]->of({now_, world, seen})};
  std::vector<double> values;
  for (const Sum& sum : result_formulas_[r].components) values.push_back(evaluate(sum, signals_, world, seen));
  const std::vector<double>& first = now_.statistics[r].first;
  if (results_[r].take == Take::Change && !first.empty())
    for (std::size_t i = 0; i < values.size(); i++) values[i] -= first[i];
  return values;
}

Snapshot Runner::look(const World<double>& world) const {
  const auto seen = observe(world);
  Snapshot s{world.state.t, {}, {}, {}};
  const Plan plan = with_rods(scenario_.plan);
  if (!world.plant().has_joints()) s.q = world.state.plant;
  for (std::size_t j = 0; j < seen.joints.size(); j++) {
    if (!world.plant().has_joints() || plan.joints[j].loop) continue;
    s.q.insert(s.q.end(), seen.joints[j].q.begin(), seen.joints[j].q.end());
    s.u.insert(s.u.end(), seen.joints[j].u.begin(), seen.joints[j].u.end());
  }
  for (std::size_t r = 0; r < results_.size(); r++)
    s.results.push_back(reduced(results_[r], values_of(r, world, seen)));
  return s;
}

void Runner::remember_statistics(double dt) {
  const auto& seen = observer_.observe(world_);
  for (std::size_t r = 0; r < result_formulas_.size(); r++) {
    if (!is_looked_at(results_[r], time(), scenario_.step)) continue;
    looked_.clear();
    for (const Sum& sum : result_formulas_[r].components) looked_.push_back(evaluate(sum, signals_, world_, seen));
    if (!looked_.empty()) add_look(results_[r], time(), std::max(dt, results_[r].every), looked_, now_.statistics[r]);
  }
}

void Runner::remember_unsolved(const StepReport& report, double t) {
  now_.solver.unconverged_steps++;
  if (!now_.unsolved) now_.unsolved = Unsolved{t, -1.0, -1, -1};
  if (report.residual <= now_.unsolved->residual) return;
  now_.unsolved->residual = report.residual;
  now_.unsolved->pair = report.worst_pair, now_.unsolved->axis = report.worst_axis;
}

ResultValue Runner::value_of(std::size_t r, const Observation<double>& seen) const {
  const ResultPlan& plan = results_[r];
  const Formula& formula = result_formulas_[r];
  const Statistics& s = now_.statistics[r];
  ResultValue value{plan.name, "", false, values_of(r, world_, seen)};
  value.of_robot = r < results_.size() - scenario_.results.size();
  if (!plan.known.empty()) {
    value.values = reduced(plan, value.values);
    value.unit = plan.unit, value.is_vector = value.values.size() > 1;
    return value;
  }
  if (const RunQuantity* quantity = result_run_quantities_[r]) {
    value.unit = quantity->unit;
    value.is_wall_time = quantity->name == wall_time;
    value.values = reduced(plan, value.values);
    return value;
  }
  value.is_vector = formula.is_vector && plan.over == Over::Each;
  for (const Sum& sum : formula.components) {  // "rad/s", or "rad/s, m/s" for the six velocities of a free joint
    const std::string& unit = signals_[sum[0].signal].unit;
    if (value.unit.find(unit) == std::string::npos) value.unit += (value.unit.empty() ? "" : ", ") + unit;
  }
  const bool is_taken = plan.take != Take::Final && plan.take != Take::Change && !s.first.empty();
  if (is_taken) value.values = taken(plan, world_.state.t, s);
  if (is_time(plan.take)) {
    if (!is_taken) value.values = {std::nan("")};
    value.unit = "s", value.is_vector = value.values.size() > 1;
    return value;
  }
  value.values = reduced(plan, value.values);
  return value;
}

RunResult Runner::result(bool interrupted) {
  // before the last snapshots: a run that goes on from here takes them itself, after its controller has been asked
  if (!diagnosis_ && hooks_.checkpoint_every > 0.0 && is_whole() && check({}) == Account::InOrder) store();
  take_snapshots(time(), time());
  if (hooks_.watcher) {
    if (now_.sampled_k != now_.k) let_watch();
    hooks_.watcher->keep();
  }
  const auto& seen = observer_.observe(world_);
  RunResult out;
  out.scenario = scenario_.name;
  out.seed = scenario_.seed;
  out.end = world_.state.t, out.step = scenario_.step, out.steps = now_.k;
  out.solver = now_.solver;
  out.solver.iterations_mean = now_.k ? now_.iterations / double(now_.k) : 0.0;
  out.energy = seen.energy, out.work = world_.state.work, out.balance_error = seen.balance_error;
  for (std::size_t r = 0; r < results_.size(); r++) out.results.push_back(value_of(r, seen));
  if (scenario_.robot_keys)
    for (const robots::Measurement& m : scenario_.robot_keys->measure(scenario_.seed))
      out.results.push_back({m.name, m.unit, m.values.size() != 1, m.values, !m.is_main, false, true});
  out.at = scenario_.at;
  out.snapshots = now_.snapshots;
  out.hash = hash(world_.state);
  out.has_loops = !world_.model().cuts.empty();
  out.ending = diagnosis_ ? Ending::Failed : interrupted ? Ending::Interrupted : Ending::Done;
  out.diagnosis = diagnosis_;
  const Model& model = world_.model();
  out.has_contacts = model.n_slots > 0;
  out.contacts = seen.total;
  out.tolerance = model.contact.tolerance;
  out.remark = world_.plant().remark(world_.state.plant);
  out.unsolved = now_.unsolved;
  if (out.unsolved)
    out.unsolved_where = out.unsolved->pair >= 0   ? "contact " + contact_name(model, out.unsolved->pair)
                         : out.unsolved->axis >= 0 ? axis_law_name(model, out.unsolved->axis)
                                                   : "contact";
  return out;
}

}  // namespace

RunResult run(const Scenario& scenario, const RunHooks& hooks) {
  Runner runner(scenario, hooks);
  bool interrupted = false;
  while (!runner.finished()) {
    if ((hooks.interrupted && hooks.interrupted->load(std::memory_order_relaxed)) ||
        (hooks.watcher && hooks.watcher->wants_to_stop())) {
      interrupted = true;
      break;
    }
    runner.advance();
    if (hooks.progress) hooks.progress(runner.time());
  }
  return runner.result(interrupted);
}

}  // namespace sinew::io
