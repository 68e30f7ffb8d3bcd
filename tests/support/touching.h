// Plans with contact that several tests share.
#pragma once
#include "sinew/world/observe.h"

namespace sinew::test {

// A box of these edges [m] lying on the plane z = 0.
Plan box_on_plane(Vec3d size, double mass, double mu);

// Boxes of 0.1 m, one on the other.
Plan tower(const std::vector<double>& masses, double mu);

// A chain of links with a sphere at each end, universal joints with servos, lying on the ground: a small snake.
Plan crawler(int links, const ContactLaw<double>& law);

// Everything set-valued at once: a box with an arm on a joint with limits, dry friction and a servo, tumbling.
Plan tumbling_arm();

Plan with_solver(Plan plan, ContactSolver solver);

// Impulses over the last step as forces: normal force of every slot.
std::vector<double> normal_forces(const World<double>& world);

}  // namespace sinew::test
