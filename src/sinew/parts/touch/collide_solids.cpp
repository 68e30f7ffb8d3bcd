// Polyhedra (boxes, hulls, meshes) against a mesh: corners that stick out against the nearest point of the other surface, and
// edges that stick out across each other. Gaps are signed distances, exact for the corner or the pair of edges.
#include "sinew/parts/touch/solids.h"

#include <cmath>

namespace sinew {

bool cross_edges(const SharpEdge& edge, const Segment& other, Vec3d& n, double& s, Vec3d& q) {
  const Vec3d across = cross(other.u, edge.line.u);
  const double sine = norm(across);
  if (sine < 1e-6) return false;  // parallel: the ends have it
  // out of the edge: against the mean of the directions into its faces
  const Vec3d out = edge.sides == 1 ? edge.n : -(edge.m[0] + edge.m[1]);
  n = across * ((dot(across, out) < 0.0 ? -1.0 : 1.0) / sine);
  const Vec3d r = edge.line.c - other.c;
  s = -dot(n, r);
  const double t = dot(other.u - edge.line.u * dot(other.u, edge.line.u), r) / (sine * sine);
  if (std::abs(t) > other.l) return false;
  q = other.at(t) - n * s;
  return std::abs(dot(q - edge.line.c, edge.line.u)) <= edge.line.l;
}

Foot foot_on_cylinder(const Shape& cylinder, const Vec3d& x) {
  const double rho = std::sqrt(x[0] * x[0] + x[1] * x[1]), r = cylinder.radius, h = cylinder.half_length;
  const Vec3d out = rho > 1e-12 * r ? Vec3d(x[0] / rho, x[1] / rho, 0.0) : Vec3d(1, 0, 0);
  const Vec3d up{0.0, 0.0, x[2] < 0.0 ? -1.0 : 1.0};
  const double side = rho - r, end = std::abs(x[2]) - h;
  if (side > 0.0 && end > 0.0) {  // beyond the rim
    const double d = std::sqrt(side * side + end * end);
    const Vec3d n = out * (side / d) + up * (end / d);
    return {x - n * d, n, d, 2};
  }
  const Vec3d& n = side > end ? out : up;
  const double s = std::max(side, end);
  return {x - n * s, n, s, side > end ? 1 : 0};
}

Foot foot_on_box(const Vec3d& half, const Vec3d& x) {
  const Vec3d q = clamp_to(half, x);
  const double d = norm(x - q);
  int face = 0;
  for (int i = 1; i < 3; i++)
    if (std::abs(x[i]) - half[i] > std::abs(x[face]) - half[face]) face = i;
  if (d > 1e-12 * norm(half)) return {q, (x - q) * (1.0 / d), d, face};
  Vec3d n = Vec3d::zero();
  n[face] = x[face] < 0.0 ? -1.0 : 1.0;
  const double s = std::abs(x[face]) - half[face];
  return {x - n * s, n, s, face};
}

namespace {

struct MeshBody {
  const Surface& surface;

  Aabb box_in(const Posed& X) const {
    return aabb_of({.kind = ShapeKind::Box, .half = (whole().high - whole().low) * 0.5},
                   {X.R, X * ((whole().high + whole().low) * 0.5)});
  }
  const Aabb& whole() const { return surface.mesh().tree[0].box; }
  double depth() const { return surface.mesh().size; }
  template <class F>
  void for_corners(const Aabb& box, F f) const {
    surface.for_sharp_vertices(box, [&](int v) { f(v, surface.mesh().vertex[std::size_t(v)]); });
  }
  template <class F>
  void for_edges(const Aabb& box, F f) const {
    surface.for_sharp_edges(box, f);
  }
  double rise(int v, const Vec3d& n) const { return surface.rise(v, n); }
  template <class Accept>
  bool foot(const Vec3d& x, double within, Accept accept, Foot& out) const {
    if (!surface.foot(x, within, out)) return false;
    return out.s > 0.0 || accept(out.n) || surface.foot_behind(x, within, accept, out);
  }
};

struct BoxBody {
  Vec3d half;

