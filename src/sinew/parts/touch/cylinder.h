// The points of a cylinder's rims that lie lowest along a direction. Private to this room.
#pragma once
#include "sinew/parts/touch/closest.h"

namespace sinew {

// Where a cylinder meets a plane with normal n (out of the plane, in the cylinder's axes): f(x, feature).
//   0, 1     the lowest points of both rims: the ends of the lowest line of the side. Of a leaning cylinder one is the nearest
//            point, a lying one rests on both
//   2 .. 7   on the rim of the end that looks down, a quarter turn to both sides and opposite: a standing one rests on four
// An upright cylinder has no lowest point; below 1e-6 rad the four keep to its own axes.
template <class F>
void for_lowest_rim_points(const Shape& cylinder, const Vec3d& n, F f) {
  const double r = cylinder.radius, h = cylinder.half_length, lean = std::sqrt(n[0] * n[0] + n[1] * n[1]);
  const bool upright = lean <= 1e-6;
  const Vec3d d = upright ? Vec3d(1, 0, 0) : Vec3d(-n[0] / lean, -n[1] / lean, 0.0), e{-d[1], d[0], 0.0};
  for (int top = 0; top < 2; top++) {
    const Vec3d end{0.0, 0.0, top ? h : -h};
    f(end + d * r, top);
    if (end[2] * n[2] >= 0.0) continue;
    f(end + e * r, 2 + 3 * top);
    f(end - e * r, 3 + 3 * top);
    f(end - d * r, 4 + 3 * top);
  }
}

}  // namespace sinew
