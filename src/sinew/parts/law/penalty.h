// Penalty contacts: forces that grow with the depth of the overlap (docs/theory/laws.md#penalty-contacts).
//   normal    F = k x^n (1 + d v)  for x > 0, never below zero         x depth [m], v closing speed [m/s]
//   friction  f = -k_t s - c_t v_t, |f| <= mu N (anchor), or a function of the sliding speed alone (regularised, smooth)
// d is latched at first touch, d = u / v_impact, so that a free impact ends with exactly the wanted restitution.
// Under a load the loss is larger, to first order by kappa g / (omega v_impact); on demand u is chosen to make up for it.
#pragma once
#include <array>
#include <string_view>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"
#include "sinew/parts/law/contact_law.h"

namespace sinew {

// Closed: the start value of the iteration that Exact does, a formula good to 0.0136.
// Konyev: u = (1 - e) / e, an approximation that bounces too high (Konyev 2011, (2.16) and (2.17)).
enum class RestitutionRule { Exact, Konyev, Closed };
inline constexpr std::array<std::string_view, 3> restitution_rule_names{"exact", "konyev", "closed"};
enum class FrictionRule { Anchor, Regularised, Smooth };
inline constexpr std::array<std::string_view, 3> friction_rule_names{"anchor", "regularised", "smooth"};

template <Real S>
struct PenaltyLaw {
  S stiffness = S(1e5);         // k of the pair, shared by its points [N/m^exponent]
  S exponent = S(1.0);          // n: 1 linear, 1.5 Hertz
  S u = S(0.0);                 // d times the impact speed; from the restitution unless it is given [1]
  S floor = S(0.0);             // least impact speed to latch; 0: critical damping at rest [m/s]
  S tangential = S(0.0);        // k_t; 0: half of k [N/m]
  S tangential_damping = S(0);  // c_t; 0: critical [N s/m]
  S viscous = S(0.0);           // f_v [N s/m]
  S threshold = S(0.01);        // v_th of the regularised and the smooth law [m/s]
  S cap = S(0.0);          // depth that counts at most where two overlap deeply from the start; 0: by their size [m]
  S restitution = S(0.0);  // that was asked for; read where the load is made up for
  S load_loss = S(0.0);    // kappa: restitution that a load costs, over g / (omega v_impact) [1]
  FrictionRule friction = FrictionRule::Anchor;
  RestitutionRule rule = RestitutionRule::Exact;
  bool compensate_load = false;  // u is that of restitution + load_loss g / (omega v_impact)
};

template <Real S>
PenaltyLaw<S> broadcast(const PenaltyLaw<double>& l) {
  return {S(l.stiffness),          S(l.exponent), S(l.u),         S(l.floor),       S(l.tangential),
          S(l.tangential_damping), S(l.viscous),  S(l.threshold), S(l.cap),         S(l.restitution),
          S(l.load_loss),          l.friction,    l.rule,         l.compensate_load};
}

// The law of one lane.
template <Real S>
PenaltyLaw<double> law_in_lane(const PenaltyLaw<S>& l, int k) {
  return {lane(l.stiffness, k),
          lane(l.exponent, k),
          lane(l.u, k),
          lane(l.floor, k),
          lane(l.tangential, k),
          lane(l.tangential_damping, k),
          lane(l.viscous, k),
          lane(l.threshold, k),
          lane(l.cap, k),
          lane(l.restitution, k),
          lane(l.load_loss, k),
          l.friction,
          l.rule,
          l.compensate_load};
}

namespace law {

// The damping number u that gives the restitution e of a free impact, by any of the rules.
double damping_number(double e, RestitutionRule rule);
// The restitution that u gives: (1 + e) u = ln((1 + u) / (1 - e u)).
double restitution_of(double u);
// What a load costs to first order: restitution e - kappa g / (omega v_impact), for exponent 1.
double load_loss(double e);
// The damping number of an impact under the load number gamma = g / (omega v_impact) that ends with the restitution asked for.
// Slow impacts, for which kappa gamma is no small correction, keep the u of the law: else nothing would come to rest.
double damping_under_load(const PenaltyLaw<double>& law, double gamma);

// Where a rule misses the restitution most.
struct WorstRestitution {
  double asked, error;
};
WorstRestitution worst_restitution(RestitutionRule rule);

template <Real S>
SINEW_INLINE S power(S x, S n) {
  if (!any((n > S(1.0)) | (n < S(1.0)))) return x;
  if (!any((n > S(1.5)) | (n < S(1.5)))) return x * sqrt(x);
  S out;
  for (int k = 0; k < lanes_of<S>; k++) set_lane(out, k, math::pow(lane(x, k), lane(n, k)));
  return out;
}

template <Real S>
struct PenaltyForce {
  S normal;          // N [N]
  Vec2<S> friction;  // along t1 and t2 [N]
  Vec2<S> stretch;   // of the anchor after the step [m]
  Mask<S> stick;
  // slopes: of N by depth and by closing speed; of friction by sliding speed, as far as it damps
  S normal_by_depth, normal_by_speed;
  Vec2<S> friction_by_normal;
  S along,
      across;  // -df/dv_t along the force and across it; of an anchor that slips: of the pull of its spring [N s/m]
  // of an anchor: that pull, and the half axes of what friction allows in its direction [N]
  Vec2<S> pull{S(0.0), S(0.0)}, allowed{S(0.0), S(0.0)};
};

// What a point of a penalty contact is at.
template <Real S>
struct PenaltyPoint {
  S depth;          // x [m]; below zero: apart
  S speed;          // v, closing [m/s]
  S d;              // latched [s/m]
  S share;          // of the pair's stiffness [1]
  Vec2<S> sliding;  // v_t [m/s]
  Vec2<S> stretch;  // s, the step's own slide included [m]
  S stretch_rate;   // by which s follows v_t [s]
  Mask<S> stick;    // until now
  S mass;           // that a push meets, roughly [kg]
  S cap;            // no more of the depth counts [m]
};

template <Real S>
void penalty_normal(const PenaltyLaw<S>& p, const PenaltyPoint<S>& at, PenaltyForce<S>& out) {
  SINEW_ASSERT(!any(p.stiffness <= S(0.0)) && !any(at.share <= S(0.0)) && !any(p.exponent <= S(0.0)));
  const auto inside = at.depth > S(0.0);
  const S x = select(inside, min(at.depth, at.cap), S(0.0)), k = p.stiffness * at.share;
  const S less = power(x, p.exponent), damping = S(1.0) + at.d * at.speed;
  const auto pushes = inside & (damping > S(0.0));
  out.normal = select(pushes, k * less * damping, S(0.0));
  const S slope = p.exponent * k * select(inside, less / select(inside, x, S(1.0)), S(0.0));
  out.normal_by_depth = select(pushes & (at.depth < at.cap), slope * damping, S(0.0));
  out.normal_by_speed = select(pushes, k * less * at.d, S(0.0));
}

// Friction over that of motion, at the sliding speed v or at rest.
template <Real S>
SINEW_INLINE S friction_level(const ContactLaw<S>& l, S v, Mask<S> stick) {
  const auto falls = (l.static_ratio > S(1.0)) & (l.stribeck_speed > S(0.0));
  S excess = S(0.0);
  if (any(falls))
    excess = select(
        falls, each_lane(-v / select(falls, l.stribeck_speed, S(1.0)), [](double x) { return math::exp(x); }), S(0.0));
  return S(1.0) + (l.static_ratio - S(1.0)) * select(stick, S(1.0), excess);
}

// A spring to the point where it sticks, dragged along where that would ask too much. The force is then the nearest one
// that is allowed: with friction that differs along and across it takes out as much work as it can, like the rigid law.
template <Real S>
void anchor_friction(const ContactLaw<S>& l, const PenaltyLaw<S>& p, const PenaltyPoint<S>& at, PenaltyForce<S>& out) {
  SINEW_ASSERT(!any(at.mass <= S(0.0)));
  const S k = at.share * select(p.tangential > S(0.0), p.tangential, S(0.5) * p.stiffness);
  const S c = select(p.tangential_damping > S(0.0), at.share * p.tangential_damping, S(2.0) * sqrt(k * at.mass));
  const Vec2<S> f{-(k * at.stretch.x + c * at.sliding.x), -(k * at.stretch.y + c * at.sliding.y)};
  const S v = sqrt(dot(at.sliding, at.sliding));
  const auto allowed = [&](Mask<S> stick) {
    const S N = out.normal * friction_level(l, v, stick) + l.shear, extra = select(stick, S(0.0), p.viscous * v);
    out.allowed = {select(f.x > S(0.0), l.mu_backward, l.mu_forward) * N + extra, l.mu_trans * N + extra};
    return project_ellipse(f, out.allowed.x, out.allowed.y);
  };
  const auto same = [&](const Vec2<S>& g) { return (g.x <= f.x) & (g.x >= f.x) & (g.y <= f.y) & (g.y >= f.y); };
  Vec2<S> g = allowed(at.stick);
  // one that stuck lets go at the cap of rest, and slips with that of motion
  const Mask<S> touches = out.normal > S(0.0), holds = same(g);
  if (any(negate(holds))) {
    const Vec2<S> slips = allowed(mask_of<S>(false));
    g = {select(holds, g.x, slips.x), select(holds, g.y, slips.y)};
  }
  out.stick = touches & holds;
  out.friction = {select(touches, g.x, S(0.0)), select(touches, g.y, S(0.0))};
  const S per_k = S(1.0) / k;
  out.stretch = {select(touches, select(holds, at.stretch.x, -g.x * per_k), S(0.0)),
                 select(touches, select(holds, at.stretch.y, -g.y * per_k), S(0.0))};
  out.pull = f;
  out.across = out.along = select(touches, k * at.stretch_rate + c, S(0.0));
  out.friction_by_normal = {S(0.0), S(0.0)};
}

// Regularised: no rest; below the threshold speed friction grows in proportion. f_i = -N mu_i^2 v_i / |(mu_1 v_1, mu_2 v_2)|.
template <Real S>
void regularised_friction(const ContactLaw<S>& l, const PenaltyLaw<S>& p, const PenaltyPoint<S>& at,
                          PenaltyForce<S>& out) {
  const S v = sqrt(dot(at.sliding, at.sliding));
  const auto slow = v<p.threshold, moves = v> S(0.0);
  const S over = select(slow, S(0.0), v - p.threshold);
  const Vec2<S> mu{select(at.sliding.x > S(0.0), l.mu_forward, l.mu_backward), l.mu_trans};
  const S mx = mu.x * at.sliding.x, my = mu.y * at.sliding.y, m = sqrt(mx * mx + my * my);
  const auto rubs = m > S(0.0);
  const S per_m = select(rubs, S(1.0) / select(rubs, m, S(1.0)), S(0.0)) * select(slow, v / p.threshold, S(1.0));
  const S N = out.normal * friction_level(l, over, slow) + select(out.normal > S(0.0), l.shear, S(0.0));
  const S viscous = select(moves, p.viscous * over / select(moves, v, S(1.0)), S(0.0));
  const S ax = N * mu.x * mu.x * per_m + viscous, ay = N * mu.y * mu.y * per_m + viscous;
  out.friction = {-(ax * at.sliding.x), -(ay * at.sliding.y)};
  out.stretch = {S(0.0), S(0.0)};
  out.stick = slow & (out.normal > S(0.0));
  out.across = max(ax, ay);
  out.along = select(slow, out.across, S(0.0));
  const S per_N = select(out.normal > S(0.0), S(1.0) / select(out.normal > S(0.0), out.normal, S(1.0)), S(0.0));
  out.friction_by_normal = {out.friction.x * per_N, out.friction.y * per_N};
}

// Smooth: with z = v / (sqrt(2) v_th), |f| = N mu (sqrt(2 e) (static_ratio - 1) z exp(-z^2) + tanh(10 v / v_th)) + f_v v, which
// is steep at rest, has its top static_ratio mu N at v_th and falls to mu N. With friction that differs along and across the
// direction is that of the regularised law.
template <Real S>
void smooth_friction(const ContactLaw<S>& l, const PenaltyLaw<S>& p, const PenaltyPoint<S>& at, PenaltyForce<S>& out) {
  constexpr double root_two = 1.4142135623730951, root_two_e = 2.3316439815971242, steep = 10.0;
  const S v = sqrt(dot(at.sliding, at.sliding)), per_th = S(1.0) / p.threshold, z = v * per_th * S(1.0 / root_two);
  const S bell = each_lane(-(z * z), [](double x) { return math::exp(x); });
  const S level = each_lane(v * per_th * S(steep), [](double x) { return math::tanh(x); });
  const S excess = S(root_two_e) * (l.static_ratio - S(1.0));
  const S profile = excess * z * bell + level;
  const S slope =
      (excess * bell * (S(1.0) - S(2.0) * z * z) * S(1.0 / root_two) + S(steep) * (S(1.0) - level * level)) * per_th;
  const Vec2<S> mu{select(at.sliding.x > S(0.0), l.mu_forward, l.mu_backward), l.mu_trans};
  const S mx = mu.x * at.sliding.x, my = mu.y * at.sliding.y, m = sqrt(mx * mx + my * my);
  const auto rubs = m > S(0.0);
  // profile / m tends to slope(0) / mu at rest
  const S at_rest = (excess * S(1.0 / root_two) + S(steep)) * per_th;
  const S per_m = select(rubs, profile / select(rubs, m, S(1.0)), S(0.0));
  const S N = out.normal, viscous = p.viscous;
  const S ax = N * mu.x * mu.x * per_m + viscous, ay = N * mu.y * mu.y * per_m + viscous;
  out.friction = {-(ax * at.sliding.x), -(ay * at.sliding.y)};
  out.stretch = {S(0.0), S(0.0)};
  out.stick = (v < p.threshold) & (N > S(0.0));
  const S most = max(mu.x, mu.y);
  out.across = select(rubs, max(ax, ay), N * most * at_rest + viscous);
  out.along = select(rubs, max(N * most * slope, S(0.0)) + viscous, out.across);
  const S per_N = select(N > S(0.0), S(1.0) / select(N > S(0.0), N, S(1.0)), S(0.0));
  out.friction_by_normal = {out.friction.x * per_N, out.friction.y * per_N};
}

template <Real S>
PenaltyForce<S> penalty_force(const ContactLaw<S>& l, const PenaltyLaw<S>& p, const PenaltyPoint<S>& at) {
  PenaltyForce<S> out;
  penalty_normal(p, at, out);
  if (p.friction == FrictionRule::Anchor)
    anchor_friction(l, p, at, out);
  else if (p.friction == FrictionRule::Regularised)
    regularised_friction(l, p, at, out);
  else
    smooth_friction(l, p, at, out);
  return out;
}

}  // namespace law
}  // namespace sinew
