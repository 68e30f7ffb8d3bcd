// Which rows of cut joints are redundant: shifts of their pivots.
// A mode of G with the relative eigenvalue l keeps the share x^n of its error in the n-th iterate, x = shift / (l + shift).
// Rows that are redundant on the joints' positions only nearly are so in the middle of a step, l ~ (gap there)^2; their
// forces must then stay out. The combination (n + 1) P_n - n P_(n+1) has the share (n + 1) x^n - n x^(n+1): none of the
// force for l << shift but l^2, and all of it but (n + 1) (shift / l)^n for l >> shift.
#pragma once
#include "sinew/solve/cuts.h"

namespace sinew {

// How the two bodies of a cut would answer to a unit force at their centres of mass, or to a unit torque (at least: about the
// axis of their largest inertia, which is no more than half of the trace).
template <Real S>
void own_mobility(const Cut& cut, const Params<S>& params, S& linear, S& angular);

// cuts.shift for the matrix in cuts.G, as cuts.redundant says. Needs place_cuts.
template <Real S>
void choose_shifts(const Model& model, Cuts<S>& cuts);

}  // namespace sinew
