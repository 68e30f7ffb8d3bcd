// Push: a hand on the robot. A spring with a damper from a point of a body to a place in the world, as a force from outside:
//   f = k (target - p) - d v,   |f| <= limit
// p, v place and velocity of the point [m, m/s]. The whole robot on this spring would swing at 2 Hz, nearly critically damped:
// k = M w^2, d = 2 M w. Both are held down to what the body can take that feels the force alone for one step:
// k dt^2 <= m / 4, d dt <= m / 2, m its apparent mass at the point [kg].
#pragma once
#include "sinew/kinematics/frames.h"
#include "sinew/world/world.h"

namespace sinew::sim {

struct Push {
  int body;       // link
  Vec3d point_B;  // in the body's axes [m]
  Vec3d target;   // in the world [m]
  double k, d;    // [N/m], [N s/m]
  double limit;   // [N]: three times the robot's weight, or what accelerates it with 30 m/s^2 if that is more
};

// Throws InputError if the body has no mass.
Push make_push(const World<double>& world, int body, const Vec3d& point_B, const Vec3d& target, double dt);

// Works out the force of a push in a world, again and again.
class Hand {
 public:
  explicit Hand(const Model& model) : driven_(model), frames_(model) {}
  Wrench<double> wrench(const Push& push, const World<double>& world);  // about the body's centre of mass, world axes

 private:
  Prescribed<double> driven_;
  Frames<double> frames_;
};

}  // namespace sinew::sim
