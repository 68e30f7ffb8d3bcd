// Nearest points of segments and boxes, and the touch of two balls: what the pairs of shapes are made of.
// Private to this room. Lengths in metres.
#pragma once
#include <algorithm>

#include "sinew/math/check.h"
#include "sinew/parts/touch/collide.h"

namespace sinew {

inline constexpr double agree = 1.0 - 2e-5;  // cosine of normals that may stand for each other: 0.36 degrees

struct Segment {  // c + t u, |t| <= l
  Vec3d c, u;     // middle [m], unit vector
  double l;       // half of its length [m]

  Vec3d at(double t) const { return c + u * t; }
  double nearest(const Vec3d& x) const { return std::clamp(dot(x - c, u), -l, l); }
};

inline Segment axis_of(const Shape& capsule, const Posed& X) { return {X.p, X.R.col(2), capsule.half_length}; }

struct RoundSegment {
  Segment axis;
  double radius;  // [m]
};

struct Nearest {
  double s, t;  // on the first and on the second segment [m]
};

// Ericson, Real-Time Collision Detection, 5.1.9. w, the part of a.u across b.u, replaces 1 - cos^2, which cancels.
inline Nearest nearest(const Segment& a, const Segment& b) {
  const Vec3d r = b.c - a.c;
  const double k = dot(a.u, b.u), a_r = dot(a.u, r), b_r = dot(b.u, r);
  const Vec3d w = a.u - b.u * k;
  const double w2 = dot(w, w);
  double s = 0.0;
  if (w2 > 1e-16) {
    s = std::clamp(dot(w, r) / w2, -a.l, a.l);
  } else {  // parallel: the middle of what lies side by side
    const double low = std::max(-a.l, a_r - b.l), high = std::min(a.l, a_r + b.l);
    s = std::clamp(0.5 * (low + high), -a.l, a.l);
  }
  const double t = std::clamp(k * s - b_r, -b.l, b.l);
  return {std::clamp(k * t + a_r, -a.l, a.l), t};
}

inline Vec3d clamp_to(const Vec3d& half, const Vec3d& x) {
  SINEW_ASSERT(half[0] >= 0.0 && half[1] >= 0.0 && half[2] >= 0.0);
  return {std::clamp(x[0], -half[0], half[0]), std::clamp(x[1], -half[1], half[1]),
          std::clamp(x[2], -half[2], half[2])};
}

// Balls (radii ra, rb) about a and b. Where the centres coincide no direction is better than `otherwise`.
inline Touch touch_of_balls(const Vec3d& a, double ra, const Vec3d& b, double rb, const Vec3d& otherwise, int feature) {
  const Vec3d d = b - a;
  const double length = norm(d), gap = length - ra - rb;
  const Vec3d n = length > 1e-12 * (ra + rb) ? d * (1.0 / length) : otherwise;
  return {a + n * (ra + 0.5 * gap), n, gap, feature};
}

// The same touch with the shapes exchanged.
inline int exchange(Touch* out, int count) {
  SINEW_ASSERT(count >= 0 && count <= max_touches);
  for (int i = 0; i < count; i++) out[i].n = -out[i].n;
  return count;
}

// Two points at the ends of what lies side by side if the segments are nearly parallel. otherwise: as for balls.
int collide_segments(const RoundSegment& a, const RoundSegment& b, const Vec3d& otherwise, double margin, Touch* out);

// n points from the first to the box
int collide_sphere_box(const Shape& sphere, const Posed& X_WS, const Shape& box, const Posed& X_WB, double margin,
                       Touch* out);
int collide_capsule_box(const Shape& capsule, const Posed& X_WC, const Shape& box, const Posed& X_WB, double margin,
                        Touch* out);
int collide_boxes(const Shape& a, const Posed& X_WA, const Shape& b, const Posed& X_WB, double margin, Touch* out);

struct PlacedMesh {
  const TriangleMesh& mesh;
  Posed X_WM;
  bool closed;  // a body, not ground: has an inside of any depth
};
// the mesh first
int collide_mesh(const PlacedMesh& placed, const Shape& shape, const Posed& X_WS, double margin, Touch* out);
// two convex shapes, of which one is a cylinder or hull
int collide_convex(const Shape& a, const Posed& X_WA, const Shape& b, const Posed& X_WB, double margin, Touch* out);

int collide_plane(const Vec3d& n, double height, const Shape& shape, const Posed& X_WS, double margin, Touch* out);
int collide_heights(const HeightField& field, const Shape& shape, const Posed& X_WS, double margin, Touch* out);

// Corner i of a box: bit k of i is the side along axis k.
inline Vec3d corner_of(const Vec3d& half, int i) {
  SINEW_ASSERT(i >= 0 && i < 8);
  return {i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], i & 4 ? half[2] : -half[2]};
}

}  // namespace sinew
