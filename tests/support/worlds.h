// Plans, runs and measures that many tests share.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sinew/world/observe.h"

namespace sinew::test {

// A body of general shape: three different moments of inertia, mass centre beside the origin. Works in all coordinates.
BodyPlan lump(std::string name, double mass = 1.0, Vec3d com = {0.3, 0.05, -0.1});

// A slender uniform rod along x from the origin, with a little inertia about its own axis.
BodyPlan rod(std::string name, double length = 1.0, double mass = 1.0, double axial = 1e-3);

// A joint of the given kind with motion-dependent terms in it: skew axes, joint points away from the origins.
JointPlan hinge(JointKind kind, std::string parent, std::string child);

// A revolute joint about z.
JointPlan pin(std::string name, std::string parent, std::string child, Vec3d p_parent, Vec3d p_child = {0, 0, 0});

// A rod on a pin at the origin, level at zero; gravity along -y.
//   (m l^2 / 3) angle'' = -m 9.81 (l / 2) cos(angle)
Plan pinned_rod(double length = 1.0, double mass = 1.0);

// One joint of a kind from the world to a lump, started in motion.
Plan single(JointKind kind);

// Revolute, universal, ball, prismatic, planar, one after the other; all in motion.
Plan mixed_chain();

// n rods on revolute joints about z that all turn at the given rates; no gravity.
Plan spinning_links(int n, double rate);

// A free body that carries a universal and a ball joint, turning; no gravity.
Plan floating_chain();

// Two cranks of 1 m and a coupler of 2 m, 3D revolute joints: 3 of its 5 loop rows are redundant. Gravity along -y.
//   (2/3 + 2) angle'' = -3 9.81 cos(angle)
Plan parallelogram(double angle, double rate);

// Five equal rods on the edges of a cube, the ground as the sixth; six revolute joints with perpendicular axes.
Plan bricard();

// A plan that uses everything: a loop, springs, dampers, a servo, a driven joint.
Plan everything();

// Initial coordinates and velocities that are not neutral.
std::vector<double> some_position(JointKind kind);
std::vector<double> some_velocity(JointKind kind);

inline const char* name_of(Coordinates c) { return c == Coordinates::Tree ? "tree" : "maximal"; }
inline constexpr Coordinates both_coordinates[] = {Coordinates::Tree, Coordinates::Maximal};

// Steps of equal length up to T; the last step ends at T.
void run(World<double>& world, double T, int steps);
World<double> run(const Plan& plan, const WorldOptions& options, double T, int steps);

// Largest difference of places, attitudes and velocities of all bodies.
double distance(const Observation<double>& a, const Observation<double>& b);
double distance(const World<double>& a, const World<double>& b);

// log2 of the quotient of the errors at two steps, one half of the other.
double order(double coarse, double fine);

// The largest |x| in a list.
double largest(const std::vector<double>& values);

}  // namespace sinew::test
