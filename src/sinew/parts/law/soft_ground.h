// Soft ground in a step of rigid contacts: a spring and a damper between a shape and the ground that it sinks into.
//   F = k x + c x',  F >= 0         x = -gap [m], k stiffness [N/m], c damping [N s/m]
// A row of a contact says 0 <= P, gamma + eps P + bias >= 0, not both > 0, and P = dt F is that with gap and speed at
//   gap = gap_M + a gamma - b gamma_A,   gap' = theta gamma + (1 - theta) gamma_A,   s = r / (1 + r),   r = dt (k dt + c) / (12 m)
//   a = (1 + 3 s) dt/4,   b = (1 - s) dt/4,   theta = (1 + s) / 2
//   eps = 1 / (dt D),   bias = (k (gap_M - b gamma_A) + c (1 - theta) gamma_A) / D,   D = k a + c theta
// Where a step resolves the motion (s = 0) these are the means of its start and end, and a spring gives back exactly what it took. Where
// not (s = 1) the gap is that of half a step beyond the end: what sinks in leaves with at most half of its speed, and
// nothing swings to and fro from step to step, as the stiff rule of penalty contacts (step/penalty_implicit.cpp). The end itself would not do: what is
// found below the ground in the middle of a step would be thrown out. At rest P = dt k x for every s, so a load F sinks by F / k in steps of any
// length. docs/theory/laws.md#soft-ground
#pragma once
#include "sinew/math/check.h"
#include "sinew/parts/law/contact_law.h"
#include "sinew/parts/law/patch_numbers.h"
#include "sinew/parts/law/penalty.h"

namespace sinew {

namespace law {

// eps_N and bias of a soft contact.
template <Real S>
struct SoftRow {
  S eps_N, bias;
};

// gap in the middle of a step and speed gamma_A of its start, as moreau has them; mass: what a push meets, roughly.
template <Real S>
SINEW_INLINE SoftRow<S> soft_row(S stiffness, S damping, S gap, S gamma_A, S mass, S dt) {
  SINEW_ASSERT(!any(stiffness <= S(0.0)) && !any(damping < S(0.0)) && !any(dt <= S(0.0)) && !any(mass <= S(0.0)));
  const S r = dt * (dt * stiffness + damping) / (S(12.0) * mass), s = r / (S(1.0) + r), quarter = S(0.25) * dt;
  const S a = quarter * (S(1.0) + S(3.0) * s), b = quarter * (S(1.0) - s), theta = S(0.5) * (S(1.0) + s);
  const S D = stiffness * a + damping * theta;
  const S rest = stiffness * (gap - b * gamma_A) + damping * (S(1.0) - theta) * gamma_A;
  return {S(1.0) / (dt * D), rest / D};
}
// gap of the start: gap and speed of the end count, as euler has it.
template <Real S>
SINEW_INLINE SoftRow<S> soft_row_at_end(S stiffness, S damping, S gap, S dt) {
  SINEW_ASSERT(!any(stiffness <= S(0.0)) && !any(damping < S(0.0)) && !any(dt <= S(0.0)));
  const S k = damping + stiffness * dt;
  return {S(1.0) / (dt * k), stiffness * gap / k};
}

// One law where the mask is true, the other one elsewhere.
template <Real S>
ContactLaw<S> choose(const Mask<S>& first, const ContactLaw<S>& a, const ContactLaw<S>& b) {
  ContactLaw<S> out;
  for (S ContactLaw<S>::*x :
       {&ContactLaw<S>::mu_forward, &ContactLaw<S>::mu_backward, &ContactLaw<S>::mu_trans, &ContactLaw<S>::drilling,
        &ContactLaw<S>::rolling, &ContactLaw<S>::mu_roll, &ContactLaw<S>::eps_N, &ContactLaw<S>::restitution,
        &ContactLaw<S>::static_ratio, &ContactLaw<S>::stribeck_speed, &ContactLaw<S>::shear})
    out.*x = select(first, a.*x, b.*x);
  return out;
}
// What is no number is that of b.
template <Real S>
PenaltyLaw<S> choose(const Mask<S>& first, const PenaltyLaw<S>& a, const PenaltyLaw<S>& b) {
  using Law = PenaltyLaw<S>;
  Law out = b;
  for (S Law::*x : {&Law::stiffness, &Law::exponent, &Law::u, &Law::floor, &Law::tangential, &Law::tangential_damping,
                    &Law::viscous, &Law::threshold, &Law::cap, &Law::restitution, &Law::load_loss})
    out.*x = select(first, a.*x, b.*x);
  return out;
}

// What a patch says instead of the materials.
template <Real S>
void put_on(const PatchNumbers<S>& patch, ContactLaw<S>& law) {
  const auto rubs = patch.mu >= S(0.0);
  for (S* mu : {&law.mu_forward, &law.mu_backward, &law.mu_trans}) *mu = select(rubs, patch.mu, *mu);
  law.restitution = select(patch.restitution >= S(0.0), patch.restitution, law.restitution);
}
template <Real S>
void put_on(const PatchNumbers<S>& patch, PenaltyLaw<S>& law) {
  law.stiffness = select(patch.stiffness > S(0.0), patch.stiffness, law.stiffness);
  const auto bounces = patch.restitution >= S(0.0);
  law.restitution = select(bounces, patch.restitution, law.restitution);
  law.u = select(bounces, patch.u, law.u);
}

}  // namespace law
}  // namespace sinew
