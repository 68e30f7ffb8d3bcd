// What a tail does to a robot in the air (docs/theory/quadruped.md#flight). Legs are locked; attitude is a unit quaternion.
#pragma once
#include "robots/quadruped/walker.h"

namespace sinew::legged {

// Tail ta from t0 to t1 with tb = 0, from rest: pitch of the plate in closed form. `body`: plate and legs, symmetric about the y-z plane.
double pitch_by_tail(const Walker::Composite& body, const TailShape& tail, double t0, double t1);
// Its inverse from t0 = 0: the tail's angle for a pitch; NaN: out of the tail's reach of +-limit.
double tail_for_pitch(const Walker::Composite& body, const TailShape& tail, double pitch, double limit);
// Moment of inertia of the whole robot about its mass centre, for a turn in that plane with the tail at ta [kg m^2].
double pitch_inertia(const Walker::Composite& body, const TailShape& tail, double ta);

// A tail that opens to a cone of half angle alpha, goes round by psi, and closes; quintic in time, T seconds each.
struct ConePath {
  double alpha = 1.2, psi = 6.283185307179586;  // [rad]
  std::array<double, 3> T = {0.3, 1.2, 0.3};    // [s]
  double duration() const { return T[0] + T[1] + T[2]; }
  void evaluate(double t, double* z, double* z_rate, double* z_accel) const;
};

struct FlightState {
  double t = 0.0;
  Vec3d p, v, w;  // in S
  Quatd Q;
  std::vector<double> tail, tail_rate;
};

// Along the path by dynamics, RK4; the robot starts at rest with attitude Q.
struct ConeFlight {
  Quatd Q;                       // at the end
  double momentum_drift = 0.0;   // largest angular momentum about the mass centre [N m s]
  double com_error = 0.0;        // from the parabola [m]
  double drop = 0.0;             // of the plate's centre, which changes its place in the robot's attitude [m]
  double com_drop = 0.0;         // of the mass centre [m]
  std::array<double, 2> peak{};  // of the tail's torques [N m]
};
ConeFlight fly_cone(const Quadruped& robot, const std::array<LegAngles, 4>& legs, const Quatd& Q, const ConePath& path,
                    double h);
// By kinematic reconstruction alone: zero momentum, so that only the path counts, not its timing.
Quatd turn_by_cone(const Quadruped& robot, const std::array<LegAngles, 4>& legs, const ConePath& path, int steps);
// Pitch when the first coordinate of the tail goes from 0 to `to`, the others 0.
double pitch_by_path(const Quadruped& robot, const std::array<LegAngles, 4>& legs, double to, int steps);

// The tail's second coordinate goes from 0 to `to` in T seconds, quintic: how far the robot yaws, and the largest torque it takes.
struct SwingFlight {
  double yaw = 0.0, peak = 0.0;  // [rad, N m]
};
SwingFlight swing_tail(const Quadruped& robot, const std::array<LegAngles, 4>& legs, double to, double T, int steps);

// Tail torques kp (goal - z) - kd z' for T seconds of free fall.
struct TailDrive {
  std::array<double, 2> goal{1.5707963267948966, 0.0};
  double kp = 200.0, kd = 20.0;
};
struct TorqueFlight {
  FlightState end;
  Vec3d momentum;              // angular, at the end
  double energy_defect = 0.0;  // change of T + V less the work of the torques [J]
};
TorqueFlight fly_torque(const Quadruped& robot, const std::array<LegAngles, 4>& legs, const TailDrive& drive, double T,
                        double h);

}  // namespace sinew::legged
