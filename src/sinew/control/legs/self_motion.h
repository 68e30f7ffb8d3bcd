// What a walking robot knows of its own motion by its sensors (docs/theory/biped.md#estimate).
//   up' = up x w + (s / |s| - up) / T           rates w [rad/s] and specific force s [m/s^2] of an inertial unit, all in the body's axes
//   c' = v + 2 r (y - c),   v' = f / m + r^2 (y - c)
// up: unit vector that points up, in the body's axes; c, v: mass centre and its velocity [m, m/s]; y: the mass centre by joint angles, from feet that stand [m];
// f: what the ground and the weight do to the robot, by its force sensors [N]; m: mass [kg]; r: rate with which the two errors die out [1/s].
#pragma once
#include "sinew/math/linear.h"

namespace sinew::legged {

// Over dt seconds.
Vec3d up_after(const Vec3d& up, const Vec3d& rate, const Vec3d& specific, double T, double dt);

struct ComEstimate {
  Vec3d c = Vec3d::zero(), v = Vec3d::zero();  // [m, m/s]
};
ComEstimate com_after(const ComEstimate& before, const Vec3d& y, const Vec3d& accel, double r, double dt);

// Axes of a body whose x points to `yaw`, seen from above, and in whose axes `up` points up: R_WB.
Mat3d upright_axes(const Vec3d& up, double yaw);

}  // namespace sinew::legged
