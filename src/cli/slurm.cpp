#include "cli/slurm.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "sinew/files/errors.h"
#include "sinew/files/file_writer.h"

namespace cli {
namespace {

namespace fs = std::filesystem;
namespace study = sinew::study;

constexpr sinew::FileKind script_file{"script that sinew sweep wrote", {"#!/bin/bash\n#SBATCH", ""}};
constexpr sinew::FileKind jobs_file{"list of jobs", {"jobs ", ""}};

std::string slurm_folder(const std::string& study) { return study + ".slurm"; }

struct ShellAnswer {
  int code = 0;
  std::string text;
};

// What a command says on both outputs.
ShellAnswer ask_shell(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe) throw sinew::FileError(fmt::format("{}: cannot be started: is there a shell?", command));
  ShellAnswer out;
  char part[512];
  while (std::fgets(part, sizeof part, pipe)) out.text += part;
  const int status = pclose(pipe);
  out.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  while (!out.text.empty() && out.text.back() == '\n') out.text.pop_back();
  return out;
}

// The number of the job.
std::string submit_script(const std::string& options, const std::string& script) {
  const ShellAnswer answer = ask_shell(fmt::format("sbatch --parsable {} {}", options, study::quoted_word(script)));
  if (answer.code == 127)
    throw sinew::FileError(
        fmt::format("sbatch: there is no Slurm here: run on a machine of the cluster, or give the parts "
                    "to another queue with --shard; the script is {}",
                    script));
  const std::string id = answer.text.substr(0, answer.text.find(';'));
  const bool is_number = !id.empty() && std::ranges::all_of(id, [](char c) { return c >= '0' && c <= '9'; });
  if (answer.code != 0 || !is_number)
    throw sinew::FileError(fmt::format("sbatch: it refuses {}: {}", script, answer.text));
  return id;
}

// "jobs 12 13" -> "12 13"; empty: it was not submitted.
std::string jobs_of(const std::string& study) {
  std::ifstream file(slurm_folder(study) + "/jobs");
  std::string word, line;
  file >> word;
  std::getline(file, line);
  const bool sound = std::ranges::all_of(line, [](char c) { return c == ' ' || (c >= '0' && c <= '9'); });
  return word == "jobs" && sound ? line.substr(line.find_first_not_of(' ')) : "";
}

ShellAnswer ask_queue(std::string jobs) {
  std::ranges::replace(jobs, ' ', ',');
  return ask_shell(fmt::format("squeue --noheader --array --format=%T --jobs={}", jobs));
}

}  // namespace

std::string submit_study(const study::SlurmPlan& plan, std::vector<std::string> command, const std::string& study) {
  const std::string folder = slurm_folder(study), program = fs::read_symlink("/proc/self/exe").string();
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw sinew::FileError(fmt::format("{}: {}: choose another place with --out", folder, error.message()));
  command.insert(command.begin(), program);
  const std::string array = folder + "/array.sh", merge = folder + "/merge.sh";
  sinew::write_file(array, script_file, study::array_script(plan, command, study, folder));
  sinew::write_file(merge, script_file, study::merge_script(plan, program, study, folder));
  const std::string id = submit_script("", array);
  sinew::write_file(folder + "/jobs", jobs_file, fmt::format("jobs {}\n", id));
  const std::string last = submit_script("--dependency=afterany:" + id, merge);
  sinew::write_file(folder + "/jobs", jobs_file, fmt::format("jobs {} {}\n", id, last));
  return fmt::format("submitted: array {} of {} parts, then {} puts them together\nstudy: {}\n", id, plan.shards, last,
                     study);
}

int slurm_waiting(const std::string& study) {
  const std::string jobs = jobs_of(study);
  if (jobs.empty()) return 0;
  const ShellAnswer answer = ask_queue(jobs);
  return answer.code != 0 || answer.text.empty() ? 0 : 1 + int(std::ranges::count(answer.text, '\n'));
}

std::string slurm_status(const std::string& study) {
  const std::string jobs = jobs_of(study);
  if (jobs.empty()) return "";
  const ShellAnswer answer = ask_queue(jobs);
  if (answer.code == 127) return fmt::format("Slurm jobs {}: there is no squeue here to ask for them\n", jobs);
  if (answer.code != 0) return fmt::format("Slurm jobs {}: no longer in the queue\n", jobs);
  const auto n = answer.text.empty() ? 0 : 1 + std::ranges::count(answer.text, '\n');
  return fmt::format("Slurm jobs {}: {} task{} in the queue\n", jobs, n, n == 1 ? "" : "s");
}

std::string slurm_cancel(const std::string& study) {
  const std::string jobs = jobs_of(study);
  if (jobs.empty()) return "";
  const ShellAnswer answer = ask_shell("scancel " + jobs);
  if (answer.code != 0) throw sinew::FileError(fmt::format("scancel {}: {}", jobs, answer.text));
  return fmt::format("Slurm jobs {} are cancelled; rows so far are kept\n", jobs);
}

}  // namespace cli
