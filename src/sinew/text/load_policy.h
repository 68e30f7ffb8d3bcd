// Reads the network that a scenario's controller is.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "sinew/sim/scenario.h"

namespace sinew::text {

// Its path starts at the scenario's folder. Every problem is added, said to be at place_of(key).
void load_policy(sim::Scenario& scenario, const std::function<std::string(std::string_view)>& place_of,
                 std::vector<std::string>& problems);

}  // namespace sinew::text
