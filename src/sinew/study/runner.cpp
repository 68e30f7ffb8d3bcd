#include "sinew/study/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "sinew/batch/pool.h"
#include "sinew/batch/together.h"
#include "sinew/math/hash.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/nearest.h"
#include "sinew/sim/set_number.h"
#include "sinew/study/check_axes.h"
#include "sinew/study/stop_watch.h"
#include "sinew/text/document.h"
#include "sinew/text/load_meshes.h"
#include "sinew/text/load_scenario.h"
#include "sinew/text/show.h"
#include "sinew/version.h"

namespace sinew::study {
namespace {

void add_text(Hasher& hasher, std::string_view text) {
  hasher.add(std::uint64_t(text.size()));
  for (const char c : text) hasher.add(std::uint64_t(static_cast<unsigned char>(c)));
}

std::string content_of(const sim::Scenario& scenario) {
  Hasher hasher;
  add_text(hasher, text::show(scenario));
  for (const std::string& file : text::files_of(scenario)) add_text(hasher, text::read_text(file));
  return fmt::format("{:016x}", hasher.h);
}

// Names and sizes of all results of an experiment, without a run where that can be.
std::vector<sim::ResultValue> shapes_of(const sim::Experiment& experiment) {
  if (is_bench(experiment.scenario)) return sim::run(experiment).results;
  const std::shared_ptr<const sim::Experiment> borrowed(std::shared_ptr<void>(), &experiment);
  sim::SimulationOptions options;
  options.end = experiment.scenario.duration;
  options.with_results = true;
  sim::Simulation simulation(borrowed, options);
  std::vector<sim::ResultValue> out = simulation.results();
  if (!experiment.scenario.robot_keys) return out;
  for (const robots::Measurement& m : experiment.scenario.robot_keys->measure(experiment.scenario.seed))
    out.push_back({m.name, m.unit, m.values.size() != 1, m.values, !m.is_main, false, true});
  return out;
}

std::vector<ResultColumn> columns_of(const sim::ResultValue& result) {
  if (result.values.size() == 1) return {{result.name, result.unit, result.name, 0}};
  std::vector<ResultColumn> out;
  for (std::size_t i = 0; i < result.values.size(); i++)
    out.push_back({fmt::format("{}.{}", result.name, i), result.unit, result.name, i});
  return out;
}

double number_in(const sim::RunResult& run, const ResultColumn& c) {
  const auto found = std::ranges::find(run.results, c.result, &sim::ResultValue::name);
  const bool there = found != run.results.end() && c.component < found->values.size();
  return there ? found->values[c.component] : std::numeric_limits<double>::quiet_NaN();
}

// Columns of all results that are the same twice.
std::vector<ResultColumn> columns_of_all(const sim::Experiment& experiment) {
  std::vector<ResultColumn> out;
  for (const sim::ResultValue& r : shapes_of(experiment)) {
    if (r.is_wall_time) continue;
    for (ResultColumn& c : columns_of(r)) out.push_back(std::move(c));
  }
  return out;
}

std::string in_one_line(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') out += ';';
    if (c != '\n' && !(c == ' ' && out.ends_with(' '))) out += c;
  }
  return out;
}

void put_outcome(const sim::RunResult& run, const std::string& stop_when, Row& row) {
  row.end = run.end;
  row.seed = run.seed;
  row.hash = fmt::format("{:016x}", run.hash);
  if (run.is_bench) return;
  if (run.ending == sim::Ending::Failed) {
    row.status = Status::Failed;
    row.reason = in_one_line(text_of(*run.diagnosis, run.scenario));
  } else if (run.unsolved) {
    row.status = Status::Uncertified;
    row.reason = fmt::format("{}: {} of {} steps were not solved to the tolerance, the first at t = {:.6g} s",
                             run.unsolved_where, run.solver.unconverged_steps, run.steps, run.unsolved->t);
  } else if (!run.drive_doubt.empty()) {
    row.status = Status::Uncertified;
    row.reason = run.drive_doubt;
  } else if (run.ending == sim::Ending::Interrupted) {
    row.status = Status::Stopped;
    row.reason = stop_when;
  }
}

bool is_interrupted(const RunnerOptions& options) {
  return options.interrupted && options.interrupted->load(std::memory_order_relaxed);
}

}  // namespace

