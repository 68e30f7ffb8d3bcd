#include "sinew/sim/results.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/sim/statistics.h"

namespace sinew::sim {
namespace {

void remember_unsolved(const StepReport& report, double t, Progress& progress) {
  progress.solver.unconverged_steps++;
  if (!progress.unsolved) progress.unsolved = Unsolved{t, -1.0, -1, -1};
  if (report.residual <= progress.unsolved->residual) return;
  progress.unsolved->residual = report.residual;
  progress.unsolved->pair = report.worst_pair;
  progress.unsolved->axis = report.worst_axis;
}

}  // namespace

Results::Results(const Experiment& experiment) : experiment_(experiment), formulas_(experiment.formulas()) {
  const std::vector<ResultPlan>& results = experiment.results();
  for (const ResultPlan& result : results) run_quantities_.push_back(find_run_quantity(result.signal));
  has_statistics_ = std::ranges::any_of(
      results, [](const auto& r) { return r.from > 0.0 || (r.take != Take::Final && r.take != Take::Change); });
  for (std::size_t r = 0; r < results.size(); r++) {
    Look& look = looks_.emplace_back(Look::Nothing);
    for (const Sum& sum : formulas_[r].components)
      for (const Term& term : sum)
        if (term.signal >= 0) look = std::max(look, look_for(experiment.signals()[std::size_t(term.signal)]));
  }
  const std::vector<double>& at = experiment.scenario.at;
  at_order_.resize(at.size());
  std::iota(at_order_.begin(), at_order_.end(), 0);
  std::ranges::stable_sort(at_order_, {}, [&](int i) { return at[i]; });
}

void Results::begin(const Sight& now, Progress& progress) {
  progress.snapshots.resize(experiment_.scenario.at.size());
  progress.statistics.resize(experiment_.results().size());
  RunTotals& totals = progress.totals;
  const auto& seen = now.seen(Look::Places);
  totals.start = seen.com.p;
  for (const auto& link : now.world.params.links) totals.weight += link.I_F.m;
  totals.weight *= norm(fall(now.world.params.gravity, seen.com.p, Vec3d::zero()));
  remember_statistics(0.0, now, progress);
  mark_average(now, progress);
}

// What is kept of every step.
void Results::add_step(const StepReport& report, double t, double dt, const Sight& now, Progress& progress) {
  progress.iterations += report.iterations;
  progress.solver.iterations_max = std::max(progress.solver.iterations_max, report.iterations);
  progress.solver.residual_max = std::max(progress.solver.residual_max, report.residual);
  progress.solver.gap_max = std::max(progress.solver.gap_max, report.gap);
  if (!report.converged) remember_unsolved(report, t, progress);
  sim::add_step(now.world.model(), report, now.world.state, dt, progress.totals);
  mark_average(now, progress);
  if (has_statistics_) remember_statistics(dt, now, progress);
}

// The mean speed begins here.
void Results::mark_average(const Sight& now, Progress& progress) const {
  const Scenario& s = experiment_.scenario;
  const double t = now.world.state.t;
  if (progress.totals.t_mark >= 0.0 || t < s.t_avg_start - 1e-9 * s.step) return;
  progress.totals.t_mark = t;
  progress.totals.mark = now.seen(Look::Places).com.p;
}

// Of a final value nothing is gathered, of a change the start.
bool Results::is_gathered(std::size_t r, double t, const Progress& progress) const {
  const ResultPlan& result = experiment_.results()[r];
  if (result.take == Take::Final) return false;
  if (result.take == Take::Change && !progress.statistics[r].first.empty()) return false;
  return is_looked_at(result, t, experiment_.scenario.step);
}

Look Results::look_at(double t, const Progress& progress) const {
  Look look = Look::Nothing;
  for (std::size_t r = 0; has_statistics_ && r < progress.statistics.size(); r++)
    if (looks_[r] > look && is_gathered(r, t, progress)) look = looks_[r];
  return look;
}

void Results::remember_statistics(double dt, const Sight& now, Progress& progress) {
  const double t = now.world.state.t;
  for (std::size_t r = 0; r < formulas_.size(); r++) {
    if (!is_gathered(r, t, progress)) continue;
    const ResultPlan& result = experiment_.results()[r];
    looked_.clear();
    if (looks_[r] > Look::Nothing) {
      const Observation<double>& seen = now.seen(looks_[r]);
      for (const Sum& sum : formulas_[r].components)
        looked_.push_back(evaluate(sum, experiment_.signals(), now.world, seen));
    }
    if (!looked_.empty()) add_look(result, t, std::max(dt, result.every), looked_, progress.statistics[r]);
  }
}

void Results::take_snapshots(double t, double t_next, const World<double>& world, Progress& progress) {
  const Scenario& s = experiment_.scenario;
  const double near = 1e-9 * s.step;
  for (; progress.next_at < at_order_.size(); progress.next_at++) {
    const int i = at_order_[progress.next_at];
    const double wanted = s.at[i];
    if (wanted >= t_next - near && t_next > t) return;
    if (wanted > t_next + near) return;
    if (wanted - t <= near) {
      progress.snapshots[i] = look(world, progress);
      continue;
    }
    fork_ = world;
    if (fork_->step(wanted - t).is_lost()) continue;
    fork_->state.t = wanted;
    progress.snapshots[i] = look(*fork_, progress);
  }
}

Snapshot Results::look(const World<double>& world, const Progress& progress) const {
  const auto seen = observe(world);
  Snapshot s{world.state.t, {}, {}, {}};
  if (!world.plant().has_joints()) s.q = world.state.plant;
  for (std::size_t j = 0; j < seen.joints.size(); j++) {
    if (!world.plant().has_joints() || experiment_.plan().joints[j].loop) continue;
    s.q.insert(s.q.end(), seen.joints[j].q.begin(), seen.joints[j].q.end());
    s.u.insert(s.u.end(), seen.joints[j].u.begin(), seen.joints[j].u.end());
  }
  for (std::size_t r = 0; r < formulas_.size(); r++)
    s.results.push_back(reduced(experiment_.results()[r], values_of(r, {progress, world, seen})));
  return s;
}

std::vector<double> Results::values_of(std::size_t r, const RunSoFar& run) const {
  const ResultPlan& result = experiment_.results()[r];
  if (!result.known.empty()) return result.known;
  if (run_quantities_[r]) return {run_quantities_[r]->of(run)};
  std::vector<double> values;
  for (const Sum& sum : formulas_[r].components)
    values.push_back(evaluate(sum, experiment_.signals(), run.world, run.seen));
  const std::vector<double>& first = run.progress.statistics[r].first;
  if (result.take == Take::Change && !first.empty())
    for (std::size_t i = 0; i < values.size(); i++) values[i] -= first[i];
  return values;
}

ResultValue Results::value_of(std::size_t r, const RunSoFar& run) const {
  const ResultPlan& plan = experiment_.results()[r];
  const Formula& formula = formulas_[r];
  const Statistics& s = run.progress.statistics[r];
  ResultValue value{plan.name, "", false, values_of(r, run)};
  value.of_robot = r < formulas_.size() - experiment_.scenario.results.size();
  if (!plan.known.empty()) {
    value.values = reduced(plan, value.values);
    value.unit = plan.unit;
    value.is_vector = value.values.size() > 1;
    return value;
  }
  if (const RunQuantity* quantity = run_quantities_[r]) {
    value.unit = quantity->unit;
    value.is_wall_time = quantity->name == wall_time;
    value.values = reduced(plan, value.values);
    return value;
  }
  value.is_vector = formula.is_vector && plan.over == Over::Each;
  for (const Sum& sum : formula.components) {  // "rad/s", or "rad/s, m/s" for the six velocities of a free joint
    const std::string& unit = experiment_.signals()[sum[0].signal].unit;
    if (value.unit.find(unit) == std::string::npos) value.unit += (value.unit.empty() ? "" : ", ") + unit;
  }
  const bool is_taken = plan.take != Take::Final && plan.take != Take::Change && !s.first.empty();
  if (is_taken) value.values = taken(plan, run.world.state.t, s);
  if (is_time(plan.take)) {
    if (!is_taken) value.values = {std::nan("")};
    value.unit = "s";
    value.is_vector = value.values.size() > 1;
    return value;
  }
  value.values = reduced(plan, value.values);
  return value;
}

std::vector<ResultValue> Results::values(const RunSoFar& run) const {
  std::vector<ResultValue> out;
  for (std::size_t r = 0; r < formulas_.size(); r++) out.push_back(value_of(r, run));
  return out;
}

}  // namespace sinew::sim
