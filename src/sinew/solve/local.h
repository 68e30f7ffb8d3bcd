// One contact by itself: how far it is from its law, and the law made linear around a guess.
// All friction of a contact lives in a cone: |p_b| <= P_N for each block b (sliding, drilling, rolling), where
// p = P / coefficient, component by component. In these variables every set is a disk (or an interval), also the ellipse of
// orthotropic friction; velocities are multiplied by the same coefficients. With direction-dependent friction the
// coefficient along is that of the half that P lies in.
#pragma once
#include "sinew/math/check.h"
#include "sinew/parts/law/contact_law.h"

namespace sinew {

// Stiffness of turning rows over the inertia of their body, in both engines (solve/recursion.cpp says why so little) [1].
inline constexpr double turning_stiffness = 300.0;
// The recursion multiplies it by ten with every multiplier, up to this [1].
inline constexpr double most_turning_stiffness = 3e4;

namespace row {
enum : int { N, T1, T2, D, V1, V2, count };
}

// Coefficients of sliding for the half of the set that P lies in (the other if P is zero and slides the other way).
template <Real S>
SINEW_INLINE Vec2<S> sliding_axes(const ContactLaw<S>& l, S P1, S gamma1) {
  const auto pushes_forward = (P1 > S(0.0)) | ((P1 >= S(0.0)) & (gamma1 < S(0.0)));
  return {select(pushes_forward, l.mu_backward, l.mu_forward), l.mu_trans};
}

template <Real S>
SINEW_INLINE S over(S P, S coefficient) {
  const auto some = coefficient > S(0.0);
  return select(some, P / select(some, coefficient, S(1.0)), S(0.0));
}

// Distance of (P, gamma) from the law, as a velocity [m/s]: the natural map with de Saxce's correction,
//   | p - proj_K( p - r (gamma_N + bias + sum of the blocks' support, coefficients x gamma) ) | / r,   r = mass.
// Zero if and only if the law holds; also grows when P leaves the cone. Adhesion that holds against shear makes the disk of
// sliding larger than P_N, by l.shear.
template <Real S>
S law_residual(const ContactLaw<S>& l, S bias, S mass, const S* P, const S* gamma) {
  SINEW_ASSERT(!any(mass <= S(0.0)));
  const Vec2<S> a = sliding_axes(l, P[row::T1], gamma[row::T1]);
  const law::Coulomb<S> coulomb{l.mu_forward, l.mu_backward, l.mu_trans};
  const S r = mass, per_r = S(1.0) / mass;
  const Vec2<S> p_T{over(P[row::T1], a.x), over(P[row::T2], a.y)};
  const Vec2<S> y_T{p_T.x - r * a.x * gamma[row::T1], p_T.y - r * a.y * gamma[row::T2]};
  S support = coulomb.support({gamma[row::T1], gamma[row::T2]});
  const S n_T = sqrt(dot(y_T, y_T));
  const auto shrink = [](S n, S s) { return select(n > s, s / select(n > s, n, S(1.0)), S(1.0)); };
  // the projection: s - y_N = sum of what the blocks stand out, max(0, |y_b| - s); its Newton steps rise to the root
  if (!any((l.drilling > S(0.0)) | (l.rolling > S(0.0)))) {
    const S y_N = P[row::N] - r * (gamma[row::N] + bias + support), out_T = n_T - l.shear;
    const S s = max(select(out_T > y_N, (y_N + out_T) * S(0.5), y_N), S(0.0)), c_T = shrink(n_T, s + l.shear);
    const Vec2<S> e_T{p_T.x - c_T * y_T.x, p_T.y - c_T * y_T.y};
    const S e_N = P[row::N] - s;
    return sqrt(e_N * e_N + dot(e_T, e_T)) * per_r;
  }
  const Vec2<S> p_V{over(P[row::V1], l.rolling), over(P[row::V2], l.rolling)};
  const S p_D = over(P[row::D], l.drilling);
  const Vec2<S> y_V{p_V.x - r * l.rolling * gamma[row::V1], p_V.y - r * l.rolling * gamma[row::V2]};
  const S y_D = p_D - r * l.drilling * gamma[row::D];
  support += abs(l.drilling * gamma[row::D]) +
             l.rolling * sqrt(gamma[row::V1] * gamma[row::V1] + gamma[row::V2] * gamma[row::V2]);
  const S y_N = P[row::N] - r * (gamma[row::N] + bias + support);
  const S n_D = abs(y_D), n_V = sqrt(dot(y_V, y_V)), out_T = n_T - l.shear;
  S s = (y_N + out_T + n_D + n_V) * S(0.25);
  for (int pass = 0; pass < 3; pass++) {
    S sum = y_N, count = S(1.0);
    for (const S& n : {out_T, n_D, n_V}) {
      sum += select(n > s, n, S(0.0));
      count += select(n > s, S(1.0), S(0.0));
    }
    s = sum / count;
  }
  s = max(s, S(0.0));
  const S c_T = shrink(n_T, s + l.shear), c_D = shrink(n_D, s), c_V = shrink(n_V, s);
  const Vec2<S> e_T{p_T.x - c_T * y_T.x, p_T.y - c_T * y_T.y}, e_V{p_V.x - c_V * y_V.x, p_V.y - c_V * y_V.y};
  const S e_D = p_D - c_D * y_D, e_N = P[row::N] - s;
  return sqrt(e_N * e_N + dot(e_T, e_T) + e_D * e_D + dot(e_V, e_V)) * per_r;
}

// A block's law near a guess: P = f - K gamma, K = [xx xy; xy yy].
template <Real S>
struct LocalBlock {
  Vec2<S> f;
  S xx, xy, yy;
  Mask<S> stick;
  Vec2<S> slope{S(0.0), S(0.0)};  // slip: P per normal impulse
};

// Impulses and velocities of the block's rows, and the impulses around which its law is compliant.
template <Real S>
struct BlockState {
  Vec2<S> P, gamma, centre;
};
// How far impulses are from the rigid and from the compliant law, and what the compliance turns them by.
template <Real S>
struct BlockErrors {
  S rigid = S(0.0), soft = S(0.0), turned = S(0.0);
};

// Alart and Curnier's Newton step for one block with the radius s = P_N, which is held; slope says how P follows it.
// The law is that of a slightly compliant contact, gamma~ = gamma + (P - centre) / stiff, so that the states it leads to
// and the linear systems they make agree; with centre = P it is the rigid law.
//   stick  P = centre - stiff gamma
//   slip   P on the rim along y = p - r coefficient gamma~, turning with gamma~: k = r s / (|y| - s) along the rim
// r: step of the map in scaled variables; soft = 1 / stiff.
template <Real S>
SINEW_INLINE LocalBlock<S> linear_block(const BlockState<S>& at, const Vec2<S>& a, S s, S r, S stiff, S soft) {
  const auto& [P, gamma, centre] = at;
  const Vec2<S> g{gamma.x + (P.x - centre.x) * soft, gamma.y + (P.y - centre.y) * soft};
  const Vec2<S> p{over(P.x, a.x), over(P.y, a.y)};
  const Vec2<S> y{p.x - r * a.x * g.x, p.y - r * a.y * g.y};
  const S n2 = dot(y, y);
  const auto stick = (n2 <= s * s) & (s > S(0.0));
  LocalBlock<S> b;
  b.stick = stick;
  if (!any(negate(stick))) {
    b.xx = select(a.x > S(0.0), stiff, S(0.0));
    b.yy = select(a.y > S(0.0), stiff, S(0.0));
    b.xy = S(0.0);
    b.f = {select(a.x > S(0.0), centre.x, S(0.0)), select(a.y > S(0.0), centre.y, S(0.0))};
    return b;
  }
  const S n = sqrt(n2), inverse = S(1.0) / select(n > S(0.0), n, S(1.0));
  const Vec2<S> e{y.x * inverse, y.y * inverse}, t{-(a.x * e.y), a.y * e.x};
  const Vec2<S> rim{a.x * s * e.x, a.y * s * e.y};
  // P = rim - t k (t . gamma~): y . t = 0, so what P and gamma have along t now cancels in the Newton step
  const S k = r * s / max(n - s, S(1e-300)), k_soft = k / (S(1.0) + k * dot(t, t) * soft);
  const S z = k_soft * soft * (t.x * (centre.x - rim.x) + t.y * (centre.y - rim.y));
  b.slope = {select(stick, S(0.0), a.x * e.x), select(stick, S(0.0), a.y * e.y)};
  b.xx = select(stick, select(a.x > S(0.0), stiff, S(0.0)), k_soft * t.x * t.x);
  b.yy = select(stick, select(a.y > S(0.0), stiff, S(0.0)), k_soft * t.y * t.y);
  b.xy = select(stick, S(0.0), k_soft * t.x * t.y);
  b.f = {select(stick, select(a.x > S(0.0), centre.x, S(0.0)), rim.x + t.x * z),
         select(stick, select(a.y > S(0.0), centre.y, S(0.0)), rim.y + t.y * z)};
  return b;
}

// P_N >= 0, and friction drawn in towards the middle of its cone: for impulses that are in it but for round-off.
// turns: rows of drilling or rolling exist.
template <Real S>
SINEW_INLINE void put_into_cone(const ContactLaw<S>& l, bool turns, S* P) {
  const S P_N = P[row::N] = max(P[row::N], S(0.0));
  const Vec2<S> a = sliding_axes(l, P[row::T1], S(0.0));
  const Vec2<S> p = law::project_disk(Vec2<S>{over(P[row::T1], a.x), over(P[row::T2], a.y)}, P_N + l.shear);
  P[row::T1] = a.x * p.x;
  P[row::T2] = a.y * p.y;
  if (!turns) return;
  const Vec2<S> V = law::project_disk(Vec2<S>{P[row::V1], P[row::V2]}, l.rolling * P_N);
  P[row::V1] = V.x;
  P[row::V2] = V.y;
  P[row::D] = law::project_interval(P[row::D], -(l.drilling * P_N), l.drilling * P_N);
}

}  // namespace sinew
