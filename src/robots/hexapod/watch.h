// What the servo level watches over (docs/theory/hexapod.md#watch): joints that do not follow, sensors of angles that are lost or disagree, force
// sensors that are lost or stuck, feet that are dragged.
//   |q_ref - q| <= 0.15 rad,   |q_pot - q_encoder| <= 0.1 rad        else it halts, after 50 ms
#pragma once
#include "sinew/control/legs/gait_generator.h"
#include "sinew/math/linear.h"

namespace sinew::robots {

// Of a leg: doubles alone, part of what the controller remembers.
struct LegWatch {
  double behind = 0.0, apart = 0.0;  // ticks for which a joint has not followed; for which its sensors have disagreed
  double same = 0.0;                 // ticks for which its force sensor has said the same
  double blind = 0.0;                // 1: its force sensor is not believed any more
  double force = 0.0;                // by torques, smoothed [N]
  double count = 0.0;                // of the contact flag that goes by torques
  Vec3d said = Vec3d::zero(), given = Vec3d::zero();  // by its force sensor [N]; to its joints, in the last tick [N m]
};

struct JointErrors {
  double following = 0.0, apart = 0.0;  // largest of the leg's joints [rad]
  bool lost = false;                    // nothing arrives of one of their sensors
};
legged::WalkFault watch_joints(LegWatch& watch, const JointErrors& errors, double period);

// said: by the force sensor of a leg of a robot that moves [N]. One that says the same for 0.15 s, and not nothing, is stuck.
void watch_force(LegWatch& watch, const Vec3d& said, double period);

}  // namespace sinew::robots
