// Progress: all that changes during a run. Copied to return to an earlier moment, stored to go on another day.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sinew/sim/run_totals.h"
#include "sinew/world/diagnosis.h"

namespace sinew::sim {

struct SolverSummary {
  double iterations_mean = 0.0;  // known at the end
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

// The robot at one time.
struct Snapshot {
  double t;                                  // [s]
  std::vector<double> q, u;                  // of all joints but loops, in the plan's order
  std::vector<std::vector<double>> results;  // the signals of each named result
};

// Start, extremes and integral over time of the signals of one result.
struct Statistics {
  std::vector<double> first, last, max, min, integral;
  double start = 0.0;  // when it began [s]
};

struct Progress {
  std::int64_t k = 0;  // steps done
  State<double> state;
  std::vector<double> torque;  // commanded, which actuators may lag behind
  std::vector<double> drive;   // set-points of drives, as Input::drive
  SolverSummary solver;
  double iterations = 0.0;  // of all steps
  RunTotals totals;
  std::optional<Unsolved> unsolved;
  std::vector<Statistics> statistics;              // by results_of(scenario)
  std::size_t next_at = 0;                         // snapshots taken
  std::vector<std::optional<Snapshot>> snapshots;  // by Scenario::at
  std::int64_t samples = 0;                        // the watcher looks next at this multiple of Scenario::every
  std::int64_t sampled_k = -1;                     // steps done when it last looked
  EnergyWatch watch;
  double top_speed = 0.0;  // of a shape that may touch the ground, at any look [m/s]
};

}  // namespace sinew::sim
