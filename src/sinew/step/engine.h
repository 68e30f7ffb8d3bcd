// Worlds that an engine moves (rod/engine.h): its state steps, then the bodies, which are its sections, are put where it has them.
#pragma once
#include "sinew/step/stepper.h"

namespace sinew {

const Stepper* find_engine_stepper(std::string_view name);  // nullptr: no engine has such a method

StepReport step_engine(const Model& model, std::string_view method, double dt, State<double>& state,
                       Workspace<double>& ws);

// q and u of all sections from the engine's state.
void place_sections(const Model& model, State<double>& state, Workspace<double>& ws);

}  // namespace sinew
