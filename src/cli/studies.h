// What the commands of studies share: options of a plan, progress, and what stands at the end.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/declare.h"
#include "sinew/figure/figure.h"
#include "sinew/study/optimize.h"
#include "sinew/study/sweep.h"

namespace cli {

struct PlanArguments {
  std::string scenario;  // or a plan's file
  std::vector<std::string> sets, vary, results;
  std::string sampling, stop_when;
  std::optional<std::int64_t> samples, repeat, seed, jobs;
  std::optional<double> until;
  bool no_lanes = false, quiet = false;
};

void plan_options(CLI::App& command, PlanArguments& a);    // those of every study
void sample_options(CLI::App& command, PlanArguments& a);  // --sampling, --samples, --repeat
void work_options(CLI::App& command, PlanArguments& a);    // --jobs, --no-lanes, --quiet

// The plan of the file, if one is named, and the options over it; what the file says of a search. Throws InputError.
sinew::study::StudyPlan plan_of(const PlanArguments& a, sinew::study::SearchPlan* search = nullptr);
sinew::study::RunnerOptions runner_options(const PlanArguments& a);

// The same as words of a command line, without those of the work.
std::vector<std::string> words_of(const PlanArguments& a);

// runs/NAME-DATE-TIME/study.h5 where the user names none.
std::string study_path(const std::string& out, const std::string& scenario);

// The exit code of a sweep: one without a row that can be trusted has failed. Rows that cannot be are told on stderr, also to who wants no other word.
int code_of(const sinew::study::SweepOutcome& now, bool quiet);

// A search from here to its end: the best as a scenario, the picture, what there is to say. Gives the exit code.
struct SearchOutputs {
  std::string study, best, picture;  // best, picture: empty: beside the study
  bool json = false, quiet = false;
};
int run_search(const sinew::study::Runner& runner, const sinew::study::SearchPlan& search,
               const sinew::study::RunnerOptions& run, const SearchOutputs& to);

// One line on a terminal: how many runs are done, and how long the others will take.
class StudyProgress {
 public:
  explicit StudyProgress(bool quiet);
  ~StudyProgress();
  StudyProgress(const StudyProgress&) = delete;
  StudyProgress& operator=(const StudyProgress&) = delete;
  void update(std::uint64_t done, std::uint64_t total, std::uint64_t ran, const std::string& more);

 private:
  using Clock = std::chrono::steady_clock;
  bool is_on_, is_drawn_ = false;
  Clock::time_point start_, next_;
};

// "12 s", "3 min 05 s"
std::string time_text(double seconds);

// The usual picture of a study, beside its file or where the user says; what there is to say about it. Without gnuplot: how to get one. must:
// the user has named the file, so that an error is one.
std::string draw_figure(const sinew::figure::Figure& figure, const std::string& place, bool must);
std::string draw_study(const std::string& study, const std::string& picture, const std::string& result);

}  // namespace cli
