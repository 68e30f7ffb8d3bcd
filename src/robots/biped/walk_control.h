// How the biped follows its plan (docs/theory/biped.md#walking): at every tick a pose with the mass centre and the feet of the plan, by inverse
// kinematics within the limits of the joints, then servos on the joints.
//   tau = kp (q_ref - q) + kd (q_ref' - q') + what carries the robot with the wanted forces of the feet
// Servos of the plan have the same gains and pull to the stand, so that a step can take them implicitly; the controller moves their aim.
#pragma once
#include <memory>
#include <string_view>

#include "robots/biped/walk_plan.h"
#include "sinew/control/controller.h"
#include "sinew/model/keys.h"
#include "sinew/model/plan.h"

namespace sinew::robots {

struct BipedControl {
  BipedOrder order;
  double kp = 5000.0, kd = 150.0;  // of all joints [N m/rad, N m s/rad]
  double push = 0.0, push_from = 1.5707963267948966, push_at = 1.0, push_time = 0.05;  // [N s, rad, s, s]
};

inline constexpr std::array<const char*, 2> biped_sides{"L", "R"};
inline constexpr std::string_view biped_memory = "biped";
int biped_memory_size();

void describe_control(Keys& keys, const legged::BipedBody& body, BipedControl& control);
std::unique_ptr<Controller> make_biped_controller(const BipedControl& control, const legged::BipedBody& body,
                                                  const Plan& plan, double period);

}  // namespace sinew::robots
