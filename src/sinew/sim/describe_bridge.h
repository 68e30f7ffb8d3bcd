// Keys of [bridge].
#pragma once
#include "sinew/model/keys.h"
#include "sinew/sim/bridge_plan.h"

namespace sinew::sim {

void describe_bridge(Keys& keys, BridgePlan& plan);

}  // namespace sinew::sim
