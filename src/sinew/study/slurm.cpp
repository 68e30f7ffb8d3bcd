#include "sinew/study/slurm.h"

#include <fmt/format.h>

namespace sinew::study {
namespace {

std::string head(const SlurmPlan& plan, const std::string& name, const std::string& log) {
  std::string out = fmt::format("#!/bin/bash\n#SBATCH --job-name={}\n#SBATCH --output={}/%x-%A-%a.log\n", name, log);
  if (!plan.partition.empty()) out += fmt::format("#SBATCH --partition={}\n", plan.partition);
  if (!plan.account.empty()) out += fmt::format("#SBATCH --account={}\n", plan.account);
  if (!plan.time.empty()) out += fmt::format("#SBATCH --time={}\n", plan.time);
  return out;
}

}  // namespace

std::string quoted_word(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string array_script(const SlurmPlan& plan, const std::vector<std::string>& command, const std::string& study,
                         const std::string& log) {
  std::string out = head(plan, "sinew-sweep", log);
  out += fmt::format("#SBATCH --array=1-{}{}\n#SBATCH --cpus-per-task={}\n#SBATCH --{}\n", plan.shards,
                     plan.at_once > 0 ? fmt::format("%{}", plan.at_once) : "", plan.threads,
                     plan.requeue ? "requeue" : "no-requeue");
  out += "exec";
  for (const std::string& word : command) out += " " + quoted_word(word);
  return out + fmt::format(" --out {} --shard \"$SLURM_ARRAY_TASK_ID/{}\" --jobs {} --quiet\n", quoted_word(study),
                           plan.shards, plan.threads);
}

std::string merge_script(const SlurmPlan& plan, const std::string& program, const std::string& study,
                         const std::string& log) {
  return head(plan, "sinew-collect", log) +
         fmt::format("exec {} study collect {}\n", quoted_word(program), quoted_word(study));
}

}  // namespace sinew::study
