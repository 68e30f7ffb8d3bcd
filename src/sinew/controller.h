// Controller: Readings -> Input, with what it remembers in blocks of the state (memory_offset). To write one of your own, or to take one
// that is there: ComputedTorque, Feedback.
#pragma once
#include "sinew/control/computed_torque.h"
#include "sinew/control/controller.h"
#include "sinew/control/feedback.h"
#include "sinew/model/memory.h"
