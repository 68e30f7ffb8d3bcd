// World: one simulation as plain values, of a plan (make_world), stepped by world.step(dt); a copy is a fork. World<Lanes> steps several
// robots at once (widen). observe() tells where bodies are, what contacts carry and how the energy account stands, read_sensors() what a
// controller may know, Sensors take samples for it. Whoever wants signals by name, controllers at their rate and diagnoses takes sinew/simulation.h.
#pragma once
#include "sinew/plan.h"
#include "sinew/world/observe.h"
#include "sinew/world/sense.h"
#include "sinew/world/world.h"
