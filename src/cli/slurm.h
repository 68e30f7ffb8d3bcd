// Studies on a cluster with Slurm: scripts beside the study, in STUDY.h5.slurm/, and its commands sbatch, squeue and scancel.
#pragma once
#include <string>
#include <vector>

#include "sinew/study/slurm.h"

namespace cli {

// Writes the scripts and submits them. command: the words of a `sinew sweep` without the program. Gives what there is to say. Throws FileError if
// there is no Slurm here, or it refuses.
std::string submit_study(const sinew::study::SlurmPlan& plan, std::vector<std::string> command,
                         const std::string& study);

// Of a study that was submitted: how many of its jobs wait or run, and their end; nothing said: it was not.
std::string slurm_status(const std::string& study);
int slurm_waiting(const std::string& study);  // tasks that wait or run; 0 also where Slurm cannot be asked
std::string slurm_cancel(const std::string& study);

}  // namespace cli
