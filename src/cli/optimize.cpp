#include "sinew/study/optimize.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/studies.h"
#include "cli/terminal.h"
#include "sinew/figure/figure.h"
#include "sinew/files/file_writer.h"
#include "sinew/sim/errors.h"
#include "sinew/study/load_plan.h"

namespace cli {
namespace {

namespace study = sinew::study;

constexpr sinew::FileKind best_file{"scenario that a search wrote", {"# The best of a study", ""}};

struct OptimizeArguments {
  PlanArguments plan;
  std::vector<std::string> maximize, minimize, conditions;
  std::string method, out, best, picture;
  std::optional<std::int64_t> budget, population, restarts;
  bool noise = false, json = false;
};

int number_given(const char* option, const std::optional<std::int64_t>& value, int least, int otherwise) {
  if (value && (*value < least || *value > 100'000'000))
    throw sinew::InputError(fmt::format("{} {}: give a whole number of {} or more", option, *value, least));
  return value ? int(*value) : otherwise;
}

// Options over what a plan's file says.
void put_options(const OptimizeArguments& a, study::SearchPlan& search) {
  if (!a.method.empty()) {
    const auto* method = std::ranges::find(study::method_names, a.method);
    if (method == study::method_names.end())
      throw sinew::InputError(fmt::format("--method {}: take cmaes, nsga2 or bobyqa", a.method));
    search.method = study::Method(method - study::method_names.begin());
  }
  if (!a.maximize.empty() || !a.minimize.empty()) search.aims.clear();
  for (const std::string& text : a.maximize) search.aims.push_back({text, true});
  for (const std::string& text : a.minimize) search.aims.push_back({text, false});
  if (!a.conditions.empty()) search.conditions = a.conditions;
  search.budget = number_given("--budget", a.budget, 1, search.budget);
  search.population = number_given("--population", a.population, 4, search.population);
  search.restarts = number_given("--restarts", a.restarts, 0, search.restarts);
  search.noise = search.noise || a.noise;
}

// Files beside the study.
std::string beside_study(const std::string& given, const std::string& file, const char* ending) {
  return given.empty() ? std::filesystem::path(file).replace_extension(ending).string() : given;
}

std::string values_text(const study::Runner& runner, const study::Row& row) {
  std::string out;
  for (std::size_t i = 0; i < row.trial.point.size(); i++)
    out += fmt::format("{}{} = {:.6g}", i == 0 ? "" : ", ", runner.axes()[i].key, row.trial.point[i].number);
  return out;
}

std::string outcome_json(const study::Runner& runner, const study::SearchOutcome& done, const std::string& file,
                         const std::string& best) {
  nlohmann::json list = nlohmann::json::array();
  for (const study::Row& row : done.best) {
    nlohmann::json values, results;
    for (std::size_t i = 0; i < row.trial.point.size(); i++) values[runner.axes()[i].key] = row.trial.point[i].number;
    for (std::size_t i = 0; i < row.results.size(); i++) results[runner.results()[i].name] = row.results[i];
    list.push_back({{"row", row.trial.row}, {"values", values}, {"results", results}, {"hash", row.hash}});
  }
  return nlohmann::json{{"study", file},          {"runs", done.runs},
                        {"ran", done.ran},        {"seed", runner.plan().seed.value_or(0)},
                        {"aim", done.aim},        {"best", list},
                        {"scenario", best},       {"ending", done.ending},
                        {"without", done.without}}
             .dump(2) +
         "\n";
}

std::string outcome_text(const study::Runner& runner, const study::SearchPlan& search,
                         const study::SearchOutcome& done) {
  std::string out = fmt::format("{} runs, {} of them now, seed {}: {}\n", done.runs, done.ran,
                                runner.plan().seed.value_or(0), done.ending);
  if (done.best.empty())
    return out +
           fmt::format("no run meets {}: {}\n", search.conditions.empty() ? "the aim" : "all conditions", done.without);
  if (search.aims.size() == 1)
    return out + fmt::format("best: {} = {:.6g} at {}\n", search.aims[0].text, done.aim[0],
                             values_text(runner, done.best[0]));
  out += fmt::format("{} runs are on the front:\n", done.best.size());
  for (std::size_t i = 0; i < std::min<std::size_t>(done.best.size(), 24); i++)
    out += fmt::format("  row {}: {}\n", done.best[i].trial.row, values_text(runner, done.best[i]));
  return out;
}

int run_optimize(const OptimizeArguments& a) {
  study::SearchPlan search;
  study::StudyPlan plan = plan_of(a.plan, &search);
  put_options(a, search);
  const std::vector<std::string> needed = study::names_needed(search);
  if (plan.results.empty()) plan.results = needed;  // what else could be kept would only keep runs out of lanes
  if (search.aims.empty())
    throw sinew::InputError("command line: what is to be the best? write --maximize or --minimize RESULT");
  const study::Runner runner(plan, study::find_source(plan.scenario, scenario_folder()), needed);
  return run_search(runner, search, runner_options(a.plan),
                    {study_path(a.out, runner.source().name), a.best, a.picture, a.json, a.plan.quiet});
}

const char* const optimize_examples = R"(Examples:
  sinew optimize link-slide --maximize mid_x --vary mu_long=0.1:0.5 --budget 40 --out o.h5
  sinew optimize pendulum --minimize 'abs(x - 0.5)' --vary g[1]=-12:-4 --until 1 --budget 80
  sinew optimize pendulum --maximize x --maximize y --vary g[1]=-12:-4 --method nsga2 --budget 80

RESULT is a result of the scenario, or an expression of them: 'com_speed / work_actuators'. The best
run is written as a scenario, FILE.best.toml, ready for sinew run. Interrupted or killed, the same
command goes on. A run that failed or was not certified is never the best.
Exit codes: 0 done, 2 bad input, 3 no run meets the conditions, 4 file error, 130 interrupted.)";

}  // namespace