Runner::Runner(StudyPlan plan, Source source, std::span<const std::string> also)
    : plan_(std::move(plan)), source_(std::move(source)), axes_(axes_of(plan_)), sets_(plan_.sets) {
  read_formulas();
  base_ = std::make_unique<sim::Experiment>(text::parse_experiment(source_.text, source_.file, sets_));
  base_->scenario.name = source_.name;
  content_ = content_of(base_->scenario);
  if (plan_.until) {
    if (is_bench(base_->scenario)) throw InputError("--until: " + no_motion_of(base_->scenario));
    base_->scenario.duration = *plan_.until;
  }
  check_keys();
  find_columns(also);
  if (!plan_.stop_when.empty()) {
    if (is_bench(base_->scenario)) throw InputError("stop_when: " + no_motion_of(base_->scenario));
    StopWatch(plan_.stop_when, *base_);
  }
  lanes_ = !is_bench(base_->scenario);
  const std::vector<std::string> used = results_used();
  for (const ResultPlan& result : base_->results())
    if (std::ranges::find(used, result.name) != used.end() && needs_own_report(result)) lanes_ = false;
}

std::vector<std::string> Runner::results_used() const {
  std::vector<std::string> out;
  for (const ResultColumn& c : columns_) {
    if (c.formula < 0) {
      out.push_back(c.result);
      continue;
    }
    for (const ResultColumn& part : formulas_[std::size_t(c.formula)].of) out.push_back(part.result);
  }
  return out;
}

