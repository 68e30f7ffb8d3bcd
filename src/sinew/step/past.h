// What moreau and euler keep of the last step, in State::past.
//   q, u     as the step left them. Who changes a state from outside need not say so: what is kept then no longer counts.
//   rate     (u_E - u_A) / dt
//   terms    of each robot, how its next step takes the terms quadratic in velocities (below)
//   momenta  momentum and mass centre of each robot that may fly (step/momentum.h)
//
// Quadratic terms Q(u) of moreau. Momentum changes over a step from A to E by the trapezoid, dt (Q_A + Q_E) / 2. In the middle, at
// u_A + rate dt / 2, the step has that to second order without a second solution. Across a jump the past says nothing of what
// comes, so robots that touch something take Q_A. Their sum over many steps, Q_0 + Q_1 + ... + Q_n, differs from the trapezoid's,
// Q_0 / 2 + Q_1 + ... + Q_n + Q_(n+1) / 2, only at its ends: momenta of joints are late by dt Q / 2, but do not drift. Where one rule
// follows the other the ends are made good, else every short flight would change them: the first step with contacts takes Q_A / 2,
// the first in the middle again Q_A / 2 more. The momentum of a whole robot is not even late (step/momentum.h).
#pragma once
#include "sinew/step/workspace.h"

namespace sinew {

// Of a robot that may fly.
namespace momentum {
enum : int {
  P = 0,        // linear momentum [N s]
  L = 3,        // angular momentum about the mass centre [N m s]
  C = 6,        // mass centre [m]
  rest = 9,     // of these nine numbers: what the sums over all steps lost to round-off
  late = 18,    // of a robot that touches others, what its next step is to add: angular velocity [rad/s], ...
  late_v = 21,  // ... and velocity of the mass centre [m/s], of the robot as one rigid body
  state = 24,
  size = 25
};
// values of `state`
inline constexpr double unknown = 0.0, flies = 1.0, touches = 2.0;
}  // namespace momentum

// How a robot's next step takes its quadratic terms.
namespace terms {
inline constexpr double middle = 0.0;    // in the middle; so does the first step of all
inline constexpr double at_start = 1.0;  // the last step had contacts
inline constexpr double returns = 2.0;   // the last step had none, but took them at its start
}  // namespace terms

template <Real S>
struct Past {
  S *q, *u, *rate, *terms, *momenta;
  bool is_kept() const { return q != nullptr; }
};

// Of a step that is under way: the robot's quadratic terms are those of its start.
template <Real S>
Mask<S> takes_terms_at_start(const Past<S>& past, int robot, const Workspace<S>& ws) {
  return ws.continues & (past.terms[robot] > S(0.5)) & (past.terms[robot] < S(1.5));
}
// Or it is the first that takes them in the middle again.
template <Real S>
Mask<S> returns_to_middle(const Past<S>& past, int robot, const Workspace<S>& ws) {
  return ws.continues & (past.terms[robot] > S(1.5));
}

std::size_t past_size(const Model& model);

template <Real S>
Past<S> past_of(const Model& model, State<S>& state);

// At the start of a step: where q and u are as the last one left them, into ws.continues.
template <Real S>
void recognise(const Model& model, State<S>& state, Workspace<S>& ws);

// Velocities for the quadratic terms of a step of dt into ws.u_b and ws.driven_u_b, given motions being those of its start in
// ws.driven and of its end in ws.driven_E. False: they are those of the start.
template <Real S>
bool extrapolate(const Model& model, double dt, State<S>& state, Workspace<S>& ws);

// When the rows of a step are known: which robots touch others, or anything at all, into ws.touches_other and ws.jumps.
template <Real S>
void find_touched(const Model& model, Workspace<S>& ws);

// The velocities of `extrapolate` anew, of robots for which that is news. False: of none.
template <Real S>
bool take_back_extrapolation(const Model& model, State<S>& state, Workspace<S>& ws);

// At the end of a step that began with the velocities u_A. keep_rate: of a stepper that extrapolates.
template <Real S>
void keep_past(const Model& model, const S* u_A, double dt, bool keep_rate, State<S>& state, const Workspace<S>& ws);

}  // namespace sinew
