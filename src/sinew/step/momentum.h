// The momentum of whole robots. One on a free joint changes its momentum only by what acts from outside: weight, loads, contacts
// with others. In joint coordinates a stepper keeps that to its order, and across jumps of velocity not even so. Here it is
// kept: the state holds momentum and mass centre (step/past.h), and the impulses of the step go in.
//   P += dt (m g + sum f),  L += dt sum (n + (c - C) x f),  C += dt P / m
// with P / m the velocity by which the stepper moves. What is measured at the end differs from that by a motion of the robot as one
// rigid body, with I its inertia as it stands:
//   w = I^-1 (L - measured L),  v of the mass centre = (P - measured P) / m,  place = C - measured C
// In flight the robot gets it at the end of the step. Such a motion changes no joint and no velocity between links: drives,
// limits, joint friction, contacts of the robot with itself and loops inside of it keep their laws, and momentum is exact.
// Contacts with others would lose theirs. A robot that has some gets the motion as forces on its links in the next step,
// where contacts answer to it: its momentum is wrong by one step's part, which never adds up. Its place is left to contacts.
// Gravity that differs from place to place: all is left to the stepper.
#pragma once
#include "sinew/step/past.h"

namespace sinew {

// At the start of a step, before any motions are prescribed in ws: measures what is not known yet.
template <Real S>
void begin_momentum(const Model& model, const Params<S>& params, State<S>& state, Workspace<S>& ws);

// When the applied wrenches of a step are known: adds to them what is late of the momentum of robots that touch others.
template <Real S>
void give_late_momentum(const Model& model, const Params<S>& params, double dt, State<S>& state, Workspace<S>& ws);

// By which velocity a stepper moves: the mean of start and end, or that of the end.
enum class Moves { ByMean, ByEnd };

// At the end of a step of dt, before keep_past: frames, applied wrenches, impulses of laws and torques of the root as the step took them
// are in ws, given motions at the end in ws.driven_E.
template <Real S>
void keep_momentum(const Model& model, const Params<S>& params, double dt, Moves moves, State<S>& state,
                   Workspace<S>& ws);

}  // namespace sinew
