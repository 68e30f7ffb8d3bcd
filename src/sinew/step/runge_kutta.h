// Stages shared by the Runge-Kutta steppers.
#pragma once
#include "sinew/step/laws.h"

namespace sinew {

// d/dt of displacements phi in q = q_A (+) phi, for the velocities u.
template <Real S>
void local_rates(const Model& model, const S* phi, const S* u, S* rate);

// First: at the start of a step, where loops are closed. Later ones leave what loops allow, by the square of the step.
enum class Stage { First, Later };

template <Real S>
struct StagePoint {
  Stage stage;
  double t;
  S *q, *u;
  double weight;  // of its rates of work in the step [s]
};

// Accelerations at one stage, into ws.u_rate; velocities of its links in ws.V. A later stage is first taken back to what loops
// allow: q and u move. state: at the start of the step.
template <Real S>
void accelerate_stage(const Model& model, const Params<S>& params, const Input<S>& input, const StagePoint<S>& at,
                      const State<S>& state, Workspace<S>& ws);

// The rates of work of the stage's forces at the velocities at.u, of links in ws.V, times the weight.
template <Real S>
void book_stage(const Model& model, const Params<S>& params, const Input<S>& input, const StagePoint<S>& at,
                Work<S>& work, Workspace<S>& ws);

// Both, with the velocities of the stage itself.
template <Real S>
void evaluate_stage(const Model& model, const Params<S>& params, const Input<S>& input, const StagePoint<S>& at,
                    State<S>& state, Workspace<S>& ws);

// One more factorisation at the new place: gaps, then velocities. Returns the largest gap.
template <Real S>
double close_loops(const Model& model, const Params<S>& params, const Input<S>& input, double t, State<S>& state,
                   Workspace<S>& ws);

// Part of the velocity that close_loops has just taken out, in the metric of the mass matrix; the largest of a batch. A method
// of high order leaves next to nothing to take out, unless it was thrown off in a singular position.
// kinetic: energy at the start of the step [J], so that a moment of rest at its end does not count.
template <Real S>
double thrown_part(const Model& model, const Params<S>& params, S kinetic, Workspace<S>& ws);

// Memory of penalty contacts, at the end of a step of length dt.
template <Real S>
void commit_soft(const Model& model, const Params<S>& params, const Input<S>& input, double dt, State<S>& state,
                 Workspace<S>& ws);

// Set-valued laws on the finished smooth step; ws.u, ws.q: velocity and position at its start.
template <Real S>
SolveReport apply_all_laws(const Model& model, const Params<S>& params, const Input<S>& input, double dt,
                           State<S>& state, Workspace<S>& ws);

}  // namespace sinew
