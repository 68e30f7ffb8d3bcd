#include "robots/biped/walk_memory.h"

#include <cstddef>

#include "robots/biped/command.h"
#include "robots/biped/upper_body.h"
#include "robots/biped/whole_control.h"

namespace sinew::robots {

int biped_memory_size() { return int(sizeof(BipedMemory) / sizeof(double)); }

std::vector<MemorySignal> biped_signals() {
  std::vector<MemorySignal> out;
  const auto add = [&](const char* name, const char* unit, const char* text, std::size_t offset) {
    out.push_back({name, unit, text, int(offset / sizeof(double))});
  };
  const auto add_point = [&](const std::string& name, const std::string& text, std::size_t offset) {
    add((name + ".x").c_str(), "m", (text + ", ahead").c_str(), offset);
    add((name + ".y").c_str(), "m", (text + ", left").c_str(), offset + sizeof(double));
  };
  add_point("walk.com", "mass centre as the controller knows it", offsetof(BipedMemory, com));
  add_point("walk.zmp", "zero-moment point by the force sensors", offsetof(BipedMemory, zmp));
  add_point("walk.zmp_planned", "zero-moment point of the plan", offsetof(BipedMemory, p_ref));
  add_point("walk.zmp_wanted", "zero-moment point that balance asks for", offsetof(BipedMemory, p));
  add_point("walk.capture", "capture point as the controller knows it", offsetof(BipedMemory, xi));
  add_point("walk.capture_planned", "capture point of the plan", offsetof(BipedMemory, xi_ref));
  add("walk.up.x", "1", "what points up, as the controller knows it: part ahead of the trunk",
      offsetof(BipedMemory, up));
  add("walk.up.y", "1", "part to the left of the trunk", offsetof(BipedMemory, up) + sizeof(double));
  add("walk.give_L", "m", "by which the left foot is higher than planned, because the ground is",
      offsetof(BipedMemory, give));
  add("walk.give_R", "m", "by which the right foot is higher than planned",
      offsetof(BipedMemory, give) + sizeof(double));
  add("walk.load_L", "N", "of the ground on the left foot, by its sensor", offsetof(BipedMemory, load));
  add("walk.load_R", "N", "of the ground on the right foot, by its sensor",
      offsetof(BipedMemory, load) + sizeof(double));
  return out;
}

int told_memory_size() {
  static_assert(sizeof(ToldMemory) % sizeof(double) == 0 && std::is_trivially_copyable_v<ToldMemory>);
  return int(sizeof(ToldMemory) / sizeof(double));
}

int upper_memory_size() {
  static_assert(sizeof(UpperMemory) % sizeof(double) == 0 && std::is_trivially_copyable_v<UpperMemory>);
  return int(sizeof(UpperMemory) / sizeof(double));
}

int whole_memory_size() {
  static_assert(sizeof(WholeMemory) % sizeof(double) == 0 && std::is_trivially_copyable_v<WholeMemory>);
  return int(sizeof(WholeMemory) / sizeof(double));
}

std::vector<MemorySignal> whole_signals(int place) {
  return {{"walk.qp_iterations", "1", "of the quadratic program of all joints, at the last tick",
           place + int(offsetof(WholeMemory, iterations) / sizeof(double))},
          {"walk.qp_unsolved", "1", "ticks at which it had no solution, and the cascade gave the torques",
           place + int(offsetof(WholeMemory, unsolved) / sizeof(double))}};
}

std::vector<MemorySignal> told_signals() {
  std::vector<MemorySignal> out;
  const std::size_t chain = offsetof(ToldMemory, chain);
  const auto add = [&](const char* name, const char* unit, const char* text, std::size_t offset) {
    out.push_back({name, unit, text, biped_memory_size() + int((chain + offset) / sizeof(double))});
  };
  using C = legged::StepChain;
  add("walk.phase", "1", "0 stands, 1 shifts its weight, 2 a foot is in the air", offsetof(C, phase));
  add("walk.side", "1", "foot in the air, or next: 0 left, 1 right", offsetof(C, side));
  add("walk.zmp_told.x", "m", "zero-moment point of the steps, ahead", offsetof(C, p));
  add("walk.zmp_told.y", "m", "zero-moment point of the steps, left", offsetof(C, p) + sizeof(double));
  add("walk.saves", "1", "steps that balance has moved or begun", offsetof(C, saves));
  add("walk.drop", "m", "by which the hips are lower, because feet are far apart", offsetof(C, drop));
  return out;
}

}  // namespace sinew::robots
