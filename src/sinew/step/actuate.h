// Drives, springs, dampers and commands of all joints -> torques on freedoms, wrenches on the bodies of cut joints.
#pragma once
#include "sinew/model/state.h"
#include "sinew/step/workspace.h"

namespace sinew {

// Explicit: forces at the coordinates q and velocities u of ws.frames, servo targets in ws.driven.
// Writes ws.axis, ws.tau, ws.applied. Cut joints need place_cuts first.
template <Real S>
void actuate(const Model& model, const Params<S>& params, const Input<S>& input, const S* q, const S* u,
             Workspace<S>& ws);

// Linearly implicit over dt: springs, dampers and unsaturated servos act with their end-of-step values,
//   tau_E = tau_0 - (dt K + D) u_E
// as additions to ws.diag in the tree and as compliant rows (ws.cuts.bias, compliance) in cut joints.
template <Real S>
void actuate_implicit(const Model& model, const Params<S>& params, const Input<S>& input, const S* q, const S* u, S dt,
                      Workspace<S>& ws);

// After an implicit step: the axis forces that acted, from the velocities u_E (ws.axis_u).
template <Real S>
void recover_implicit_forces(const Model& model, const Params<S>& params, S dt, Workspace<S>& ws);

// Velocity of every joint axis for the links' velocities V and the freedoms u. Cut joints need place_cuts first.
template <Real S>
void axis_velocities(const Model& model, const Cuts<S>& cuts, const Prescribed<S>& driven, const Twist<S>* V,
                     const S* u, S* axis_u);

// Rates of work of drives and dampers for the axis velocities ws.axis_u, and of external wrenches for V (at frames).
template <Real S>
Work<S> work_rates(const Model& model, const Params<S>& params, const Input<S>& input, const Twist<S>* V,
                   const Workspace<S>& ws);

}  // namespace sinew
