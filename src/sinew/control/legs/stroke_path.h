// Where a foot is when its stroke stands at s, for any motion of the body in the plane (docs/theory/hexapod.md#twist).
//   p(s) = Exp(s w) p_0,   w = (u_x, u_y, kappa): twist of the body for a metre of stroke;   dp/ds = u + kappa z x p
// s falls as fast as the body goes on: a foot on the ground stands still in the world, exactly. w is scaled so that the foot with the longest way
// has |dp/ds| = 1: its stroke is L, those of the others are shorter.
#pragma once
#include <array>
#include <span>

#include "sinew/control/legs/segments.h"
#include "sinew/control/legs/step_cycle.h"

namespace sinew::legged {

struct PlaneTwist {
  double v_x = 0.0, v_y = 0.0,
         omega = 0.0;  // forward, left [m/s], to the left [rad/s]; as a path: for a metre of stroke
};

// Of the wanted twist, for feet with these neutral points; all zero: no motion.
PlaneTwist path_of(const PlaneTwist& wanted, std::span<const Vec3d> neutral);
PlaneTwist straight_path(double direction);  // 0: forward, pi/2: to the left (crab walk)
PlaneTwist arc_of(double radius);            // centre at (0, radius): left if positive; v_x = 1
inline constexpr PlaneTwist turn_left{0.0, 0.0, 1.0};

// p(s) of a point that is p_0 at s = 0; heights stay.
Vec3d along_path(const PlaneTwist& path, const Vec3d& p_0, double s);
// |dp/ds|, the same all along.
double path_scale(const PlaneTwist& path, const Vec3d& p_0);
// The speed of the body's twist when the generator's body speed is v_body.
PlaneTwist body_twist(const PlaneTwist& path, double v_body);

// Feet when the path changes while they stand, or slip: each keeps a shift of its neutral point, and loses it on its way through the air.
struct PathFoot {
  double shift_x = 0.0, shift_y = 0.0;  // [m]
};
Vec3d foot_on_path(const PlaneTwist& path, const Vec3d& neutral, const PathFoot& foot, double s);
PathFoot anchor_foot(const PlaneTwist& path, const Vec3d& neutral, const Vec3d& now, double s);
// From quarter to three quarters of its time in the air; tick: as a part of that time.
void forget_shift(PathFoot& foot, double a, double tick);

// The longest stroke, up to shape.stroke, with which all legs reach all points of their cycle within their limits: from `behind` L to `ahead` L,
// which leaves room for a leg that is late, and from -H to 2 H. 0: not even the neutral points.
double longest_stroke(const SegmentedBody& body, const BodyPose& pose, const PlaneTwist& path, const StepShape& shape,
                      double behind = 0.75, double ahead = 0.5);

}  // namespace sinew::legged
