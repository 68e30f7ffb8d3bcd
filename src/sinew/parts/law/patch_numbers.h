// What a patch of the ground says (docs/contact.md#patches); how it acts: soft_ground.h.
#pragma once
#include "sinew/math/lanes.h"

namespace sinew {

// Numbers of a patch of the ground; what is not given is that of the materials.
template <Real S>
struct PatchNumbers {
  S stiffness = S(0.0);     // 0: as hard as elsewhere [N/m; penalty: N/m^exponent]
  S damping = S(0.0);       // [N s/m]
  S mu = S(-1.0);           // below 0: not given [1]
  S restitution = S(-1.0);  // below 0: not given [1]
  S u = S(0.0);             // of a given restitution: damping number of the penalty law [1]
};

}  // namespace sinew
