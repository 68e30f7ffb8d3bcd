// SensorInfo: a sensor of a compiled plan. All that sampling needs to know of it (world/sense.h); the same for all robots of a batch.
#pragma once
#include "sinew/math/spatial.h"
#include "sinew/model/sensor_plan.h"

namespace sinew {

struct SensorInfo {
  SensorPlan plan;
  int n = 1, m = 1;                            // numbers that it reports; channels with errors
  bool is_linear = false;                      // of a joint's axis: it slides
  int drive = -1;                              // in Model::drives
  int joint = -1, link = -1;                   // plan joint; link that carries the sensor
  Posed X_FS = Posed::identity();              // the sensor's axes in the link's
  std::vector<sensor::Channel> channels = {};  // (m)
  std::vector<sensor::Channel> loads = {};     // of a six-component force sensor: ranges of what it reports
  std::vector<double> bridges = {}, calibration = {};
  double count = 0.0;                          // of an incremental encoder [rad or m]
  int absolute = -1;                           // sensor with which it is fused
  bool is_read = false;                        // controllers read its joint's axis by it
  std::vector<Vec3d> rays = {};                // of a range sensor, in its axes
  std::vector<char> outer = {}, touched = {};  // of a force sensor, by link: its mass, its contacts lie beyond the cut
  std::vector<int> beyond = {}, pairs = {};    // the links of `outer`; Model::pairs that touch one of `touched`
  std::uint32_t device = 0;                    // stream of random numbers
  SensorLayout at = {};
  int memory = 0, memory_end = 0;  // its block in State::memory
  int reading = 0;                 // first of its numbers in Readings::sensor
};

}  // namespace sinew
