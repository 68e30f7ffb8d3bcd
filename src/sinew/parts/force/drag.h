// Viscous drag of a slender body, resistive force theory: each metre of it feels
//   -c_t v_t - c_n v_n      v_t along the body, v_n across it; c_t, c_n [N s/m^2]
// Integrated over a straight rigid body of length L that turns with w, at its middle:
//   f = -L (c_n v + (c_t - c_n) (t . v) t),   n = -c_n L^3/12 (w - (t . w) t)
#pragma once
#include "sinew/math/check.h"
#include "sinew/math/spatial.h"

namespace sinew {

template <Real S>
struct Drag {
  Vec3<S> t_F;               // long axis in the link's frame, of length 1
  S along, across, turning;  // c_t L, c_n L [N s/m], c_n L^3/12 [N m s/rad]

  // At the mass centre, world axes; t: the long axis there, v: velocity of the mass centre.
  Wrench<S> wrench(const Vec3<S>& t, const Vec3<S>& w, const Vec3<S>& v) const {
    SINEW_ASSERT(is_unit(t) && !any(along < S(0.0)) && !any(across < S(0.0)));
    return {(t * dot(t, w) - w) * turning, t * ((across - along) * dot(t, v)) - v * across};
  }
};

}  // namespace sinew
