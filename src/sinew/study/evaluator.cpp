#include "sinew/study/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sinew/study/sample.h"

namespace sinew::study {

Trial Evaluator::trial_at(const std::vector<double>& u) const {
  Trial trial;
  for (std::size_t a = 0; a < u.size(); a++) trial.point.push_back(value_at(runner_.axes()[a], u[a]));
  return trial;
}

double Evaluator::number_of(const Row& row, const std::string& name) const {
  for (std::size_t i = 0; i < runner_.results().size(); i++)
    if (runner_.results()[i].name == name) return row.results[i];
  return std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> Evaluator::aims_of(const Row& row) const {
  std::vector<double> out;
  for (const Expression& e : aims_.expressions)
    out.push_back(e.value([&](const std::string& name) { return number_of(row, name); }));
  return out;
}

std::string Evaluator::missed_text(const Row& row) const {
  std::string out;
  for (const Condition& c : aims_.conditions)
    if (const double by = c.missed_by([&](const std::string& name) { return number_of(row, name); }); by > 0.0)
      out += fmt::format("{}{} by {:.4g}", out.empty() ? "" : ", ", c.text(), by);
  return out;
}

// A run that failed or was not certified is of no use, whatever its numbers say.
Judged Evaluator::judge(const Row& row) const {
  Judged out{aims_of(row), 0.0};
  for (const Condition& c : aims_.conditions)
    out.missed += c.missed_by([&](const std::string& name) { return number_of(row, name); });
  for (std::size_t i = 0; i < out.aims.size(); i++) {
    out.aims[i] *= aims_.signs[i];
    if (std::isnan(out.aims[i])) out.missed = INFINITY;
  }
  if (!is_good(row.status)) out.missed = INFINITY;
  if (std::isinf(out.missed)) std::ranges::fill(out.aims, INFINITY);
  return out;
}

bool Evaluator::run_missing(const std::vector<Trial>& trials, std::map<std::uint64_t, Row>& found) {
  std::vector<Trial> missing;
  for (const Trial& trial : trials) {
    if (const Row* row = store_.find(runner_.key_of(trial)))
      found[trial.row] = *row;
    else
      missing.push_back(trial);
  }
  runner_.run(missing, options_.run, [&](const Row& row) {
    store_.add(row);
    ran_++;
    found[row.trial.row] = row;
  });
  interrupted_ = found.size() < trials.size();
  return !interrupted_;
}

bool Evaluator::evaluate(const std::vector<std::vector<double>>& points, int runs, std::vector<Judged>& out) {
  if (next_ + points.size() * std::size_t(runs) > std::uint64_t(search_.budget)) return false;
  const bool seeds = runner_.plan().repeat > 0 || search_.noise;
  std::vector<Trial> trials;
  for (const auto& u : points) {
    for (int k = 0; k < runs; k++) {
      Trial trial = trial_at(u);
      trial.row = next_ + trials.size();
      if (seeds)
        trial.seed = seed_of_row(std::uint64_t(runner_.plan().seed.value_or(0)), trial.row);
      else if (runner_.plan().seed)
        trial.seed = std::uint64_t(*runner_.plan().seed);
      trials.push_back(std::move(trial));
    }
  }
  std::map<std::uint64_t, Row> found;
  if (!run_missing(trials, found)) return false;
  next_ += trials.size();
  out.clear();
  for (int i = 0; const auto& [number, row] : found) {
    const Judged one = judge(row);
    if (one.missed == 0.0 && one.aims.size() == 1) best_ = std::min(best_, one.aims[0]);
    rows_.push_back(row);
    if (i++ % runs == 0) {
      out.push_back(one);
      continue;
    }
    for (std::size_t k = 0; k < one.aims.size(); k++) out.back().aims[k] += one.aims[k];
    out.back().missed += one.missed;
  }
  for (Judged& j : out) {
    for (double& aim : j.aims) aim /= double(runs);
    j.missed /= double(runs);
  }
  if (options_.progress) options_.progress(next_, ran_, search_.aims[0].maximize ? -best_ : best_);
  return true;
}

}  // namespace sinew::study
