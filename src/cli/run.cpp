#include "sinew/sim/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/declare.h"
#include "cli/interrupt.h"
#include "cli/models.h"
#include "cli/outputs.h"
#include "cli/summary.h"
#include "cli/terminal.h"
#include "cli/web_view.h"
#include "sinew/report/checkpoint.h"
#include "sinew/report/recorder.h"
#include "sinew/report/report.h"
#include "sinew/sim/errors.h"
#include "sinew/text/library.h"
#include "sinew/text/load_fmu.h"
#include "sinew/text/load_scenario.h"
#include "sinew/version.h"

namespace cli {
namespace {

namespace report = sinew::report;
namespace sim = sinew::sim;
namespace text = sinew::text;

struct RunArguments {
  std::string scenario;
  std::vector<std::string> sets;
  std::optional<double> until;
  std::optional<std::int64_t> seed;
  std::string out;
  bool no_record = false, json = false, quiet = false;
  std::string checkpoint, resume;
  std::optional<double> every;
  bool live = false;
  std::optional<std::int64_t> port;
  sinew::text::ModelOptions model;
};

void check_options(const RunArguments& a) {
  if (a.scenario.empty() && a.resume.empty())
    throw sinew::InputError("command line: no scenario is named: write sinew run SCENARIO (sinew list names all)");
  if (a.no_record && !a.out.empty())
    throw sinew::InputError("command line: --out and --no-record contradict each other: leave one out");
  if (a.every && a.checkpoint.empty())
    throw sinew::InputError(
        "command line: --every needs --checkpoint FILE: for rows of the recording use --set "
        "output.every=SECONDS");
  if (a.port && !a.live) throw sinew::InputError("command line: --port needs --live: add it, or leave --port out");
  if (a.every && !(*a.every > 0.0 && std::isfinite(*a.every)))
    throw sinew::InputError(fmt::format("--every {}: not a time between checkpoints: it must be > 0 s", *a.every));
}

// Before anything is computed. A checkpoint may be written over the one that the run goes on from: that has been read by then, and the
// new one is of the same run.
std::string check_outputs(const RunArguments& a) {
  const std::string scenario = a.scenario.empty() ? "" : text::find_scenario(a.scenario, scenario_folder()).file;
  const std::string out = check_output(
      "--out", a.out, sinew::recording_file,
      {{scenario, "the scenario"}, {a.resume, "the checkpoint"}, {a.checkpoint, "the file of --checkpoint"}});
  return out + check_output("--checkpoint", a.checkpoint, sinew::checkpoint_file, {{scenario, "the scenario"}});
}

sim::Experiment load(const RunArguments& arguments, const std::optional<report::Checkpoint>& from) {
  if (arguments.scenario.empty()) return report::experiment_of(*from, arguments.resume, arguments.sets);
  const auto found = text::find_scenario(arguments.scenario, scenario_folder());
  std::vector<std::string> notes;
  sim::Experiment experiment = text::load_experiment(found.file, found.name, arguments.sets, {arguments.model, &notes});
  if (!arguments.quiet) print_notes(notes);
  return experiment;
}

// Of a test bench nothing can be watched, stopped or gone on with.
void refuse_motion(const RunArguments& a, const sim::Scenario& scenario) {
  if (!sim::is_bench(scenario)) return;
  const char* option = !a.resume.empty()       ? "--resume"
                       : a.live                ? "--live"
                       : a.until               ? "--until"
                       : !a.checkpoint.empty() ? "--checkpoint"
                                               : nullptr;
  if (option) throw sinew::InputError(fmt::format("{}: {}", option, sim::no_motion_of(scenario)));
}

sim::Experiment prepare(const RunArguments& arguments, const std::optional<report::Checkpoint>& from) {
  sim::Experiment experiment = load(arguments, from);
  refuse_motion(arguments, experiment.scenario);
  text::refuse_untrusted(experiment.scenario);
  if (experiment.scenario.control_kind == sinew::ControlKind::Fmu && (from || !arguments.checkpoint.empty()))
    throw sinew::InputError(
        "command line: what an FMU remembers is in no checkpoint: leave --checkpoint and --resume out");
  if (arguments.until) {
    if (!(*arguments.until >= 0.0) || !std::isfinite(*arguments.until))
      throw sinew::InputError(fmt::format("--until {}: not a time: it must be >= 0 s", *arguments.until));
    experiment.scenario.duration = *arguments.until;
  }
  if (arguments.seed) {
    if (*arguments.seed < 0)
      throw sinew::InputError(fmt::format("--seed {}: not a seed: it must be a whole number >= 0", *arguments.seed));
    experiment.scenario.seed = std::uint64_t(*arguments.seed);
  }
  if (from) report::check_resume(*from, arguments.resume, experiment);
  return experiment;
}

// Where the run is recorded; empty: it is not.
std::string recording_of(const RunArguments& arguments, const sim::Scenario& scenario) {
  if (arguments.no_record) return {};
  return arguments.out.empty() ? report::new_recording_path(scenario.name) : arguments.out;
}

// The run went on to its end; its results are as good as those steps were.
void explain_unsolved(const sim::RunResult& r) {
  if (r.unsolved->residual >= sinew::no_room)
    return print_error(
        fmt::format("{}: there was no room to remember it, in {} of {} steps, the first at t = {:.6g} s: give "
                    "contact.capacity a larger number of points",
                    r.unsolved_where, r.solver.unconverged_steps, r.steps, r.unsolved->t));
  print_error(fmt::format(
      "{}: {} of {} steps were not solved to the tolerance, the first at t = {:.6g} s (worst residual {:.3g} m/s, "
      "contact.tolerance {:.3g} m/s): try integrator.step = {:.2g}, or a larger contact.tolerance",
      r.unsolved_where, r.solver.unconverged_steps, r.steps, r.unsolved->t, r.unsolved->residual, r.tolerance,
      r.step / 4));
}

// What is left to say, and the exit code.
int conclude(const RunArguments& arguments, const sim::Scenario& scenario, const sim::RunResult& result) {
  if (result.ending == sim::Ending::Failed) {
    print_error(text_of(*result.diagnosis, result.scenario));
    return failed;
  }
  if (result.unsolved) explain_unsolved(result);
  if (!result.drive_doubt.empty())
    print_error(fmt::format("{}: try integrator.step = {:.2g}", result.drive_doubt, result.step / 4));
  if (result.ending == sim::Ending::Interrupted) {
    if (!arguments.quiet) std::fprintf(stderr, "interrupted at t = %.6g s of %.6g s\n", result.end, scenario.duration);
    return interrupted;
  }
  return result.unsolved || !result.drive_doubt.empty() ? failed : done;
}

int run(const RunArguments& arguments) {
  check_options(arguments);
  const std::string replaced = check_outputs(arguments);
  std::optional<report::Checkpoint> from;
  if (!arguments.resume.empty()) from = report::read_checkpoint(arguments.resume, SINEW_VERSION);
  const sim::Experiment experiment = prepare(arguments, from);
  const sim::Scenario& scenario = experiment.scenario;
  sim::RunHooks hooks;
  hooks.interrupted = stop_on_interrupt();
  if (from) hooks.resume = &from->progress;
  hooks.checkpoint_every = arguments.checkpoint.empty() ? 0.0 : arguments.every.value_or(1.0);
  hooks.checkpoint = [&](const sim::Progress& progress) {
    report::write_checkpoint(arguments.checkpoint, report::make_checkpoint(experiment, progress, SINEW_VERSION));
  };
  ProgressBar bar(scenario.duration);
  if (!arguments.quiet && is_terminal(STDERR_FILENO)) hooks.progress = [&](double t) { bar.update(t); };
  const auto start = std::chrono::steady_clock::now();
  const std::string recording = recording_of(arguments, scenario);
  std::optional<report::Recorder> recorder;
  if (!recording.empty()) hooks.watcher = &recorder.emplace(experiment, recording, SINEW_VERSION);
  std::unique_ptr<LiveRun> live;
  if (arguments.live) {
    live = web_view->watch(experiment, hooks, arguments.port);
    if (!arguments.quiet) std::fprintf(stderr, "look at it: %s\n", live->url().c_str());
  }
  const sim::RunResult result = sim::run(experiment, hooks);
  const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  bar.clear();
  const std::string json = report::to_json(result, wall_s, SINEW_VERSION, recording);
  if (recorder) recorder->finish(json);
  if (!arguments.quiet) std::fputs(replaced.c_str(), stderr);
  if (live) live->finish(result);
  if (arguments.json)
    write_out(json);
  else if (!arguments.quiet)
    write_out(summary(scenario, result, wall_s, recording));
  return conclude(arguments, scenario, result);
}

const char* const run_examples = R"(Examples:
  sinew run pendulum                                    run it and read a summary
  sinew run pendulum --set mass=2 --until 5             with another mass [kg], for 5 s
  sinew run pendulum --set method=rk4 --set step=0.0005 --out fine.h5
  sinew run pendulum --set output.result.speed=body.bob.v --set 'output.at=[1, 2.5]' --json
  sinew run pendulum --checkpoint c.bin --every 2 && sinew run --resume c.bin --until 20

The recording (HDF5) can be read while the run goes on, and after it was killed. sinew view, plot,
export and replay take it; in Python: h5py.File(FILE, swmr=True)["signals/t"].
Exit codes: 0 done, 2 bad input, 3 numerical failure (results are those until then), 4 file error,
130 interrupted (Ctrl-C ends the run after the present step; the recording is complete).)";

}  // namespace

