// Runs a scenario from start to end. Used by the command line, the tests and every other front end.
#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sinew/io/scenario.h"
#include "sinew/world/diagnosis.h"

namespace sinew::io {

struct RunHooks {
  std::function<void(double t)> progress;          // after every step
  const std::atomic<bool>* interrupted = nullptr;  // looked at before every step
};

enum class Ending { Done, Interrupted, Failed };

struct SolverSummary {
  double iterations_mean = 0.0;
  int iterations_max = 0;
  double residual_max = 0.0;
  std::int64_t unconverged_steps = 0;
  double gap_max = 0.0;  // of cut joints before their projection [m or rad]
};

// Steps that were not solved to the tolerance.
struct Unsolved {
  double t;         // start of the first one [s]
  double residual;  // the worst [m/s]
  int pair, axis;   // of the worst: in Model::pairs or Model::axis_rows; -1: not one of these
};

// A named result: one number, or a vector.
struct ResultValue {
  std::string name, unit;
  bool is_vector;
  std::vector<double> values;
};

// The robot at one time.
struct Snapshot {
  double t;                                  // [s]
  std::vector<double> q, u;                  // of all joints but loops, in the plan's order
  std::vector<std::vector<double>> results;  // the signals of each named result
};

struct RunResult {
  std::string scenario;
  std::uint64_t seed;
  double end, step;  // time reached and time step [s]
  std::int64_t steps;
  SolverSummary solver;
  Energy<double> energy;
  Work<double> work;
  double balance_error;
  std::vector<ResultValue> results;
  std::vector<double> at;                          // times asked for
  std::vector<std::optional<Snapshot>> snapshots;  // empty where the run ended before
  std::uint64_t hash;
  bool has_loops;
  Ending ending;
  std::optional<Diagnosis> diagnosis;  // of a failed run
  bool has_contacts;
  ContactTotal contacts;             // at the end
  std::optional<Unsolved> unsolved;  // set if there are unconverged steps
  std::string unsolved_where;        // "contact block.box:ground"
  double tolerance;                  // of the contact solver [m/s]
};

// A run that fails ends in the last state that made sense.
RunResult run(const Scenario& scenario, const RunHooks& hooks = {});

}  // namespace sinew::io
