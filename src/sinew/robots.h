// Robots: robots::catalog() has those that come with sinew, robots::add_robot puts one of your own beside them. A Robot has keys, a plan,
// results, perhaps a controller, perhaps equations of motion of its own (SectionPlant).
#pragma once
#include "robots/catalog.h"
#include "sinew/model/memory.h"
#include "sinew/model/section_plant.h"
