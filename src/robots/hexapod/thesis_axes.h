// The axes of Konyev 2011 are X left, Y up, Z forward; ours x forward, y left, z up: a rotation. Here alone one becomes the other. Of legs: there
// X_L across, Y_L up, Z_L outward, here x outward, y across, z up: the same map.
#pragma once
#include <vector>

#include "sinew/math/linear.h"

namespace sinew::robots {

inline Vec3d from_thesis(double x, double y, double z) { return {z, x, y}; }
inline std::vector<double> to_thesis(const Vec3d& p) { return {p[1], p[2], p[0]}; }

}  // namespace sinew::robots
