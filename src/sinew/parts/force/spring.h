// Spring and damper on a joint axis, as tau = -k e - d u and V = k e^2 / 2, e the displacement from rest.
// Units: k [N/m or N m/rad], d [N s/m or N m s/rad]. Linearly implicit steppers take K = k and D = d.
#pragma once
#include "sinew/math/lanes.h"

namespace sinew {

template <Real S>
struct Spring {
  S k = S(0.0), d = S(0.0);
  SINEW_INLINE S elastic_force(S e) const { return -k * e; }
  SINEW_INLINE S damping_force(S u) const { return -d * u; }
  SINEW_INLINE S energy(S e) const { return S(0.5) * k * e * e; }
};

}  // namespace sinew
