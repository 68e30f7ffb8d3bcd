// What the hexapod is told to do (docs/theory/hexapod.md#commands): the table [command], which holds from the start on, and
// [command.change.NAME], each of which takes over at its time what it gives. What a page or a program sets while it runs counts as the last word.
// The action level: a twist of the body becomes a path of the feet, within what gait and legs can do.
//   path = w / V_st,   |path| <= 1 at the foot with the longest way;   w = (speed, left, turn),   V_st = V_tr tau / (2 - tau)
#pragma once
#include <array>
#include <string>
#include <vector>

#include "sinew/control/legs/gait_generator.h"
#include "sinew/control/legs/ground_profile.h"
#include "sinew/control/legs/stroke_path.h"
#include "sinew/model/keys.h"

namespace sinew::robots {

namespace hexapod_order {  // places in a command
enum : int {
  mode,
  gait,
  speed,
  left,
  turn,
  height,
  pitch,
  roll,
  stroke,
  step_height,
  transfer_speed,
  body,
  lost,
  press,
  press_direction,
  press_force,
  press_ahead,
  press_left,
  press_up,
  count
};
}
using HexapodOrder = std::array<double, hexapod_order::count>;

enum class HexapodMode { Walk, Stand, Climb };
inline constexpr std::array<std::string_view, 3> hexapod_mode_names{"walk", "stand", "climb"};
// 0: none; then by side and row, as far as there are rows.
inline constexpr std::array<std::string_view, 13> named_legs{"none", "L1", "L2", "L3", "L4", "L5", "L6",
                                                             "R1",   "R2", "R3", "R4", "R5", "R6"};
int named_leg(double order, int segments);  // -1: none, or there is no such leg
enum class PressDirection { Ahead, Left, Right, Up, Down };
inline constexpr std::array<std::string_view, 5> press_direction_names{"ahead", "left", "right", "up", "down"};
enum class BodyAttitude { Parallel, Level };
inline constexpr std::array<std::string_view, 2> body_attitude_names{"parallel", "level"};
// Those of gait_names, one of the user's own, and the free gait.
inline constexpr int own_gait = int(legged::gait_names.size()), free_gait = own_gait + 1, hexapod_gaits = own_gait + 2;
inline constexpr std::array<std::string_view, hexapod_gaits> hexapod_gait_names{"wave",  "gallop", "tripod", "ripple",
                                                                                "amble", "own",    "free"};

struct OrderChange {
  std::string name;
  double at = 0.0;     // [s]
  HexapodOrder order;  // infinite: as it was
};

// A gait in the words of other controllers (legged::GaitCounts).
struct OwnGait {
  int stance = 2, swing = 2, phase_offset = 1;
  std::vector<double> multiplier{0, 2, 0, 2, 0, 2};
  int neighbours = 0;
};

struct HexapodCommands {
  double start = 0.3;  // it stands before [s]
  HexapodOrder first{0, 2, 0.1, 0, 0, 0, 0, 0, 0.07, 0.025, 0.3, 0, 0, 0, 0, 5.0, 0.03, 0, 0.05};
  std::vector<OrderChange> changes;  // in the order of time
  double edge = 0.0,
         ledge_height = 0.0;  // of a ledge, from the middle of the robot at the start [m]; 0: it looks itself
  legged::Hump hump;          // from there as well; height 0: it looks itself
};

void describe_commands(Keys& keys, HexapodCommands& commands);
void describe_own_gait(Keys& keys, int legs, OwnGait& own);
legged::GaitTable own_table(const OwnGait& own);

// What a controller remembers of commands: doubles alone.
struct OrderMemory {
  HexapodOrder set{}, now{};  // as [command] had it when it was last looked at; as it holds
  double done = 0.0;          // changes that have come
};
// Brings it up to date at t; true: something has changed.
bool follow_orders(const HexapodCommands& commands, double t, OrderMemory& m);

// What of an order is possible.
struct Possible {
  legged::PlaneTwist path;         // for a metre of stroke; at most 1
  legged::StepShape shape;         // stroke within reach
  double height, pitch, roll;      // of the body [m, rad]
  double speed_share, pose_share;  // below 1: so much of the speed, of the pose, is possible
};
Possible possible_of(const HexapodOrder& order, const legged::SegmentedBody& body, const legged::GaitTable& table);

}  // namespace sinew::robots
