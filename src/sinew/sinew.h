// The public face: write a plan, make a world, step it, look at it.
#pragma once
#include "sinew/control/computed_torque.h"
#include "sinew/control/feedback.h"
#include "sinew/model/plan.h"
#include "sinew/model/section_plant.h"
#include "sinew/world/observe.h"
#include "sinew/world/world.h"
