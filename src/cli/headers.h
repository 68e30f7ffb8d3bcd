// Names, titles and sources of the built-in scenarios.
#pragma once
#include <string>
#include <vector>

#include "sinew/sim/scenario.h"

namespace cli {

// Sorted by name. One that has errors is there too: its title says so.
std::vector<sinew::sim::Scenario> scenario_headers(const std::string& folder);

}  // namespace cli