int run_search(const study::Runner& runner, const study::SearchPlan& search, const study::RunnerOptions& run,
               const SearchOutputs& to) {
  study::SearchOptions options;
  options.file = to.study;
  options.run = run;
  const std::string best = beside_study(to.best, to.study, ".best.toml"),
                    picture = beside_study(to.picture, to.study, ".svg");
  check_output("--best", best, best_file, {{runner.source().file, "the scenario"}});
  study::SearchOutcome done;
  {
    StudyProgress line(to.quiet || to.json);
    options.progress = [&](std::uint64_t runs, std::uint64_t ran, double value) {
      line.update(runs, std::uint64_t(search.budget), ran,
                  std::isfinite(value) ? fmt::format(", best {:.6g}", value) : "");
    };
    done = study::optimize(runner, search, options);
  }
  std::string written;
  if (!done.best.empty()) {
    written = best;
    sinew::write_file(best, best_file,
                      study::scenario_of_row(runner, done.best[0],
                                             fmt::format("row {} of {}, {}", done.best[0].trial.row, to.study,
                                                         values_text(runner, done.best[0]))));
  }
  if (to.json) {
    write_out(outcome_json(runner, done, to.study, written));
  } else if (!to.quiet) {
    write_out(outcome_text(runner, search, done));
    write_out(fmt::format("study: {}\n", to.study));
    if (!written.empty()) write_out(fmt::format("scenario: {}\n", written));
  }
  if (done.interrupted) return interrupted;
  const bool tells = !to.json && !to.quiet;
  if (done.best.empty()) {
    if (!tells) std::fprintf(stderr, "warning: %s: there is no best: %s\n", to.study.c_str(), done.without.c_str());
    return failed;
  }
  if (!to.picture.empty() || tells) {
    const std::string said = draw_figure(done.history, picture, !to.picture.empty());
    if (tells) write_out(said);
  }
  return cli::done;
}

Command add_optimize(CLI::App& program) {
  CLI::App& command =
      sub_command(program, "optimize", "Search for the values of keys that make a result best", optimize_examples);
  const auto a = std::make_shared<OptimizeArguments>();
  plan_options(command, a->plan);
  list_option(command, "--maximize", a->maximize, "RESULT", "What is to be large. Several aims: --method nsga2");
  list_option(command, "--minimize", a->minimize, "RESULT", "What is to be small");
  list_option(command, "--subject-to", a->conditions, "CONDITION", "What must hold, as 'max_torque < 8'");
  value_option(command, "--method", a->method, "NAME",
               "cmaes (default), nsga2 (several aims: their front) or bobyqa (polish: smooth, few keys)");
  value_option(command, "--budget", a->budget, "N", "Most runs; default 500");
  value_option(command, "--population", a->population, "N", "Runs of a generation, even; otherwise the method's own");
  value_option(command, "--restarts", a->restarts, "N", "Of cmaes, each with twice the population; default 3");
  value_option(command, "--repeat", a->plan.repeat, "N", "Runs of each point, with a seed each: their mean counts");
  flag(command, "--noise", a->noise, "cmaes: as many runs of a point as its rank needs");
  value_option(command, "--out", a->out, "FILE.h5", "The study's file instead of runs/NAME-DATE-TIME/study.h5");
  value_option(command, "--best", a->best, "FILE.toml", "The best as a scenario; otherwise beside the study");
  value_option(command, "--plot", a->picture, "FILE", "History or front, .svg or .png; otherwise beside the study");
  work_options(command, a->plan);
  flag(command, "--json", a->json, "Print exactly one JSON object");
  return {&command, [a] { return run_optimize(*a); }};
}

}  // namespace cli
