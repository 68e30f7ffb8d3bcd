// Energies and momenta of the links at given frames.
// Rotors that are reflected to axes have energy, u^T A u / 2, and no momentum: their own spin in the links is left out.
//   T = sum ( m v_C.v_C + w.I_C w ) / 2 + u^T A u / 2,   p = sum m v_C,   L = sum p_C x m v_C + I_C w
#pragma once
#include "sinew/kinematics/frames.h"

namespace sinew {

template <Real S>
struct Mechanics {
  S kinetic, potential;     // [J]; potential: gravity
  Vec3<S> linear, angular;  // [N s], [N m s] about the world's origin
};

template <Real S>
Mechanics<S> mechanics(const Model& model, const Params<S>& params, const Frames<S>& frames);

}  // namespace sinew
