// What a finished step can be judged by, into its report: are all impulses in their sets, does friction only take energy out,
// how hard did the drives pull (docs/theory/step.md#what-a-step-says-about-itself).
#pragma once
#include "sinew/step/stepper.h"
#include "sinew/step/workspace.h"

namespace sinew {

template <Real S>
void inspect(const Model& model, double dt, const Workspace<S>& ws, StepReport& report);

}  // namespace sinew