Command add_run(CLI::App& program) {
  CLI::App& command = sub_command(program, "run", "Simulate a scenario", run_examples);
  const auto arguments = std::make_shared<RunArguments>();
  RunArguments& a = *arguments;
  scenario_argument(command, a.scenario);
  set_option(command, a.sets);
  value_option(command, "--until", a.until, "SECONDS", "End at this time instead of the scenario's duration");
  value_option(command, "--seed", a.seed, "N", "Seed of random numbers, a whole number >= 0");
  value_option(command, "--out", a.out, "FILE.h5", "Record to this file instead of runs/NAME-DATE-TIME/recording.h5");
  flag(command, "--no-record", a.no_record, "Record nothing");
  value_option(command, "--checkpoint", a.checkpoint, "FILE", "Store the run there again and again, to go on later");
  value_option(command, "--every", a.every, "SECONDS", "Simulated time between checkpoints; default 1 s");
  value_option(command, "--resume", a.resume, "FILE",
               "Go on from a checkpoint, to the same bits as without a stop; SCENARIO may be left out");
  flag(command, "--live", a.live,
       "Let browsers look on at the address that is printed; the run is as fast as it can, ends when it ends, and has "
       "the same bits");
  value_option(command, "--port", a.port, "N", "Port of --live; otherwise 8420, or the next one that is free");
  model_options(command, a.model);
  trust_option(command, a.model);
  flag(command, "--json", a.json, "Print exactly one JSON object");
  flag(command, "--quiet", a.quiet, "Print nothing but errors (and the JSON, if asked for)");
  return {&command, [arguments] { return run(*arguments); }, [arguments] { return arguments->live; }};
}

}  // namespace cli
