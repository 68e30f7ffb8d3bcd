#include "cli/studies.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "sinew/files/place.h"
#include "sinew/report/recorder.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/nearest.h"
#include "sinew/study/load_plan.h"
#include "sinew/study/plots.h"

namespace cli {
namespace {

namespace study = sinew::study;

// "a,b" are two results; NAME=FORMULA is one, whatever stands in it.
std::vector<std::string> results_in(const std::vector<std::string>& given) {
  std::vector<std::string> out;
  for (const std::string& text : given) {
    if (text.find('=') != std::string::npos) {
      out.push_back(text);
      continue;
    }
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      if (end > begin) out.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return out;
}

int whole_of(const char* option, const std::optional<std::int64_t>& value, std::int64_t least, int otherwise) {
  if (!value) return otherwise;
  if (*value < least || *value > 1'000'000'000)
    throw sinew::InputError(fmt::format("{} {}: give a whole number of {} or more", option, *value, least));
  return int(*value);
}

}  // namespace

void plan_options(CLI::App& command, PlanArguments& a) {
  argument(command, "SCENARIO", a.scenario,
           "A built-in name, its last part, the path of a scenario's file, or of a plan's file (docs: Studies)", false);
  list_option(command, "--vary", a.vary, "KEY=A:B:N",
              "Numbers from A to B, N of them; or KEY=VALUE,VALUE,... May be given several times");
  set_option(command, a.sets);
  list_option(
      command, "--results", a.results, "A,B",
      "Results to keep, or NAME=FORMULA of results and signals. May be given several times; none: all numbers of "
      "the scenario");
  value_option(command, "--until", a.until, "SECONDS", "End of each run instead of the scenario's duration");
  value_option(command, "--stop-when", a.stop_when, "CONDITION",
               "Ends a run: a formula of signals, < or >, a number; looked at every output.every seconds");
  value_option(command, "--seed", a.seed, "N", "Seed of the study, a whole number >= 0");
}

void sample_options(CLI::App& command, PlanArguments& a) {
  value_option(command, "--sampling", a.sampling, "KIND",
               "grid (every value with every other), list (side by side), latin or sobol (drawn from the ranges)");
  value_option(command, "--samples", a.samples, "N", "Points of latin and sobol");
  value_option(command, "--repeat", a.repeat, "N", "Runs of each point, with a seed each");
}

void work_options(CLI::App& command, PlanArguments& a) {
  value_option(command, "--jobs", a.jobs, "N", "Threads; otherwise one for each processor");
  flag(command, "--no-lanes", a.no_lanes, "Never four runs in one register: slower, the same bits");
  flag(command, "--quiet", a.quiet, "Print nothing but errors");
}

study::StudyPlan plan_of(const PlanArguments& a, study::SearchPlan* search) {
  study::StudyPlan plan;
  if (a.scenario.empty())
    throw sinew::InputError("command line: no scenario is named: write a built-in name, or the path of a file");
  if (study::is_plan_file(a.scenario))
    study::load_plan(a.scenario, plan, search);
  else
    plan.scenario = a.scenario;
  plan.sets.insert(plan.sets.end(), a.sets.begin(), a.sets.end());
  if (!a.vary.empty()) plan.vary = a.vary;
  if (!a.results.empty()) plan.results = results_in(a.results);
  if (!a.sampling.empty()) {
    const auto* name = std::ranges::find(study::sampling_names, a.sampling);
    if (name == study::sampling_names.end())
      throw sinew::InputError(fmt::format("--sampling {}: take grid, list, latin or sobol", a.sampling));
    plan.sampling = study::Sampling(name - study::sampling_names.begin());
  }
  plan.samples = whole_of("--samples", a.samples, 1, plan.samples);
  plan.repeat = whole_of("--repeat", a.repeat, 1, plan.repeat);
  if (a.seed && *a.seed < 0)
    throw sinew::InputError(fmt::format("--seed {}: not a seed: it must be a whole number >= 0", *a.seed));
  if (a.seed) plan.seed = a.seed;
  if (!a.stop_when.empty()) plan.stop_when = a.stop_when;
  if (a.until) plan.until = a.until;
  if (plan.until && !(*plan.until >= 0.0 && std::isfinite(*plan.until)))
    throw sinew::InputError(fmt::format("--until {}: not a time: it must be >= 0 s", *plan.until));
  return plan;
}

study::RunnerOptions runner_options(const PlanArguments& a) {
  return {whole_of("--jobs", a.jobs, 1, 0), !a.no_lanes, stop_on_interrupt()};
}

std::vector<std::string> words_of(const PlanArguments& a) {
  std::vector<std::string> out{a.scenario};
  const auto add = [&](const char* option, const std::string& value) {
    if (value.empty()) return;
    out.emplace_back(option);
    out.push_back(value);
  };
  for (const std::string& text : a.vary) add("--vary", text);
  for (const std::string& text : a.sets) add("--set", text);
  for (const std::string& text : a.results) add("--results", text);
  add("--sampling", a.sampling);
  add("--stop-when", a.stop_when);
  if (a.samples) add("--samples", fmt::format("{}", *a.samples));
  if (a.repeat) add("--repeat", fmt::format("{}", *a.repeat));
  if (a.seed) add("--seed", fmt::format("{}", *a.seed));
  if (a.until) add("--until", fmt::format("{}", *a.until));
  if (a.no_lanes) out.emplace_back("--no-lanes");
  return out;
}

int code_of(const study::SweepOutcome& now, bool quiet) {
  const study::SweepProgress& rows = now.rows;
  if (rows.bad > 0)
    std::fprintf(
        stderr, "warning: %s: %s\n", now.file.c_str(),
        fmt::format("{} of {} runs failed or were not certified; {}", rows.bad, rows.done, now.first_bad).c_str());
  if (!now.is_complete()) {
    if (!quiet) std::fprintf(stderr, "interrupted: go on with sinew study resume %s\n", now.file.c_str());
    return interrupted;
  }
  return rows.total > 0 && rows.bad == rows.total ? failed : done;
}

std::string study_path(const std::string& out, const std::string& scenario) {
  if (!out.empty()) return out;
  return (std::filesystem::path(sinew::report::new_recording_path(scenario)).parent_path() / "study.h5").string();
}

StudyProgress::StudyProgress(bool quiet)
    : is_on_(!quiet && is_terminal(STDERR_FILENO)), start_(Clock::now()), next_(start_ + std::chrono::seconds(1)) {}

StudyProgress::~StudyProgress() {
  if (is_drawn_) std::fputs("\r\x1b[K", stderr);
}

void StudyProgress::update(std::uint64_t done, std::uint64_t total, std::uint64_t ran, const std::string& more) {
  const auto now = Clock::now();
  if (!is_on_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const std::string left =
      ran > 0 ? fmt::format(", {} left", time_text(elapsed * double(total - done) / double(ran))) : "";
  std::fprintf(stderr, "\r\x1b[K%s", fmt::format("{} of {} runs{}{}", done, total, more, left).c_str());
  std::fflush(stderr);
  is_drawn_ = true;
}

std::string time_text(double seconds) {
  const auto s = std::lround(seconds);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

std::string draw_figure(const sinew::figure::Figure& figure, const std::string& place, bool must) {
  try {
    sinew::figure::render(figure, place);
  } catch (const std::exception& e) {
    if (must) throw;
    return fmt::format("plot: none: {}\n", e.what());
  }
  return fmt::format("plot: {}\n", place);
}

std::string draw_study(const std::string& file, const std::string& picture, const std::string& result) {
  const std::string place = picture.empty() ? std::filesystem::path(file).replace_extension(".svg").string() : picture;
  try {
    return draw_figure(study::plot_study(study::read_study(file), result), place, !picture.empty());
  } catch (const sinew::InputError& e) {
    if (!picture.empty()) throw;
    return fmt::format("plot: none: {}\n", e.what());
  }
}

}  // namespace cli
