// Two boxes. Separation along a unit vector n from A to B, t from centre to centre, a_i, b_j axes, h half edges [m]:
//   s(n) = t . n - sum_i hA_i |a_i . n| - sum_j hB_j |b_j . n|
// Over the 6 face normals and 9 products a_i x b_j, D = max s is minus the depth if the boxes overlap, and a lower bound
// of their distance if they do not; then it is exact for face contacts and crossed edges (Gottschalk, Lin, Manocha 1996).
//   faces    the face of the other box that looks most against n, cut by the sides of the reference face (Sutherland,
//            Hodgman 1974): up to 8 points, gap = height above the reference face
//   edges    one point between the two edges
//   corners  boxes apart, nearest at a corner: every such pair has a corner of one of them, so 16 of them tell all
// Resting boxes are parallel up to noise, and noise makes any axis near the common normal the best. So what counts there
// is not s but the least gap of the cut face, which is the same for all of them.
#include "sinew/parts/touch/closest.h"

namespace sinew {

namespace {

struct Box {
  Vec3d h;
  Posed X;
  bool first;  // of the arguments: features are named by it

  const Vec3d& axis(int i) const { return X.R.col(i); }
  double reach(const Vec3d& n) const {
    return h[0] * std::abs(dot(axis(0), n)) + h[1] * std::abs(dot(axis(1), n)) + h[2] * std::abs(dot(axis(2), n));
  }
  double face_area(int i) const { return h[(i + 1) % 3] * h[(i + 2) % 3]; }  // a quarter of it
};

struct Axis {
  Vec3d n;  // from A to B
  double s;
  int i, j;  // axes of A and of B; -1: none
};

struct Axes {
  Axis face_A, face_B, edge, best;
};

// Corner i of a box: bit k is its side along axis k. The edge between two corners that differ in one bit: axis and sides.
int edge_between(int corner, int other) {
  const int bit = corner ^ other, axis = bit == 1 ? 0 : bit == 2 ? 1 : 2;
  const int low = (corner >> (axis == 0 ? 1 : 0)) & 1, high = (corner >> (axis == 2 ? 1 : 2)) & 1;
  return 4 * axis + low + 2 * high;
}
int corner_feature(const Box& box, int corner) { return corner + (box.first ? 0 : 8); }
int edge_feature(const Box& one, int edge, int other_edge) {
  return 16 + (one.first ? 12 * edge + other_edge : 12 * other_edge + edge);
}

// Corner of a box that lies farthest along n.
int support(const Box& box, const Vec3d& n) {
  int corner = 0;
  for (int k = 0; k < 3; k++) corner |= dot(box.axis(k), n) >= 0.0 ? 1 << k : 0;
  return corner;
}

Axes separate(const Box& A, const Box& B) {
  const Vec3d t = B.X.p - A.X.p;
  const auto along = [&](const Vec3d& direction, int i, int j) {
    const Vec3d n = dot(t, direction) < 0.0 ? -direction : direction;
    return Axis{n, dot(t, n) - A.reach(n) - B.reach(n), i, j};
  };
  const auto keep = [](Axis& best, const Axis& axis) {
    if (axis.s > best.s) best = axis;
  };
  const Axis none{Vec3d::zero(), -1e300, -1, -1};
  Axes axes{none, none, none, none};
  for (int i = 0; i < 3; i++) {
    keep(axes.face_A, along(A.axis(i), i, -1));
    keep(axes.face_B, along(B.axis(i), -1, i));
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const Vec3d n = cross(A.axis(i), B.axis(j));
      const double sine = norm(n);
      if (sine > 1e-6) keep(axes.edge, along(n * (1.0 / sine), i, j));  // s holds for any unit n, also a noisy one
    }
  axes.best = axes.face_A.s >= axes.face_B.s ? axes.face_A : axes.face_B;
  // Away from parallel faces the normals of face and edge differ and a switch between them is felt: let it not come
  // from rounding.
  if (axes.edge.s >
      axes.best.s + 1e-3 * std::abs(axes.best.s) + 1e-9 * std::min(A.reach(axes.best.n), B.reach(axes.best.n)))
    axes.best = axes.edge;
  return axes;
}

struct FaceVertex {
  Vec3d x;      // in the reference box's axes [m]
  int feature;  // of the vertex
  int side;     // of the polygon's edge that leaves it: 0..11 edge of the incident box, 12.. side of the reference face
};

struct FacePolygon {
  FaceVertex v[12];
  int count = 0;
  void push(const FaceVertex& a) {
    if (count < 12) v[count++] = a;  // 8 but for rounding
  }
};

// Sides of the reference face: 2 m + (upper ? 1 : 0), m = 0, 1 for the two axes after the face's own.
struct Reference {
  const Box &box, &other;
  int face;
  double sign;  // of the outward normal along the face's axis

