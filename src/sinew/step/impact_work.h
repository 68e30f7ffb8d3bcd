// Scratch of impacts and of friction pyramids.
#pragma once
#include <vector>

#include "sinew/solve/pyramid.h"

namespace sinew {

struct ImpactCandidate {
  int contact;  // of the problem
  double gap, restitution;
};

struct ImpactWork {
  std::vector<ImpactCandidate> order;
  PyramidSolver pyramid;
};

}  // namespace sinew
