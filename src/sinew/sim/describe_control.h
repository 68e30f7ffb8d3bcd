// Keys of [control].
#pragma once
#include "sinew/sim/scenario.h"

namespace sinew::sim {

void describe_control(Keys& keys, Scenario& scenario);

}  // namespace sinew::sim
