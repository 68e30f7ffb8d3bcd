// Drives and sensors of the hexapod (docs/theory/hexapod.md#devices), and what its controller reads by them.
//   f_leg = Rz(q1) Ry(-(q2 + q3)) f_shank      the force of the ground on a foot, from the axes of the shank to those of the leg [N]
#pragma once
#include <array>
#include <vector>

#include "robots/devices.h"
#include "sinew/control/legs/segments.h"
#include "sinew/model/keys.h"
#include "sinew/model/plan.h"
#include "sinew/model/readings.h"

namespace sinew::robots {

struct HexapodDevices {
  int kind = 0;
  bool feels = true;   // force sensors in the shanks and an inclination sensor
  bool looks = false;  // a range sensor in the head, rays in an upright plane
  double voltage = 12.0, efficiency = 0.65, power = 8.68, knee_power = 2.8;             // [V, 1, W, W]
  double gear = 251.0, knee_gear = 390.0, no_load = 1047.1975511965977;                 // of the motor [rad/s]
  double inertia = 1.1e-6, knee_inertia = 0.35e-6, friction = 0.25;                     // [kg m^2], at the axis [N m]
  double pot_noise = 0.002, pot_offset = 0.002, force_noise = 0.05, cross_talk = 0.01;  // [rad, rad, N, 1]
  double force_range = 50.0, level_noise = 0.002, counts = 512.0, fusion_time = 0.5;    // [N, rad, 1, s]
  double rate_filter = 0.003, period = 1e-3, eye_noise = 0.002;                         // [s, s, m]

  bool are_real() const { return Devices(kind) == Devices::Real; }
  double stall(bool knee) const;  // of a drive, at the axis [N m]
};

void describe_devices(Keys& keys, HexapodDevices& devices);
inline constexpr int eye_rays = 61;
inline constexpr double eye_fan = 2.0, eye_range = 1.5, eye_period = 0.02;  // [rad, m, s]
// Into a plan of the robot, but for joints and names that have one already.
void add_devices(const HexapodDevices& devices, const legged::SegmentedBody& body, double neck_ahead, Plan& plan);

// Where its joints and sensors are in Readings and Input.
struct HexapodWiring {
  struct Leg {
    std::array<int, 3> q{}, u{};
    std::array<double, 3> rest{};                                  // at which the servos of the plan aim [rad]
    int force = -1, force_sensor = -1;                             // first reading; number of the sensor
    std::array<int, 3> angle_sensor{-1, -1, -1}, pot{-1, -1, -1};  // number of the sensor; reading of a second one
    int pad = -1;  // switch of the group of pads that is called like the leg, in Input::drive
  };
  struct Hinge {
    int q = 0, u = 0;
  };
  std::vector<Leg> leg;
  std::vector<Hinge> hinge;  // of each segment but the middle one, which has none
  Hinge neck;
  int level = -1;                               // first reading of the inclination sensor
  int eye = -1, eye_sensor = -1, eye_rays = 0;  // of the range sensor: first reading, number, rays
  double eye_fan = 0.0, eye_most = 0.0;         // [rad, m]
};
HexapodWiring wiring_of(const legged::SegmentedBody& body, const Plan& plan);

// Force of the ground on a foot in the axes of its leg, from the sensor in its shank.
Vec3d from_shank(const Vec3d& q, const Vec3d& force);
// Direction of up in the axes of the body.
Vec3d up_of(double roll, double pitch);

}  // namespace sinew::robots
