// Dispatch over the pairs of shapes, and the pairs made of balls and segments, which are exact:
//   gap = |b - a| - r_a - r_b,   n = (b - a) / |b - a|,   p = a + n (r_a + gap / 2)
// a, b: nearest points of the cores (centre of a sphere, axis of a capsule) [m]; r: radii [m]. If the cores meet, their
// overlap r_a + r_b is largest across both axes; without two axes any direction is as good.
#include "sinew/parts/touch/collide.h"

#include "sinew/math/check.h"
#include "sinew/parts/touch/closest.h"

namespace sinew {

namespace {

int keep(const Touch& touch, double margin, Touch* out) {
  if (touch.gap > margin) return 0;
  *out = touch;
  return 1;
}

int collide_spheres(const Shape& a, const Posed& X_WA, const Shape& b, const Posed& X_WB, double margin, Touch* out) {
  return keep(touch_of_balls(X_WA.p, a.radius, X_WB.p, b.radius, X_WA.R.col(2), 0), margin, out);
}

int collide_sphere_capsule(const Shape& sphere, const Posed& X_WS, const Shape& capsule, const Posed& X_WC,
                           double margin, Touch* out) {
  const Segment axis = axis_of(capsule, X_WC);
  const Vec3d b = axis.at(axis.nearest(X_WS.p));
  return keep(touch_of_balls(X_WS.p, sphere.radius, b, capsule.radius, X_WC.R.col(0), 0), margin, out);
}

int collide_capsules(const Shape& a, const Posed& X_WA, const Shape& b, const Posed& X_WB, double margin, Touch* out) {
  const Segment axis_A = axis_of(a, X_WA), axis_B = axis_of(b, X_WB);
  const Vec3d across = cross(axis_A.u, axis_B.u);
  const double sine = norm(across);
  const Vec3d otherwise = sine > 1e-8 ? across * (1.0 / sine) : X_WA.R.col(0);
  return collide_segments({axis_A, a.radius}, {axis_B, b.radius}, otherwise, margin, out);
}

}  // namespace

// Features: 0, 1 the lower and upper end along a.u of what lies side by side, 2 the nearest points of all. Sides, not ends
// of a or b, are named: when equal capsules lie on each other, whose end comes first is a matter of the last bit.
int collide_segments(const RoundSegment& first, const RoundSegment& second, const Vec3d& otherwise, double margin,
                     Touch* out) {
  const Segment &a = first.axis, &b = second.axis;
  const double ra = first.radius, rb = second.radius;
  SINEW_ASSERT(is_unit(a.u) && is_unit(b.u) && ra >= 0.0 && rb >= 0.0);
  const Nearest at = nearest(a, b);
  const Touch nearest_of_all = touch_of_balls(a.at(at.s), ra, b.at(at.t), rb, otherwise, 2);
  if (nearest_of_all.gap > margin) return 0;
  out[0] = nearest_of_all;

  const double k = dot(a.u, b.u), sign = k < 0.0 ? -1.0 : 1.0;
  const Vec3d across = a.u - b.u * k;
  if (dot(across, across) > 1e-4) return 1;
  const Vec3d b_low = b.at(-sign * b.l), b_high = b.at(sign * b.l);
  const double low = dot(b_low - a.c, a.u), high = dot(b_high - a.c, a.u);
  if (std::min(high, a.l) - std::max(low, -a.l) <= 1e-3 * (a.l + b.l)) return 1;

  // On each side the end that lies beside the other segment is nearer to it than the one that sticks out.
  const auto end = [&](const Vec3d& a_end, const Vec3d& b_end, int feature) {
    const Touch of_a = touch_of_balls(a_end, ra, b.at(b.nearest(a_end)), rb, otherwise, feature);
    const Touch of_b = touch_of_balls(a.at(a.nearest(b_end)), ra, b_end, rb, otherwise, feature);
    return of_a.gap <= of_b.gap ? of_a : of_b;
  };
  const Touch ends[2] = {end(a.at(-a.l), b_low, 0), end(a.at(a.l), b_high, 1)};
  // Crossed segments are nearest in between: the ends stand for that point only as long as they miss less than this.
  if (std::min(ends[0].gap, ends[1].gap) > nearest_of_all.gap + 1e-6 * (ra + rb)) return 1;
  if (std::min(dot(ends[0].n, nearest_of_all.n), dot(ends[1].n, nearest_of_all.n)) < 0.99) return 1;
  const int count = keep(ends[0], margin, out);
  return count + keep(ends[1], margin, out + count);
}

int touch_capacity(ShapeKind a, ShapeKind b) {
  if (a > b) std::swap(a, b);
  if (b == ShapeKind::Mesh) return a == ShapeKind::Sphere ? 4 : 8;
  if (a == ShapeKind::Sphere) return 1;
  if (b == ShapeKind::Capsule) return 2;
  return a == ShapeKind::Capsule && b == ShapeKind::Box ? 4 : a == ShapeKind::Capsule ? 2 : 8;
}

int touch_capacity(TerrainKind terrain, ShapeKind shape) {
  if (terrain == TerrainKind::None) return 0;
  const bool rough = terrain == TerrainKind::Heights || terrain == TerrainKind::Mesh;
  if (shape == ShapeKind::Sphere) return rough ? 4 : 1;
  if (shape == ShapeKind::Capsule) return rough ? 8 : 2;
  return 8;
}

int collide(const Shape& a, const Posed& X_WA, const Shape& b, const Posed& X_WB, double margin, Touch* out) {
  SINEW_ASSERT(out);  // a margin below 0: only what overlaps by more
  SINEW_ASSERT((a.kind < ShapeKind::Hull || a.mesh) && (b.kind < ShapeKind::Hull || b.mesh));
  SINEW_ASSERT(!(a.radius < 0.0) && !(b.radius < 0.0) && !(a.half_length < 0.0) && !(b.half_length < 0.0));
  // far apart: most calls end here. Reaches include rounding.
  const Vec3d r = X_WB.p - X_WA.p;
  const double reach = (a.reach() + b.reach()) * (1.0 + 1e-12) + margin;
  if (dot(r, r) > reach * reach) return 0;
  if (a.kind > b.kind) return exchange(out, collide(b, X_WB, a, X_WA, margin, out));
  if (b.kind == ShapeKind::Mesh) return exchange(out, collide_mesh({*b.mesh, X_WB, true}, a, X_WA, margin, out));
  if (b.kind >= ShapeKind::Cylinder) return collide_convex(a, X_WA, b, X_WB, margin, out);
  if (a.kind == ShapeKind::Sphere) {
    if (b.kind == ShapeKind::Sphere) return collide_spheres(a, X_WA, b, X_WB, margin, out);
    if (b.kind == ShapeKind::Capsule) return collide_sphere_capsule(a, X_WA, b, X_WB, margin, out);
    return collide_sphere_box(a, X_WA, b, X_WB, margin, out);
  }
  if (a.kind == ShapeKind::Box) return collide_boxes(a, X_WA, b, X_WB, margin, out);
  if (b.kind == ShapeKind::Capsule) return collide_capsules(a, X_WA, b, X_WB, margin, out);
  return collide_capsule_box(a, X_WA, b, X_WB, margin, out);
}

}  // namespace sinew
