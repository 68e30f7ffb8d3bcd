// Runs an experiment from start to end. Used by the command line, the tests and every other front end.
#pragma once
#include <atomic>
#include <functional>

#include "sinew/sim/drive_account.h"
#include "sinew/sim/simulation.h"

namespace sinew::sim {

struct RunHooks {
  std::function<void(double t)> progress = {};     // after every step
  const std::atomic<bool>* interrupted = nullptr;  // looked at before every step
  Watcher* watcher = nullptr;
  const Progress* resume = nullptr;                      // where to go on; of the same experiment but for its duration
  double checkpoint_every = 0.0;                         // [s]; 0: never
  std::function<void(const Progress&)> checkpoint = {};  // also at the end of a run that has not failed
  Controller* controller = nullptr;                      // in place of the experiment's own
};

enum class Ending { Done, Interrupted, Failed };

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
  std::uint64_t hash;                              // of the state at the end; of a bench: of its results
  bool is_bench;
  bool has_loops;
  Ending ending;
  std::optional<Diagnosis> diagnosis;  // of a failed run
  bool has_contacts;
  int penalty_parts = 1;          // of a step, at least: what explicit penalty contacts need, where nobody has chosen
  bool stiff_contacts = false;    // they would need more than ten, and act with forces of the end of a step instead
  ContactTotal<double> contacts;  // at the end
  std::optional<Unsolved> unsolved;  // set if there are unconverged steps
  std::string unsolved_where;        // "contact block.box:ground"
  double tolerance;                  // of the contact solver [m/s]
  DriveAccount drives;
  std::vector<std::string> drive_remarks;  // on drives that were limited or have stopped
  std::string drive_doubt;                 // why the account of drives cannot be trusted; empty: it can
  std::string remark;                      // what a robot with equations of its own has to say; often nothing
};

// A run that fails ends in the last state that made sense. Of a test bench only name, seed, results and hash mean something; a
// watcher sees one moment, the hooks are not asked.
RunResult run(const Experiment& experiment, const RunHooks& hooks = {});
RunResult run(const Scenario& scenario, const RunHooks& hooks = {});  // throws InputError

// Of a simulation with results that has come to its end, or was stopped.
RunResult result_of(Simulation& simulation, bool interrupted, bool has_own_controller = true);

}  // namespace sinew::sim
