// Stages of a step that concern adhesion (parts/law/adhesion.h): charging, who pulls at whom, memory.
#pragma once
#include "sinew/step/workspace.h"

namespace sinew {

// Before a step: switches the groups of pads, as they are commanded or by their times stand in the middle of it, and charges them up to its
// end. The level stays as it is during the step, so that all its stages agree.
template <Real S>
void charge_pads(const Model& model, const Params<S>& params, const Input<S>& input, double dt, State<S>& state);

// Pull and shear capacity of the contacts that gather found, as far as they were closed at the start of the step; the pull
// goes into ws.applied.
template <Real S>
void adhere(const Model& model, const Params<S>& params, const State<S>& state, Workspace<S>& ws);

// After a step: which pads lie on. One that came off although the bed holds less than it does takes grains with it.
template <Real S>
void remember_pads(const Model& model, const Params<S>& params, const Workspace<S>& ws, State<S>& state);

}  // namespace sinew
