// Balls, capsules and cylinders against a triangle mesh, in the mesh's axes; n points out of the mesh.
//   a ball      faces, edges, vertices: all locally nearest points, exact. A centre below the surface goes out by the nearest way;
//               how far below it is looked for: as far as the shape reaches, and in the ground as far as that is
//   a capsule   balls at its ends; its axis across edges and past vertices that stick out, exact
//   a cylinder  the lowest points of its rims against faces, edges across it, vertices against its surface
// Boxes, hulls and other meshes: collide_solids.cpp.
#include "sinew/math/check.h"
#include "sinew/parts/touch/convex.h"
#include "sinew/parts/touch/cylinder.h"
#include "sinew/parts/touch/gather.h"
#include "sinew/parts/touch/solids.h"
#include "sinew/parts/touch/surface.h"

namespace sinew {
namespace {

struct ContactFinder {
  const Surface& surface;
  double limit;  // depth to which something below the surface is looked for [m]
  Gather& found;

  // q: point of the mesh
  void add(const Vec3d& q, const Vec3d& n, double gap, int id, int part) {
    if (gap <= found.margin) found.add(q + n * (0.5 * gap), n, gap, feature_of(id, part));
  }

  void ball_on_face(int t, const Vec3d& c, double r, int part) {
    const double s = surface.height(t, c);
    if (s < 0.0 || s - r > found.margin || !surface.is_over(t, c)) return;
    const Vec3d& n = surface.mesh().normal[std::size_t(t)];
    add(c - n * s, n, s - r, surface.face_id(t), part);
  }

  void ball(const Vec3d& c, double r, int part) {
    Foot foot;
    if (surface.foot(c, r + limit, foot) && foot.s < 0.0)
      return add(foot.q, foot.n, foot.s - r, surface.face_id(foot.triangle), part);
    const Aabb box = around(c, r + found.margin);
    for_triangles(
        surface.mesh(), [&](const Aabb& b) { return b.meets(box); }, [&](int t) { ball_on_face(t, c, r, part); });
    surface.for_sharp_edges(box, [&](const SharpEdge& edge) {
      const double t = dot(c - edge.line.c, edge.line.u);
      if (std::abs(t) > edge.line.l) return;
      const Vec3d q = edge.line.at(t);
      const double s = norm(c - q);
      if (s - r > found.margin || s <= 1e-12 * edge.line.l) return;  // on the edge: the faces have it
      const Vec3d n = (c - q) * (1.0 / s);
      if (edge.supports(n)) add(q, n, s - r, edge.id, part);
    });
    surface.for_sharp_vertices(box, [&](int v) {
      const Vec3d& q = surface.mesh().vertex[std::size_t(v)];
      const double s = norm(c - q);
      if (s - r > found.margin || s == 0.0) return;
      const Vec3d n = (c - q) * (1.0 / s);
      if (surface.vertex_supports(v, n)) add(q, n, s - r, surface.vertex_id(v), part);
    });
  }

  bool buries(const Vec3d& x) const {
    Foot foot;
    return surface.foot(x, limit, foot) && foot.s < 0.0;
  }

  void capsule(const Segment& axis, double r) {
    ball(axis.at(-axis.l), r, 0);
    ball(axis.at(axis.l), r, 1);
    Aabb box = around(axis.c, r + found.margin);
    for (int i = 0; i < 3; i++) {
      box.low[i] -= axis.l * std::abs(axis.u[i]);
      box.high[i] += axis.l * std::abs(axis.u[i]);
    }
    surface.for_sharp_edges(box, [&](const SharpEdge& edge) {
      Vec3d n;
      double s;
      Vec3d q;
      if (cross_edges(edge, axis, n, s, q) && s - r <= found.margin && edge.supports(n) &&
          (s >= 0.0 || buries(q + n * s)))
        add(q, n, s - r, edge.id, 2);
    });
    surface.for_sharp_vertices(box, [&](int v) {
      const Vec3d& q = surface.mesh().vertex[std::size_t(v)];
      const double t = dot(q - axis.c, axis.u);
      if (std::abs(t) >= axis.l) return;
      const Vec3d x = axis.at(t);
      const double d = norm(x - q);
      if (d <= 1e-12 * axis.l || d - r > found.margin) return;
      const double sign = buries(x) ? -1.0 : 1.0;
      const Vec3d n = (x - q) * (sign / d);
      if (surface.vertex_supports(v, n)) add(q, n, sign * d - r, surface.vertex_id(v), 2);
    });
  }

