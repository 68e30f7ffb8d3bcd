// Obstacles of the ground as shapes of the world. A peg is a vertical capsule: it stands `height` above the ground at its
// place, with a round top, and goes on below, so that nothing finds its lower end.
#pragma once
#include "sinew/model/plan.h"

namespace sinew {

struct WorldShape {
  std::string name;  // obstacle.NAME, or peg.1, peg.2, ... of the field of pegs
  Shape shape;
  Posed X_WS;
  std::string material;
};

std::vector<WorldShape> obstacles_of(const GroundPlan& ground);

}  // namespace sinew
