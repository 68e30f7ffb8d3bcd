// How the hexapod walks (docs/theory/hexapod.md#controller): action level (keys), primitive level (generator, paths of feet, shift of the mass
// centre, forces of feet), servo level (inverse kinematics, PD). It sees its joints alone and takes its body as level.
//   tau = kp (q_ref - q) + kd (q_ref' - q') - J^T F_ref,   |tau| <= limit
#pragma once
#include <memory>
#include <vector>

#include "sinew/control/controller.h"
#include "sinew/control/legs/gait_generator.h"
#include "sinew/control/legs/segments.h"
#include "sinew/control/legs/stroke_path.h"
#include "sinew/control/legs/vertical_forces.h"
#include "sinew/model/keys.h"
#include "sinew/model/plan.h"

namespace sinew::robots {

struct HexapodControl {
  int gait = 2, next_gait = 2;
  double change_at = -1.0;                      // below 0: no change [s]
  double tau = 0.0;                             // 0: the gait's own; gallop: 0.2
  double start = 0.3, stop = -1.0;              // stands before; stops then, below 0: never [s]
  legged::PlaneTwist direction{1.0, 0.0, 0.0};  // only its direction counts
  legged::StepShape shape;
  double s_min = 0.02, s_guard = 0.01, shift_speed = 0.15;  // margins of forecast and guard [m], [m/s]
  double kp = 173.0, kd = 6.93;                             // of the legs [N m/rad, N m s/rad]
  double hinge_kp = 400.0, hinge_kd = 8.0, neck_kp = 20.0, neck_kd = 0.3;
  double torque_limit = 5.41, knee_limit = 2.71;  // stall torques [N m]
  double force_time = 0.02;                       // in which the references of forces follow [s]
  bool shares_force = true, complies = true;
  legged::FootCompliance compliance;
};

void describe_control(Keys& keys, const legged::SegmentedBody& body, HexapodControl& control);

inline constexpr std::string_view hexapod_memory = "hexapod";
int hexapod_memory_size();

// The table that a gait has here: the gallop is given a gap in which all feet stand, unless tau says otherwise.
legged::GaitTable hexapod_table(int gait, double tau, int segments);

std::unique_ptr<Controller> make_hexapod_controller(const HexapodControl& control, const legged::SegmentedBody& body,
                                                    const Plan& plan, double period);

}  // namespace sinew::robots
