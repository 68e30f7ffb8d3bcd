// All that the biped's controller remembers: doubles alone. Some of it are signals.
#pragma once
#include <array>
#include <string_view>
#include <type_traits>
#include <vector>

#include "robots/catalog.h"
#include "sinew/control/legs/biped_body.h"
#include "sinew/control/legs/self_motion.h"

namespace sinew::robots {

struct BipedMemory {
  double begun = 0.0;
  Vec3d p_WP = Vec3d::zero();  // pelvis of the last pose [m]
  legged::BothLegs q_ref{};    // of the last tick
  // of real devices
  legged::BothLegs rate_ref{};                 // [rad/s]
  std::array<Vec3d, 7> point{}, point_rate{};  // masses of the last pose, in W [m, m/s]
  Vec3d up = Vec3d::zero();                    // in the axes of the trunk
  // null of the inertial unit, found while it stands at the start [rad/s, m/s^2]; samples
  Vec3d gyro_null = Vec3d::zero(), accel_null = Vec3d::zero();
  double nulled = 0.0;
  legged::ComEstimate com;       // in W
  std::array<double, 2> load{};  // of the ground on the feet [N]
  std::array<double, 2> give{}, give_rate{},
      height{};                    // by which feet are higher than planned; its rate; the plan's heights [m, m/s, m]
  std::array<double, 2> landed{};  // 1: the foot in the air has touched before its time
  Vec3d zmp = Vec3d::zero(), slow = Vec3d::zero();   // by the sensors; what is added for its lasting error [m]
  Vec3d p_ref = Vec3d::zero(), p = Vec3d::zero();    // zero-moment point of the plan, and as it is wanted [m]
  Vec3d xi_ref = Vec3d::zero(), xi = Vec3d::zero();  // capture point of the plan, and by the sensors [m]
};
static_assert(sizeof(BipedMemory) % sizeof(double) == 0 && std::is_trivially_copyable_v<BipedMemory>);

inline constexpr std::string_view biped_memory = "biped";
int biped_memory_size();
std::vector<MemorySignal> biped_signals();
int told_memory_size();  // behind it, with action "commands"
std::vector<MemorySignal> told_signals();
int upper_memory_size();  // behind these, with upper_body "jointed"
int whole_memory_size();  // behind all others, with balance.by "whole-body"
std::vector<MemorySignal> whole_signals(int place);

}  // namespace sinew::robots
