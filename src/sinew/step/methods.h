// The steppers. To add one: write its file and list it here and in table.cpp.
#pragma once
#include "sinew/step/stepper.h"
#include "sinew/step/workspace.h"

namespace sinew {

template <Real S>
StepReport step_moreau(const Model&, const Params<S>&, const Input<S>&, double dt, State<S>&, Workspace<S>&);
template <Real S>
StepReport step_rk4(const Model&, const Params<S>&, const Input<S>&, double dt, State<S>&, Workspace<S>&);
template <Real S>
StepReport step_euler(const Model&, const Params<S>&, const Input<S>&, double dt, State<S>&, Workspace<S>&);

}  // namespace sinew
