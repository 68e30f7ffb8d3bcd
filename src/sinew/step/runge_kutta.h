// Stages shared by the Runge-Kutta steppers.
#pragma once
#include "sinew/step/laws.h"

namespace sinew {

// d/dt of displacements phi in q = q_A (+) phi, for the velocities u.
template <Real S>
void local_rates(const Model& model, const S* phi, const S* u, S* rate);

// Accelerations at one stage; its work rates times the weight go into the state's account.
template <Real S>
void evaluate_stage(const Model& model, const Params<S>& params, const Input<S>& input, double t, const S* q,
                    const S* u, double weight, State<S>& state, Workspace<S>& ws);

// One more factorisation at the new place: gaps, then velocities. Returns the largest gap.
template <Real S>
double close_loops(const Model& model, const Params<S>& params, const Input<S>& input, double t, State<S>& state,
                   Workspace<S>& ws);

// Memory of penalty contacts, at the end of a step of length dt.
template <Real S>
void commit_soft(const Model& model, const Params<S>& params, const Input<S>& input, double dt, State<S>& state,
                 Workspace<S>& ws);

// Set-valued laws on the finished smooth step; ws.u, ws.q: velocity and position at its start.
template <Real S>
SolveReport apply_all_laws(const Model& model, const Params<S>& params, const Input<S>& input, double dt,
                           State<S>& state, Workspace<S>& ws);

}  // namespace sinew
