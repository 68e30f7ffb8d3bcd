// How the hexapod walks (docs/theory/hexapod.md#controller): action level (commands), primitive level (generator, paths of feet, shift of the mass
// centre, forces of feet), servo level (inverse kinematics, PD). It sees its sensors alone.
//   tau = kp (q_ref - q) + kd (q_ref' - q') - J^T F_ref,   |tau| <= limit
// Feet move in the frame G of the ground under them: x forward, z the normal of the plane in which they stand. The body has a pose in G.
#pragma once
#include <memory>
#include <vector>

#include "robots/hexapod/command.h"
#include "robots/hexapod/devices.h"
#include "robots/hexapod/walk_memory.h"
#include "sinew/control/controller.h"
#include "sinew/control/legs/segments.h"
#include "sinew/control/legs/vertical_forces.h"
#include "sinew/model/keys.h"
#include "sinew/model/plan.h"

namespace sinew::robots {

struct HexapodControl {
  HexapodCommands commands;
  OwnGait own;
  double tau = 0.0;                                         // 0: the gait's own; gallop: 0.2
  double s_min = 0.02, s_guard = 0.01, shift_speed = 0.15;  // margins of forecast and guard [m], [m/s]
  double kp = 173.0, kd = 6.93;                             // of the legs [N m/rad, N m s/rad]
  double hinge_kp = 400.0, hinge_kd = 8.0, neck_kp = 300.0, neck_kd = 8.0;
  double torque_limit = 5.41, knee_limit = 2.71;  // stall torques [N m]
  double force_time = 0.02;                       // in which the references of forces follow [s]
  double slope_rate = 0.2, pose_rate = 0.3;       // how fast it leans with the ground, and as it is told [rad/s]
  double round_time = 0.04;                       // half of the time in which feet in the air change their speed [s]
  double landing = 0.3;                           // speed at which feet come to level ground, as a part of the cycle's
  bool shares_force = true, complies = true;
  bool senses_ground = false;                   // it finds the stiffness of the ground under its feet
  bool bends = false;                           // hinges follow the ground under the feet
  bool clings = false;                          // pads hold its feet: on walls and ceilings
  double pad_area = 0.01, release_time = 0.04;  // [m^2]; for which a pad is off before its leg lifts [s]
  int hole_tries = 0;                           // places at which a foot over a hole looks for ground
  double hole_step = 0.03;                      // between them [m]
  bool looks = false;                           // a range sensor in its head
  double edge_margin = 0.02;                    // of footholds of a free gait [m]
  bool climbs = false;                          // it can be told to climb a ledge
  bool rigid = false;                           // hinges stay straight while it does
  legged::FootCompliance compliance;
  HexapodDevices devices;
};

void describe_control(Keys& keys, const legged::SegmentedBody& body, HexapodControl& control);
// Gaits of commands that this robot cannot walk are refused.
void check_gaits(Keys& keys, const legged::SegmentedBody& body, HexapodControl& control);

// The table that a gait has here: the gallop is given a gap in which all feet stand, unless tau says otherwise.
legged::GaitTable hexapod_table(int gait, const HexapodControl& control, int segments);
std::vector<legged::GaitTable> hexapod_tables(const HexapodControl& control, int segments);

std::unique_ptr<Controller> make_hexapod_controller(const HexapodControl& control, const legged::SegmentedBody& body,
                                                    const Plan& plan, double period);

}  // namespace sinew::robots
