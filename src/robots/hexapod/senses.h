// What the hexapod's controller makes of its sensors (docs/theory/hexapod.md#controller): angles, feet, mass centre, which way is up, forces of the
// feet, and what of it must end a walk (watch.h).
#pragma once
#include <vector>

#include "robots/hexapod/servo_level.h"

namespace sinew::robots {

class HexapodSenses {
 public:
  HexapodSenses(const legged::SegmentedBody& body, const HexapodWiring& wiring, const legged::GaitGenerator& generator,
                double weight, double period);
  void look(const Readings& r, HexapodMemory& m, Sight& see) const;
  void watch(const Readings& r, const Sight& see, HexapodMemory& m) const;

 private:
  void feel(int leg, const Readings& r, Sight& see, HexapodMemory& m) const;
  void feel_by_torques(int leg, Sight& see, HexapodMemory& m) const;
  Vec3d torque_force(int leg, const Sight& see, const HexapodMemory& m) const;
  Vec3d leg_to_ground(int leg, const Vec3d& f, const Sight& see) const;

  legged::SegmentedBody body_;
  HexapodWiring wiring_;
  const legged::GaitGenerator& generator_;  // of the controller that owns this
  double weight_, period_;
  std::vector<legged::YawLeg> leg_;
};

}  // namespace sinew::robots
