// Checkpoints: a run put aside, to go on another day exactly as if it had never stopped.
#pragma once
#include <string>

#include "sinew/sim/experiment.h"
#include "sinew/sim/progress.h"

namespace sinew::report {

struct Checkpoint {
  std::string version;   // of the program that wrote it
  std::string name;      // of the scenario
  std::string scenario;  // complete, as TOML
  std::uint64_t seed = 0;
  std::vector<MemoryBlock> memory;  // of the state
  sim::Progress progress;
};

Checkpoint make_checkpoint(const sim::Experiment& experiment, const sim::Progress& progress,
                           const std::string& version);

// Replaces the file in one move: a checkpoint is always whole. Throws FileError.
void write_checkpoint(const std::string& file, const Checkpoint& checkpoint);

// Throws FileError if it cannot be read, InputError if it is no whole checkpoint of this version.
Checkpoint read_checkpoint(const std::string& file, const std::string& version);

// What it is a run of, with "KEY=VALUE" texts put over.
sim::Experiment experiment_of(const Checkpoint& checkpoint, const std::string& file,
                              std::span<const std::string> sets = {});

// Throws InputError unless a run of the experiment can go on from there: all keys but the duration must be the same.
void check_resume(const Checkpoint& checkpoint, const std::string& file, const sim::Experiment& experiment);

}  // namespace sinew::report
