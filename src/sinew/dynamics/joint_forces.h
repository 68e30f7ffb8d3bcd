// Springs of joints: forces along a joint's axes, from its coordinates.
#pragma once
#include "sinew/model/params.h"
#include "sinew/parts/joint/list.h"

namespace sinew {

// Angles of a cut joint come back in [-pi, pi]: differences of them are those on the circle.
template <class J, Real S>
SINEW_INLINE void wrap_angles(const JointInfo& joint, S* e) {
  if (joint.link < 0)
    for (const int a : J::angles) e[a] = wrap_angle(e[a]);
}

template <class J, Real S>
SINEW_INLINE void spring_forces(const JointInfo& joint, const Params<S>& params, const S* q, S* force) {
  S e[J::nu + 1];
  J::strain(q, params.rest.data() + joint.coord, e);
  wrap_angles<J>(joint, e);
  for (int c = 0; c < J::nu; c++) force[c] = params.springs[joint.axis + c].elastic_force(e[c]);
  J::spring_forces(q, e, force);
}

}  // namespace sinew
