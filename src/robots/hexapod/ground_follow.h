// Hinges that bend with the ground (docs/theory/hexapod.md#normals): by the heights at which feet stand, by what a range sensor in the head has seen,
// or by a hump of which the command tells. control/legs/ground_profile.h at the end of the robot's block of State::memory.
#pragma once
#include <span>
#include <vector>

#include "robots/hexapod/servo_level.h"
#include "sinew/control/legs/ground_profile.h"

namespace sinew::robots {

// It knows the ground by more than its feet.
bool knows_ground(const HexapodControl& control);

// Doubles alone, in the block after all else.
struct FollowMemory {
  legged::GroundProfile ground;
  legged::BodyOverGround body;                        // what was found last
  std::array<double, legged::most_segments> hinge{};  // references [rad]
  double way = 0.0, travelled = 0.0;                  // of G along the ground [m]; of the generator when that was
  double height = 0.0;              // of nominal ground under the origin of G, over that of the start [m]
  double ticks = 0.0, pitch = 0.0;  // until it looks again; of the plane of the feet, nose up [rad]
  double lean = 0.0, rise = 0.0;    // of the body over that plane, smoothed [rad, m]
};
int follow_place(const HexapodControl& control);
inline int follow_memory_size() { return int(sizeof(FollowMemory) / sizeof(double)); }

// What the ground asks of the body, over the plane of its feet [rad, m].
struct GroundLean {
  double pitch = 0.0, rise = 0.0;
};

class GroundFollower {
 public:
  GroundFollower(const HexapodControl& control, const legged::SegmentedBody& body, const HexapodWiring& wiring,
                 double period);
  // One tick. memory: of the robot, from the beginning of its block.
  GroundLean follow(const Readings& r, const Sight& see, HexapodMemory& m, std::span<double> memory) const;
  void bend(const HexapodMemory& m, std::span<const double> memory, std::span<double> hinge) const;

 private:
  void stand_on(const Sight& see, const HexapodMemory& m, FollowMemory& f) const;
  void look(const Readings& r, const Sight& see, FollowMemory& f) const;
  void recall(FollowMemory& f) const;
  double nominal() const { return body_.hip_height + body_.foot_radius; }  // of the body over the ground

  HexapodControl c_;
  legged::SegmentedBody body_;
  HexapodWiring wiring_;
  double period_;
};

void add_follow_signals(const HexapodControl& control, const legged::SegmentedBody& body,
                        std::vector<MemorySignal>& out);

}  // namespace sinew::robots
