// A convex body inscribed into an ellipsoid with the half axes `radii` [m]: 266 points on 12 rings of 24.
#pragma once
#include "sinew/parts/shape/mesh.h"

namespace sinew::imports {

MeshPtr ellipsoid_hull(const Vec3d& radii);

}  // namespace sinew::imports
