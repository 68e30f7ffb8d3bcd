// Random contact problems in the form in which the field exchanges them, and Siconos' solver on them.
#pragma once
#include <vector>

#include "sinew/solve/cone_problem.h"
#include "tests/support/random_problems.h"

namespace sinew::support {

// contacts: about as many.
ConeProblem random_cone_problem(std::uint64_t seed, int contacts, Scene scene);

// A wall of bricks, each on two of the course below, four points to each: bodies of six freedoms, nothing but the lowest course touches the
// ground. Many more rows than freedoms.
ConeProblem brick_wall(int courses, int bricks, double mu);

}  // namespace sinew::support
