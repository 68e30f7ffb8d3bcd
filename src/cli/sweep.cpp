#include "sinew/study/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/slurm.h"
#include "cli/studies.h"
#include "cli/terminal.h"
#include "sinew/figure/figure.h"
#include "sinew/sim/errors.h"
#include "sinew/study/columns.h"
#include "sinew/study/load_plan.h"

namespace cli {
namespace {

namespace study = sinew::study;

struct SweepArguments {
  PlanArguments plan;
  std::string out, shard, picture;
  std::string on = "threads", partition, account, time;
  std::optional<std::int64_t> shards, at_once;
  bool json = false, no_requeue = false;
};

study::Shard shard_of(const std::string& text) {
  study::Shard shard;
  if (text.empty()) return shard;
  int end = 0;
  const bool read = std::sscanf(text.c_str(), "%d/%d%n", &shard.number, &shard.of, &end) == 2;
  if (!read || std::size_t(end) != text.size() || shard.number < 1 || shard.number > shard.of || shard.of > 100'000)
    throw sinew::InputError(fmt::format("--shard {}: not a part: write 2/3 for the second of three", text));
  return shard;
}

void check_sweep(const SweepArguments& a, const study::Shard& shard) {
  if (a.on != "threads" && a.on != "slurm")
    throw sinew::InputError(fmt::format("--on {}: take threads or slurm", a.on));
  const bool named = !a.partition.empty() || !a.account.empty() || !a.time.empty();
  if (a.on == "threads" && (a.shards || a.at_once || named || a.no_requeue))
    throw sinew::InputError(
        "--shards, --at-once, --partition, --account, --time, --no-requeue: they belong to --on slurm: add it");
  if (!a.shard.empty() && a.out.empty())
    throw sinew::InputError("--shard: name the study with --out FILE.h5, so that its parts find one another");
  if (!a.out.empty() && std::filesystem::path(a.out).extension() != ".h5")
    throw sinew::InputError(fmt::format("--out {}: a study is an HDF5 file: let the name end in .h5", a.out));
  if (!a.picture.empty() && !sinew::figure::format_of(a.picture))
    throw sinew::InputError(fmt::format("--plot {}: unknown ending: name a file that ends in .svg or .png", a.picture));
  if (!a.out.empty()) sinew::place_for(study::shard_file(a.out, shard), sinew::recording_file);
}

// Of the options of Slurm. Each goes into a line of a script: nothing that begins another one.
study::SlurmPlan slurm_plan_of(const SweepArguments& a, std::uint64_t rows) {
  for (const std::string& word : {a.partition, a.account, a.time})
    if (word.find_first_of(" \t\r\n") != std::string::npos)
      throw sinew::InputError(
          fmt::format("--partition, --account, --time: '{}' has a space in it: give one word", word));
  study::SlurmPlan plan;
  if (a.shards && (*a.shards < 1 || *a.shards > 100'000))
    throw sinew::InputError(fmt::format("--shards {}: give a whole number from 1 to 100000", *a.shards));
  if (a.at_once && (*a.at_once < 1 || *a.at_once > 100'000))
    throw sinew::InputError(fmt::format("--at-once {}: give a whole number from 1 to 100000", *a.at_once));
  plan.shards = int(std::min<std::uint64_t>(rows, std::uint64_t(a.shards.value_or(16))));
  plan.at_once = int(a.at_once.value_or(0));
  plan.threads = std::max(runner_options(a.plan).threads, 1);
  plan.requeue = !a.no_requeue;
  plan.partition = a.partition;
  plan.account = a.account;
  plan.time = a.time;
  return plan;
}

int submit_sweep(const SweepArguments& a, const study::Runner& runner) {
  if (a.out.empty()) throw sinew::InputError("--on slurm: name the study with --out FILE.h5, where all nodes see it");
  if (!a.shard.empty()) throw sinew::InputError("--on slurm: it makes the parts itself: leave --shard out");
  const study::SlurmPlan plan = slurm_plan_of(a, rows_of(runner.plan(), runner.axes()).size());
  study::check_same_study(runner, a.out);
  std::vector<std::string> words = words_of(a.plan);
  words.insert(words.begin(), "sweep");
  const std::string said = submit_study(plan, words, std::filesystem::absolute(a.out).string());
  if (!a.plan.quiet) write_out(said);
  return cli::done;
}

std::string conclusion(const study::SweepOutcome& done, double seconds) {
  const study::SweepProgress& r = done.rows;
  std::string out = fmt::format("{} of {} runs are done", r.done, r.total);
  if (r.ran < r.done) out += fmt::format(", {} of them before", r.done - r.ran);
  if (r.bad > 0) out += fmt::format("; {} failed or were not certified, each with its reason", r.bad);
  return out + fmt::format("; {} now\nstudy: {}\n", time_text(seconds), done.file);
}

int run_sweep(const SweepArguments& a) {
  const study::Shard shard = shard_of(a.shard);
  check_sweep(a, shard);
  const study::StudyPlan plan = plan_of(a.plan);
  const study::Runner runner(plan, study::find_source(plan.scenario, scenario_folder()));
  if (a.on == "slurm") return submit_sweep(a, runner);
  study::SweepOptions options;
  options.out = study_path(a.out, runner.source().name);
  options.shard = shard;
  options.run = runner_options(a.plan);
  const auto start = std::chrono::steady_clock::now();
  study::SweepOutcome done;
  {
    StudyProgress line(a.plan.quiet || a.json);
    options.progress = [&](const study::SweepProgress& p) {
      line.update(p.done, p.total, p.ran, p.bad > 0 ? fmt::format(", {} failed", p.bad) : "");
    };
    done = study::sweep(runner, options);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (a.json) {
    const nlohmann::json out{
        {"study", done.file},   {"rows", done.rows.total}, {"done", done.rows.done},        {"ran", done.rows.ran},
        {"bad", done.rows.bad}, {"wall_s", seconds},       {"complete", done.is_complete()}};
    write_out(out.dump(2) + "\n");
  } else if (!a.plan.quiet) {
    if (done.is_complete()) write_out(study::text_table(study::read_study(done.file), 24));
    write_out(conclusion(done, seconds));
  }
  const int code = code_of(done, a.plan.quiet);
  if (!done.is_complete()) return code;
  if (shard.of == 1 && (!a.picture.empty() || (!a.plan.quiet && !a.json)))
    if (const std::string said = draw_study(done.file, a.picture, ""); !a.plan.quiet && !a.json) write_out(said);
  return code;
}

const char* const sweep_examples = R"(Examples:
  sinew sweep pendulum --vary mass=1:2:5 --until 1 --out mass.h5
  sinew sweep pendulum --vary mass=1,2 --vary method=moreau,rk4 --until 1 --out two.h5
  sinew sweep link-slide --vary mu_long=0.1:0.5 --sampling sobol --samples 8 --out drawn.h5
  sinew sweep pendulum --vary mass=1:2:5 --until 1 --shard 2/3 --out s.h5    writes s.2of3.h5

Killed or interrupted, the same command goes on with the runs that are missing (sinew study resume).
The file is a table: pandas.DataFrame(h5py.File("mass.h5")["table"][:]); sinew study collect writes
CSV and SQLite, sinew plot pictures of it. Every run has the bits of sinew run with its values.
Exit codes: 0 done, 2 bad input, 3 no run went well, 4 file error, 130 interrupted (rows are kept).)";

}  // namespace

Command add_sweep(CLI::App& program) {
  CLI::App& command = sub_command(program, "sweep", "Run a scenario for many values of its keys", sweep_examples);
  const auto a = std::make_shared<SweepArguments>();
  plan_options(command, a->plan);
  sample_options(command, a->plan);
  value_option(command, "--out", a->out, "FILE.h5", "The study's file instead of runs/NAME-DATE-TIME/study.h5");
  value_option(command, "--shard", a->shard, "I/N", "Only this part of the runs, into a file of its own");
  value_option(command, "--on", a->on, "WHERE",
               "threads (default) of this machine, or slurm: a job array, then a merge");
  value_option(command, "--shards", a->shards, "N",
               "slurm: tasks of the array; default 16. At least half a minute of work each");
  value_option(command, "--at-once", a->at_once, "N", "slurm: most tasks that run at the same time");
  value_option(command, "--partition", a->partition, "NAME", "slurm: where they run");
  value_option(command, "--account", a->account, "NAME", "slurm: who pays");
  value_option(command, "--time", a->time, "LIMIT", "slurm: limit of a task, as sbatch takes it");
  flag(command, "--no-requeue", a->no_requeue, "slurm: a task whose node dies is not queued again");
  value_option(command, "--plot", a->picture, "FILE", "Picture at the end, .svg or .png; otherwise beside the study");
  work_options(command, a->plan);
  flag(command, "--json", a->json, "Print exactly one JSON object");
  return {&command, [a] { return run_sweep(*a); }};
}

}  // namespace cli
