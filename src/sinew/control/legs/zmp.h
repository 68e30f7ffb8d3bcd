// The zero-moment point: where the ground's push on feet acts (docs/theory/biped.md#zero-moment-point). Axes x forward, y left, z up.
//   of a sensor h above the ground, with the wrench (f, m) of the ground on the foot in level axes:
//     x = -(m_y + h f_x) / f_z,   y = (m_x - h f_y) / f_z                 from the point below the sensor [m]
//   of several feet on flat ground: sum f_z p / sum f_z
//   of a motion: x = c_x - (c_z c_x'' + L_y' / m) / (c_z'' + g),   y = c_y - (c_z c_y'' - L_x' / m) / (c_z'' + g)
// c: mass centre over the ground [m], L: angular momentum about it [N m s].
#pragma once
#include <span>

#include "sinew/math/linear.h"

namespace sinew::legged {

struct Zmp {
  bool is_valid = false;                // false: nothing presses enough to tell
  double x = 0.0, y = 0.0, load = 0.0;  // [m, m, N]
};

struct FootWrench {
  Vec3d f = Vec3d::zero(), m = Vec3d::zero();  // of the ground on the foot, about the sensor's origin [N, N m]
};

inline constexpr double least_load = 10.0;  // below which no zero-moment point is told [N]

// A sensor in a foot that is tilted: the wrench in level axes. R: axes of the sensor in level ones.
FootWrench leveled(const Mat3d& R, const FootWrench& wrench);
Zmp zmp_of_wrench(const FootWrench& level, double h, double least = least_load);
// Points must be in the same axes. Feet that are not valid count as far as they press: nothing.
Zmp joint_zmp(std::span<const Zmp> feet);

struct CentroidalMotion {
  double mass = 1.0, g = 9.81;                    // [kg, m/s^2]
  Vec3d c = Vec3d::zero(), c_dd = Vec3d::zero();  // [m, m/s^2]
  Vec3d L_rate = Vec3d::zero();                   // [N m]
};
Zmp zmp_of_motion(const CentroidalMotion& motion, double least = least_load);

}  // namespace sinew::legged
