// Experiment: a scenario compiled once, with all that follows from it. Who runs, records, shows or judges it takes it from here.
#pragma once
#include <functional>
#include <span>

#include "sinew/sim/formula.h"
#include "sinew/sim/scenario.h"

namespace sinew::sim {

// Where a key was written, for messages: "file:line".
using PlaceOf = std::function<std::string(std::string_view key)>;

class Experiment {
 public:
  // Compiles the scenario and checks it as a whole. Throws InputError with every problem found. place_of: none, the scenario was made
  // in code.
  explicit Experiment(Scenario scenario, const PlaceOf& place_of = {});

  // Names, duration, seed, every and at may still be changed: nothing that is compiled depends on them.
  Scenario scenario;

  const Plan& plan() const { return plan_; }  // that moves: with rods and sections, and the motions of a gait
  const Model& model() const { return *model_; }
  World<double> world() const { return {model_, params_, state_, *stepper_}; }  // at the start
  const std::vector<Signal>& signals() const { return signals_; }
  const std::vector<Formula>& formulas() const { return formulas_; }   // of the results; none where they are no signals
  std::vector<Signal> recorded() const;                                // those that output.signals chooses
  const std::vector<ResultPlan>& results() const { return results_; }  // with the numbers of those that need no run

  // nullptr: there is none. One thread at a time: the first who asks gets the one that the checks have made.
  std::unique_ptr<Controller> make_controller() const;
  // One whose joints follow these motions of a world instead.
  std::unique_ptr<Controller> make_controller(std::span<const Motion<double>> motions) const;

 private:
  void compile();
  void find_signals(const PlaceOf& place_of, std::vector<std::string>& problems);

  Plan plan_;
  Compiled tree_;  // the plan in tree coordinates, of which controllers and results ask what the robot is
  std::shared_ptr<const Model> model_;
  Params<double> params_;
  State<double> state_;
  const Stepper* stepper_ = nullptr;
  mutable std::unique_ptr<Controller> controller_;  // until somebody takes it
  std::vector<Signal> signals_;
  std::vector<ResultPlan> results_;
  std::vector<Formula> formulas_;
};

}  // namespace sinew::sim
