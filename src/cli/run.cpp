#include "sinew/io/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>

#include "cli/commands.h"
#include "cli/summary.h"
#include "cli/terminal.h"
#include "sinew/io/errors.h"
#include "sinew/io/library.h"
#include "sinew/io/report.h"
#include "sinew/version.h"

namespace cli {
namespace {

namespace io = sinew::io;

std::atomic<bool> stop_wanted{false};  // written by the signal handler only
static_assert(std::atomic<bool>::is_always_lock_free);

// Ctrl-C ends the run after the present step; a second one ends the program at once.
void stop_on_interrupt() {
  struct sigaction action = {};
  action.sa_handler = [](int) { stop_wanted = true; };
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

io::Scenario prepare(const RunArguments& arguments) {
  const auto found = io::find_scenario(arguments.scenario, scenario_folder());
  io::Scenario scenario = io::load_scenario(found.file, found.name, arguments.sets);
  if (arguments.until) {
    if (!(*arguments.until >= 0.0) || !std::isfinite(*arguments.until))
      throw io::InputError(fmt::format("--until {}: not a time: it must be >= 0 s", *arguments.until));
    scenario.duration = *arguments.until;
  }
  if (arguments.seed) {
    if (*arguments.seed < 0)
      throw io::InputError(fmt::format("--seed {}: not a seed: it must be a whole number >= 0", *arguments.seed));
    scenario.seed = std::uint64_t(*arguments.seed);
  }
  return scenario;
}

void explain(const io::RunResult& result) {
  const sinew::Diagnosis& d = *result.diagnosis;
  print_error(fmt::format("{} at t = {:.6g} s: {}: {}", result.scenario, d.t, d.what, d.advice));
  const std::string details =
      fmt::format("  fastest body before: {}, {:.4g} m/s\n  likely cause: {}\n  results are those of t = {:.6g} s\n",
                  d.body, d.speed, d.cause, result.end);
  std::fputs(details.c_str(), stderr);
}

// The run went on to its end; its results are as good as those steps were.
void explain_unsolved(const io::RunResult& r) {
  print_error(fmt::format(
      "{}: {} of {} steps were not solved to the tolerance, the first at t = {:.6g} s (worst residual {:.3g} m/s, "
      "contact.tolerance {:.3g} m/s): try integrator.step = {:.2g}, or a larger contact.tolerance",
      r.unsolved_where, r.solver.unconverged_steps, r.steps, r.unsolved->t, r.unsolved->residual, r.tolerance,
      r.step / 4));
}

}  // namespace

int run(const RunArguments& arguments) {
  const io::Scenario scenario = prepare(arguments);
  stop_on_interrupt();
  io::RunHooks hooks;
  hooks.interrupted = &stop_wanted;
  ProgressBar bar(scenario.duration);
  if (!arguments.quiet && is_terminal(STDERR_FILENO)) hooks.progress = [&](double t) { bar.update(t); };
  const auto start = std::chrono::steady_clock::now();
  const io::RunResult result = io::run(scenario, hooks);
  const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  bar.clear();
  if (arguments.json)
    write_out(io::to_json(result, wall_s, SINEW_VERSION));
  else if (!arguments.quiet)
    write_out(summary(scenario, result, wall_s));
  if (result.ending == io::Ending::Failed) {
    explain(result);
    return failed;
  }
  if (result.unsolved) explain_unsolved(result);
  if (result.ending == io::Ending::Interrupted) {
    if (!arguments.quiet) std::fprintf(stderr, "interrupted at t = %.6g s of %.6g s\n", result.end, scenario.duration);
    return interrupted;
  }
  return result.unsolved ? failed : done;
}

}  // namespace cli
