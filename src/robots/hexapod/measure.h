// What the hexapod's test bench measures, in the letters and axes of Konyev 2011, chapter 3 (docs/theory/hexapod.md).
#pragma once
#include <string>
#include <vector>

#include "robots/catalog.h"
#include "sinew/control/legs/gait_generator.h"
#include "sinew/control/legs/segments.h"

namespace sinew::robots {

struct HexapodBenchInput {
  legged::SegmentedBody body;
  legged::StepShape shape;
  double g = 9.81, dt = 1e-3;
  int gait = 2, a = 0, b = 2;                     // tables
  double tau = 0.0;                               // 0: the gait's
  double Phi = 0.0;                               // master phase
  double periods = 3.4;                           // of walking before a stop, or before a change is asked for
  double after = 8.0;                             // how long a change is watched [s]
  int samples = 400;                              // of a period
  std::vector<double> p{0.0, -0.13, 0.13665151};  // foot in the axes of its leg
  int leg = 0;
  double y = 0.0, z = 0.0, heading = 0.0, pitch_up = 0.0, roll = 0.0;
  std::vector<double> front{0.0, 0.0}, rear{0.0, 0.0};  // hinges: pitch_up, yaw
  std::vector<int> feet;
  std::vector<double> com{0.0, 0.0224}, offsets;
  double y_c = 0.0, s_min = 0.015, v = 0.1, alpha = 0.0, R = 0.5, clearance = 0.142, spacing = 0.2, load = 29.43;
  double ledge_height = 0.25, torque_limit = 5.41, knee_limit = 2.71;
  bool rigid = false;

  legged::GaitTable table(int which) const;
  legged::StepShape shape_of(const legged::GaitTable& table) const;
  legged::BodyPose pose() const;
  int legs() const { return body.legs(); }
};

using HexapodMeasurements = std::vector<Measurement>;

void measure_cycle(const HexapodBenchInput& in, HexapodMeasurements& out);
void measure_ideal(const HexapodBenchInput& in, HexapodMeasurements& out);
void measure_adaptation(const HexapodBenchInput& in, HexapodMeasurements& out);
void measure_turn(const HexapodBenchInput& in, HexapodMeasurements& out);
void measure_joint_rates(const HexapodBenchInput& in, HexapodMeasurements& out);
void measure_start_stop(const HexapodBenchInput& in, HexapodMeasurements& out);
void measure_transition(const HexapodBenchInput& in, HexapodMeasurements& out);
void measure_leg(const HexapodBenchInput& in, HexapodMeasurements& out);
void measure_frames(const HexapodBenchInput& in, HexapodMeasurements& out);
void measure_com(const HexapodBenchInput& in, HexapodMeasurements& out);
void measure_foot_forces(const HexapodBenchInput& in, HexapodMeasurements& out);
void measure_walk_forces(const HexapodBenchInput& in, HexapodMeasurements& out);
void measure_com_correction(const HexapodBenchInput& in, HexapodMeasurements& out);
void measure_climbing(const HexapodBenchInput& in, HexapodMeasurements& out);
void measure_torque(const HexapodBenchInput& in, HexapodMeasurements& out);
void measure_ledge(const HexapodBenchInput& in, HexapodMeasurements& out);
void measure_ledge_heights(const HexapodBenchInput& in, HexapodMeasurements& out);

}  // namespace sinew::robots
