// The closed form of the quadruped on four held feet as a way to run a scenario (quadruped spec, sections 6 and 8): equations of
// its own instead of a tree of bodies. State: q = (p, phi, ta, tb) and u.
#pragma once
#include "robots/quadruped_input.h"
#include "sinew/rod/engine.h"

namespace sinew::robots {

// Of a pendulum on four held feet, torques given. Signals have the names of the tree's.
std::shared_ptr<const rod::Engine> make_stance_engine(const QuadrupedInput& in, legged::RateMap map,
                                                      const std::array<Motion<double>, 14>& torque);

}  // namespace sinew::robots
