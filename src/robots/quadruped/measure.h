// What the quadruped's test bench measures, in the letters of docs/theory/quadruped.md.
#pragma once
#include <vector>

#include "robots/catalog.h"
#include "robots/quadruped/flight.h"
#include "robots/quadruped/goal.h"
#include "robots/quadruped/input.h"

namespace sinew::robots {

struct QuadrupedBenchInput : QuadrupedInput {
  std::vector<double> t{0.0};  // when a run is looked at [s]
  double h = 1e-4;             // step of runs and flights [s]
  int rate_map = 0, drive = 0;
  bool hold = false, start_on_motion = false, refine = false;
  std::vector<double> amplitude = std::vector<double>(8, 0.0), omega = amplitude,
                      phase = amplitude;  // of the reference
  double kp = 900.0, kd = 60.0;
  double damping = 0.01;        // lambda of the damped sharing
  std::vector<double> mu{0.8};  // friction: cones, onsets of slip
  double torque_limit = 60.0, tail_limit = 60.0, f_min = 0.0;
  int facets = 8;
  double duration = 1.0;  // of a run under control, or of a flight under torque [s]
  std::vector<double> goal{0.2, 0.3, 0.4, 0.0, 0.0, 0.0}, ades;
  std::vector<double> weights{1, 1, 1, 1, 1, 1, 1e-3, 1e-3};
  bool tail_locked = false;
  std::vector<double> tail_angles{1.5707963267948966};  // flight: where the tail goes
  double alpha = 1.2, Psi = 6.283185307179586;
  std::vector<double> T{0.3, 1.2, 0.3}, start_quat{1, 0, 0, 0};
  double tail_kp = 200.0, tail_kd = 20.0;

  legged::StanceProgram program() const;
};

using Measurements = std::vector<Measurement>;
void measure_state(const QuadrupedBenchInput& in, Measurements& out);
void measure_run(const QuadrupedBenchInput& in, Measurements& out);
void measure_inverse(const QuadrupedBenchInput& in, Measurements& out);
void measure_control(const QuadrupedBenchInput& in, Measurements& out);
void measure_flight(const QuadrupedBenchInput& in, Measurements& out);

}  // namespace sinew::robots