void Runner::read_formulas() {
  std::vector<std::string> problems;
  std::vector<ResultColumn> there;
  for (const std::string& r : plan_.results) {
    const auto equals = r.find('=');
    if (equals == std::string::npos) continue;
    const std::string name = r.substr(0, equals), text = r.substr(equals + 1);
    if (!base_)
      base_ = std::make_unique<sim::Experiment>(text::parse_experiment(source_.text, source_.file, plan_.sets));
    if (!sim::parse_formula(base_->signals(), text).components.empty()) {
      sets_.push_back(fmt::format("output.result.{}", r));
      continue;
    }
    if (there.empty()) there = columns_of_all(*base_);
    add_formula({name, Expression(text, fmt::format("results {}:", name)), {}}, there, problems);
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

// Signals in it become results of the runs, under names of their own.
void Runner::add_formula(ResultFormula formula, std::span<const ResultColumn> there,
                         std::vector<std::string>& problems) {
  std::vector<std::string> known;
  for (const ResultColumn& c : there) known.push_back(c.name);
  for (const sim::Signal& s : base_->signals()) known.push_back(s.name);
  for (const std::string& part : formula.expression.names()) {
    const auto result = std::ranges::find(there, part, &ResultColumn::name);
    if (result != there.end()) {
      formula.of.push_back(*result);
      continue;
    }
    const auto& signals = base_->signals();
    if (std::ranges::find(signals, part, &sim::Signal::name) == signals.end()) {
      problems.push_back(fmt::format("results {}={}: {} is neither a result nor a signal of {}: {}name one of them",
                                     formula.name, formula.expression.text(), part, source_.name,
                                     sim::did_you_mean(part, known)));
      continue;
    }
    const std::string of = fmt::format("part{}_of_{}", formula.of.size() + 1, formula.name);
    sets_.push_back(fmt::format("output.result.{}={}", of, part));
    formula.of.push_back({of, "", of, 0});
  }
  formulas_.push_back(std::move(formula));
}

void Runner::put_results(const sim::RunResult& run, Row& row) const {
  row.results.clear();
  for (const ResultColumn& c : columns_) {
    if (c.formula < 0) {
      row.results.push_back(number_in(run, c));
      continue;
    }
    const ResultFormula& formula = formulas_[std::size_t(c.formula)];
    const std::vector<std::string>& names = formula.expression.names();
    row.results.push_back(formula.expression.value([&](const std::string& name) {
      const auto at = std::ranges::find(names, name) - names.begin();
      return number_in(run, formula.of[std::size_t(at)]);
    }));
  }
}

Runner::~Runner() = default;

// Numbers are set in a copy of the scenario. Of all else the file is read again, with what differs put over it.
void Runner::check_keys() {
  std::vector<std::string> problems, keys;
  bool all_numbers = true;
  for (const Axis& axis : axes_) {
    try {
      if (!axis.is_number()) throw InputError("a word");
      numbers_.push_back(sim::find_place(base_->scenario, sim::find_number(base_->scenario, axis.key)));
      keys.push_back(numbers_.back().key);
    } catch (const InputError&) {
      keys.push_back(axis.key);
      all_numbers = false;
    }
  }
  check_names(plan_, axes_, keys);
  if (all_numbers) return;
  numbers_.clear();
  // What --set would say to the first value of each.
  for (const Axis& axis : axes_) {
    std::vector<std::string> sets = sets_;
    sets.push_back(fmt::format("{}={}", axis.key, value_at(axis, 0.0).written()));
    try {
      text::parse_experiment(source_.text, source_.file, sets);
    } catch (const InputError& e) {
      for (const std::string& problem : e.problems) problems.push_back(as_of_vary(problem, sets.back()));
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

void Runner::find_columns(std::span<const std::string> also) {
  std::vector<std::string> wanted, names, problems;
  for (const std::string& r : plan_.results) wanted.push_back(r.substr(0, r.find('=')));
  wanted.insert(wanted.end(), also.begin(), also.end());
  const bool everything = plan_.results.empty();
  std::vector<ResultColumn> there = columns_of_all(*base_);
  for (std::size_t i = 0; i < formulas_.size(); i++) there.push_back({formulas_[i].name, "", "", 0, int(i)});
  const auto add = [&](const ResultColumn& c) {
    if (std::ranges::find(columns_, c.name, &ResultColumn::name) == columns_.end()) columns_.push_back(c);
  };
  if (everything) std::ranges::for_each(there, add);
  for (const std::string& name : wanted) {
    bool found = false;
    for (const ResultColumn& c : there) {
      if (c.name != name && c.result != name) continue;
      add(c);
      found = true;
    }
    if (found) continue;
    for (const ResultColumn& c : there) names.push_back(c.name);
    problems.push_back(
        fmt::format("results {}: {} has no such result: {}sinew run {} --json prints all, and "
                    "NAME=FORMULA makes one of signals",
                    name, source_.name, sim::did_you_mean(name, names), source_.name));
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  for (const Axis& axis : axes_)
    if (std::ranges::find(columns_, axis.key, &ResultColumn::name) != columns_.end())
      throw InputError(fmt::format("--vary {}: a result has the same name: write the key with its table", axis.key));
}

std::string Runner::axis_unit(std::size_t axis) const {
  if (numbers_.empty()) return "";
  return sim::unit_of_number(base_->scenario, numbers_[axis].key);
}

std::vector<std::string> Runner::sets_of(const Trial& trial) const {
  std::vector<std::string> sets = sets_;
  for (std::size_t a = 0; a < axes_.size(); a++)
    sets.push_back(fmt::format("{}={}", axes_[a].key, trial.point[a].written()));
  return sets;
}

std::string Runner::key_of(const Trial& trial) const {
  Hasher hasher;
  add_text(hasher, SINEW_VERSION);
  add_text(hasher, source_.text);
  add_text(hasher, content_);
  for (const std::string& set : sets_of(trial)) add_text(hasher, set);
  hasher.add(trial.seed.value_or(base_->scenario.seed));
  hasher.add(base_->scenario.duration);
  add_text(hasher, plan_.stop_when);
  for (const ResultColumn& c : columns_) add_text(hasher, c.name);
  for (const ResultFormula& f : formulas_) add_text(hasher, f.expression.text());
  hasher.add(trial.row);
  return fmt::format("{:016x}", hasher.h);
}

sim::Experiment Runner::experiment_of(const Trial& trial) const {
  const auto finish = [&](sim::Experiment experiment) {
    experiment.scenario.name = source_.name;
    if (plan_.until) experiment.scenario.duration = *plan_.until;
    if (trial.seed) experiment.scenario.seed = *trial.seed;
    return experiment;
  };
  if (numbers_.empty() && !axes_.empty())
    return finish(text::parse_experiment(source_.text, source_.file, sets_of(trial)));
  sim::Scenario scenario = base_->scenario;
  for (std::size_t a = 0; a < numbers_.size(); a++) sim::set_number(scenario, numbers_[a], trial.point[a].number);
  return finish(sim::Experiment(std::move(scenario), {}, base_.get()));
}

Row Runner::started(const Trial& trial) const {
  Row row;
  row.trial = trial;
  row.key = key_of(trial);
  row.seed = trial.seed.value_or(base_->scenario.seed);
  row.results.assign(columns_.size(), std::numeric_limits<double>::quiet_NaN());
  return row;
}

Row Runner::run_alone(const Trial& trial, const RunnerOptions& options) const {
  Row row = started(trial);
  try {
    const sim::Experiment experiment = experiment_of(trial);
    std::optional<StopWatch> stop;
    sim::RunHooks hooks;
    hooks.interrupted = options.interrupted;
    if (!plan_.stop_when.empty()) hooks.watcher = &stop.emplace(plan_.stop_when, experiment);
    const sim::RunResult run = sim::run(experiment, hooks);
    put_results(run, row);
    put_outcome(run, plan_.stop_when, row);
  } catch (const InputError& e) {
    row.status = Status::Refused;
    row.reason = e.what();
  }
  return row;
}

bool Runner::run_in_lanes(std::span<const Trial> trials, const RunnerOptions& options,
                          const std::function<void(Row)>& take) const {
  std::vector<sim::Experiment> experiments;
  try {
    for (const Trial& trial : trials) experiments.push_back(experiment_of(trial));
  } catch (const InputError&) {
    return false;  // each alone: one of them is refused
  }
  std::vector<const sim::Experiment*> pointers;
  std::vector<std::unique_ptr<StopWatch>> stops;
  std::vector<sim::Watcher*> watchers;
  for (const sim::Experiment& e : experiments) {
    if (!can_run_together(experiments[0], e)) return false;
    pointers.push_back(&e);
    if (plan_.stop_when.empty()) continue;
    stops.push_back(std::make_unique<StopWatch>(plan_.stop_when, e));
    watchers.push_back(stops.back().get());
  }
  const std::vector<sim::RunResult> runs = run_together(pointers, watchers, options.interrupted);
  if (is_interrupted(options)) return true;
  for (std::size_t i = 0; i < runs.size(); i++) {
    Row row = started(trials[i]);
    put_results(runs[i], row);
    put_outcome(runs[i], plan_.stop_when, row);
    take(std::move(row));
  }
  return true;
}

void Runner::run(std::span<const Trial> trials, const RunnerOptions& options,
                 const std::function<void(Row)>& take) const {
  Pool pool(options.threads);
  std::mutex mutex;
  const auto take_one = [&](Row row) {
    const std::lock_guard lock(mutex);
    take(std::move(row));
  };
  // Not more in a register than leave work for every thread.
  const std::size_t share = (trials.size() + std::size_t(pool.threads()) - 1) / std::size_t(pool.threads());
  const std::size_t size = lanes_ && options.lanes ? std::clamp<std::size_t>(share, 1, lane_count) : 1;
  const int pieces = int((trials.size() + size - 1) / size);
  pool.run(pieces, [&](int piece, int) {
    const std::size_t first = std::size_t(piece) * size;
    const auto part = trials.subspan(first, std::min(size, trials.size() - first));
    if (is_interrupted(options)) return;
    if (part.size() > 1 && run_in_lanes(part, options, take_one)) return;
    for (const Trial& trial : part) {
      if (is_interrupted(options)) return;
      Row row = run_alone(trial, options);
      if (!is_interrupted(options)) take_one(std::move(row));
    }
  });
}

}  // namespace sinew::study
