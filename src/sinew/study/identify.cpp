#include "sinew/study/identify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "sinew/batch/pool.h"
#include "sinew/batch/together.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/nearest.h"
#include "sinew/sim/run.h"
#include "sinew/sim/set_number.h"
#include "sinew/study/trace.h"
#include "sinew/text/load_scenario.h"
#include "sinew/text/show.h"

namespace sinew::study {
namespace {

constexpr const char* delay_name = "delay";
constexpr const char* time_name = "t";

struct Prior {
  std::size_t unknown;
  double mean, deviation;
};

// "NAME=A:B" -> two numbers; false: there are none.
bool two_numbers(const std::string& text, std::string& name, double& a, double& b) {
  const auto equals = text.find('=');
  name = text.substr(0, equals);
  if (equals == std::string::npos) return false;
  const auto colon = text.find(':', equals);
  bool one = false, two = false;
  if (colon == std::string::npos) throw InputError(fmt::format("{}: write NAME=FIRST:SECOND with two numbers", text));
  a = parse_number(std::string_view(text).substr(equals + 1, colon - equals - 1), one);
  b = parse_number(std::string_view(text).substr(colon + 1), two);
  if (!one || !two) throw InputError(fmt::format("{}: write NAME=FIRST:SECOND with two numbers", text));
  return true;
}

class Problem {
 public:
  Problem(const IdentifyPlan& plan, const Source& source, const Measured& data);

  std::vector<std::vector<double>> residuals(std::span<const std::vector<double>> points) const;
  std::vector<double> residuals_of(const SignalTrace& trace, const std::vector<double>& p) const;
  void run_some(std::span<const std::vector<double>> points, std::span<std::vector<double>> out) const;
  // None if it fails. doubt: why it cannot be trusted although it went to its end.
  std::unique_ptr<SignalTrace> run(const sim::Experiment& experiment, std::string* doubt = nullptr) const;
  sim::Experiment experiment_at(const std::vector<double>& p) const;
  std::unique_ptr<sim::Experiment> comparison_at(const std::vector<double>& p) const;
  void take_sigmas(const std::vector<double>& p);

  std::vector<Unknown> unknowns;
  std::vector<std::string> units;
  std::vector<std::vector<double>> measured;  // of each signal, at the times of the data
  std::vector<int> signals;                   // of the experiment
  std::vector<std::string> left_out;          // columns that never change
  std::vector<double> sigma;
  bool sigmas_given = false;
  const sim::Experiment& base() const { return *base_; }
  double delay_of(const std::vector<double>& p) const { return delay_ < 0 ? 0.0 : p[std::size_t(delay_)]; }

 private:
  void find_unknown(const std::string& text, std::vector<std::string>& problems);
  void find_signals(const IdentifyPlan& plan, std::vector<std::string>& problems);
  void add_signal(const std::string& signal, const std::string& column, std::vector<std::string>& problems);
  std::vector<std::string> columns_like_signals();
  std::pair<std::string, double> scaled_column(const std::string& text) const;
  void find_sigmas(const IdentifyPlan& plan, std::vector<std::string>& problems);
  void find_priors(const IdentifyPlan& plan, std::vector<std::string>& problems);

