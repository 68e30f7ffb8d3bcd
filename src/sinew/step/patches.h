// Patches of the ground in a step: which law a contact point has, and the rows of those that sink in.
#pragma once
#include "sinew/step/laws.h"

namespace sinew {

// The law of a point on the ground where patches lie, into c.law, c.stiffness and c.damping; elsewhere they stay as they are.
template <Real S>
void put_on_patch(const Model& model, const Params<S>& params, const ContactPoint<S>& p, ContactRow<S>& c);

// The same of a penalty contact: the law of the materials, or `own` with what the patch says instead.
template <Real S>
const PenaltyLaw<S>* patch_penalty(const Model& model, const Params<S>& params, const ContactPoint<S>& p,
                                   PenaltyLaw<S>& own);

// Rows of rigid contacts on soft ground: how they give way (parts/law/soft_ground.h). Points of a pair share its stiffness.
template <Real S>
void sink(const Model& model, const LawSpan& span, Workspace<S>& ws);

}  // namespace sinew
