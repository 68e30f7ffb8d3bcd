// Forces on bodies that follow from where they are, how they move and what time it is: drag, weight that is carried, loads and cables.
#pragma once
#include "sinew/step/workspace.h"

namespace sinew {

// Adds them to ws.applied at ws.frames; what cables and loads are given is in ws.driven. Writes ws.cable_length, ws.cable_tension,
// ws.load_factor.
template <Real S>
void add_loads(const Model& model, const Params<S>& params, Workspace<S>& ws);

// Their power for the velocities V of the links, with the forces that add_loads found: of cables to the drives, of drag to what
// dampers take out, of loads to what comes from outside.
template <Real S>
void add_load_rates(const Model& model, const Params<S>& params, const Twist<S>* V, const Workspace<S>& ws,
                    Work<S>& rate);

}  // namespace sinew
