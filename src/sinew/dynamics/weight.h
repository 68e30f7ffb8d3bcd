// Weight: the forces of the field of gravity on the freedoms, Q = sum over links of J^T m g(p), and of the torque of turning axes.
#pragma once
#include "sinew/dynamics/inverse.h"

namespace sinew {

// Q: per freedom [N m or N]. Driven joints have no freedoms; what hangs on them goes through to the next.
template <Real S>
void weight_on_freedoms(const Model& model, const Params<S>& params, const Frames<S>& frames, InverseWork<S>& work,
                        S* Q);

}  // namespace sinew
