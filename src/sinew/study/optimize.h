// A search: the best of many runs. Each run is a row of the study's file; the search itself follows from its seed, so a search that was stopped goes on
// by asking the same questions again, of which those that have been answered cost nothing.
#pragma once
#include "sinew/figure/figure.h"
#include "sinew/study/expression.h"
#include "sinew/study/study_file.h"

namespace sinew::study {

enum class Method { Cmaes, Nsga2, Bobyqa };
inline constexpr std::array<std::string_view, 3> method_names{"cmaes", "nsga2", "bobyqa"};

struct AimPlan {
  std::string text;  // an expression of results
  bool maximize = true;
};

struct SearchPlan {
  Method method = Method::Cmaes;
  std::vector<AimPlan> aims;
  std::vector<std::string> conditions;
  int budget = 500;    // runs
  int population = 0;  // 0: the method's own
  int restarts = 3;    // of cmaes, each with twice the population
  bool noise = false;  // cmaes: runs of a point are as many as its rank needs
};

// Declares what a plan's file may say of a search.
void describe(Keys& keys, SearchPlan& search);

struct SearchOptions {
  std::string file;
  RunnerOptions run = {};
  std::function<void(std::uint64_t runs, std::uint64_t ran, double best)> progress = {};
};

struct SearchOutcome {
  std::vector<Row> best;            // one, or the front of nsga2; none: no run meets the conditions
  std::vector<double> aim;          // of the best: each aim, as its expression says
  std::string without;              // where there is no best: what came closest, or why runs are of no use
  std::uint64_t runs = 0, ran = 0;  // all; now
  std::string ending;
  bool interrupted = false;
  figure::Figure history;
};

// What a study's file keeps of a search, and back. Throws record::Error.
SearchPlan search_of(const About& about);

// Results that the aims and conditions are made of. Throws InputError.
std::vector<std::string> names_needed(const SearchPlan& search);

// Throws InputError: keys without a range, several aims for a method of one, and the like.
SearchOutcome optimize(const Runner& runner, const SearchPlan& search, const SearchOptions& options);

// The scenario of a row, complete, as a file to run.
std::string scenario_of_row(const Runner& runner, const Row& row, const std::string& remark);

}  // namespace sinew::study
