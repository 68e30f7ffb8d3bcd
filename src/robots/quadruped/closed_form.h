// The closed form of the quadruped on four held feet as a way to run a scenario (docs/theory/quadruped.md#stance): equations of
// its own instead of a tree of bodies. State: q = (p, phi, ta, tb) and u.
#pragma once
#include "robots/quadruped/input.h"
#include "sinew/model/plan.h"
#include "sinew/model/section_plant.h"

namespace sinew::robots {

// Of a pendulum on four held feet, from q and u. Signals have the names of the tree's.
std::shared_ptr<const SectionPlant> make_stance_plant(const QuadrupedInput& in, const legged::StanceProgram& program,
                                                      legged::RateMap map, const legged::Vec8& q,
                                                      const legged::Vec8& u);

// Of the finished plan; another field than a uniform one along -z is refused.
double gravity_along_z(const Plan& plan);

}  // namespace sinew::robots
