// The hexapod's free gait (docs/theory/hexapod.md#free-gait): what its range sensor says of the ground ahead, which leg steps next, and where it goes.
#pragma once
#include <span>

#include "robots/hexapod/servo_level.h"
#include "sinew/control/legs/gait_generator.h"
#include "sinew/control/legs/margin_guard.h"
#include "sinew/control/legs/terrain_strip.h"

namespace sinew::robots {

inline constexpr std::string_view free_memory = "hexapod_ground";
// Doubles alone, in a block of State::memory of its own.
struct FreeMemory {
  legged::TerrainStrip strip;
  double way = 0.0, travelled = 0.0;  // of G along the strip [m]; of the generator when that was
  double ticks = 0.0;                 // until it looks again
};
inline int free_memory_size() { return int(sizeof(FreeMemory) / sizeof(double)); }

// With a range sensor: renews the strip. It is of the way straight ahead, and begins anew when the robot turns or goes sideways.
void look_at_ground(const HexapodWiring& wiring, const legged::SegmentedBody& body, const Readings& r, const Sight& see,
                    const HexapodMemory& m, FreeMemory& memory);

class HexapodSteps : public legged::StepChooser {
 public:
  struct View {
    const HexapodControl& control;
    const legged::SegmentedBody& body;
    const legged::GaitTable& table;
    const legged::MarginGuard& guard;
    const Sight& see;
    const legged::PlaneTwist& path;
    const FreeMemory* ground;  // null: nobody looks
  };
  explicit HexapodSteps(const View& view) : v_(view) {}
  legged::FreeStep choose(const legged::GaitState& s) const override;

 private:
  struct Plan;
  bool find_place(const legged::GaitState& s, const Plan& plan, int leg, double& place) const;
  View v_;
};

}  // namespace sinew::robots
