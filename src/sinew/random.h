// Random numbers by counting (math::uniform, math::normal of a math::Counter): no state, the same numbers on every machine.
#pragma once
#include "sinew/math/counter_random.h"