  int axis(int m) const { return (face + 1 + m) % 3; }
  int bits(int side) const { return (side & 1) << axis(side >> 1) | (sign > 0.0 ? 1 << face : 0); }
  int feature(int polygon_side, int side) const {
    if (polygon_side >= 12) return corner_feature(box, bits(polygon_side - 12) | bits(side));
    const int corner = bits(side), along = 1 << axis(1 - (side >> 1));
    return edge_feature(box, edge_between(corner, corner | along), polygon_side);
  }
};

FacePolygon incident_face(const Reference& ref, const Vec3d& n) {
  const Box& B = ref.other;
  int face = 0;
  for (int k = 1; k < 3; k++)
    if (std::abs(dot(B.axis(k), n)) > std::abs(dot(B.axis(face), n))) face = k;
  const int base = dot(B.axis(face), n) > 0.0 ? 0 : 1 << face, j = 1 << (face + 1) % 3, k = 1 << (face + 2) % 3;
  const int corners[4] = {base, base | j, base | j | k, base | k};
  const Posed X_AB = ref.box.X.inverse() * B.X;
  FacePolygon polygon;
  for (int i = 0; i < 4; i++)
    polygon.push({X_AB * corner_of(B.h, corners[i]), corner_feature(B, corners[i]),
                  edge_between(corners[i], corners[(i + 1) % 4])});
  return polygon;
}

// Vertices on the plane within `on` stay as they are: the corners of equal boxes on each other would otherwise be cut or not
// as the last bit wants, and with them the features.
FacePolygon cut(const FacePolygon& polygon, const Reference& ref, int side) {
  const int axis = ref.axis(side >> 1);
  const double sign = side & 1 ? 1.0 : -1.0, h = ref.box.h[axis], on = 1e-5 * h + 1e-12 * norm(ref.box.h);
  FacePolygon left;
  for (int i = 0; i < polygon.count; i++) {
    const FaceVertex &a = polygon.v[i], &b = polygon.v[(i + 1) % polygon.count];
    const double over_a = sign * a.x[axis] - h, over_b = sign * b.x[axis] - h;
    const bool in_a = over_a <= on, in_b = over_b <= on;
    const auto crossing = [&](int leaving) {
      const double f = over_a / (over_a - over_b);
      return FaceVertex{a.x + (b.x - a.x) * f, ref.feature(a.side, side), leaving};
    };
    if (in_a) left.push(a);
    if (in_a && !in_b) {
      if (over_a < -on)
        left.push(crossing(12 + side));
      else
        left.v[left.count - 1].side = 12 + side;
    }
    if (!in_a && in_b && over_b < -on) left.push(crossing(a.side));
  }
  return left;
}

struct Manifold {
  Touch touch[max_touches];
  int count = 0;
  double least = 1e300;  // gap of all points, also beyond the margin [m]
};

// n: out of the reference face; `sense` +1 if that is from A to B
Manifold touch_faces(const Reference& ref, const Vec3d& n, double sense, double margin) {
  FacePolygon polygon = incident_face(ref, n);
  for (int side = 0; side < 4 && polygon.count; side++) polygon = cut(polygon, ref, side);
  Manifold out;
  for (int i = 0; i < polygon.count; i++) {
    const FaceVertex& v = polygon.v[i];
    const double gap = ref.sign * v.x[ref.face] - ref.box.h[ref.face];
    out.least = std::min(out.least, gap);
    if (gap <= margin && out.count < max_touches)
      out.touch[out.count++] = {ref.box.X * v.x - n * (0.5 * gap), n * sense, gap, v.feature};
  }
  return out;
}

Manifold touch_faces(const Box& A, const Box& B, const Axis& axis, double margin) {
  const bool of_A = axis.i >= 0;
  const Vec3d n = of_A ? axis.n : -axis.n;
  const Box& box = of_A ? A : B;
  const int face = of_A ? axis.i : axis.j;
  return touch_faces({box, of_A ? B : A, face, dot(box.axis(face), n) < 0.0 ? -1.0 : 1.0}, n, of_A ? 1.0 : -1.0,
                     margin);
}

// Which of two parallel faces is the reference must not depend on noise, nor on the order of the boxes: first the larger
// face, then the lower axis, then the upper side, all fixed numbers. So of equal boxes in a stack it is the lower one's top.
// If equal sides face each other, nothing but the order of the arguments tells the boxes apart.
bool prefer_A(const Box& A, const Axis& a, const Box& B, const Axis& b) {
  const double area_A = A.face_area(a.i), area_B = B.face_area(b.j);
  if (area_A != area_B) return area_A > area_B;
  if (a.i != b.j) return a.i < b.j;
  const bool upper_A = dot(A.axis(a.i), a.n) > 0.0, upper_B = dot(B.axis(b.j), b.n) < 0.0;
  return upper_A == upper_B ? A.first : upper_A;
}

struct Passing {
  Vec3d a, b;
  bool inside;  // where the lines pass each other is on both edges
  int feature;
};

Segment edge_of(const Box& box, int corner, int axis) {
  Vec3d middle = corner_of(box.h, corner);
  middle[axis] = 0.0;
  return {box.X * middle, box.axis(axis), box.h[axis]};
}

Passing pass_edges(const Box& A, const Box& B, const Axis& axis) {
  const int a = support(A, axis.n), b = support(B, -axis.n), i = axis.i, j = axis.j;
  const Segment e = edge_of(A, a, i), f = edge_of(B, b, j);
  const Nearest at = nearest(e, f);
  const Vec3d x = e.at(at.s), y = f.at(at.t);
  return {x, y, std::abs(at.s) < e.l && std::abs(at.t) < f.l,
          edge_feature(A, edge_between(a, a ^ 1 << i), edge_between(b, b ^ 1 << j))};
}

// Boxes that are apart: corners nearest to the other box; a second one if edges are parallel. -1: too near for a direction.
int touch_corners(const Box& A, const Box& B, double margin, Touch* out) {
  Touch found[16];
  int best = 0;
  for (int c = 0; c < 16; c++) {
    const Box &of = c < 8 ? A : B, &to = c < 8 ? B : A;
    const Vec3d x = of.X * corner_of(of.h, c % 8);
    const Vec3d q = to.X * clamp_to(to.h, transpose_times(to.X.R, x - to.X.p));
    found[c] = touch_of_balls(c < 8 ? x : q, 0.0, c < 8 ? q : x, 0.0, Vec3d::zero(), corner_feature(of, c % 8));
    if (found[c].gap < found[best].gap) best = c;
  }
  const double size = std::min(norm(A.h), norm(B.h));
  if (found[best].gap > margin) return 0;
  if (found[best].gap <= 1e-12 * size) return -1;
  out[0] = found[best];
  double farthest = 1e-3 * size;
  int second = -1;
  for (int c = 0; c < 16; c++) {
    const double off = norm(found[c].p - out[0].p);
    if (found[c].gap > out[0].gap * (1.0 + 1e-6) + 1e-9 * size || found[c].gap > margin || off <= farthest) continue;
    farthest = off;
    second = c;
  }
  if (second < 0) return 1;
  out[1] = found[second];
  return 2;
}

struct BoxGap {
  double D;         // of the boxes [m]
  bool parallel;    // their faces
  double smallest;  // half edge of both [m]
  double rounding;  // [m]
};

// True if the points of a face tell the gap of the boxes well enough.
bool tells(const Manifold& m, const Axis& face, const Axes& axes, const BoxGap& gap) {
  if (m.count == 0) return false;
  const auto& [D, parallel, smallest, rounding] = gap;
  const bool is_best = face.s >= axes.best.s;
  if (is_best && D <= 0.0 && face.s == D) return true;  // the deepest point lies over the face: no doubt but rounding
  if (!is_best && dot(face.n, axes.best.n) < agree) return false;
  const bool exact = !parallel && face.s == D;
  const double tolerance = (parallel ? 1e-6 * smallest : 0.0) + rounding + (exact ? 0.0 : 1e-4 * std::abs(D));
  return std::abs(m.least - D) <= tolerance;
}

int touch_boxes(const Box& A, const Box& B, double margin, Touch* out) {
  const Axes axes = separate(A, B);
  const double D = std::max({axes.face_A.s, axes.face_B.s, axes.edge.s});
  if (D > margin) return 0;
  const double smallest = std::min({A.h[0], A.h[1], A.h[2], B.h[0], B.h[1], B.h[2]});
  const double rounding = 1e-12 * std::min(norm(A.h), norm(B.h));
  const bool parallel = dot(axes.face_A.n, axes.face_B.n) > agree;
  const bool A_first = parallel || axes.face_A.s == axes.face_B.s ? prefer_A(A, axes.face_A, B, axes.face_B)
                                                                  : axes.face_A.s > axes.face_B.s;
  for (const Axis& face : {A_first ? axes.face_A : axes.face_B, A_first ? axes.face_B : axes.face_A}) {
    const Manifold m = touch_faces(A, B, face, margin);
    if (!tells(m, face, axes, {D, parallel, smallest, rounding})) continue;
    std::copy(m.touch, m.touch + m.count, out);
    return m.count;
  }
  if (axes.edge.i >= 0) {
    const Passing at = pass_edges(A, B, axes.edge);
    if (at.inside && axes.edge.s >= D - rounding) {
      out[0] = {(at.a + at.b) * 0.5, axes.edge.n, axes.edge.s, at.feature};
      return 1;
    }
  }
  const int count = D > rounding ? touch_corners(A, B, margin, out) : -1;
  if (count >= 0) return count;
  const int corner = support(B, -axes.best.n);  // corners that just meet, or a sliver of which rounding left nothing
  out[0] = {B.X * corner_of(B.h, corner) - axes.best.n * (0.5 * axes.best.s), axes.best.n, axes.best.s,
            corner_feature(B, corner)};
  return 1;
}

// An order of the boxes that depends on them alone, so that exchanging the arguments changes nothing but the normals.
bool in_order(const Shape& a, const Posed& X_WA, const Shape& b, const Posed& X_WB) {
  for (int k = 0; k < 3; k++)
    if (a.half[k] != b.half[k]) return a.half[k] > b.half[k];
  const Vec3d t = X_WB.p - X_WA.p, b_from_a = transpose_times(X_WA.R, t), a_from_b = -transpose_times(X_WB.R, t);
  for (int k = 0; k < 3; k++)
    if (b_from_a[k] != a_from_b[k]) return b_from_a[k] > a_from_b[k];
  return true;
}

}  // namespace

int collide_boxes(const Shape& a, const Posed& X_WA, const Shape& b, const Posed& X_WB, double margin, Touch* out) {
  const Box first{a.half, X_WA, true}, second{b.half, X_WB, false};
  if (in_order(a, X_WA, b, X_WB)) return touch_boxes(first, second, margin, out);
  return exchange(out, touch_boxes(second, first, margin, out));
}

}  // namespace sinew
