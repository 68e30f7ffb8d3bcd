// True values of what sensors measure, of one robot of a world. Truth is what the last step left: positions and velocities at its end; forces
// and accelerations are means, so that no impulse is lost:
//   acceleration  (v - v_0) / T                        T: since the last sample
//   wrench        of what lies beyond the cut on the rest of the robot, (J - (h - h_0)) / T
//                 J: impulses of weight, contacts and pushes on it, h: its momentum, step by step and summed up until a sample
// With a step in parts (penalty contacts) J takes contact forces as they are in the last part.
#pragma once
#include "sinew/kinematics/frames.h"
#include "sinew/world/observe.h"

namespace sinew {

template <Real S>
struct RobotView {
  const World<S>& world;
  const Frames<S>& frames;      // of the world as it is
  const Prescribed<S>& driven;  // likewise
  const Observation<S>* seen;   // where joints are cut and measured
  int lane;
};

// own: what the sensor keeps (SensorLayout::n_own numbers). To be called after every step, for force sensors.
template <Real S>
void add_impulse(const RobotView<S>& view, const SensorInfo& info, std::span<double> own);

// One number for each of the sensor's readings.
template <Real S>
void read_truth(const RobotView<S>& view, const SensorInfo& info, std::span<double> own, std::span<double> out);

}  // namespace sinew
