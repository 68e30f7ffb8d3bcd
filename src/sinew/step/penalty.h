// Stages of a step that concern penalty contacts: forces at the frames, or at the end or middle of the step; memory.
// Evaluating is a pure function of frames and memory; memory changes only in `remember`.
#pragma once
#include "sinew/step/stepper.h"
#include "sinew/step/workspace.h"

namespace sinew {

// The soft contacts that gather found, at the velocities of ws.frames: depth, latched damping, anchor. `since` is the time
// from the state's memory to these frames. In a stage of several, a new point latches the fastest speed of all stages: those in
// which it already pushes are slower than the touch.
template <Real S>
void prepare_soft(const Model& model, const Params<S>& params, const State<S>& state, double since, bool stage,
                  Workspace<S>& ws);

// Forces at the frames: impulses over dt into the rows, forces into ws.applied.
template <Real S>
void push_softly(const Model& model, const Params<S>& params, double dt, Workspace<S>& ws);

// Rates of work at the velocities V of the links, times the weight; P in the rows are forces.
template <Real S>
void book_soft(const Rows<S>& rows, const Twist<S>* V, S weight, Work<S>& work);

// The velocities that the rows end with, for the account of work.
template <Real S>
void end_soft(const Model& model, const S* u_E, Workspace<S>& ws);

// Counts touches and releases; before the memory of the contacts is overwritten. t: when; P in the rows over dt are forces.
template <Real S>
void count_bounces(const Model& model, double t, double dt, const Workspace<S>& ws, State<S>& state);

// Where in the step implicit forces act: at its end, in its middle with frames that are there already, or at its end with such frames.
enum class SoftRule { End, Middle, Stiff };

// Forces that agree with the velocities they lead to: P = dt F(gamma), gamma = gamma_free + G P, by Newton's method.
// u_E holds the velocities without them, A factored in ws.blocks; it is corrected.
template <Real S>
SolveReport solve_soft(const Model& model, const Params<S>& params, SoftRule rule, double dt, S* u_E, Workspace<S>& ws);

// Speed of the fastest point of any shape, or more [m/s].
template <Real S>
double fastest_shape(const Model& model, const Frames<S>& frames);

// Gap up to which points are looked for: what may close within an implicit step.
template <Real S>
double soft_margin(const Model& model, const Frames<S>& frames, bool implicit, double dt);

}  // namespace sinew
