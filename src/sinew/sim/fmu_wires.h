// Which readings an FMU that controls a robot is given and which commands it gives, by the names of sim/channels.h.
//   fmu_inputs    "theta = joint.knee.q": its variable theta gets that reading
//   fmu_outputs   "tau = joint.knee.torque": that command is its variable tau
// What neither names is taken by its own name: an input that is called like a reading, an output like a command.
#pragma once
#include "sinew/control/fmu_plan.h"
#include "sinew/model/compile.h"

namespace sinew::sim {

// Throws PlanError.
FmuWires wires_of(const FmuPlan& fmu, const Model& model);

}  // namespace sinew::sim
