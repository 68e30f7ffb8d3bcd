// Pressure of sunlight on a plate (docs/theory/forces.md#sunlight): unit normal n turned towards the Sun, s towards the Sun, c = n . s
//   f = -P A c ( (1 - rho_s) s + 2 (rho_s c + rho_d/3) n )
// at the mass centre. P pressure [N/m^2] (4.56e-6 at 1 au, falls with the square of the distance), A area [m^2], rho_s, rho_d parts that
// are reflected like a mirror and to all sides. Plates do not shade one another.
#pragma once
#include "sinew/math/check.h"
#include "sinew/math/linear.h"

namespace sinew {

template <Real S>
struct Sunlight {
  S pressure = S(0.0);                                  // where the robot is [N/m^2]; 0: dark
  Vec3<S> direction = Vec3<S>(S(0.0), S(0.0), S(1.0));  // towards the Sun, of length 1
  S specular = S(0.5), diffuse = S(0.1);                // rho_s, rho_d
};

template <Real S>
Vec3<S> push_of(const Sunlight<S>& sun, const S& area, const Vec3<S>& normal) {
  SINEW_ASSERT(is_unit(sun.direction) && !any(area < S(0.0)));
  const S facing = dot(normal, sun.direction), c = abs(facing);
  const Vec3<S> n = normal * select(facing < S(0.0), S(-1.0), S(1.0));
  const S load = -sun.pressure * area * c;
  return sun.direction * (load * (S(1.0) - sun.specular)) +
         n * (load * S(2.0) * (sun.specular * c + sun.diffuse * S(1.0 / 3.0)));
}

}  // namespace sinew
