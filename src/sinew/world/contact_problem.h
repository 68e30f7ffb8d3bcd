// The contact problem of the step that a world would take next, in the form in which the field exchanges them.
#pragma once
#include <string>

#include "sinew/solve/cone_problem.h"
#include "sinew/world/world.h"

namespace sinew {

struct NextProblem {
  ConeProblem problem;
  std::string why_not;  // there is none that this form can hold; empty: there is
};

// Of the last stage of the step, if it solves several. The world is left as it is.
NextProblem next_contact_problem(const World<double>& world, double dt);

}  // namespace sinew