  const Measured& data_;
  std::unique_ptr<sim::Experiment> base_;
  std::vector<std::string> keys_;  // dotted; of the delay: empty
  int delay_ = -1;
  double duration_ = 0.0;
  std::vector<Prior> priors_;
  std::vector<double> least_sigma_;  // what varies less beside others of its unit is round-off
  int threads_;
};

Problem::Problem(const IdentifyPlan& plan, const Source& source, const Measured& data)
    : data_(data), threads_(plan.threads) {
  base_ = std::make_unique<sim::Experiment>(text::parse_experiment(source.text, source.file, plan.sets));
  base_->scenario.name = source.name;
  if (is_bench(base_->scenario)) throw InputError("identify: " + no_motion_of(base_->scenario));
  std::vector<std::string> problems;
  if (plan.fit.empty()) problems.push_back("--fit: which keys are to be found? write --fit KEY,KEY");
  for (const std::string& text : plan.fit) find_unknown(text, problems);
  find_signals(plan, problems);
  if (problems.empty()) find_sigmas(plan, problems);
  if (problems.empty()) find_priors(plan, problems);
  if (!problems.empty()) throw InputError(std::move(problems));
  duration_ = data.t.back();
}

void Problem::find_unknown(const std::string& text, std::vector<std::string>& problems) {
  try {
    Unknown u;
    std::string name;
    const bool bounded = two_numbers(text, name, u.low, u.high);
    if (bounded && !(u.high > u.low)) throw InputError(fmt::format("--fit {}: the range is empty", text));
    u.name = name;
    if (name == delay_name) {
      delay_ = int(unknowns.size());
      keys_.emplace_back();
      units.emplace_back("s");
      if (!bounded) throw InputError("--fit delay: give its range, as delay=0:0.1");
      u.start = u.low;
      u.scale = u.high - u.low;
    } else {
      const std::string key = sim::find_number(base_->scenario, name);
      keys_.push_back(key);
      units.push_back(sim::unit_of_number(base_->scenario, key));
      u.start = sim::number_of(base_->scenario, key);
      const Range range = sim::range_of_number(base_->scenario, key);
      if (!bounded) {
        u.low = range.above_low ? range.low + 1e-9 * std::max(1.0, std::abs(u.start)) : range.low;
        u.high = range.high;
      }
      const double width = u.high - u.low;
      u.scale = u.start != 0.0 ? std::abs(u.start) : std::isfinite(width) ? 0.1 * width : 1.0;
    }
    for (const Unknown& other : unknowns)
      if (keys_[std::size_t(&other - unknowns.data())] == keys_.back())
        throw InputError(fmt::format("--fit {}: the same key as {}: leave one of them out", name, other.name));
    unknowns.push_back(u);
  } catch (const InputError& e) {
    problems.insert(problems.end(), e.problems.begin(), e.problems.end());
  }
}

// "COLUMN" or "COLUMN*FACTOR": what a column has in other units, times the factor, is what the signal has.
std::pair<std::string, double> Problem::scaled_column(const std::string& text) const {
  const auto star = text.rfind('*');
  if (star == std::string::npos || std::ranges::find(data_.names, text) != data_.names.end()) return {text, 1.0};
  bool is_one = false;
  const double factor = parse_number(std::string_view(text).substr(star + 1), is_one);
  return is_one ? std::pair{text.substr(0, star), factor} : std::pair{text, 1.0};
}

void Problem::add_signal(const std::string& signal, const std::string& column, std::vector<std::string>& problems) {
  const auto& all = base_->signals();
  const auto found = std::ranges::find(all, signal, &sim::Signal::name);
  const auto [name, factor] = scaled_column(column);
  const auto at = std::ranges::find(data_.names, name);
  if (signal == time_name)
    problems.push_back(
        fmt::format("--map {}={}: the time is no measurement: name its column with --time, and what "
                    "the data is late by with --fit {}=LEAST:MOST",
                    signal, column, delay_name));
  else if (found == all.end())
    problems.push_back(fmt::format("--map {}: no signal has this name: {}", signal, sim::suggest_signals(all, signal)));
  if (at == data_.names.end())
    problems.push_back(fmt::format("--map {}={}: {} has no such column: there are {}", signal, column, data_.file,
                                   sim::join(data_.names)));
  if (signal == time_name || found == all.end() || at == data_.names.end()) return;
  signals.push_back(int(found - all.begin()));
  measured.push_back(data_.values[std::size_t(at - data_.names.begin())]);
  for (double& y : measured.back()) y *= factor;
}

// The time is what the others are compared at: as a signal it would hold the delay at none. A column that never changes beside others that do is
// met exactly by most models, and would count as so much data without noise. What the simulation keeps for itself no instrument shows, and some of it is
// round-off, whose slopes would drown all others.
std::vector<std::string> Problem::columns_like_signals() {
  std::vector<std::string> moving, all;
  for (std::size_t c = 0; c < data_.names.size(); c++) {
    const std::string& name = data_.names[c];
    if (name == time_name || std::ranges::find(base_->signals(), name, &sim::Signal::name) == base_->signals().end())
      continue;
    all.push_back(name);
    if (!never_changes(data_.values[c]) && !is_own_account(name)) moving.push_back(name);
  }
  if (moving.empty()) return all;
  for (const std::string& name : all)
    if (std::ranges::find(moving, name) == moving.end()) left_out.push_back(name);
  return moving;
}

void Problem::find_signals(const IdentifyPlan& plan, std::vector<std::string>& problems) {
  for (const std::string& map : plan.maps) {
    const auto equals = map.find('=');
    if (equals == std::string::npos)
      problems.push_back(fmt::format("--map {}: write SIGNAL=COLUMN or SIGNAL=COLUMN*FACTOR", map));
    else
      add_signal(map.substr(0, equals), map.substr(equals + 1), problems);
  }
  if (plan.maps.empty())
    for (const std::string& name : columns_like_signals()) add_signal(name, name, problems);
  for (std::size_t i = 0; i < measured.size(); i++)
    if (!has_numbers(measured[i]))
      problems.push_back(fmt::format("{}: its column for {} has no number: leave it out", data_.file,
                                     base_->signals()[std::size_t(signals[i])].name));
  if (problems.empty() && signals.empty())
    problems.push_back(
        fmt::format("{}: none of its columns is called like a signal of {}: name them with --map "
                    "SIGNAL=COLUMN; the columns are {}",
                    data_.file, base_->scenario.name, sim::join(data_.names)));
}

void Problem::find_sigmas(const IdentifyPlan& plan, std::vector<std::string>& problems) {
  std::map<std::string, double> most;  // of signals of a unit
  const auto unit = [&](std::size_t i) { return base_->signals()[std::size_t(signals[i])].unit; };
  for (std::size_t i = 0; i < measured.size(); i++) {
    const double deviation = deviation_of(measured[i]);
    most[unit(i)] = std::max(most[unit(i)], deviation);
    sigma.push_back(deviation > 0.0 ? deviation : 1.0);
  }
  for (std::size_t i = 0; i < measured.size(); i++) {
    least_sigma_.push_back(1e-9 * most[unit(i)]);
    sigma[i] = std::max(sigma[i], least_sigma_[i]);
  }
  std::size_t given = 0;
  for (const std::string& text : plan.sigmas) {
    const auto equals = text.find('=');
    bool is_one = false;
    const double value =
        equals == std::string::npos ? 0.0 : parse_number(std::string_view(text).substr(equals + 1), is_one);
    bool found = false;
    for (std::size_t i = 0; i < signals.size() && is_one && value > 0.0; i++) {
      if (base_->signals()[std::size_t(signals[i])].name != text.substr(0, equals)) continue;
      sigma[i] = value;
      found = true;
      given++;
    }
    if (!found)
      problems.push_back(fmt::format("--sigma {}: write SIGNAL=DEVIATION, of a signal of the data and > 0", text));
  }
  if (given > 0 && given < signals.size())
    problems.push_back("--sigma: give it for every signal of the data, or for none");
  sigmas_given = given > 0;
}

void Problem::find_priors(const IdentifyPlan& plan, std::vector<std::string>& problems) {
  for (const std::string& text : plan.priors) {
    std::string name;
    double mean = 0.0, deviation = 0.0;
    const bool read = two_numbers(text, name, mean, deviation);
    const auto found = std::ranges::find(unknowns, name, &Unknown::name);
    if (!read || !(deviation > 0.0) || found == unknowns.end())
      problems.push_back(
          fmt::format("--prior {}: write KEY=MEAN:DEVIATION, of a key of --fit and with a deviation > 0", text));
    else
      priors_.push_back({std::size_t(found - unknowns.begin()), mean, deviation});
  }
}

sim::Experiment Problem::experiment_at(const std::vector<double>& p) const {
  sim::Scenario scenario = base_->scenario;
  for (std::size_t i = 0; i < p.size(); i++)
    if (!keys_[i].empty()) sim::set_number(scenario, keys_[i], p[i]);
  return sim::Experiment(std::move(scenario), {}, base_.get());
}

// The same, to be compared with the data: every step of it is looked at.
std::unique_ptr<sim::Experiment> Problem::comparison_at(const std::vector<double>& p) const {
  auto experiment = std::make_unique<sim::Experiment>(experiment_at(p));
  experiment->scenario.every = experiment->scenario.step;
  experiment->scenario.duration = duration_;
  return experiment;
}

std::unique_ptr<SignalTrace> Problem::run(const sim::Experiment& experiment, std::string* doubt) const {
  auto trace = std::make_unique<SignalTrace>(experiment, signals);
  sim::RunHooks hooks;
  hooks.watcher = trace.get();
  const sim::RunResult done = sim::run(experiment, hooks);
  if (done.ending != sim::Ending::Done) return nullptr;
  if (doubt && done.unsolved)
    *doubt = fmt::format("the run with these values is not certified: {} of {} steps were not solved to the tolerance",
                         done.solver.unconverged_steps, done.steps);
  else if (doubt && !done.drive_doubt.empty())
    *doubt = fmt::format("the run with these values is not certified: {}", done.drive_doubt);
  return trace;
}

std::vector<double> Problem::residuals_of(const SignalTrace& trace, const std::vector<double>& p) const {
  std::vector<double> out;
  for (std::size_t s = 0; s < signals.size(); s++)
    for (std::size_t i = 0; i < data_.t.size(); i++)
      if (const double y = measured[s][i]; std::isfinite(y))
        out.push_back((trace.at(data_.t[i] - delay_of(p), s) - y) / sigma[s]);
  for (const Prior& prior : priors_) out.push_back((p[prior.unknown] - prior.mean) / prior.deviation);
  return out;
}

// As many of them as can share a register do: the bits are the same. A list stays empty where there is no such robot, or it fails.
void Problem::run_some(std::span<const std::vector<double>> points, std::span<std::vector<double>> out) const {
  std::vector<std::unique_ptr<sim::Experiment>> experiments;
  std::vector<std::unique_ptr<SignalTrace>> traces;
  std::vector<const sim::Experiment*> pointers;
  std::vector<sim::Watcher*> watchers;
  for (const std::vector<double>& p : points) {
    try {
      experiments.push_back(comparison_at(p));
    } catch (const InputError&) {
      experiments.push_back(nullptr);
    }
    const auto& last = experiments.back();
    const auto& first = experiments.front();
    if (!first || !last || (last != first && !can_run_together(*first, *last))) continue;
    traces.push_back(std::make_unique<SignalTrace>(*last, signals));
    pointers.push_back(last.get());
    watchers.push_back(traces.back().get());
  }
  if (pointers.size() == points.size() && points.size() > 1) {
    const std::vector<sim::RunResult> runs = run_together(pointers, watchers, nullptr);
    for (std::size_t i = 0; i < runs.size(); i++)
      if (runs[i].ending == sim::Ending::Done) out[i] = residuals_of(*traces[i], points[i]);
    return;
  }
  for (std::size_t i = 0; i < points.size(); i++) {
    if (!experiments[i]) continue;
    if (const auto trace = run(*experiments[i])) out[i] = residuals_of(*trace, points[i]);
  }
}

std::vector<std::vector<double>> Problem::residuals(std::span<const std::vector<double>> points) const {
  std::vector<std::vector<double>> out(points.size());
  Pool pool(threads_);
  // Not more in a register than leave work for every thread.
  const std::size_t share = (points.size() + std::size_t(pool.threads()) - 1) / std::size_t(pool.threads());
  const std::size_t size = std::clamp<std::size_t>(share, 1, lane_count);
  pool.run(int((points.size() + size - 1) / size), [&](int piece, int) {
    const std::size_t first = std::size_t(piece) * size, n = std::min(size, points.size() - first);
    run_some(points.subspan(first, n), std::span(out).subspan(first, n));
  });
  return out;
}

// What the fit leaves of each signal is its noise.
void Problem::take_sigmas(const std::vector<double>& p) {
  const std::vector<double> r = residuals(std::vector<std::vector<double>>{p})[0];
  std::size_t at = 0;
  for (std::size_t s = 0; s < signals.size(); s++) {
    double squares = 0.0, n = 0.0;
    for (const double y : measured[s]) {
      if (!std::isfinite(y)) continue;
      squares += r[at] * r[at];
      at++;
      n += 1.0;
    }
    sigma[s] = std::max(sigma[s] * std::max(std::sqrt(squares / std::max(n, 1.0)), 1e-10), least_sigma_[s]);
  }
}

}  // namespace

Identified identify(const IdentifyPlan& plan, const Source& source, const Measured& data) {
  Problem problem(plan, source, data);
  const Residuals residuals = [&](std::span<const std::vector<double>> points) { return problem.residuals(points); };
  Identified out;
  FitOptions options;
  options.known_noise = problem.sigmas_given;
  out.fit = fit(residuals, problem.unknowns, options);
  if (!problem.sigmas_given) {
    problem.take_sigmas(out.fit.at);
    std::vector<Unknown> again = problem.unknowns;
    for (std::size_t i = 0; i < again.size(); i++) again[i].start = out.fit.at[i];
    const int before = out.fit.iterations;
    out.fit = fit(residuals, again, options);
    out.fit.iterations += before;
  }
  out.unknowns = problem.unknowns;
  out.units = problem.units;
  out.left_out = problem.left_out;
  out.scenario = text::show_to_store(problem.experiment_at(out.fit.at).scenario);
  const auto best = problem.comparison_at(out.fit.at);
  std::string doubt;
  const auto trace = problem.run(*best, &doubt);
  out.is_certified = trace && doubt.empty();
  if (!doubt.empty()) out.fit.doubts.push_back(doubt);
  for (std::size_t s = 0; trace && s < problem.signals.size(); s++) {
    const sim::Signal& signal = problem.base().signals()[std::size_t(problem.signals[s])];
    FittedSignal one{signal.name, signal.unit, 0.0, 0, {}, {}, {}};
    for (std::size_t i = 0; i < data.t.size(); i++) {
      const double y = problem.measured[s][i];
      if (!std::isfinite(y)) continue;
      const double fitted = trace->at(data.t[i] - problem.delay_of(out.fit.at), s);
      one.t.push_back(data.t[i]);
      one.measured.push_back(y);
      one.fitted.push_back(fitted);
      one.rms += (fitted - y) * (fitted - y);
      one.count++;
    }
    one.rms = std::sqrt(one.rms / std::max(one.count, 1));
    out.signals.push_back(std::move(one));
  }
  return out;
}

}  // namespace sinew::study
