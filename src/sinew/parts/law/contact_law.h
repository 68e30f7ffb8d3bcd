// The law of a contact point: what its six impulses may be, given its six velocities.
//   N       normal velocity [m/s], normal impulse [N s]
//   T1, T2  sliding along and across [m/s], friction [N s]
//   D       spinning about the normal [rad/s], drilling torque [N m s]
//   V1, V2  turning about the tangents [rad/s], rolling torque [N m s]
// Normal:      0 <= P_N,  gamma_N + bias + eps_N P_N >= 0,  not both > 0      Signorini; bias = e min(0, gamma_N before): Newton
// All others:  -gamma in the normal cone of P_N C at P                 Coulomb's law with the sets C below: stick inside,
//              slip on the rim, where the work P . gamma is as negative as the set allows
// docs/theory/laws.md#a-contact-point. Every set contains 0, so no law can do positive work.
#pragma once
#include "sinew/math/elementary.h"
#include "sinew/parts/law/sets.h"

namespace sinew {

template <Real S>
struct ContactLaw {
  S mu_forward = S(0.0);      // friction against sliding along +t1, the body's long axis [1]
  S mu_backward = S(0.0);     // against sliding along -t1 [1]
  S mu_trans = S(0.0);        // against sliding along t2 [1]
  S drilling = S(0.0);        // torque about the normal over normal force [m]
  S rolling = S(0.0);         // torque about a tangent over normal force [m]
  S mu_roll = S(0.0);         // the same of a round shape over its radius; added to rolling [1]
  S eps_N = S(0.0);           // gives way to the normal impulse at this speed per impulse; 0: rigid [1/kg]
  S restitution = S(0.0);     // velocity after over before an impact [1]
  S static_ratio = S(1.0);    // friction at rest over friction in motion (Stribeck) [1]
  S stribeck_speed = S(0.0);  // at which most of the difference is gone [m/s]
  // of a row in a step (adhesion.h): by which the normal impulse counts more for sliding friction; penalty: force
  S shear = S(0.0);  // [N s; N]
};

template <Real S>
ContactLaw<S> broadcast(const ContactLaw<double>& l) {
  return {S(l.mu_forward), S(l.mu_backward), S(l.mu_trans),    S(l.drilling),     S(l.rolling),
          S(l.mu_roll),    S(l.eps_N),       S(l.restitution), S(l.static_ratio), S(l.stribeck_speed)};
}

namespace law {

// Coulomb friction: two half ellipses, mu_backward and mu_forward along, mu_trans across. The force opposes the sliding: the
// half with P1 > 0 answers to sliding backward.
template <Real S>
struct Coulomb {
  S mu_forward, mu_backward, mu_trans;

  Vec2<S> project(const Vec2<S>& P, const S& P_N) const {
    return project_half_ellipses(P, mu_backward * P_N, mu_forward * P_N, mu_trans * P_N);
  }
  // largest -P . gamma that the set allows for P_N = 1: the rate of work taken out while slipping
  SINEW_INLINE S support(const Vec2<S>& gamma) const {
    const S a = select(gamma.x > S(0.0), mu_forward, mu_backward) * gamma.x, b = mu_trans * gamma.y;
    return sqrt(a * a + b * b);
  }
};

// Friction at the sliding speed v: what is left of the static excess. (Stribeck, Gaussian.)
template <Real S>
SINEW_INLINE S stribeck_factor(const ContactLaw<S>& l, S v2) {
  const auto has = (l.static_ratio > S(1.0)) & (l.stribeck_speed > S(0.0));
  if (!any(has)) return S(1.0);
  const S s2 = select(has, l.stribeck_speed * l.stribeck_speed, S(1.0));
  const S left = each_lane(-v2 / s2, [](double x) { return math::exp(x); });
  return select(has, S(1.0) + (l.static_ratio - S(1.0)) * left, S(1.0));
}

}  // namespace law
}  // namespace sinew
