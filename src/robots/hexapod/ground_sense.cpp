#include "robots/hexapod/ground_sense.h"

#include <cstring>

#include "robots/hexapod/body_keys.h"
#include "robots/hexapod/ledge_control.h"
#include "robots/hexapod/pad_control.h"

namespace sinew::robots {

using namespace legged;

int sense_place(const HexapodControl& c) {
  return hexapod_memory_size() + (c.climbs ? ledge_memory_size() : 0) + (c.clings ? pad_memory_size() : 0);
}

void sense_ground(const HexapodControl& control, const SegmentedBody& body, const HexapodMemory& m, const Sight& see,
                  double tick, std::span<double> memory) {
  GroundCompliance ground;
  double* at = memory.data() + sense_place(control);
  std::memcpy(static_cast<void*>(&ground), at, sizeof ground);
  std::array<FootOnGround, most_legs> feet;
  for (std::size_t i = 0; i < std::size_t(body.legs()); i++) {
    const GaitState::Leg& leg = m.gait.leg[i];
    const bool flies = leg.in_air != 0.0, comes_down = leg.ticks * tick >= 0.75 * leg.air_time;
    feet[i] = {see.foot[i], see.felt[i][2], !flies, flies && comes_down && leg.lost == 0.0};
  }
  feel_ground(ground, {feet.data(), std::size_t(body.legs())}, tick);
  std::memcpy(at, &ground, sizeof ground);
}

void add_sense_signals(const HexapodControl& control, int segments, std::vector<MemorySignal>& out) {
  for (int i = 0; i < 2 * segments; i++) {
    const std::string name = leg_name(i, segments);
    out.push_back({"walk." + name + ".stiffness", "N/m",
                   "of the ground under foot " + name + ", as it is felt; 0: hard, or not known",
                   sense_place(control) + i});
  }
}

}  // namespace sinew::robots
