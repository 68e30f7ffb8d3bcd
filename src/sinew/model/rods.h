// Rods -> bodies and joints. A rod of length l in n segments of length h = l / n has the bodies NAME.0 to NAME.n: body i sits at
// the abscissa X = i h, where its frame has its origin, and is all that lies within h/2 of it; those at the ends are half as
// long. Joint NAME.i, in the middle between the bodies i - 1 and i, has the elasticity of what lies between them:
//   stiffness = EA/h, k_s GA/h, GJ/h, EI_y/h, EI_z/h,   damping likewise with viscosities      (docs/theory/forces.md#rods)
// This is the midpoint rule along the rod: of order 2 in h. Places of all bodies, the ends too, are those of the rod.
// Joint NAME.base holds the end X = 0, NAME.tip the end X = l if it is held.
// A rest curvature is built into the joints, half on either side, so that strains are measured in axes halfway between.
#pragma once
#include "sinew/model/plan.h"

namespace sinew {

// What is wrong with rods and with cables along them.
std::vector<Problem> problems_of_rods(const Plan& plan);

// The plan with bodies and joints of its rods, and with points of cables along them. Throws PlanError.
Plan with_rods(Plan plan);
bool has_unmade_rods(const Plan& plan);

}  // namespace sinew
