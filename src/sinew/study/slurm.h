// A study as a job array of Slurm: a task a shard, and a job after them that puts the parts together. A task that is killed or whose node dies is
// queued again by Slurm and goes on with the rows that are missing in its shard.
#pragma once
#include <string>
#include <vector>

namespace sinew::study {

struct SlurmPlan {
  int shards = 0;
  int at_once = 0;      // tasks that run at the same time; 0: as many as the cluster gives
  int threads = 1;      // of a task
  bool requeue = true;  // tasks whose node died
  std::string partition = {}, account = {}, time = {};
};

// A word for a shell, whatever stands in it.
std::string quoted_word(const std::string& word);

// The script of the array. command: the words of a `sinew sweep` without --shard and --on, the program first. log: folder of what tasks print.
std::string array_script(const SlurmPlan& plan, const std::vector<std::string>& command, const std::string& study,
                         const std::string& log);
std::string merge_script(const SlurmPlan& plan, const std::string& program, const std::string& study,
                         const std::string& log);

}  // namespace sinew::study
