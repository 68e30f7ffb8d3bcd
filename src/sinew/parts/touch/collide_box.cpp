// A box against a ball and against a segment with a radius, in the box's own axes.
// Outside the box the nearest points decide. Inside (the core meets the box) the least way out does: along a face normal
// or, for the segment u, across it and an edge e_k: separation s(n) = |c . n| - sum_i h_i |n_i| - l |u . n| for unit n,
// c: middle of the segment, h: half edges, l: half length [m]. The way out is -max s (Gottschalk et al. 1996, axes of a
// degenerate box). Two boxes: collide_boxes.cpp.
#include "sinew/parts/touch/closest.h"

namespace sinew {

namespace {

constexpr double meets = 1e-12;  // cores nearer than this part of the box's size have no direction between them

struct WayOut {
  Vec3d n;     // from the box to the other
  double s;    // separation along n [m]
  int around;  // axis of the face or of the edge; -1: none
};

WayOut way_out_of_face(const Segment& axis, const Vec3d& half) {
  WayOut best{Vec3d::zero(), -1e300, -1};
  for (int i = 0; i < 3; i++) {
    const double s = std::abs(axis.c[i]) - half[i] - axis.l * std::abs(axis.u[i]);
    if (s <= best.s) continue;
    best = {Vec3d::zero(), s, i};
    best.n[i] = axis.c[i] < 0.0 ? -1.0 : 1.0;
  }
  return best;
}

WayOut way_out_of_edge(const Segment& axis, const Vec3d& half) {
  WayOut best{Vec3d::zero(), -1e300, -1};
  for (int k = 0; k < 3; k++) {
    Vec3d e = Vec3d::zero();
    e[k] = 1.0;
    Vec3d n = cross(axis.u, e);
    const double sine = norm(n);
    if (sine < 1e-6) continue;
    n = n * ((dot(axis.c, n) < 0.0 ? -1.0 : 1.0) / sine);
    const double s = dot(axis.c, n) - axis.l * std::abs(dot(axis.u, n)) - half[0] * std::abs(n[0]) -
                     half[1] * std::abs(n[1]) - half[2] * std::abs(n[2]);
    if (s > best.s) best = {n, s, k};
  }
  return best;
}

// Half the squared distance from the box is convex along the segment, and its slope is linear between the places where
// a face plane is crossed: walk over these to the first slope that is not negative.
double nearest_to_box(const Segment& axis, const Vec3d& half) {
  double t[8] = {-axis.l, axis.l};
  int count = 2;
  for (int i = 0; i < 3; i++)
    for (double side : {-half[i], half[i]}) {
      const double crossing = (side - axis.c[i]) / axis.u[i];
      if (std::abs(crossing) < axis.l) t[count++] = crossing;  // false if not a number
    }
  std::sort(t, t + count);
  const auto slope = [&](double at) {
    const Vec3d x = axis.at(at);
    return dot(axis.u, x - clamp_to(half, x));
  };
  double before = slope(t[0]);
  if (before >= 0.0) return t[0];
  for (int i = 1; i < count; i++) {
    const double here = slope(t[i]);
    if (here >= 0.0) return t[i - 1] + (t[i] - t[i - 1]) * (before / (before - here));
    before = here;
  }
  return t[count - 1];
}

struct BoxFace {
  int axis;          // of the box, across it
  double side;       // 1 or -1
  double gap;        // that is known [m]
  double tolerance;  // of it [m]
};

// Both ends of the part of the axis above a face: features 0, 1 in the sense of the axis. Returns -1 if there is none, or
// if the lower one differs from the gap that is known, which then is not a face's.
int touch_face(const RoundSegment& capsule, const Vec3d& half, const BoxFace& at, double margin, Touch* out) {
  const auto& [axis, radius] = capsule;
  const auto& [face, side, gap, tolerance] = at;
  double t[2] = {-axis.l, axis.l};
  for (int i = 0; i < 3; i++) {
    if (i == face) continue;
    const double c = axis.c[i], u = axis.u[i], h = half[i];
    if (u == 0.0 && std::abs(c) > h) return -1;
    if (u == 0.0) continue;
    t[0] = std::max(t[0], ((u > 0.0 ? -h : h) - c) / u);
    t[1] = std::min(t[1], ((u > 0.0 ? h : -h) - c) / u);
  }
  if (t[0] > t[1]) return -1;
  Vec3d n = Vec3d::zero();
  n[face] = side;
  int count = 0;
  double least = 1e300;
  for (int i = 0; i < 2; i++) {
    Vec3d x = axis.at(t[i]);
    const double g = side * x[face] - half[face] - radius;
    least = std::min(least, g);
    x[face] = side * (half[face] + 0.5 * g);
    // ends nearer to each other than a part of the radius are one point
    if (i == 1 && count == 1 && t[1] - t[0] <= 1e-3 * (radius + axis.l)) {
      if (g < out[0].gap) out[0] = {x, n, g, 0};
      continue;
    }
    if (g <= margin) out[count++] = {x, n, g, i};
  }
  return std::abs(least - gap) <= tolerance ? count : -1;
}

// The edge of the box along axis k on the same sides as x.
Segment edge_along(const Vec3d& half, const Vec3d& x, int k) {
  Segment edge{Vec3d::zero(), Vec3d::zero(), half[k]};
  for (int i = 0; i < 3; i++) edge.c[i] = i == k ? 0.0 : x[i] < 0.0 ? -half[i] : half[i];
  edge.u[k] = 1.0;
  return edge;
}

struct Apart {
  Vec3d x, q;  // on the core and on the box, nearest
  double d;    // their distance [m]
};

// The core is outside.
int touch_outside(const RoundSegment& capsule, const Vec3d& half, const Apart& at, double margin, Touch* out) {
  const auto& [axis, radius] = capsule;
  const auto& [x, q, d] = at;
  const Vec3d n = (x - q) * (1.0 / d);
  int steepest = 0, k = -1;
  for (int i = 0; i < 3; i++) {
    if (std::abs(n[i]) > std::abs(n[steepest])) steepest = i;
    // exactly: x does not stick out along i, so the edge runs along it
    if (n[i] == 0.0 && (k < 0 || half[i] - std::abs(x[i]) > half[k] - std::abs(x[k]))) k = i;
  }
  if (std::abs(n[steepest]) > 1.0 - 1e-6) {
    // A capsule that rests on a face and juts out tips by a last bit over the edge: then both ends still count.
    const double smallest = std::min({half[0], half[1], half[2]}), tolerance = 1e-6 * (radius + smallest);
    const BoxFace face{steepest, n[steepest] < 0.0 ? -1.0 : 1.0, d - radius, tolerance};
    const int count = touch_face(capsule, half, face, margin, out);
    if (count >= 0) return count;
  }
  if (k < 0) {  // a corner: the edge from it that is most nearly parallel
    k = 0;
    for (int i = 1; i < 3; i++)
      if (std::abs(axis.u[i]) > std::abs(axis.u[k])) k = i;
  }
  const int count = collide_segments({edge_along(half, x, k), 0.0}, capsule, n, margin, out);
  if (count > 0 && std::abs(out[0].gap - (d - radius)) <= 1e-6 * (radius + d)) return count;
  if (count > 1 && std::abs(out[1].gap - (d - radius)) <= 1e-6 * (radius + d)) return count;
  out[0] = touch_of_balls(q, 0.0, x, radius, n, 2);  // rounding had it on another edge
  return 1;
}

// The axis meets the box.
int touch_inside(const RoundSegment& capsule, const Vec3d& half, double margin, Touch* out) {
  const auto& [axis, radius] = capsule;
  const WayOut face = way_out_of_face(axis, half), edge = way_out_of_edge(axis, half);
  // A face gives two points. It stands for an edge that is hardly better if its own points tell the same gap.
  const double close = 1e-3 * std::abs(face.s) + 1e-6 * std::min({half[0], half[1], half[2]});
  const bool edge_better = edge.s > face.s;
  if (edge.s <= face.s + close) {
    const double gap = std::max(face.s, edge.s) - radius, tolerance = edge_better ? close : 1e300;
    const int count = touch_face(capsule, half, {face.around, face.n[face.around], gap, tolerance}, margin, out);
    if (count > 0) return count;
  }
  // one point: where the edge and the axis pass each other, or the deepest end
  const WayOut& way = edge_better ? edge : face;
  const double gap = way.s - radius;
  double t = dot(axis.u, way.n) > 0.0 ? -axis.l : axis.l;
  if (edge_better) t = nearest(edge_along(half, way.n, way.around), axis).t;
  out[0] = {axis.at(t) - way.n * (radius + 0.5 * gap), way.n, gap, 2};
  return 1;
}

}  // namespace

int collide_sphere_box(const Shape& sphere, const Posed& X_WS, const Shape& box, const Posed& X_WB, double margin,
                       Touch* out) {
  const Vec3d c = transpose_times(X_WB.R, X_WS.p - X_WB.p), q = clamp_to(box.half, c);
  const double d = norm(c - q);
  Vec3d n = c - q;
  double gap = d - sphere.radius;
  if (d > meets * norm(box.half)) {
    n = n * (1.0 / d);
  } else {
    const WayOut way = way_out_of_face({c, {0, 0, 0}, 0.0}, box.half);
    n = way.n;
    gap = way.s - sphere.radius;
  }
  if (gap > margin) return 0;
  out[0] = {X_WB * (c - n * (sphere.radius + 0.5 * gap)), -(X_WB.R * n), gap, 0};
  return 1;
}

int collide_capsule_box(const Shape& capsule, const Posed& X_WC, const Shape& box, const Posed& X_WB, double margin,
                        Touch* out) {
  const RoundSegment in_box{axis_of(capsule, X_WB.inverse() * X_WC), capsule.radius};
  const Vec3d x = in_box.axis.at(nearest_to_box(in_box.axis, box.half)), q = clamp_to(box.half, x);
  const double d = norm(x - q);
  if (d - capsule.radius > margin) return 0;
  const int count = d > meets * norm(box.half) ? touch_outside(in_box, box.half, {x, q, d}, margin, out)
                                               : touch_inside(in_box, box.half, margin, out);
  for (int i = 0; i < count; i++) {
    out[i].p = X_WB * out[i].p;
    out[i].n = -(X_WB.R * out[i].n);
  }
  return count;
}

}  // namespace sinew
