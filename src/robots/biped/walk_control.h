// How the biped follows its plan (docs/theory/biped.md#walking): at every tick a pose with the mass centre and the feet of the plan, by inverse
// kinematics within the limits of the joints, then servos on the joints.
//   tau = kp (q_ref - q) + kd (q_ref' - q') + what carries the robot with the wanted forces of the feet
// Ideal servos of the plan have the same gains and pull to the stand, so that a step can take them implicitly; the controller moves their aim. With real
// devices it reads its sensors alone, and gives torques to drives.
#pragma once
#include <memory>

#include "robots/biped/balance.h"
#include "robots/biped/command.h"
#include "robots/biped/upper_body.h"
#include "robots/biped/whole_control.h"
#include "sinew/control/controller.h"
#include "sinew/model/keys.h"
#include "sinew/model/plan.h"

namespace sinew::robots {

struct BipedControl {
  BipedOrder order;
  BipedCommands commands;
  double kp = 5000.0, kd = 150.0;  // of all joints [N m/rad, N m s/rad]
  BipedDevices devices;
  BipedBalance balance;
  BipedWholeGains whole;
  BipedUpper upper;
  bool is_told() const { return BipedAction(order.action) == BipedAction::Commands; }
  bool is_whole() const { return devices.are_real() && balance.is_whole(); }
  std::shared_ptr<const BipedPlan> plan;  // the last one that was made: see plan_of
  double push = 0.0, push_from = 1.5707963267948966, push_at = 1.0, push_time = 0.05;  // [N s, rad, s, s]
};

// The plan of control.order. Making one takes as long as computing ten seconds of walking, and files are read several times until a run begins.
std::shared_ptr<const BipedPlan> plan_of(const BipedControl& control, const legged::BipedBody& body, double g);
void describe_control(Keys& keys, const legged::BipedBody& body, BipedControl& control);
// rigid: the robot with no joints but its legs', for whole-body control.
std::unique_ptr<Controller> make_biped_controller(const BipedControl& control, const legged::BipedBody& body,
                                                  const Plan& plan, Plan rigid, double period);

}  // namespace sinew::robots
