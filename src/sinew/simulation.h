// Simulation: the loop around a scenario, with signals and commands by name, snapshots and live parameters; run() goes to the end
// of its duration and gives what `sinew run` reports. A Scenario is plain data, made in code or read by sinew/scenario.h; an Experiment is
// one compiled. What a user got wrong is thrown as InputError, with every problem found.
#pragma once
#include "sinew/sim/errors.h"
#include "sinew/sim/run.h"
#include "sinew/sim/simulation.h"
