// Results: the numbers that a run reports, gathered while it goes on. All that changes is in a Progress, so that a run can go back.
#pragma once
#include "sinew/sim/experiment.h"
#include "sinew/sim/progress.h"
#include "sinew/sim/run_quantities.h"

namespace sinew::sim {

// A named result: one number, or a vector.
struct ResultValue {
  std::string name, unit;
  bool is_vector;
  std::vector<double> values;
  bool of_robot = false;      // not the scenario's own
  bool is_wall_time = false;  // known to who has the clock
  bool is_measured = false;   // by a test bench, besides the motion: not part of snapshots
};

// A world, and what is seen of it when somebody asks.
struct Sight {
  const World<double>& world;
  std::function<const Observation<double>&(Look)> seen;
};

class Results {
 public:
  explicit Results(const Experiment& experiment);

  void begin(const Sight& now, Progress& progress);
  void add_step(const StepReport& report, double t, double dt, const Sight& now, Progress& progress);

  // What is asked for after a step that ends at t.
  Look look_at(double t, const Progress& progress) const;

  // Of the times of output.at from t up to t_next those that are not at t_next; all that is left where the two are equal. Between steps
  // they are taken from a fork of the world, which leaves the run itself as it is.
  void take_snapshots(double t, double t_next, const World<double>& world, Progress& progress);

  // All of them, without those of a test bench.
  std::vector<ResultValue> values(const RunSoFar& run) const;

 private:
  Snapshot look(const World<double>& world, const Progress& progress) const;
  void mark_average(const Sight& now, Progress& progress) const;
  bool is_gathered(std::size_t r, double t, const Progress& progress) const;
  void remember_statistics(double dt, const Sight& now, Progress& progress);
  ResultValue value_of(std::size_t r, const RunSoFar& run) const;
  std::vector<double> values_of(std::size_t r, const RunSoFar& run) const;

  const Experiment& experiment_;
  const std::vector<Formula>& formulas_;            // of the experiment
  std::vector<const RunQuantity*> run_quantities_;  // nullptr: signals
  std::vector<int> at_order_;                       // snapshots by time
  bool has_statistics_;
  std::vector<Look> looks_;  // of results, for what is gathered of them step by step
  std::optional<World<double>> fork_;
  std::vector<double> looked_;  // scratch
};

}  // namespace sinew::sim
