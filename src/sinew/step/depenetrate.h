// Penetrations: what impacts inside a step leave behind, since contacts are found in its middle.
//   q <- q (+) w,   M w = W_N L,   0 <= L,  W_N^T w >= -beta gap,  not both >     for all contacts that are closed
// The least displacement, in the metric of the masses, that takes the share beta out of every penetration. Velocities do not
// hear of it: as a speed that contacts must have it would make bodies jump, and friction would fight
// it. What it lifts is booked as work of the normal forces.
#pragma once
#include "sinew/step/workspace.h"

namespace sinew {

// After the step's contacts were solved, with its rows and factors still there. The model must have no cut joints.
template <Real S>
void depenetrate(const Model& model, const Params<S>& params, State<S>& state, Workspace<S>& ws);

}  // namespace sinew
