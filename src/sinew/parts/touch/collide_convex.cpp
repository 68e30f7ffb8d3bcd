// Two convex shapes, of which one is a cylinder or hull. convex.h gives the direction n in which they are farthest apart or
// overlap least; a single point is not enough for what rests on a face, so:
//   faces    if n is the normal of a face, within 0.36 degrees: what of the other shape lies over it is cut by the face's sides
//            (Sutherland, Hodgman 1974): gap = height above the face
//   edges    parallel edges, axes of capsules, lines of a cylinder's side: both ends of what lies side by side
//   else     one point between the nearest ones
// A sphere and a cylinder need none of that: their nearest points are known.
// A cylinder's end is cut as an octagon of points on its rim; one of them is the lowest.
#include "sinew/parts/touch/convex.h"
#include "sinew/parts/touch/gather.h"
#include "sinew/parts/touch/solids.h"

namespace sinew {
namespace {

constexpr int most_corners = 48;

struct Corner {
  Vec3d x;
  int id;    // of the corner
  int side;  // of the edge that leaves it
};

struct Polygon {
  Corner v[most_corners];
  int count = 0;
  Vec3d n = Vec3d::zero();  // out of the shape; zero: no face
  double area = 0.0;
  void push(const Corner& c) {
    if (count < most_corners) v[count++] = c;
  }
};

void corners_of_box(const Shape& s, const Posed& X, const Vec3d& e, Polygon& out) {
  int face = 0;
  for (int i = 1; i < 3; i++)
    if (std::abs(e[i]) > std::abs(e[face])) face = i;
  const int j = (face + 1) % 3, k = (face + 2) % 3;
  const bool up = e[face] > 0.0;
  for (int i = 0; i < 4; i++) {
    const int at = up ? i : 3 - i;  // anticlockwise from outside
    int corner = up ? 1 << face : 0;
    if (at == 1 || at == 2) corner |= 1 << j;
    if (at >= 2) corner |= 1 << k;
    out.push({X * corner_of(s.half, corner), corner, 8 * face + 2 * corner});
  }
  out.n = X.R.col(face) * (up ? 1.0 : -1.0);
  out.area = 4.0 * s.half[j] * s.half[k];
}

void corners_of_hull(const TriangleMesh& m, const Posed& X, const Vec3d& e, Polygon& out) {
  std::size_t best = 0;
  for (std::size_t f = 1; f < m.facet.size(); f++)
    if (dot(m.facet[f].n, e) > dot(m.facet[best].n, e)) best = f;
  const Facet& facet = m.facet[best];
  const int step = (facet.count + most_corners / 2 - 1) / (most_corners / 2);  // of a round face every second or third
  for (int i = 0; i < facet.count; i += step) {
    const int v = m.loop[std::size_t(facet.first + i)];
    out.push({X * m.vertex[std::size_t(v)], v, facet.first + i});
  }
  out.n = X.R * facet.n;
  Vec3d sum = Vec3d::zero();
  for (int i = 1; i + 1 < out.count; i++) sum = sum + cross(out.v[i].x - out.v[0].x, out.v[i + 1].x - out.v[0].x);
  out.area = 0.5 * norm(sum);
}

// The end, or a line of the side.
void corners_of_cylinder(const Shape& s, const Posed& X, const Vec3d& e, Polygon& out) {
  const double rho = std::sqrt(e[0] * e[0] + e[1] * e[1]), h = s.half_length, up = e[2] < 0.0 ? -1.0 : 1.0;
  const Vec3d d = rho > 1e-6 ? Vec3d(e[0] / rho, e[1] / rho, 0.0) : Vec3d(1, 0, 0), t{-d[1], d[0], 0.0};
  if (std::abs(e[2]) < 0.7) {
    for (int i = 0; i < 2; i++) out.push({X * (d * s.radius + Vec3d(0, 0, i ? h : -h)), i, i});
    return;
  }
  constexpr double half = 0.70710678118654752;
  constexpr double turn[8][2] = {{1, 0},  {half, half},   {0, 1},  {-half, half},
                                 {-1, 0}, {-half, -half}, {0, -1}, {half, -half}};
  for (int i = 0; i < 8; i++) {
    const int at = up > 0.0 ? i : (8 - i) % 8;
    out.push({X * (d * (s.radius * turn[at][0]) + t * (s.radius * turn[at][1]) + Vec3d(0, 0, up * h)), 2 + at, 2 + i});
  }
  out.n = X.R.col(2) * up;
  out.area = 3.14159265358979 * s.radius * s.radius;
}

// What of the core looks most along d.
Polygon facing(const Core& core, const Vec3d& d) {
  Polygon out;
  const Shape& s = *core.shape;
  const Vec3d e = transpose_times(core.X.R, d);
  if (s.kind == ShapeKind::Sphere) out.push({core.X.p, 0, 0});
  if (s.kind == ShapeKind::Capsule)
    for (int i = 0; i < 2; i++) out.push({core.X * Vec3d(0, 0, i ? s.half_length : -s.half_length), i, i});
  if (s.kind == ShapeKind::Box) corners_of_box(s, core.X, e, out);
  if (s.kind == ShapeKind::Cylinder) corners_of_cylinder(s, core.X, e, out);
  if (s.kind == ShapeKind::Hull) corners_of_hull(*s.mesh, core.X, e, out);
  return out;
}

// Corners on the plane stay as they are, so that equal faces on each other keep their features.
Polygon cut(const Polygon& polygon, const Vec3d& on, const Vec3d& out, double slack, int side, int which) {
  Polygon left;
  left.n = polygon.n;
  const int edges = polygon.count > 2 ? polygon.count : polygon.count - 1;
  for (int i = 0; i < polygon.count; i++) {
    const Corner &a = polygon.v[i], &b = polygon.v[(i + 1) % polygon.count];
    const double over_a = dot(out, a.x - on), over_b = dot(out, b.x - on);
    if (over_a <= slack) left.push(a);
    if (i >= edges) break;
    const bool leaves = over_a < -slack && over_b > slack, enters = over_a > slack && over_b < -slack;
    if (!leaves && !enters) continue;
    const double f = over_a / (over_a - over_b);
    left.push({a.x + (b.x - a.x) * f, feature_of(10 + which, a.side, side), leaves ? 100000 + side : a.side});
  }
  return left;
}

struct Pair {
  const Core &a, &b;
  double margin, size;
  Separation at;

