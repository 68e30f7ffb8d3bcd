// Evaluator: what a search asks, as rows of its study: run, kept, and judged by the aims.
#pragma once
#include <cmath>

#include "sinew/study/nsga2.h"
#include "sinew/study/optimize.h"

namespace sinew::study {

struct Aims {
  explicit Aims(const SearchPlan& search) {
    for (const AimPlan& aim : search.aims) {
      expressions.emplace_back(aim.text, aim.maximize ? "--maximize" : "--minimize");
      signs.push_back(aim.maximize ? -1.0 : 1.0);
    }
    for (const std::string& text : search.conditions) conditions.emplace_back(text, "--subject-to");
  }
  std::vector<Expression> expressions;
  std::vector<double> signs;
  std::vector<Condition> conditions;
};

// Runs points and keeps them.
class Evaluator {
 public:
  Evaluator(const Runner& runner, const SearchPlan& search, const SearchOptions& options, Store& store)
      : runner_(runner), search_(search), options_(options), store_(store), aims_(search) {}

  // Each point `runs` times; aims are means. False: the budget is used up, or somebody interrupts.
  bool evaluate(const std::vector<std::vector<double>>& points, int runs, std::vector<Judged>& out);
  Judged judge(const Row& row) const;
  std::vector<double> aims_of(const Row& row) const;
  // Which conditions a run misses, and by how much: "max_torque < 8 by 35.8".
  std::string missed_text(const Row& row) const;

  bool is_interrupted() const { return interrupted_; }
  std::uint64_t runs() const { return next_; }
  std::uint64_t ran() const { return ran_; }
  const std::vector<Row>& rows() const { return rows_; }

 private:
  Trial trial_at(const std::vector<double>& u) const;
  double number_of(const Row& row, const std::string& name) const;  // NaN: there is no such result
  bool run_missing(const std::vector<Trial>& trials, std::map<std::uint64_t, Row>& found);

  const Runner& runner_;
  const SearchPlan& search_;
  const SearchOptions& options_;
  Store& store_;
  Aims aims_;
  std::vector<Row> rows_;  // as they were asked for
  std::uint64_t next_ = 0, ran_ = 0;
  double best_ = INFINITY;
  bool interrupted_ = false;
};

}  // namespace sinew::study
