// The keys of [integrator].
#pragma once
#include "sinew/sim/scenario.h"

namespace sinew::sim {

void describe_integrator(Keys& keys, Scenario& scenario);

}  // namespace sinew::sim
