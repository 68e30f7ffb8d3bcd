// Forces of feet that hold on a wall or under a ceiling, where pads pull as well (docs/theory/hexapod.md#clinging): each carries its share of the
// load, and the moment of the load is taken by normal forces that grow linearly over the plane of the feet.
//   F_i = L / n + k_i n,   k_i = a x_i + b y_i from the feet's centre,   sum (p_i - c) x F_i = 0 along the plane
// L load that the ground must give [N], p_i feet, c mass centre [m], n = (0, 0, 1) the normal of the plane.
#pragma once
#include <span>

#include "sinew/control/legs/gait_table.h"
#include "sinew/math/linear.h"

namespace sinew::legged {

// forces: as many as feet. False: the feet lie in a line, and the moment is not taken.
bool share_clinging(std::span<const Vec3d> feet, const Vec3d& com, const Vec3d& load, std::span<Vec3d> forces);

}  // namespace sinew::legged
