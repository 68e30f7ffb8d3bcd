// Readings: what sensors report to controllers. Ideal encoders on all joints, in joint coordinates (the same in all
// coordinate choices).
#pragma once
#include <vector>

namespace sinew {

struct Readings {
  double t = 0.0;            // [s]
  std::vector<double> q, u;  // by JointInfo::coord and JointInfo::axis
};

}  // namespace sinew
