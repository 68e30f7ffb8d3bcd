// Principal moments of an inertia: its eigenvalues, largest first.
#pragma once
#include "sinew/math/linear.h"

namespace sinew {

Vec3d principal_moments(const Sym3d& I);

}  // namespace sinew
