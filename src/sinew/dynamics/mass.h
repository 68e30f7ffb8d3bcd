// Mass matrix M(q) by composite inertias: M_ij = S_i . (I_composite S_j), walking from each link to its root.
// Reflected inertia (Frames::reflected) adds to the block of its joint.
// Cost: links times depth, the size of what is written.
#pragma once
#include "sinew/kinematics/frames.h"

namespace sinew {

template <Real S>
struct MassWork {  // scratch
  std::vector<Inertia<S>> composite;
  explicit MassWork(const Model& model) : composite(model.links.size()) {}
};

// M: dense nu x nu, row-major, both triangles written.
template <Real S>
void mass_matrix(const Model& model, const Params<S>& params, const Frames<S>& frames, MassWork<S>& work, S* M);

}  // namespace sinew
