// Whole runs of robots that share a register: each has the results and the bits of a sim::run of its own.
//   the loop of each run, its results and checks     its own sim::Simulation
//   World::step                                      one for all of them, in lanes
// A step that the register could not solve for all is made by each alone, from where it was: reports of trouble are those of a run alone. A
// run that goes back to look for the step that failed leaves the register and ends by itself.
#pragma once
#include <span>
#include <vector>

#include "sinew/sim/run.h"

namespace sinew {

// A register steps all its robots in the same way: so for this model and stepper.
bool can_share_steps(const Model& model, const Stepper& stepper);

// The result needs what only a step alone reports: iterations, torques of drives, cones. A register has one report for all.
bool needs_own_report(const ResultPlan& result);

// The two may be in one register: models that differ in numbers alone, the same step and the same duration.
bool can_run_together(const sim::Experiment& a, const sim::Experiment& b);

// hooks: of all of them: interrupted alone counts. watchers: one for each, or none. At most as many as there are lanes, of which each can run
// together with the first.
std::vector<sim::RunResult> run_together(std::span<const sim::Experiment* const> experiments,
                                         std::span<sim::Watcher* const> watchers, const std::atomic<bool>* interrupted);

}  // namespace sinew
