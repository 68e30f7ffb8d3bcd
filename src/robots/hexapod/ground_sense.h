// What the hexapod knows of the ground under its feet (docs/theory/hexapod.md#stiffness-under-a-foot): control/legs/ground_compliance.h at the end
// of the robot's block of State::memory.
#pragma once
#include <vector>

#include "robots/hexapod/servo_level.h"
#include "sinew/control/legs/ground_compliance.h"

namespace sinew::robots {

// Where it begins in the block, after what a ledge or pads need; how many doubles it is.
int sense_place(const HexapodControl& control);
inline int sense_memory_size() { return int(sizeof(legged::GroundCompliance) / sizeof(double)); }

// One tick. memory: of the robot, from the beginning of its block.
void sense_ground(const HexapodControl& control, const legged::SegmentedBody& body, const HexapodMemory& m,
                  const Sight& see, double tick, std::span<double> memory);
void add_sense_signals(const HexapodControl& control, int segments, std::vector<MemorySignal>& out);

}  // namespace sinew::robots
