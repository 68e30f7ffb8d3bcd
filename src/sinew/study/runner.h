// Runner: the runs of a study, each as a row of numbers. A row follows from the plan and its number alone: which thread runs it, in a lane
// or by itself, before or after a restart, changes no bit of it.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <span>

#include "sinew/sim/experiment.h"
#include "sinew/sim/set_number.h"
#include "sinew/study/expression.h"
#include "sinew/study/plan.h"

namespace sinew::sim {
struct RunResult;
}

namespace sinew::study {

// A scenario as it was when the study began: the study goes on with this one, whatever becomes of its file. Of the files that it names only
// Runner::content() is kept: when they change, the study is another one.
struct Source {
  std::string name, file, text;
};

// Uncertified: the run went to its end, but steps were not solved to the tolerance. Failed: it diverged. Refused: no such run can be.
enum class Status { Done, Stopped, Uncertified, Failed, Refused };
inline constexpr std::array<std::string_view, 5> status_names{"done", "stopped", "uncertified", "failed", "refused"};
constexpr bool is_good(Status status) { return status == Status::Done || status == Status::Stopped; }

struct Row {
  Trial trial;
  std::string key;  // 16 hex digits: of the scenario, what differs from it, version and seed
  std::uint64_t seed = 0;
  Status status = Status::Done;
  double end = 0.0;             // time reached [s]
  std::vector<double> results;  // by Runner::results
  std::string hash;             // of the last state, as sinew run --json prints it
  std::string reason;           // why it is not done
};

struct ResultColumn {
  std::string name, unit;
  std::string result;  // of the run
  std::size_t component = 0;
  int formula = -1;  // instead: of the runner's own formulas
};

// "NAME=FORMULA" of results and signals, where it is more than a sum of signals, which runs compute themselves.
struct ResultFormula {
  std::string name;
  Expression expression;
  std::vector<ResultColumn> of;  // of each name in the expression
};

struct RunnerOptions {
  int threads = 0;    // 0: one for each processor
  bool lanes = true;  // where keys allow it
  const std::atomic<bool>* interrupted = nullptr;
};

class Runner {
 public:
  // also: results that are needed besides those of the plan. Throws InputError with every problem found.
  Runner(StudyPlan plan, Source source, std::span<const std::string> also = {});
  ~Runner();

  const StudyPlan& plan() const { return plan_; }
  const Source& source() const { return source_; }
  const std::vector<Axis>& axes() const { return axes_; }
  const std::vector<ResultColumn>& results() const { return columns_; }
  const sim::Scenario& scenario() const { return base_->scenario; }
  std::string axis_unit(std::size_t axis) const;

  // 16 hex digits: of all keys of the scenario, includes and models put in, and of what is in the files that it names.
  const std::string& content() const { return content_; }

  std::string key_of(const Trial& trial) const;
  // Hands over each row when it is done, by one thread at a time, in any order. Rows that an interruption leaves unfinished are not handed over.
  void run(std::span<const Trial> trials, const RunnerOptions& options, const std::function<void(Row)>& take) const;
  // The experiment of a row. Throws InputError.
  sim::Experiment experiment_of(const Trial& trial) const;
  bool runs_in_lanes() const { return lanes_; }  // as far as the results are concerned

 private:
  std::vector<std::string> sets_of(const Trial& trial) const;
  void read_formulas();
  void add_formula(ResultFormula formula, std::span<const ResultColumn> there, std::vector<std::string>& problems);
  void find_columns(std::span<const std::string> also);
  void put_results(const sim::RunResult& run, Row& row) const;
  std::vector<std::string> results_used() const;
  void check_keys();
  Row run_alone(const Trial& trial, const RunnerOptions& options) const;
  bool run_in_lanes(std::span<const Trial> trials, const RunnerOptions& options,
                    const std::function<void(Row)>& take) const;
  Row started(const Trial& trial) const;

  StudyPlan plan_;
  Source source_;
  std::vector<Axis> axes_;
  std::vector<std::string> sets_;          // of all runs, with those that add results
  std::vector<sim::NumberPlace> numbers_;  // of the axes, where all are numbers; else empty
  std::unique_ptr<sim::Experiment> base_;
  std::string content_;
  std::vector<ResultColumn> columns_;
  std::vector<ResultFormula> formulas_;
  bool lanes_ = false;
};

}  // namespace sinew::study