  double gap() const { return at.s - a.radius() - b.radius(); }
  bool tells(double s) const { return std::abs(s - at.s) <= 0.05 * std::abs(at.s) + 1e-6 * size; }

  // Points over the face `ref`, whose normal points to the other shape.
  int over_face(const Polygon& ref, const Core& other, bool of_a, Touch* out) const {
    Polygon polygon = facing(other, -ref.n);
    const double slack = 1e-7 * size, r = other.radius();
    for (int i = 0; i < ref.count && polygon.count; i++) {
      const Vec3d e = ref.v[(i + 1) % ref.count].x - ref.v[i].x;
      polygon = cut(polygon, ref.v[i].x, normalized(cross(e, ref.n)), slack, ref.v[i].side, of_a ? 0 : 1);
    }
    Gather found{.margin = margin, .same = 1e-6 * size};
    double least = 1e300;
    for (int i = 0; i < polygon.count; i++) {
      const double s = dot(ref.n, polygon.v[i].x - ref.v[0].x);
      least = std::min(least, s);
      found.add(polygon.v[i].x - ref.n * (s - 0.5 * (s - r)), of_a ? ref.n : -ref.n, s - r,
                feature_of(of_a ? 0 : 1, polygon.v[i].id));
    }
    if (found.count == 0 || !tells(least)) return 0;
    return found.choose(touch_capacity(a.shape->kind, b.shape->kind), out);
  }

  // A face whose normal may stand for n: then that is the normal.
  bool stands(const Polygon& face, const Vec3d& n, double sense) const {
    return face.count > 2 && dot(face.n, n) > agree && tells(separation_along(a, b, face.n * sense));
  }

  int over_faces(Touch* out) const {
    const Polygon of_a = facing(a, at.n), of_b = facing(b, -at.n);
    const bool can_a = stands(of_a, at.n, 1.0), can_b = stands(of_b, -at.n, -1.0);
    const bool a_first = can_a && (!can_b || of_a.area >= of_b.area * (1.0 - 1e-9));
    int count = 0;
    if (a_first) count = over_face(of_a, b, true, out);
    if (count == 0 && can_b) count = over_face(of_b, a, false, out);
    if (count == 0 && can_a && !a_first) count = over_face(of_a, b, true, out);
    return count;
  }

