// Drives and sensors of the biped (docs/theory/biped.md#devices), and where its controller finds them.
//   yaw: crank; hip and ankle: two screws side by side; knee: crank. tau = J^T F, J = ds/dq
#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "robots/devices.h"
#include "sinew/control/legs/biped_body.h"
#include "sinew/model/keys.h"
#include "sinew/model/readings.h"

namespace sinew::robots {

inline constexpr std::array<const char*, 2> biped_sides{"L", "R"};

struct BipedDevices {
  int kind = 0;
  int level = int(drive::Level::Fast);
  int mechanism = int(MechanismModel::Jacobian);
  double rod_mass = 0.01, slider_mass = 0.01;                              // of each drive, where they are bodies [kg]
  bool elastic = false;                                                    // springs in the drives
  std::vector<std::string> elastic_joints{"yaw", "hip", "knee", "ankle"};  // of these
  double ballistic = 0.0;  // share of the torques of hip pitch and knee that a leg in the air is without, half way [1]
  double force_limit = 400.0, thermal_current = 4.993;                                      // [N, A]
  double friction = 3e-3;                                                                   // of a motor [N m]
  double stiffness = 4e5;                                                                   // of those springs [N/m]
  double counts = 2000.0, encoder_bits = 14.0, fusion_time = 0.5, rate_filter = 0.002;      // [1, 1, s, s]
  double force_noise = 1e-4, hysteresis = 0.008, cross_talk = 0.01;                         // [1]
  double gyro_noise = 0.003, gyro_offset = 0.001, accel_noise = 0.05, accel_offset = 0.02;  // [rad/s, m/s^2]
  double period = 1e-3;                                                                     // [s]
  std::vector<double> kp{2000, 5000, 5000, 4000, 2000, 1500};                               // [N m/rad]
  std::vector<double> kd{25, 120, 120, 80, 30, 20};                                         // [N m s/rad]

  // Behind a spring a joint has no rotor, and the force loop is slow: gains as above would swing.
  static inline const std::vector<double> elastic_kp{100, 1000, 1000, 400, 120, 100};
  static inline const std::vector<double> elastic_kd{2, 20, 20, 8, 1, 1};

  bool are_real() const { return Devices(kind) == Devices::Real; }
  bool has_rods() const { return are_real() && MechanismModel(mechanism) == MechanismModel::Bodies; }  // as bodies
  bool is_elastic(std::string_view joint) const {
    return elastic && std::ranges::find(elastic_joints, joint) != elastic_joints.end();
  }
};

void describe_devices(Keys& keys, BipedDevices& devices);
// Into a plan of the robot, but for joints and names that have one already.
void add_devices(const BipedDevices& devices, Plan& plan);

// Where joints and sensors are in Readings and Input, and what moves the joints.
struct BipedWiring {
  struct Joint {
    int first = 0, n = 1;  // of the leg's six angles
    bool has_rods = false;
    Transmission<double> rods;
    double efficiency = 1.0;
    double rotor = 0.0;  // at its stroke, if it moves with the joint [kg]
  };
  struct Leg {
    std::array<int, legged::six::count> q{}, u{};
    std::array<Joint, 4> joint;
    int force = -1, force_sensor = -1;  // first reading; number of the sensor
  };
  std::array<Leg, 2> leg;
  int inertial = -1;  // first reading
};
BipedWiring biped_wiring(const Plan& plan);

// Torques that drives must be told so that the joints get these: a screw that is driven back has its losses on the motor's side, and the joint gets F / eta^2
// of what it would get. rate: of the joints, as planned [rad/s].
void count_losses(const BipedWiring::Leg& leg, const legged::SixAngles& q, const legged::SixAngles& rate,
                  legged::SixAngles& torque);
// What the rotors are on the axes of a leg, at these angles [kg m^2]: the diagonal of J^T m J.
legged::SixAngles rotor_inertia(const BipedWiring::Leg& leg, const legged::SixAngles& q);

}  // namespace sinew::robots
