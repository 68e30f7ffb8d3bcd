// The scenario files that come with sinew, loaded as a user's run loads them.
#pragma once
#include <span>
#include <string>

#include "sinew/sim/experiment.h"

namespace sinew::test {

// name: "basics/pendulum"; sets: "KEY=VALUE"
sim::Experiment shipped_experiment(const std::string& name, std::span<const std::string> sets = {});
sim::Scenario shipped(const std::string& name, std::span<const std::string> sets = {});

// The scenario's own; nullptr: it has none.
std::unique_ptr<Controller> controller_of(const sim::Scenario& scenario);

// Whole steps of the scenario's length, the nearest number to T.
void run_to(World<double>& world, const sim::Scenario& scenario, double T);

}  // namespace sinew::test
