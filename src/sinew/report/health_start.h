// How a robot starts, for people who have it from elsewhere: what overlaps, and whether it stands.
#pragma once
#include <string>

#include "sinew/sim/experiment.h"

namespace sinew::report {

// Lines, each with its end. The first second is simulated, in a thousand steps at most, if the robot floats above a ground.
std::string health_of_start(const sim::Experiment& experiment);

}  // namespace sinew::report
