// Segments for tests, without a robot, and wires to them.
#pragma once
#include "sinew/ethercat/segment.h"
#include "tests/support/ethercat_master.h"

namespace sinew::test {

inline ethercat::Segment drives(int n, bool with_sensor = false) {
  std::vector<ethercat::Slave> slaves;
  for (int i = 0; i < n; i++) {
    ethercat::DriveKind kind;
    kind.name = "knee";
    kind.rated = 50.0;
    kind.kp = 100.0;
    kind.kd = 10.0;
    slaves.push_back(ethercat::make_drive(kind, i));
  }
  if (with_sensor) slaves.push_back(ethercat::make_force_sensor({"foot", 6}, n));
  return ethercat::Segment(std::move(slaves));
}

// now: read at each frame [ns].
inline Wire wire_to(ethercat::Segment& segment, const std::int64_t& now) {
  return [&segment, &now](const Octets& frame) {
    Octets out = frame;
    segment.process(out, now);
    return out;
  };
}

}  // namespace sinew::test
