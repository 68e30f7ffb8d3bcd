// Convex sets that impulses live in, and the nearest points in them. Lengths of vectors are Euclidean.
#pragma once
#include "sinew/math/check.h"
#include "sinew/math/linear.h"

namespace sinew {

template <Real S>
struct Vec2 {
  S x, y;
};
template <Real S>
SINEW_INLINE S dot(const Vec2<S>& a, const Vec2<S>& b) {
  return a.x * b.x + a.y * b.y;
}

namespace law {

template <Real S>
SINEW_INLINE S project_interval(S p, S low, S high) {
  SINEW_ASSERT(!any(low > high));
  return max(min(p, high), low);
}

template <Real S>
SINEW_INLINE Vec2<S> project_disk(const Vec2<S>& p, S radius) {
  SINEW_ASSERT(!any(radius < S(0.0)));
  const S n2 = dot(p, p);
  const auto outside = n2 > radius * radius;
  const S scale = select(outside, radius / sqrt(select(outside, n2, S(1.0))), S(1.0));
  return {p.x * scale, p.y * scale};
}

// The set (x/a)^2 + (y/b)^2 <= 1; a or b may be zero (a segment, a point). Outside, the nearest point is
// (a^2 x/(a^2+t), b^2 y/(b^2+t)) with t > 0 the root of
//   f(t) = (a x/(a^2+t))^2 + (b y/(b^2+t))^2 - 1,
// convex and decreasing, so Newton's method from a lower bound never overshoots (docs/theory/laws.md#projections). The bound is the
// root for the circumscribed circle: it saves the slow first steps for points far outside.
template <Real S>
Vec2<S> project_ellipse(const Vec2<S>& p, const S& a, const S& b) {
  const S a2 = a * a, b2 = b * b, ax = a * p.x, by = b * p.y;
  const auto outside = ax * ax * b2 * b2 + by * by * a2 * a2 > a2 * a2 * b2 * b2;
  // a flat set does not see the direction it lacks
  const auto flat_x = a <= S(0.0), flat_y = b <= S(0.0);
  const Vec2<S> flat{select(flat_x, S(0.0), project_interval(p.x, -a, a)),
                     select(flat_y, S(0.0), project_interval(p.y, -b, b))};
  Vec2<S> nearest = p;
  if (any(outside)) {
    const S tiny = S(1e-300);
    S t = max(S(0.0), sqrt(ax * ax + by * by) - max(a2, b2));
    for (int i = 0; i < 60; i++) {
      const S da = S(1.0) / (a2 + t + tiny), db = S(1.0) / (b2 + t + tiny), fx = ax * da, fy = by * db;
      const S f = fx * fx + fy * fy - S(1.0), slope = S(2.0) * (fx * fx * da + fy * fy * db);
      const auto falls = slope > S(0.0);
      const S step = select(falls, f / select(falls, slope, S(1.0)), S(0.0));
      const auto moves = step > t * S(1e-15);  // a lane that has arrived stays, also while others go on
      if (!any(moves)) break;
      t = select(moves, t + step, t);
    }
    nearest = {select(outside, a2 * p.x / (a2 + t + tiny), p.x), select(outside, b2 * p.y / (b2 + t + tiny), p.y)};
  }
  const auto degenerate = flat_x | flat_y;
  return {select(degenerate, flat.x, nearest.x), select(degenerate, flat.y, nearest.y)};
}

// Two half ellipses that share b: a differs for positive and negative x. The set is convex with a continuous normal
// where the halves meet, so the nearest point lies in the half that p is in.
template <Real S>
Vec2<S> project_half_ellipses(const Vec2<S>& p, const S& a_plus, const S& a_minus, const S& b) {
  return project_ellipse(p, select(p.x > S(0.0), a_plus, a_minus), b);
}

}  // namespace law
}  // namespace sinew