  Aabb box_in(const Posed& X) const { return aabb_of({.kind = ShapeKind::Box, .half = half}, X); }
  double depth() const { return 2.0 * norm(half); }
  template <class F>
  void for_corners(const Aabb&, F f) const {
    for (int i = 0; i < 8; i++) f(i, corner_of(half, i));
  }
  template <class F>
  void for_edges(const Aabb&, F f) const {
    for (int e = 0; e < 12; e++) {
      const int axis = e / 4, j = (axis + 1) % 3, k = (axis + 2) % 3;
      SharpEdge edge{{Vec3d::zero(), Vec3d::zero(), half[axis]}, {Vec3d::zero(), Vec3d::zero()}, Vec3d::zero(), 2, e};
      edge.line.c[j] = e & 1 ? half[j] : -half[j];
      edge.line.c[k] = e & 2 ? half[k] : -half[k];
      edge.line.u[axis] = 1.0;
      edge.m[0][j] = e & 1 ? -1.0 : 1.0;
      edge.m[1][k] = e & 2 ? -1.0 : 1.0;
      f(edge);
    }
  }
  double rise(int corner, const Vec3d& n) const {
    double most = -1.0;
    for (int i = 0; i < 3; i++) most = std::max(most, corner >> i & 1 ? -n[i] : n[i]);
    return most;
  }
  template <class Accept>
  bool foot(const Vec3d& x, double within, Accept accept, Foot& out) const {
    out = foot_on_box(half, x);
    if (out.s > 0.0) return out.s <= within;
    if (accept(out.n)) return true;
    double best = -1e300;
    for (int i = 0; i < 3; i++)
      for (const double side : {-1.0, 1.0}) {
        Vec3d n = Vec3d::zero();
        n[i] = side;
        const double s = side * x[i] - half[i];
        if (s > best && accept(n)) {
          best = s;
          out = {x - n * s, n, s, i};
        }
      }
    return best > -1e300;
  }
};

struct CornerSearch {
  bool swapped;   // the surface is that of the second of the pair
  Posed X_WA;     // from its axes to those in which points are kept
  double around;  // it corners are looked for [m]
  double within;  // of a corner its foot may be [m]
};

// Corners of b at the surface of a.
template <class A, class B>
void corners_at(const A& a, const B& b, const Posed& X_AB, const CornerSearch& search, Gather& found) {
  Aabb box = a.box_in(X_AB.inverse());
  box.grow(search.around);
  b.for_corners(box, [&](int id, const Vec3d& x_B) {
    const Vec3d x = X_AB * x_B;
    const auto accept = [&](const Vec3d& n) { return b.rise(id, -transpose_times(X_AB.R, n)) <= leans; };
    Foot foot;
    if (!a.foot(x, search.within, accept, foot) || foot.s > found.margin || !accept(foot.n)) return;
    const Vec3d n = search.X_WA.R * foot.n;
    found.add(search.X_WA * (foot.q + foot.n * (0.5 * foot.s)), search.swapped ? -n : n, foot.s,
              feature_of(search.swapped ? 1 : 0, id));
  });
}

// Edges of bodies that overlap cross also where the bodies are thick: between the bottom edge of a box on a table and the
// table's side, say. Such crossings are much deeper than the corners, or than the other crossings where no corner is inside.
void keep_shallow(const Gather& crossings, Gather& found) {
  double deepest = 0.0, least = 1e300;
  for (int i = 0; i < found.count; i++) deepest = std::max(deepest, -found.touch[i].gap);
  for (int i = 0; i < crossings.count; i++) least = std::min(least, std::max(-crossings.touch[i].gap, 0.0));
  const double limit = 3.0 * (found.count > 0 ? deepest : least) + 1e-3 * found.same;
  for (int i = 0; i < crossings.count; i++) {
    const Touch& t = crossings.touch[i];
    if (-t.gap <= limit) found.add(t.p, t.n, t.gap, t.feature);
  }
}

template <class A, class B>
void cross_solids(const A& a, const B& b, const Posed& X_AB, Gather& found) {
  Aabb box = b.box_in(X_AB);
  box.grow(found.margin);
  const Posed X_BA = X_AB.inverse();
  const double rounding = 1e-9 * b.depth();
  const auto any = [](const Vec3d&) { return true; };
  Gather crossings{.margin = found.margin, .same = found.same};
  a.for_edges(box, [&](const SharpEdge& edge) {
    Aabb near = Aabb::nothing();
    near.add(X_BA * edge.line.at(-edge.line.l));
    near.add(X_BA * edge.line.at(edge.line.l));
    near.grow(found.margin + 0.2 * b.depth());  // edges that have sunk in are that far off
    b.for_edges(near, [&](const SharpEdge& other) {
      Vec3d n, q;
      double s;
      const Segment line{X_AB * other.line.c, X_AB.R * other.line.u, other.line.l};
      if (!cross_edges(edge, line, n, s, q) || s > found.margin || !edge.supports(n, edge_leans)) return;
      if (!other.supports(-transpose_times(X_AB.R, n), edge_leans)) return;
      Foot foot;  // overlap: both edges must really be inside, not behind something thin
      const double within = rounding - s;
      if (s < 0.0 && (!a.foot(q + n * s, within, any, foot) || foot.s > rounding)) return;
      if (s < 0.0 && (!b.foot(X_BA * q, within, any, foot) || foot.s > rounding)) return;
      crossings.add(q + n * (0.5 * s), n, s, feature_of(2, edge.id, other.id));
    });
  });
  keep_shallow(crossings, found);
}

template <class B>
void touch(const MeshBody& a, const B& b, const Posed& X_AB, double below, Gather& found) {
  const double deep = std::max(b.depth(), found.margin);  // the ground may be flat: corners below it are beside its box
  corners_at(a, b, X_AB, {false, Posed::identity(), std::max(deep, below), std::max(deep, below)}, found);
  corners_at(b, a, X_AB.inverse(), {true, X_AB, found.margin, deep}, found);
  cross_solids(a, b, X_AB, found);
}

}  // namespace

void touch_solids(const Surface& a, const Surface& b, const Posed& X_AB, double below, Gather& found) {
  touch(MeshBody{a}, MeshBody{b}, X_AB, below, found);
}
void touch_solids(const Surface& a, const BoxSolid& b, const Posed& X_AB, double below, Gather& found) {
  touch(MeshBody{a}, BoxBody{b.half}, X_AB, below, found);
}

}  // namespace sinew
