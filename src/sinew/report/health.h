// What a robot is made of, for people who have it from elsewhere: masses, inertia against what its shapes allow, ranges, what touches what.
#pragma once
#include <string>

#include "sinew/sim/experiment.h"

namespace sinew::report {

// Lines of a table, each with its end; what looks wrong is marked and said below it.
std::string health(const sim::Experiment& experiment);

}  // namespace sinew::report
