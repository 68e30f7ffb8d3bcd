// One penalty contact of one lane whose force agrees with the velocities that it leads to (step/penalty_implicit.cpp has the equations).
// Friction that slips on an anchor is the pull f of its spring, projected onto the ellipse of half axes a_x, a_y, which grow with the
// normal force. The projection g solves
//   g_i = D_i f_i,   D_i = a_i^2 / (a_i^2 + t),   sum (g_i / a_i)^2 = 1,   so that with w_i = f_i a_i^2 / (a_i^2 + t)^2
//   dg/df = D - w w^T / sum f_i^2 a_i^2 / (a_i^2 + t)^3,   dg/dN = (g - dg/df f) / (N + s),   s: what adhesion adds to N (shear)
#pragma once
#include "sinew/step/penalty.h"

namespace sinew {

struct SoftSpan {  // of an implicit step
  SoftRule rule;
  double dt;
};

// Of what a force is made that acts at the end, in the middle, or as stiffly as can be.
struct ImplicitRule {
  SoftRule rule;
  double dt, depth_rate, mean, slide;

  explicit ImplicitRule(const SoftSpan& s)
      : rule(s.rule),
        dt(s.dt),
        depth_rate(s.rule == SoftRule::Middle ? 0.25 * s.dt : s.dt),
        mean(s.rule == SoftRule::Middle ? 0.5 : 1.0),
        slide(s.rule == SoftRule::Middle ? 0.5 * s.dt : s.dt) {}
};

struct SoftVelocity {  // of a contact: normal, and along two tangents if it slides
  const double* gamma;
  bool slides;
};

template <Real S>
SoftPoint soft_point(const ContactRow<S>& c, const SoftContact<S>& s, const ImplicitRule& rule, int k) {
  SoftPoint p{{.mu_forward = lane(c.law.mu_forward, k),
               .mu_backward = lane(c.law.mu_backward, k),
               .mu_trans = lane(c.law.mu_trans, k),
               .static_ratio = lane(c.law.static_ratio, k),
               .stribeck_speed = lane(c.law.stribeck_speed, k),
               .shear = lane(c.law.shear, k)},
              law_in_lane(*s.law, k),
              {},
              {}};
  p.at = {lane(s.at.depth, k),
          lane(s.at.speed, k),
          lane(s.at.d, k),
          lane(s.at.share, k),
          {lane(s.at.sliding.x, k), lane(s.at.sliding.y, k)},
          {lane(s.at.stretch.x, k), lane(s.at.stretch.y, k)},
          rule.slide,
          lane(s.at.stick, k),
          lane(s.at.mass, k),
          lane(s.at.cap, k)};
  for (int r = 0; r < 3; r++) p.before[r] = lane(c.before[r], k);
  return p;
}

// For the velocities of the end.
law::PenaltyForce<double> soft_force(const SoftPoint& p, const double* gamma, bool slides, const ImplicitRule& rule);

// dF / dgamma, row by row.
void soft_slope(const SoftPoint& p, const law::PenaltyForce<double>& f, const ImplicitRule& rule, double (&J)[3][3]);

// What will be remembered. The rule of the middle has seen half of the step's slide, the stiff one a whole step with the end's velocity.
template <Real S>
void keep_soft(const SoftPoint& p, const law::PenaltyForce<double>& f, const SoftVelocity& end,
               const ImplicitRule& rule, int k, law::PenaltyForce<S>& out) {
  const bool corrects = rule.rule != SoftRule::End && f.stick && end.slides;
  const auto rest = [&](int r) {
    if (!corrects) return 0.0;
    return rule.rule == SoftRule::Middle ? 0.25 * rule.dt * (p.before[r] + end.gamma[r])
                                         : 0.5 * rule.dt * (p.before[r] - end.gamma[r]);
  };
  set_lane(out.normal, k, f.normal);
  set_lane(out.stretch.x, k, f.stretch.x + rest(1));
  set_lane(out.stretch.y, k, f.stretch.y + rest(2));
  set_lane(out.stick, k, f.stick);
}

}  // namespace sinew
