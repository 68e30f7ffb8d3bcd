// All that the hexapod's controller remembers: doubles alone, in a block of State::memory; some of them are signals.
#pragma once
#include <array>
#include <string>
#include <type_traits>
#include <vector>

#include "robots/catalog.h"
#include "robots/hexapod/command.h"
#include "robots/hexapod/watch.h"
#include "sinew/control/legs/gait_generator.h"
#include "sinew/control/legs/stroke_path.h"

namespace sinew::robots {

inline constexpr int forecast_size = 256;  // entries over a period

// Of a leg that pushes (press_control.h).
struct PressMemory {
  double state = 0.0, leg = -1.0, time = 0.0;     // PressState; since it began [s]
  Vec3d from = Vec3d::zero(), d = Vec3d::zero();  // where the foot stood, over its neutral point [m]; direction
  Vec3d start = Vec3d::zero();                    // where it begins to push, over its neutral point [m]
  double way = 0.0, back = 0.0;                   // of its aim along d; when it went back [m]
  double force = 0.0, wanted = 0.0;               // along d, what it does to what it meets [N]
};

struct HexapodMemory {
  double begun = 0.0;
  OrderMemory order;
  legged::GaitState gait;
  legged::PlaneTwist path, path_goal;  // now, and where it goes
  std::array<legged::PathFoot, legged::most_legs> anchor{};
  double height = 0.0, pitch = 0.0, roll = 0.0;  // of the body over the plane of the feet: now [m, rad]
  double goal_height = 0.0, goal_pitch = 0.0, goal_roll = 0.0;
  double level_pitch = 0.0, level_roll = 0.0;     // by which it leans against the slope to be level [rad]
  double shift[2]{}, shift_rate[2]{};             // of the body over its feet: forward, left [m, m/s]
  double walked = 0.0;                            // 1: in the last tick
  double waits = 0.0;                             // 1: the shift is not yet where a walk begins
  double unreached = 0.0;                         // legs that could not follow in the last tick
  Vec3d up = Vec3d(0.0, 0.0, 1.0);                // in the axes of the body, smoothed
  double margin = 0.0;                            // static, as the controller knows it [m]
  std::array<Vec3d, legged::most_legs> q_ref{};   // of the last tick
  std::array<Vec3d, legged::most_legs> push{};    // references of the forces of the ground, in G, smoothed [N]
  std::array<double, legged::most_legs> force{};  // of them along `up` [N]
  std::array<double, legged::most_legs> felt{};   // measured ones [N]
  std::array<double, legged::most_legs> give{};   // height by which a foot gives way to its force [m]
  std::array<double, legged::most_legs> sink{};   // what a foot that has landed was told to go too far down [m]
  std::array<double, legged::most_legs> touching{}, count{};  // contact flag, and ticks that speak against it
  std::array<double, 8> forecast_of{};                        // gait, shape and path that `forecast` is for
  std::array<double, forecast_size> forecast{};
  PressMemory press;
  std::array<LegWatch, legged::most_legs> watch{};
  double travelled = 0.0;  // of the generator, a tick ago [m]
  double dragged = 0.0;    // times that a foot was dragged along and took its place as it was
  double bend = 0.0;       // of each hinge, far ends up [rad]
  double speed_share = 1.0, pose_share = 1.0, stroke_asked = 0.0, stroke_given = 0.0;  // least of the run
  double halted_at = 0.0;                                                              // [s]
};
static_assert(sizeof(HexapodMemory) % sizeof(double) == 0 && std::is_trivially_copyable_v<HexapodMemory>);

inline constexpr std::string_view hexapod_memory = "hexapod";
inline int hexapod_memory_size() { return int(sizeof(HexapodMemory) / sizeof(double)); }

std::vector<MemorySignal> hexapod_signals(int segments);
std::vector<std::string> hexapod_remarks(const HexapodMemory& m, int segments);

}  // namespace sinew::robots
