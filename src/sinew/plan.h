// Plan: what a person writes: bodies with shapes, joints with drives, springs and dampers, rods, ground, obstacles, contact, gravity,
// method. Plain data in SI units; `compile` turns it into a Model, and throws PlanError with every problem found.
#pragma once
#include "sinew/model/compile.h"
#include "sinew/model/plan.h"
