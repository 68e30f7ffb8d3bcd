// MuJoCo as the independent side of comparisons: a robot's file, read by it and by us, at the same random place and velocity.
//   u_ours = T u_theirs, where T differs from a permutation only for free joints (ours: turn in the body's axes and velocity of the
//   centre of mass; theirs: velocity of the origin and turn);  M_theirs = T^T M_ours T,  h_theirs = T^T h_ours at rest
#pragma once
#include <array>
#include <string>
#include <vector>

#include "sinew/sim/experiment.h"

namespace sinew::support {

struct MujocoErrors {
  std::string unread;  // why MuJoCo does not read it, or what only one of the two has; empty: all is compared
  double place = 0;    // largest distance of a body's origin [m]
  double inertia = 0;  // largest |M_ij - M_ij| / sqrt(M_ii M_jj)
  double bias = 0;     // largest difference of a force over the largest of all, weight and quadratic terms
  double mass = 0;     // difference of all that moves over all [1]
  int bodies = 0, freedoms = 0;
};

// `text`: what MuJoCo reads; `folder`: where it finds its files.
MujocoErrors compare_with_mujoco(const sim::Experiment& experiment, const std::string& file_for_mujoco, unsigned seed);
MujocoErrors compare_text_with_mujoco(const sim::Experiment& experiment, const std::string& text, unsigned seed);

// Where rays straight down from z = 100 m meet what does not move, at points x, y.
std::vector<double> heights_by_mujoco(const std::string& file, const std::vector<std::array<double, 2>>& points);

}  // namespace sinew::support
