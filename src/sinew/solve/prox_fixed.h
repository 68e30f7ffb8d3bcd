// The snake paper's own iteration: every contact steps against its velocity with the same constant step and is put back into
// its set, all at once (Transeth et al. 2008, (84) to (93); docs/theory/snake.md#errata). It converges only while the steps suit
// the robot's mass, lambda_max(R^1/2 G R^1/2) < 2, and then slowly. Kept to be compared with; no other solver comes to its help.
#pragma once
#include "sinew/solve/dense.h"

namespace sinew {

DenseReport solve_prox_fixed(DenseProblem& problem, const ProxSteps& steps, double tolerance);

}  // namespace sinew
