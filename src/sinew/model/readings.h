// Readings: what sensors report to controllers. Joints with a position sensor ([sensor.NAME]) are read by it, all others by ideal encoders,
// in joint coordinates (the same in all coordinate choices).
#pragma once
#include <vector>

namespace sinew {

struct Readings {
  double t = 0.0;                       // [s]
  std::vector<double> q, u;             // by JointInfo::coord and JointInfo::axis
  std::vector<double> sensor;           // what all sensors say, by SensorInfo::reading
  std::vector<double> saturated, lost;  // of each sensor: 1 or 0
};

}  // namespace sinew
