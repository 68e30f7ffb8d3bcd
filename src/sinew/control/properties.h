// What a robot is as it stands at the start of its plan: mass matrix, accelerations, frequencies, and the pose in which it would hang
// still. All loads of a step act, as they are at t = 0; contacts, ends of ranges and dry friction are left out.
// All of it throws PlanError for a robot with loops.
//   S   of "coordinates to count in = S times the freedoms + constant", row by row; empty: the freedoms themselves
#pragma once
#include "sinew/model/compile.h"

namespace sinew {

std::vector<double> mass_matrix_of(const PlannedTree& robot, const std::vector<double>& S);  // row by row
std::vector<double> bias_of(const PlannedTree& robot, const std::vector<double>& S);  // forces that velocities ask for
std::vector<double> acceleration_of(const PlannedTree& robot, const std::vector<double>& S);  // of the smooth motion
std::vector<double> frequencies_of(const PlannedTree& robot);     // undamped, ascending [rad/s]
std::vector<double> damping_ratios_of(const PlannedTree& robot);  // of these modes, each by itself

bool is_regular(const std::vector<double>& S);

// Puts the joints of the plan, which `compiled` is of, into the pose in which the robot hangs still, near the start. False: there
// is none, or it was not found.
bool put_to_rest(const Compiled& compiled, Plan& plan);

}  // namespace sinew
