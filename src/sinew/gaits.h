// Gaits: gaits::catalog() has those that come with sinew, gaits::add_gait puts one of your own beside them, gaits::with_gait moves the driven
// joints of a plan.
#pragma once
#include "gaits/catalog.h"
