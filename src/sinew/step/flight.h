// Momentum in flight. A robot on a free joint that touches nothing changes its momentum only by what acts from outside; in joint
// coordinates a stepper keeps that to its order. Here it is kept exactly: the state holds momentum and mass centre
// (step/past.h), the known impulses from outside go in, and at the end of the step the whole robot is moved as one rigid
// body so that it has them. A motion of the whole changes no joint and no velocity between its links: drives, limits, joint
// friction, contacts of the robot with itself and loops inside of it keep their laws.
//   P += dt (m g + sum f),  L += dt sum (n + (c - C) x f),  C += dt P / m
// with P / m the velocity by which the stepper moves, and then
//   root: w += I^-1 (L - measured L),  v of the mass centre += (P - measured P) / m,  place += C - measured C
// with I the inertia of the robot as it stands. Gravity that differs from place to place: left to the stepper.
#pragma once
#include "sinew/step/past.h"

namespace sinew {

// At the start of a step, before any motions are prescribed in ws: measures what is not known yet.
template <Real S>
void begin_flight(const Model& model, const Params<S>& params, State<S>& state, Workspace<S>& ws);

// By which velocity a stepper moves: the mean of start and end, or that of the end.
enum class Moves { ByMean, ByEnd };

// At the end of a step of dt, before keep_past: frames, applied wrenches and torques of the root as the step took them are in ws, given
// motions at the end in ws.driven_E.
template <Real S>
void keep_momentum(const Model& model, const Params<S>& params, double dt, Moves moves, State<S>& state,
                   Workspace<S>& ws);

}  // namespace sinew
