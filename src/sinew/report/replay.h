// Runs the scenario of a recording again and compares bit by bit.
#pragma once
#include <optional>
#include <string>

#include "sinew/record/reader.h"
#include "sinew/sim/run.h"

namespace sinew::report {

struct Difference {
  double t;  // [s]
  std::string signal;
  double recorded, now;
};

struct Replay {
  std::string scenario, version, compiler;  // of the recording
  std::size_t rows = 0;                     // compared
  std::size_t signals = 0;
  std::size_t rows_that_differ = 0;
  std::optional<Difference> first, largest;
  std::string hash_recorded;  // of the final state; empty: the run was cut off
  std::string hash_now;
  bool is_same = false;
  bool is_complete = true;  // false: interrupted before the end
};

// Throws InputError if the recording's scenario cannot be run.
Replay replay(const record::Reader& reader, const std::string& file, const sim::RunHooks& hooks = {});

}  // namespace sinew::report
