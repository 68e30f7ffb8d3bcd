// A cable that runs straight from guide point to guide point without friction: the tension T is the same all along, and each
// piece pulls its two points towards each other. m: what it is given, a motion in time.
//   tension   T = m                                    [N], may be negative: a rod that pushes
//   chamber   T = -m A                                 pressure m [Pa], area A [m^2]: volume work p dV of a tube along the points
//   spring    T = max(0, k (l - l_0 + m) + d dl/dt)    l: length now; a winch takes m [m] in; slack below
//   strut     T = k (l - l_0 + m) + d dl/dt            the same without slack: it pushes where it is shorter
// Its power on the bodies is -T dl/dt.
#pragma once
#include "sinew/math/spatial.h"

namespace sinew {

template <Real S>
struct Cable {
  S k = S(0.0), d = S(0.0), length0 = S(0.0);  // of a spring or strut
  S scale = S(1.0);                            // of a given tension: 1, or minus the area

  SINEW_INLINE S given(S m) const { return scale * m; }
  SINEW_INLINE S elastic(S m, S length, S rate) const { return k * (length - length0 + m) + d * rate; }
};

}  // namespace sinew
