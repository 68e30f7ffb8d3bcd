// Contacts that answer by other rules than the cones of `rigid` (docs/theory/step.md#impulse-laws).
#pragma once
#include "sinew/step/stepper.h"
#include "sinew/step/workspace.h"

namespace sinew {

// Impacts of the closed contacts that approach (by the velocities before the step), at an instant: velocities jump, positions
// stay. They strike between the halves of what the other forces do in the step, u being the velocities after both: so the
// speeds are those of the instant to second order, and the work of all adds up. The change is added to u, and to what the rows
// take for the velocities before; impulses and lost work go into the rows. Needs A factored in ws.blocks and ws.cuts.
//   propagation    one approaching contact after the other, deepest first, then in the order of the contacts:
//                  P = -(1 + e) gamma_N / G_NN with Coulomb friction, until none approaches
//   simultaneous   all at once: the rigid laws, with gamma_N + e gamma_N(before) >= 0
template <Real S>
void strike(const Model& model, S* u, Workspace<S>& ws);

// Work of tangential impulses P of one contact, sliding, drilling and rolling each by itself. Friction can only take out. Where the
// velocity jumps, a point that sticks may be pushed by its friction against the way it came, because the normal impulse would have
// thrown it aside: what that puts in is a part of the jump and goes to `impact`.
template <Real S>
void book_friction(const S* P, const S* before, const S* gamma, S& friction, S& impact) {
  constexpr int groups[4] = {row::T1, row::D, row::V1, row::count};
  for (int k = 0; k < 3; k++) {
    S done = S(0.0);
    for (int r = groups[k]; r < groups[k + 1]; r++) done += P[r] * (before[r] + gamma[r]) * S(0.5);
    friction -= min(done, S(0.0));
    impact -= max(done, S(0.0));
  }
}

// Contacts are not those of the cones: friction pyramids (complementarity), or the normal forces of newton-normal.
bool has_other_rules(const Model& model);

// As solve_laws_by_responses, by these rules.
template <Real S>
SolveReport solve_by_other_rules(const Model& model, Mask<S> which, S* u_E, Workspace<S>& ws);

}  // namespace sinew
