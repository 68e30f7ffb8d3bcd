// The robots that are measured, as plans, and the state in which they are.
#pragma once
#include <vector>

#include "sinew/model/compile.h"

namespace sinew::bench {

Plan snake(int links);        // free root, universal joints; 6 + 2 (links - 1) freedoms
Plan quadruped();             // 18 freedoms: trunk and four legs of three revolute joints
Plan humanoid();              // 36 freedoms: legs of six, torso of three, arms of seven, head of one
Plan lying_snake(int links);  // straight, on the ground: two contact spheres a link, friction 0.2
Plan chain(int links);        // hanging from the world by universal joints
Plan pendulums(int links);    // the same by hinges, nearly straight

struct Robot {
  const char* name;
  Plan plan;
};
const std::vector<Robot>& robots();

// The same pseudo-random joint angles, velocities, torques and accelerations for everyone; the root rests at the origin.
struct Motion {
  std::vector<double> angle, rate, torque, accel;  // per joint axis that is not the root's
};
Motion motion_of(const Plan& plan);

}  // namespace sinew::bench
