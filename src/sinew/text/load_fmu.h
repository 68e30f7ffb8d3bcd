// Reads what an FMU that is a scenario's controller says about itself. Nothing of it runs before somebody starts the controller, and then
// only if its code is trusted.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "sinew/sim/scenario.h"

namespace sinew::text {

// Its path starts at the scenario's folder. Every problem is added, said to be at place_of(key).
void load_fmu(sim::Scenario& scenario, bool is_trusted, const std::function<std::string(std::string_view)>& place_of,
              std::vector<std::string>& problems);

// Throws InputError if the controller of the scenario is an FMU that nobody has said to trust: before a run makes files.
void refuse_untrusted(const sim::Scenario& scenario);

}  // namespace sinew::text
