#include "robots/hexapod/walk_memory.h"

#include <fmt/format.h>

#include <cstddef>

#include "robots/hexapod/body_keys.h"

namespace sinew::robots {

std::vector<MemorySignal> hexapod_signals(int segments) {
  using M = HexapodMemory;
  std::vector<MemorySignal> out;
  const auto add = [&](const std::string& name, const char* unit, const std::string& doc, std::size_t bytes) {
    out.push_back({"walk." + name, unit, doc, int(bytes / sizeof(double))});
  };
  const std::size_t leg = offsetof(M, gait) + offsetof(legged::GaitState, leg);
  for (int i = 0; i < 2 * segments; i++) {
    const std::string name = leg_name(i, segments);
    const std::size_t k = std::size_t(i) * sizeof(double);
    add(name + ".force_wanted", "N", "force that leg " + name + " should carry", offsetof(M, force) + k);
    add(name + ".force_felt", "N", "force that the sensor of leg " + name + " tells", offsetof(M, felt) + k);
    add(name + ".give", "m", "by which foot " + name + " gives way", offsetof(M, give) + k);
    const std::size_t of = leg + std::size_t(i) * sizeof(legged::GaitState::Leg);
    add(name + ".in_air", "1", "1: leg " + name + " is in the air", of + offsetof(legged::GaitState::Leg, in_air));
    add(name + ".along", "m", "place of foot " + name + " on its stroke", of + offsetof(legged::GaitState::Leg, along));
    add(name + ".up", "m", "height of foot " + name + " over nominal ground",
        of + offsetof(legged::GaitState::Leg, up));
  }
  const std::size_t gait = offsetof(M, gait);
  add("mode", "1", "0 stand, 1 start, 2 walk, 3 stop, 4 halt", gait + offsetof(legged::GaitState, mode));
  add("gait", "1", "number of the gait", gait + offsetof(legged::GaitState, gait));
  add("stroke", "m", "of the feet", gait + offsetof(legged::GaitState, shape) + offsetof(legged::StepShape, stroke));
  add("clearance", "m", "by which the body has followed the ground", gait + offsetof(legged::GaitState, clearance));
  add("margin", "m", "static margin, as the controller knows it", offsetof(M, margin));
  add("shift.x", "m", "of the body over its feet, forward", offsetof(M, shift));
  add("shift.y", "m", "of the body over its feet, left", offsetof(M, shift) + sizeof(double));
  const std::size_t press = offsetof(M, press);
  add("press.state", "1", "0 none, 1 the body shifts, 2 to its place, 3 it pushes, 4 back, 5 down",
      press + offsetof(PressMemory, state));
  add("press.wanted", "N", "force with which a leg should push", press + offsetof(PressMemory, wanted));
  add("press.force", "N", "force with which it pushes, as its sensor tells, smoothed",
      press + offsetof(PressMemory, force));
  add("press.way", "m", "of its aim in the direction of the push", press + offsetof(PressMemory, way));
  add("dragged", "1", "times that a foot was dragged over the ground, and stays where it is", offsetof(M, dragged));
  add("bend", "rad", "reference of the hinges, far ends up", offsetof(M, bend));
  add("pitch", "rad", "of the body over the plane of its feet, nose up", offsetof(M, level_pitch));
  add("roll", "rad", "of the body over the plane of its feet, left side up", offsetof(M, level_roll));
  return out;
}

std::vector<std::string> hexapod_remarks(const HexapodMemory& m, int segments) {
  std::vector<std::string> out;
  if (m.speed_share < 0.9995)
    out.push_back(
        fmt::format("the gait makes {:.3g} % of the speed that was asked for: more needs a larger "
                    "command.transfer_speed, or another gait",
                    100.0 * m.speed_share));
  if (m.stroke_given < m.stroke_asked - 1e-9)
    out.push_back(fmt::format(
        "the legs do not reach the ends of a stroke of {:g} m in this direction: {:.4g} m are made{}", m.stroke_asked,
        m.stroke_given, m.stroke_given > 0.0 ? "" : "; lower steps (command.step_height) may let them"));
  if (m.pose_share < 1.0 - 1e-9)
    out.push_back(
        fmt::format("the legs reach {:.3g} % of the height, pitch and roll that were asked for", 100.0 * m.pose_share));
  for (int i = 0; i < 2 * segments; i++)
    if (m.watch[std::size_t(i)].blind != 0.0)
      out.push_back(fmt::format("the force sensor of leg {} is stuck: the leg goes by the torques of its joints",
                                leg_name(i, segments)));
  if (m.gait.walk_mode() == legged::WalkMode::Halt)
    out.push_back(fmt::format("it halted at {:.3f} s, leg {}: {}", m.halted_at,
                              leg_name(int(m.gait.fault_leg), segments),
                              legged::walk_fault_names[std::size_t(m.gait.fault)]));
  return out;
}

}  // namespace sinew::robots
