// The scenario files that come with sinew, loaded as a user's run loads them.
#pragma once
#include <span>
#include <string>

#include "sinew/io/scenario.h"

namespace sinew::test {

// name: "basics/pendulum"; sets: "KEY=VALUE"
io::Scenario shipped(const std::string& name, std::span<const std::string> sets = {},
                     io::Purpose purpose = io::Purpose::Start);

// Whole steps of the scenario's length, the nearest number to T.
void run_to(World<double>& world, const io::Scenario& scenario, double T);

}  // namespace sinew::test
