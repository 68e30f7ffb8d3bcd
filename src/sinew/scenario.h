// Scenario files: load_experiment, parse_experiment and the like (namespace text). A file that cannot be read is thrown as FileError, bad
// input as InputError. Needs sinew::sinew.
#pragma once
#include "sinew/files/errors.h"
#include "sinew/sim/errors.h"
#include "sinew/text/load_scenario.h"
