// The contact scheme of Tambornini 2020, sections 2.1.3 and 2.1.4 (docs/theory/solve.md#dense-engine), to compare with the laws:
//   normal impulses N of the closed points make their normal velocities zero at the end of the step,
//   gamma_N(N) = 0 by Newton-Raphson, with friction -mu N along the velocity before contact,
//   points with N < 0 are dropped and the rest is solved again
// The residual is affine in N, so one step of Newton's method solves it; a second only checks. A matrix without an inverse
// (several points of one rigid body) is a failure: the thesis' program reached its most iterations there.
#pragma once
#include "sinew/solve/dense.h"

namespace sinew {

// Writes p.P and p.gamma. tolerance [m/s]. residual: largest |gamma_N| of the points that bear. iterations: most steps of Newton's
// method for one set of points.
DenseReport solve_newton_normal(DenseProblem& p, double tolerance);

}  // namespace sinew
