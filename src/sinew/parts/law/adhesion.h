// Adhesion: a contact that was closed at the start of the step is pulled together and holds against shear.
//   0 <= N + F_a  _|_  gamma_N >= 0,     |F_T| <= mu (N + F_a) + F_s              N net normal force, pressing > 0 [N]
// The compressive reaction N + F_a obeys the ordinary law (contact_law.h); F_a is a given force, of no range: it takes no
// energy to part, and over a step it holds no more than dt F_a, so it does not hold against a blow.
//   F_a = p A,  F_s = tau A,  p = min(p_coh + level ((1 - f) p_clean + f p_grains), sigma_bed)
//   A share of a pad's area [m^2]; p_coh cohesion; p_clean, p_grains electroadhesion of a clean pad and through a layer of
//   grains; f covered share of the pad [1]; level how far it is charged [1]; sigma_bed strength of a bed of grains; tau shear
//   strength [Pa]
// docs/theory/laws.md#a-contact-point, docs/adhesion.md.
#pragma once
#include "sinew/math/check.h"
#include "sinew/math/elementary.h"
#include "sinew/math/linear.h"

namespace sinew {

template <Real S>
struct AdhesionLaw {
  S cohesion = S(0.0);        // p_coh [Pa]
  S clean = S(0.0);           // p_clean: fully charged [Pa]
  S grains = S(0.0);          // p_grains [Pa]
  S bed_strength = S(0.0);    // sigma_bed [Pa]; may be infinite
  S shear_strength = S(0.0);  // tau [Pa]
  S charge_time = S(0.0);     // time constant of switching on; 0: at once [s]
  S discharge_time = S(0.0);  // of switching off [s]
  S peel_length = S(0.0);     // of a pad that lies on by an edge: length that still pulls [m]
};

template <Real S>
AdhesionLaw<S> broadcast(const AdhesionLaw<double>& l) {
  return {S(l.cohesion),       S(l.clean),       S(l.grains),         S(l.bed_strength),
          S(l.shear_strength), S(l.charge_time), S(l.discharge_time), S(l.peel_length)};
}

template <Real S>
struct PadNumbers {
  S area = S(0.0);   // [m^2]
  S width = S(0.0);  // of the edge by which it peels [m]
};

namespace law {

inline constexpr double covered_by_failure = 0.1;  // share of a pad that grains cover each time the bed fails

// What the pad itself would hold: the bed may hold less.
template <Real S>
SINEW_INLINE S pad_pressure(const AdhesionLaw<S>& l, S level, S covered) {
  SINEW_ASSERT(!any(covered < S(0.0)) && !any(covered > S(1.0)));
  return l.cohesion + level * (l.clean + covered * (l.grains - l.clean));
}
template <Real S>
SINEW_INLINE S adhesive_pressure(const AdhesionLaw<S>& l, S level, S covered) {
  return min(pad_pressure(l, level, covered), l.bed_strength);
}

// First-order lag over dt, exact for a target that stays.
template <Real S>
SINEW_INLINE S charged(const AdhesionLaw<S>& l, S level, bool on, S dt) {
  SINEW_ASSERT(!any(level < S(0.0)) && !any(level > S(1.0 + 1e-12)) && !any(dt < S(0.0)));
  const S time = on ? l.charge_time : l.discharge_time, target = S(on ? 1.0 : 0.0);
  const auto slow = time > S(0.0);
  const S left = each_lane(-dt / select(slow, time, S(1.0)), [](double x) { return math::exp(x); });
  return select(slow, target + (level - target) * left, target);
}

}  // namespace law
}  // namespace sinew
