#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/slurm.h"
#include "cli/studies.h"
#include "cli/terminal.h"
#include "sinew/files/file_writer.h"
#include "sinew/sim/errors.h"
#include "sinew/study/columns.h"

namespace cli {
namespace {

namespace study = sinew::study;

constexpr sinew::FileKind study_csv_file{"table of a study", {"row,", ""}};

struct StudyArguments {
  std::string verb, file, csv, sqlite;
  PlanArguments work;
};

// The file itself, or the shards of it that are there.
std::vector<std::string> files_of(const std::string& file) {
  std::vector<std::string> files = study::shard_files(file);
  std::error_code error;
  if (std::filesystem::exists(file, error)) files.insert(files.begin(), file);
  if (files.empty())
    throw sinew::FileError(
        fmt::format("{}: neither this file nor shards of it are there: give the name of --out", file));
  return files;
}

int show_status(const StudyArguments& a) {
  std::uint64_t total = 0;
  std::map<std::uint64_t, study::Status> rows;
  std::string out;
  const std::string queued = slurm_status(std::filesystem::absolute(a.file).string());
  if (!queued.empty() && study::shard_files(a.file).empty() && !std::filesystem::exists(a.file)) {
    write_out(queued + "no run is done yet\n");
    return done;
  }
  out += queued;
  for (const std::string& file : files_of(a.file)) {
    const study::StudyFile one = study::read_study(file);
    total = one.about.rows;
    for (const auto& cells : one.table.rows) {
      const study::Row row = study::row_of(cells, one.about.plan.vary.size());
      rows[row.trial.row] = row.status;
    }
    const int pid = study::worker_of(file);
    out += fmt::format("{}: {} rows{}\n", file, one.table.rows.size(),
                       pid ? fmt::format(", process {} is at work", pid) : "");
  }
  out += fmt::format("{} of {} runs are done, {} are missing\n", rows.size(), total,
                     total - std::min<std::uint64_t>(total, rows.size()));
  for (std::size_t s = 0; s < study::status_names.size(); s++) {
    const auto n = std::ranges::count(rows, study::Status(s), [](const auto& entry) { return entry.second; });
    if (n > 0) out += fmt::format("  {:<12} {}\n", study::status_names[s], n);
  }
  write_out(out);
  return done;
}

int resume_search(const StudyArguments& a, const study::StudyFile& before) {
  const study::SearchPlan search = study::search_of(before.about);
  const study::Runner runner(before.about.plan, before.about.source, study::names_needed(search));
  return run_search(runner, search, runner_options(a.work), {a.file, "", "", false, a.work.quiet});
}

// All that is missing, wherever the parts of the study were left: into its own file. A part that is named itself: that part alone.
int resume(const StudyArguments& a) {
  if (const int n = slurm_waiting(std::filesystem::absolute(a.file).string()); n > 0)
    throw sinew::InputError(fmt::format(
        "{}: {} task{} of it {} in Slurm's queue and will go on with it: wait, or take them out with sinew study "
        "cancel {}",
        a.file, n, n == 1 ? "" : "s", n == 1 ? "is" : "are", a.file));
  const std::vector<std::string> files = files_of(a.file);
  const study::StudyFile before = study::read_study(files[0]);
  if (before.about.kind == "optimize") return resume_search(a, before);
  const study::Runner runner(before.about.plan, before.about.source);
  study::SweepOptions options;
  const bool is_part = before.about.shard.of > 1 && files[0] == a.file;
  options.out = a.file;
  if (is_part) {
    options.file = a.file;
    options.shard = before.about.shard;
  } else {
    study::check_same_study(runner, a.file);
  }
  options.run = runner_options(a.work);
  study::SweepOutcome now;
  {
    StudyProgress line(a.work.quiet);
    options.progress = [&](const study::SweepProgress& p) {
      line.update(p.done, p.total, p.ran, p.bad > 0 ? fmt::format(", {} failed", p.bad) : "");
    };
    now = study::sweep(runner, options);
  }
  if (!a.work.quiet)
    write_out(fmt::format("{}: {} of {} runs are done, {} of them now\n", now.file, now.rows.done, now.rows.total,
                          now.rows.ran));
  return code_of(now, a.work.quiet);
}

int collect(const StudyArguments& a) {
  const std::string replaced_csv = check_output("--csv", a.csv, study_csv_file, {{a.file, "the study"}});
  const study::Collected found = study::collect(a.file);
  if (!a.csv.empty() || !a.sqlite.empty()) {
    const study::StudyFile whole = study::read_study(a.file);
    if (a.csv == "-")
      write_out(study::csv_table(whole));
    else if (!a.csv.empty())
      sinew::write_file(a.csv, study_csv_file, study::csv_table(whole));
    if (!a.sqlite.empty()) study::write_sqlite(whole, a.sqlite);
  }
  if (!a.work.quiet && a.csv != "-")
    write_out(fmt::format("{}: {} of {} runs, from {} file{}\n", a.file, found.rows, found.total, found.files,
                          found.files == 1 ? "" : "s"));
  if (found.rows < found.total)
    std::fprintf(stderr, "warning: %s: %s runs are missing: go on with sinew study resume %s\n", a.file.c_str(),
                 fmt::format("{}", found.total - found.rows).c_str(), a.file.c_str());
  return done;
}

int cancel(const StudyArguments& a) {
  int ended = 0;
  const std::string said = slurm_cancel(std::filesystem::absolute(a.file).string());
  if (!a.work.quiet) write_out(said);
  std::vector<std::string> files = study::shard_files(a.file);
  files.push_back(a.file);
  if (said.empty()) files = files_of(a.file);  // which tells where there are none
  for (const std::string& file : files) {
    const int pid = study::worker_of(file);
    if (pid <= 0 || kill(pid, SIGTERM) != 0) continue;
    ended++;
    if (!a.work.quiet) write_out(fmt::format("{}: process {} ends after the rows it is at\n", file, pid));
  }
  if (ended == 0 && said.empty() && !a.work.quiet)
    write_out(fmt::format("{}: nothing is at work on it here\n", a.file));
  return done;
}

int run_study(const StudyArguments& a) {
  if (a.verb != "collect" && (!a.csv.empty() || !a.sqlite.empty()))
    throw sinew::InputError(fmt::format("--csv, --sqlite: they belong to sinew study collect, not to {}", a.verb));
  if (a.verb == "status") return show_status(a);
  if (a.verb == "resume") return resume(a);
  if (a.verb == "collect") return collect(a);
  if (a.verb == "cancel") return cancel(a);
  throw sinew::InputError(fmt::format("command line: study {}: take status, resume, collect or cancel", a.verb));
}

const char* const study_examples = R"(Examples:
  sinew study status mass.h5
  sinew study resume mass.h5                      the runs that are missing, and no other
  sinew study collect mass.h5 --csv table.csv     also of shards mass.1of3.h5, ...
  sinew study cancel mass.h5                      ends what is at work on it; rows so far are kept

Exit codes: 0 done, 2 bad input, 3 no run went well, 4 file error, 130 interrupted.)";

}  // namespace

Command add_study(CLI::App& program) {
  CLI::App& command =
      sub_command(program, "study", "Look at a study, go on with it, put its parts together", study_examples);
  const auto a = std::make_shared<StudyArguments>();
  argument(command, "VERB", a->verb, "status, resume, collect or cancel", true);
  argument(command, "STUDY", a->file, "The file that --out named", true);
  value_option(command, "--csv", a->csv, "FILE", "collect: the table as comma-separated values; - is standard output");
  value_option(command, "--sqlite", a->sqlite, "FILE", "collect: the table `study` in an SQLite database");
  work_options(command, a->work);
  return {&command, [a] { return run_study(*a); }};
}

}  // namespace cli
