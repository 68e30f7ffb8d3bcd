// Robots with numbers of their own in one register: which may share it, and how their numbers get into its lanes.
#pragma once
#include "sinew/model/params.h"

namespace sinew {

// Equal in all that a register of robots has once: everything but names of things that are only told. False also where it is not known,
// as of sensors.
bool can_share(const Model& a, const Model& b);
// The same but for their sensors, which no step asks: where each robot has its own sampled.
bool can_step_together(const Model& a, const Model& b);

// Puts one robot's numbers into a lane. False, and nothing changed: they differ in what a register has once, such as a table of a motion.
bool set_lane_params(Params<Lanes>& wide, int lane, const Params<double>& params);

}  // namespace sinew
