// Implicit penalty contacts with the ground, together with all laws on joint axes, in time linear in the links.
#pragma once
#include "sinew/step/soft_point.h"

namespace sinew {

// Every penalty contact is with the ground, and the rest of the laws suits the recursion as well.
template <Real S>
bool use_soft_recursion(const Model& model, const Workspace<S>& ws);

// From u_A to ws.u; diag as for forward dynamics. Lanes in which it does not arrive are solved by responses, as below.
template <Real S>
SolveReport solve_soft_by_recursion(const Model& model, const Params<S>& params, const S* diag, const S* u_A,
                                    SoftSpan span, Workspace<S>& ws);

// As solve_soft (step/penalty.h), in the lanes `which`.
template <Real S>
SolveReport solve_soft(const Model& model, SoftSpan span, Mask<S> which, S* u_E, Workspace<S>& ws);

}  // namespace sinew
