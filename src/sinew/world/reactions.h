// How bodies accelerate, and what joints hand on, at the moment that a world is in (docs/theory/dynamics.md#reactions). All that acts at
// this place with these velocities counts; contacts, ends of ranges and dry friction with what they did in the last step, so nothing
// before the first one. The same in all coordinates, but for what statics leaves open: the inner forces of loops that are held too often.
#pragma once
#include <memory>
#include <vector>

#include "sinew/world/world.h"

namespace sinew {

struct BodyAcceleration {
  Vec3d a_WC;   // of the centre of mass [m/s^2]
  Vec3d w_dot;  // of the angular velocity, world axes [rad/s^2]
};

// Of a joint on its child, at the joint's point in the child, world axes: reaction, drive, spring, damper and friction together.
struct JointReaction {
  Vec3d force;   // [N]
  Vec3d couple;  // about that point [N m]
};

struct Reactions {
  std::vector<BodyAcceleration> bodies;  // by link
  std::vector<JointReaction> joints;     // by plan joint
};

// Worked out at the first question after forget(), and not at all if nobody asks. A copy begins anew.
class LazyReactions {
 public:
  LazyReactions();
  ~LazyReactions();
  LazyReactions(const LazyReactions&);
  LazyReactions& operator=(const LazyReactions&);
  LazyReactions(LazyReactions&&) noexcept;
  LazyReactions& operator=(LazyReactions&&) noexcept;

  void forget() { is_known_ = false; }
  // world: as it was at the last forget(); bodies and joints, not a plant with equations of its own
  const Reactions& of(const World<double>& world) const;

 private:
  struct Work;
  mutable std::unique_ptr<Work> work_;
  mutable bool is_known_ = false;
};

}  // namespace sinew
