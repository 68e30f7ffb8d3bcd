// Which readings a policy observes and which commands it gives, by the names of sim/channels.h.
//   observations   "joint.knee.q", "sensor.imu", "joint.*.u" (all of that pattern, in the order of the robot),
//                  "action": what the network gave last, "0.5": a constant
//   actions        "joint.knee.torque", "drive.*.position"
#pragma once
#include "sinew/control/policy.h"
#include "sinew/model/compile.h"

namespace sinew::sim {

// Throws PlanError.
PolicyWires wires_of(const PolicyPlan& policy, const Model& model);

}  // namespace sinew::sim
