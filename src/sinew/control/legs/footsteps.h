// Steps of a biped as a plan (docs/theory/biped.md#steps): where each foot goes in turn, and how it gets there. Axes x forward, y left, z up.
//   middle of the feet:  c_i = c_(i-1) + Rz(yaw_(i-1) + turn / 2) (length, left, 0),   yaw_i = yaw_(i-1) + turn
//   the foot that steps: c_i + Rz(yaw_i) (0, +-half_width, 0)
// A step of `length` puts a foot that far ahead of the other. The last step brings the feet side by side.
#pragma once
#include <span>
#include <vector>

#include "sinew/math/linear.h"

namespace sinew::legged {

struct Footprint {
  Vec3d p = Vec3d::zero();  // below the ankle, on the ground [m]
  double yaw = 0.0;         // [rad]
};

struct PlannedStep {
  int side = 0;  // that steps: 0 left, 1 right
  Footprint to;
};

struct StepOrder {
  int steps = 10;
  double length = 0.10, left = 0.0, turn = 0.0;  // of a step [m, m, rad]
  double half_width = 0.09;                      // of the feet, from the middle [m]
  int first = 1;                                 // the side that steps first
};

// The middle of the feet after a step; a foot beside it: 0 left, 1 right.
Footprint step_on(const StepOrder& order, const Footprint& middle);
Footprint beside(const Footprint& middle, int side, double half_width);

// From feet side by side around `middle`. The step that closes is one of them: n - 1 go on.
std::vector<PlannedStep> plan_steps(const StepOrder& order, const Footprint& middle);

// Over stairs: both feet on each tread in turn, the right one first. run: from tread to tread [m]; treads: their heights [m].
std::vector<PlannedStep> plan_stairs(double run, double half_width, std::span<const double> treads);

// A foot on its way, `part` of the time of a swing over: up to `lift` above the higher of its two places, across, down, each at rest at its ends.
struct SwingShape {
  double lift = 0.04;  // [m]
  double up = 0.3,
         across = 0.2;  // part of the time until it is up; when it begins to go across. The end is the mirror image
  bool operator==(const SwingShape&) const = default;
};
Footprint swing_point(const SwingShape& shape, const Footprint& from, const Footprint& to, double part);

Vec3d turned(double yaw, double x, double y);  // Rz(yaw) (x, y, 0)

}  // namespace sinew::legged
