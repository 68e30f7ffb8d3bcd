// StepReport: flags and residuals of one step; the caller decides whether to stop.
#pragma once
#include <array>

#include "sinew/math/lanes.h"

namespace sinew {

// Residual of a step that had no slot for a contact (contact.capacity).
inline constexpr double no_room = 1e300;

// Most that loops may take out of the velocities at the end of a step, see StepReport::thrown.
inline constexpr double most_thrown = 0.01;

struct StepReport {
  bool finite = true;      // no NaN or infinity in the new state
  double gap = 0.0;        // largest gap of a cut joint before the projection [m or rad]
  int iterations = 0;      // of the solver, where it iterates
  double residual = 0.0;   // of the solver's certificate [m/s]
  bool converged = true;   // the residual is within the tolerance
  int worst_pair = -1;     // contact with the largest residual, in Model::pairs; -1: none, or
  int worst_axis = -1;     // law on a joint axis, in Model::axis_rows
  double outside = 0.0;    // most by which an impulse of a contact leaves its set [N s]
  double friction = 0.0;   // most energy that friction of a contact put in, where it may only take out [J]
  double torque = 0.0;     // largest of a drive on an axis [N m or N]
  bool saturated = false;  // some servo gives all it can
  double thrown = 0.0;     // rk4: part of the velocity that loops had to take out, in the metric of the mass matrix
  bool stalled = false;    // rk45: its tolerance asks for too short or too many steps of its own
  std::array<double, lane_count> lane_residual{};  // of each robot of a register; of a single one: the first [m/s]

  // Nothing after such a step means anything.
  bool is_lost() const { return !finite || stalled || !(thrown <= most_thrown); }
};

}  // namespace sinew