  // A lowest point of a rim against the plane of a face counts if it lies over the face and nothing is nearer.
  void rims_on_face(int t, const Shape& cylinder, const Posed& X) {
    const Vec3d& n = surface.mesh().normal[std::size_t(t)];
    for_lowest_rim_points(cylinder, transpose_times(X.R, n), [&](const Vec3d& x_S, int part) {
      const Vec3d x = X * x_S;
      const double s = surface.height(t, x);
      if (s > found.margin || s < -limit || !surface.is_over(t, x)) return;
      Foot foot;
      const double tolerance = 1e-9 * surface.mesh().size;
      if (s < 0.0 && (!surface.foot(x, limit, foot) || foot.s > 0.0 || -foot.s < -0.5 * s - tolerance)) return;
      add(x - n * s, n, s, surface.face_id(t), part);
    });
  }

  void cylinder(const Shape& shape, const Posed& X) {
    Aabb box = aabb_of(shape, X);
    box.grow(found.margin);
    for_triangles(
        surface.mesh(), [&](const Aabb& b) { return b.meets(box); }, [&](int t) { rims_on_face(t, shape, X); });
    surface.for_sharp_vertices(box, [&](int v) {
      const Vec3d& q = surface.mesh().vertex[std::size_t(v)];
      const Foot foot = foot_on_cylinder(shape, X.inverse() * q);
      const Vec3d n = -(X.R * foot.n);
      if (foot.s <= found.margin && surface.rise(v, n) <= leans) add(q, n, foot.s, surface.vertex_id(v), 8);
    });
    surface.for_sharp_edges(box, [&](const SharpEdge& edge) {
      Separation at;
      if (!separate({&edge.line, Posed::identity()}, {shape, X}, found.margin, at)) return;
      const double t = dot(at.a - edge.line.c, edge.line.u);
      if (std::abs(t) < edge.line.l * (1.0 - 1e-6) && edge.supports(at.n, bends)) add(at.a, at.n, at.s, edge.id, 9);
    });
  }
};

}  // namespace

int collide_mesh(const PlacedMesh& placed, const Shape& shape, const Posed& X_WS, double margin, Touch* out) {
  const auto& [mesh, X_WM, closed] = placed;
  SINEW_ASSERT(mesh.tree.empty() ||
               (mesh.normal.size() == mesh.triangle.size() && mesh.patch.size() == mesh.triangle.size()));
  if (mesh.tree.empty()) return 0;
  const Surface surface(mesh);
  const Posed X_MS = X_WM.inverse() * X_WS;
  const double reach = shape.reach();
  // what has sunk below the surface still counts; in the ground, as below a plane or a field of heights, however deep it is
  const double over = closed ? -1.0 : surface.ground_over(X_MS.p);
  // of a point without a radius that is the whole distance, which rounding must not make too short
  const double below = over > 0.0 ? reach + over + 1e-9 * mesh.size : reach;
  Aabb box = aabb_of(shape, X_MS);
  box.grow(margin + below);
  if (!mesh.tree[0].box.meets(box)) return 0;
  Gather found{.margin = margin, .same = 1e-4 * std::min(reach, mesh.size)};
  ContactFinder finder{surface, closed ? mesh.size : below, found};
  switch (shape.kind) {
    case ShapeKind::Sphere:
      finder.ball(X_MS.p, shape.radius, 0);
      break;
    case ShapeKind::Capsule:
      finder.capsule(axis_of(shape, X_MS), shape.radius);
      break;
    case ShapeKind::Cylinder:
      finder.cylinder(shape, X_MS);
      break;
    case ShapeKind::Box:
      touch_solids(surface, BoxSolid{shape.half}, X_MS, below, found);
      break;
    case ShapeKind::Hull:
    case ShapeKind::Mesh:
      touch_solids(surface, Surface(*shape.mesh), X_MS, below, found);
      break;
  }
  const int count = found.choose(touch_capacity(ShapeKind::Mesh, shape.kind), out);
  for (int i = 0; i < count; i++) {
    out[i].p = X_WM * out[i].p;
    out[i].n = X_WM.R * out[i].n;
  }
  return count;
}

}  // namespace sinew
