// Puts a robot on its ground.
#pragma once
#include <vector>

#include "sinew/model/plan.h"
#include "sinew/parts/terrain/steps.h"

namespace sinew::robots {

// How far the shapes can be lowered until the first of them touches the ground; negative: they must be lifted. Obstacles do
// not count. Throws PlanError if nothing is below.
double way_to_ground(const Terrain& terrain, const std::vector<PlacedShape>& shapes);

// Throws PlanError if one of the shapes is inside an obstacle.
void check_obstacles(const GroundPlan& ground, const std::vector<PlacedShape>& shapes);

}  // namespace sinew::robots
