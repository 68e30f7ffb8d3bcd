// Legs (namespace legged): angles and feet of a leg, forces of any number of feet that move a body as wanted, torques that make them.
#pragma once
#include "sinew/control/legs/leg.h"
#include "sinew/control/legs/support.h"
