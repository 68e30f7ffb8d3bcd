#include "sinew/validate/validate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/declare.h"
#include "cli/interrupt.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "sinew/validate/page.h"
#include "sinew/version.h"

namespace cli {
namespace {

using sinew::validate::Entry;
using sinew::validate::Outcome;

struct ValidateArguments {
  std::string only, report, recordings;
  bool json = false;
};

std::string number_text(double x) { return std::isfinite(x) ? fmt::format("{:.9g}", x) : "none"; }

std::string table_of(const std::vector<Outcome>& outcomes) {
  std::size_t width = 6;
  for (const Outcome& outcome : outcomes)
    for (const Entry& e : outcome.entries) width = std::max(width, e.id.size());
  std::string text =
      fmt::format("{:<{}}  {:>16}  {:>16}  {:>10}\n", "number", width, "expected", "measured", "tolerance");
  for (const Outcome& outcome : outcomes)
    for (const Entry& e : outcome.entries) {
      text += fmt::format("{:<{}}  {:>16}  {:>16}  {:>10.3g}  {}\n", e.id, width, number_text(e.expected),
                          number_text(e.measured), e.tolerance,
                          e.pass ? green("pass", STDOUT_FILENO) : red("FAIL", STDOUT_FILENO));
      if (!e.reason.empty()) text += fmt::format("{:{}}  {}\n", "", width, e.reason);
    }
  return text;
}

// False: a scenario that was run for its recording alone has failed.
bool tell_lost_recordings(const std::vector<Outcome>& outcomes) {
  bool all_good = true;
  for (const Outcome& outcome : outcomes) {
    if (outcome.failure.empty() || !outcome.plan.name.empty()) continue;
    print_error(fmt::format("{}: {}: sinew run {} says more", outcome.scenario, outcome.failure, outcome.scenario));
    all_good = false;
  }
  return all_good;
}

// Before anything is computed. What recordings are called is not known yet: whatever else has one of their names ends the command then.
std::string check_outputs(const ValidateArguments& arguments) {
  namespace fs = std::filesystem;
  std::string replaced;
  if (!arguments.report.empty())
    replaced = check_output("--report", (fs::path(arguments.report) / "index.html").string(), sinew::html_file, {});
  std::error_code none;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(arguments.recordings, fs::directory_options::skip_permission_denied, none))
    if (entry.path().extension() == ".h5")
      return replaced + fmt::format("note: {}: recordings of the same names were replaced\n", arguments.recordings);
  return replaced;
}

int validate(const ValidateArguments& arguments) {
  const std::string replaced = check_outputs(arguments);
  std::unique_ptr<ProgressBar> bar;
  sinew::validate::Options options;
  options.folder = scenario_folder();
  options.only = arguments.only;
  options.figures = !arguments.report.empty();
  options.recordings = arguments.recordings;
  options.version = SINEW_VERSION;
  if (is_terminal(STDERR_FILENO))
    options.progress = [&](double now, double all) {
      if (!bar) bar = std::make_unique<ProgressBar>(all);
      bar->update(now);
    };
  options.interrupted = stop_on_interrupt();
  const std::vector<Outcome> outcomes = sinew::validate::validate(options);
  bar.reset();
  if (*options.interrupted) return interrupted;  // numbers of runs that did not end mean nothing
  const auto n = sinew::validate::count(outcomes);
  if (!arguments.report.empty()) sinew::validate::write_report(outcomes, SINEW_VERSION, arguments.report);
  std::fputs(replaced.c_str(), stderr);
  if (arguments.json)
    write_out(sinew::validate::to_json(outcomes));
  else
    write_out(fmt::format("{}{} of {} pass\n", table_of(outcomes), n.pass, n.all));
  return n.pass == n.all && tell_lost_recordings(outcomes) ? done : failed;
}

const char* const validate_examples = R"(Examples:
  sinew validate                         all of them, as a table
  sinew validate --only pendulum         those with a word in their id
  sinew validate --only 'basics/*/x'     those whose id has this form
  sinew validate --only basics/ --json   those of a folder, for scripts
  sinew validate --report report         report/index.html: a page with the figures

Numbers, sources and tolerances stand in the scenario files themselves, in [validate.NAME].
Exit codes: 0 all numbers pass, 2 bad input, 3 one does not pass, 4 the page cannot be written.)";

}  // namespace

Command add_validate(CLI::App& program) {
  CLI::App& command = sub_command(program, "validate", "Compare published results with ours", validate_examples);
  const auto a = std::make_shared<ValidateArguments>();
  value_option(command, "--only", a->only, "PATTERN",
               "Numbers whose id contains this, begins with this (FOLDER/), or has this form with * and ?");
  flag(command, "--json", a->json, "As a JSON array");
  value_option(command, "--report", a->report, "DIR", "Write a page with all figures and numbers, DIR/index.html");
  value_option(command, "--recordings", a->recordings, "DIR",
               "Record each scenario as sinew run would, by a case where one is that run: DIR/NAME.h5");
  return {&command, [a] { return validate(*a); }};
}

}  // namespace cli
