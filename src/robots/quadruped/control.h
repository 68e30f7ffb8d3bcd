// Controllers of the quadruped: keys, and the controller itself (docs/theory/quadruped.md#controllers).
//   hold   joint PD about the pose of the start, with the least torques that carry it; a foot may be lifted, the tail swung
//   goal   torques by the quadratic program of goal.h, once per step
//   walk   feet on given paths, joint PD, the weight shared by the legs that stand
//   flight the tail pitches the robot in the air: quadruped_flight.cpp
#pragma once
#include <memory>

#include "robots/quadruped/goal.h"
#include "robots/quadruped/input.h"
#include "sinew/control/controller.h"
#include "sinew/model/plan.h"

namespace sinew::robots {

enum class QuadrupedController { None, Hold, Goal, Walk, Flight };
inline constexpr std::array<std::string_view, 5> quadruped_controller_names{"none", "hold", "goal", "walk", "flight"};

struct QuadrupedControl {
  QuadrupedController kind = QuadrupedController::None;
  double leg_kp = 2000.0, leg_kd = 80.0, tail_kp = 1000.0, tail_kd = 40.0;  // [N m/rad, N m s/rad]
  // hold
  int lift_foot = 0;                                       // 1 to 4; 0: none
  double lift = 0.08, lift_from = 0.3, lift_time = 0.3;    // [m, s, s]
  double swing = 0.0, swing_out = 0.15, swing_back = 1.0;  // of tb: there and back, quintic [rad, s, s]
  double swing_period = 0.0;                               // 0: once [s]
  // goal
  legged::GoalPlan goal;
  bool tail_locked = false;
  // walk: a leg is at phase t / period + offset; it stands for `duty` of it
  double period = 0.5, duty = 0.6, stride = 0.1, step_height = 0.05, turn = 0.0, start = 0.2;
  std::vector<double> offset{0.0, 0.5, 0.0, 0.5};
  double tail_swing = 0.0;  // tb in time with the steps [rad]
  // flight: pitch that is wanted at the end of it; how far ta may go
  double flight_goal = 0.0, flight_time = 0.5, tail_range = 2.0;  // [rad, s, rad]
};

void describe(Keys& keys, QuadrupedControl& control);

// What its controller must find in Plan::memory.
std::vector<MemoryBlock> memory_of(const QuadrupedControl& control);
inline constexpr std::string_view flight_memory = "flight";

std::unique_ptr<Controller> make_flight_controller(const QuadrupedControl& control, const QuadrupedInput& in,
                                                   const Plan& plan);

// Drives by torque; nullptr: none. `plan` tells where the joints are in readings and commands.
std::unique_ptr<Controller> make_controller(const QuadrupedControl& control, const QuadrupedInput& in, const Plan& plan,
                                            double period);

}  // namespace sinew::robots
