// Experiment: a scenario compiled once, with all that follows from it. Who runs, records, shows or judges it takes it from here.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/sim/formula.h"
#include "sinew/sim/scenario.h"

namespace sinew::sim {

// Where a key was written, for messages: "file:line".
using PlaceOf = std::function<std::string(std::string_view key)>;

class Experiment {
 public:
  // Compiles the scenario and checks it as a whole. Throws InputError with every problem found. place_of: none, the scenario was made
  // in code. like: another one, whose signals it shares where they are the same, as in a study: half the time that making them takes.
  explicit Experiment(Scenario scenario, const PlaceOf& place_of = {}, const Experiment* like = nullptr);

  // Names, duration, seed, every and at may still be changed: nothing that is compiled depends on them.
  Scenario scenario;

  const Plan& plan() const { return plan_; }  // that moves: with rods and sections, and the motions of a gait
  const Model& model() const { return *model_; }
  World<double> world() const { return {model_, params_, state_, *stepper_}; }  // at the start
  const Params<double>& params() const { return params_; }
  const Stepper& stepper() const { return *stepper_; }
  const std::vector<Signal>& signals() const { return readout_->signals; }
  const std::vector<Formula>& formulas() const {
    return readout_->formulas;
  }                                                                    // of the results; none where they are no signals
  std::vector<Signal> recorded() const;                                // those that output.signals chooses
  const std::vector<ResultPlan>& results() const { return results_; }  // with the numbers of those that need no run

  // nullptr: there is none. One thread at a time: the first who asks gets the one that the checks have made.
  std::unique_ptr<Controller> make_controller() const;
  // One whose joints follow these motions of a world instead.
  std::unique_ptr<Controller> make_controller(std::span<const Motion<double>> motions) const;

 private:
  // What is read out, and for which results and names; no number of a robot is in it.
  struct Readout {
    std::vector<Signal> signals;
    std::vector<Formula> formulas;
    std::vector<ResultPlan> results;
    std::vector<std::string> recorded;
  };

  void compile();
  void find_signals(const PlaceOf& place_of, std::vector<std::string>& problems);
  bool reads_as(const Experiment& other) const;

  Plan plan_;
  Compiled tree_;  // the plan in tree coordinates, of which controllers and results ask what the robot is
  std::shared_ptr<const Model> model_;
  Params<double> params_;
  State<double> state_;
  const Stepper* stepper_ = nullptr;
  mutable std::unique_ptr<Controller> controller_;  // until somebody takes it
  std::shared_ptr<const Readout> readout_;
  std::vector<ResultPlan> results_;
};

}  // namespace sinew::sim
