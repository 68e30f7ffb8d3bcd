// All that sinew::core has: plans, worlds, the loop, controllers, robots, gaits. Scenario files, recordings and batches, which need
// sinew::sinew, are in sinew/scenario.h, sinew/recording.h and sinew/batch.h.
#pragma once
#include "sinew/controller.h"
#include "sinew/gaits.h"
#include "sinew/joints.h"
#include "sinew/laws.h"
#include "sinew/legs.h"
#include "sinew/plan.h"
#include "sinew/random.h"
#include "sinew/robots.h"
#include "sinew/simulation.h"
#include "sinew/version.h"
#include "sinew/world.h"
