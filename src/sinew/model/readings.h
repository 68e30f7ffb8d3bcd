// Readings: what sensors report to controllers. Joints with a position sensor ([sensor.NAME]) are read by it, all others by ideal encoders,
// in joint coordinates (the same in all coordinate choices).
#pragma once
#include <cstddef>
#include <vector>

namespace sinew {

struct Readings {
  double t = 0.0;                       // [s]
  std::vector<double> q, u;             // by JointInfo::coord and JointInfo::axis
  std::vector<double> sensor;           // what all sensors say, by SensorInfo::reading
  std::vector<double> saturated, lost;  // of each sensor: 1 or 0
};

// Number i of q, u, sensor, saturated and lost one after the other, the offset of a channel (sim/channels.h); nullptr: there is none.
template <class AnyReadings>
auto* number_at(AnyReadings& r, std::size_t i) {
  for (auto* list : {&r.q, &r.u, &r.sensor, &r.saturated, &r.lost}) {
    if (i < list->size()) return list->data() + i;
    i -= list->size();
  }
  return decltype(r.q.data())(nullptr);
}

}  // namespace sinew