  // The edge of the polygon that lies farthest along d.
  static Segment edge_of(const Polygon& p, const Vec3d& d) {
    int best = 0;
    double most = -1e300;
    for (int i = 0; i < (p.count > 2 ? p.count : 1); i++) {
      const double s = dot(d, p.v[i].x) + dot(d, p.v[(i + 1) % p.count].x);
      if (s > most) {
        most = s;
        best = i;
      }
    }
    const Vec3d x = p.v[best].x, e = p.v[(best + 1) % p.count].x - x;
    const double length = norm(e);
    return {x + e * 0.5, length > 0.0 ? e * (1.0 / length) : Vec3d(1, 0, 0), 0.5 * length};
  }

  // Of a cylinder's side the axis and its radius; of all else the edge itself.
  static Segment line_of(const Core& core, const Polygon& p, const Vec3d& d, double& r) {
    const bool side = core.shape->kind == ShapeKind::Cylinder && p.count == 2;
    r = side ? core.shape->radius : core.radius();
    return side ? axis_of(*core.shape, core.X) : edge_of(p, d);
  }

  int along_edges(Touch* out) const {
    const Polygon of_a = facing(a, at.n), of_b = facing(b, -at.n);
    if (of_a.count < 2 || of_b.count < 2) return 0;
    double ra, rb;
    const Segment e = line_of(a, of_a, at.n, ra), f = line_of(b, of_b, -at.n, rb);
    const double lean = std::max(std::abs(dot(e.u, at.n)), std::abs(dot(f.u, at.n)));
    const Vec3d across = cross(e.u, f.u);
    if (lean > 1e-2 || dot(across, across) > 1e-4) return 0;
    // both ends of what lies side by side, along the first edge
    const double sign = dot(e.u, f.u) < 0.0 ? -1.0 : 1.0, low = std::max(-e.l, dot(f.at(-sign * f.l) - e.c, e.u)),
                 high = std::min(e.l, dot(f.at(sign * f.l) - e.c, e.u));
    if (high - low <= 1e-3 * (e.l + f.l)) return 0;
    int count = 0;
    double least = 1e300;
    for (int i = 0; i < 2; i++) {
      const Vec3d x = e.at(i ? high : low), d = f.at(f.nearest(x)) - x;
      // round sides: exactly from line to line, where that is the direction found
      const Vec3d direct = normalized(d) * (dot(d, at.n) < 0.0 ? -1.0 : 1.0);
      const Vec3d n = ra + rb > 0.0 && dot(direct, at.n) > agree ? direct : at.n;
      const double g = dot(n, d) - ra - rb;
      least = std::min(least, g + a.radius() + b.radius());
      if (g <= margin) out[count++] = {x + n * (ra + 0.5 * g), n, g, i};
    }
    return tells(least) ? count : 0;
  }
};

// A ball at the surface of a cylinder: exact.
int ball_at_cylinder(const Shape& ball, const Posed& X_WB, const Shape& cylinder, const Posed& X_WC, double margin,
                     Touch* out) {
  const Foot foot = foot_on_cylinder(cylinder, X_WC.inverse() * X_WB.p);
  const double gap = foot.s - ball.radius;
  if (gap > margin) return 0;
  out[0] = {X_WC * (foot.q + foot.n * (0.5 * gap)), -(X_WC.R * foot.n), gap, 0};
  return 1;
}

}  // namespace

int collide_convex(const Shape& a, const Posed& X_WA, const Shape& b, const Posed& X_WB, double margin, Touch* out) {
  if (a.kind == ShapeKind::Sphere && b.kind == ShapeKind::Cylinder)
    return ball_at_cylinder(a, X_WA, b, X_WB, margin, out);
  const Core first(a, X_WA), second(b, X_WB);
  Pair pair{first, second, margin, std::min(a.reach() + 1e-300, b.reach()), {}};
  if (a.kind == ShapeKind::Sphere) pair.size = b.reach();
  if (!separate(first, second, margin + first.radius() + second.radius(), pair.at)) return 0;
  if (a.kind != ShapeKind::Sphere) {
    int count = pair.over_faces(out);
    if (count == 0) count = pair.along_edges(out);
    if (count > 0) return count;
  }
  const Vec3d& n = pair.at.n;
  const double gap = pair.gap();
  const Vec3d middle = (pair.at.a + n * first.radius() + pair.at.b - n * second.radius()) * 0.5;
  out[0] = {middle, n, gap, 2};
  return 1;
}

}  // namespace sinew
