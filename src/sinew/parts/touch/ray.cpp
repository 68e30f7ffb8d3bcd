#include "sinew/parts/touch/ray.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/math/check.h"

namespace sinew {
namespace {

constexpr double nowhere = std::numeric_limits<double>::infinity();

// Where a line is inside something convex: from - to; none if from > to.
struct Inside {
  double from = -nowhere, to = nowhere;

  void cut(const Inside& other) {
    from = std::max(from, other.from);
    to = std::min(to, other.to);
  }
  double seen() const { return from > to || to < 0.0 ? nowhere : std::max(from, 0.0); }
};

constexpr Inside never{nowhere, -nowhere};

// a s^2 + 2 b s + c <= 0, of a >= 0.
Inside below_zero(double a, double b, double c) {
  if (a == 0.0) return c <= 0.0 ? Inside{} : never;
  const double D = b * b - a * c;
  if (D < 0.0) return never;
  const double root = std::sqrt(D);
  return {(-b - root) / a, (-b + root) / a};
}

Inside in_slab(double p, double d, double low, double high) {
  if (d == 0.0) return p >= low && p <= high ? Inside{} : never;
  const double a = (low - p) / d, b = (high - p) / d;
  return {std::min(a, b), std::max(a, b)};
}

Inside in_box(const Ray& ray, const Vec3d& low, const Vec3d& high) {
  Inside all;
  for (int i = 0; i < 3; i++) all.cut(in_slab(ray.p[i], ray.d[i], low[i], high[i]));
  return all;
}

Inside in_ball(const Ray& ray, const Vec3d& centre, double radius) {
  const Vec3d x = ray.p - centre;
  return below_zero(dot(ray.d, ray.d), dot(x, ray.d), dot(x, x) - radius * radius);
}

Inside in_tube(const Ray& ray, double radius, double half_length) {
  Inside all = below_zero(ray.d[0] * ray.d[0] + ray.d[1] * ray.d[1], ray.p[0] * ray.d[0] + ray.p[1] * ray.d[1],
                          ray.p[0] * ray.p[0] + ray.p[1] * ray.p[1] - radius * radius);
  all.cut(in_slab(ray.p[2], ray.d[2], -half_length, half_length));
  return all;
}

// Moeller and Trumbore's way; both sides are seen.
double hit_triangle(const Ray& ray, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d e1 = b - a, e2 = c - a, h = cross(ray.d, e2);
  const double det = dot(e1, h);
  if (det == 0.0) return nowhere;
  const Vec3d x = ray.p - a, k = cross(x, e1);
  const double u = dot(x, h) / det, v = dot(ray.d, k) / det, s = dot(e2, k) / det;
  constexpr double edge = 1e-12;  // neighbours share their edge
  return u < -edge || v < -edge || u + v > 1.0 + edge || s < 0.0 ? nowhere : s;
}

double hit_mesh(const Ray& ray, const TriangleMesh& mesh, double most) {
  double nearest = most;
  for_triangles(
      mesh, [&](const Aabb& box) { return in_box(ray, box.low, box.high).seen() <= nearest; },
      [&](int t) {
        nearest = std::min(nearest, hit_triangle(ray, mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)));
      });
  return nearest;
}

Inside in_hull(const Ray& ray, const TriangleMesh& mesh) {
  Inside all;
  for (const Facet& facet : mesh.facet) {
    const double height = dot(facet.n, mesh.vertex[std::size_t(mesh.loop[std::size_t(facet.first)])] - ray.p);
    const double rate = dot(facet.n, ray.d);
    if (rate == 0.0 && height < 0.0) return never;
    if (rate > 0.0) all.to = std::min(all.to, height / rate);
    if (rate < 0.0) all.from = std::max(all.from, height / rate);
  }
  return all;
}

double hit_plane(const Ray& ray, const Vec3d& n, double height) {
  const double above = dot(n, ray.p) - height, rate = dot(n, ray.d);
  if (above <= 0.0) return 0.0;
  return rate < 0.0 ? above / -rate : nowhere;
}

// Cell by cell along the ray, from where it comes over the field.
double hit_field(const Ray& ray, const HeightField& f, double most) {
  Inside over = in_slab(ray.p[0], ray.d[0], f.x0, f.x0 + (f.nx - 1) * f.dx);
  over.cut(in_slab(ray.p[1], ray.d[1], f.y0, f.y0 + (f.ny - 1) * f.dy));
  const double end = std::min(over.to, most);
  double s = std::max(over.from, 0.0);
  if (!(s <= end)) return nowhere;
  const auto cell = [](double x, double from, double size, int n) {
    return std::clamp(int(std::floor((x - from) / size)), 0, n - 2);
  };
  const auto node = [&f](int i, int k) { return Vec3d(f.x0 + i * f.dx, f.y0 + k * f.dy, f.at(i, k)); };
  const auto leaves = [](double p, double d, double low, double size) {  // where the ray goes out of this cell
    return d > 0.0 ? (low + size - p) / d : d < 0.0 ? (low - p) / d : nowhere;
  };
  int i = cell(ray.p[0] + s * ray.d[0], f.x0, f.dx, f.nx), k = cell(ray.p[1] + s * ray.d[1], f.y0, f.dy, f.ny);
  while (i >= 0 && k >= 0 && i < f.nx - 1 && k < f.ny - 1) {
    const Vec3d a = node(i, k), b = node(i + 1, k), c = node(i + 1, k + 1), e = node(i, k + 1);
    const double hit = std::min(hit_triangle(ray, a, b, c), hit_triangle(ray, a, c, e));
    if (hit <= end) return hit;
    const double out_x = leaves(ray.p[0], ray.d[0], f.x0 + i * f.dx, f.dx);
    const double out_y = leaves(ray.p[1], ray.d[1], f.y0 + k * f.dy, f.dy);
    if (std::min(out_x, out_y) >= end) return nowhere;
    if (out_x <= out_y) i += ray.d[0] > 0.0 ? 1 : -1;
    if (out_y <= out_x) k += ray.d[1] > 0.0 ? 1 : -1;
  }
  return nowhere;
}

}  // namespace

double distance_along(const Ray& ray, const Shape& shape, double most) {
  SINEW_ASSERT(is_unit(ray.d));
  const auto seen = [&] {
    switch (shape.kind) {
      case ShapeKind::Sphere:
        return shape.radius > 0.0 ? in_ball(ray, Vec3d::zero(), shape.radius).seen() : nowhere;  // a point is not seen
      case ShapeKind::Capsule:
        return std::min({in_tube(ray, shape.radius, shape.half_length).seen(),
                         in_ball(ray, {0.0, 0.0, shape.half_length}, shape.radius).seen(),
                         in_ball(ray, {0.0, 0.0, -shape.half_length}, shape.radius).seen()});
      case ShapeKind::Box:
        return in_box(ray, -shape.half, shape.half).seen();
      case ShapeKind::Cylinder:
        return in_tube(ray, shape.radius, shape.half_length).seen();
      case ShapeKind::Hull:
        return shape.mesh && !shape.mesh->facet.empty() ? in_hull(ray, *shape.mesh).seen() : nowhere;
      case ShapeKind::Mesh:
        return shape.mesh ? hit_mesh(ray, *shape.mesh, most) : nowhere;
    }
    return nowhere;
  };
  return std::min(seen(), most);
}

double distance_along(const Ray& ray, const Terrain& terrain, double most) {
  SINEW_ASSERT(is_unit(ray.d));
  switch (terrain.kind) {
    case TerrainKind::None:
      return most;
    case TerrainKind::Plane:
      return std::min(hit_plane(ray, terrain.normal, terrain.height), most);
    case TerrainKind::Steps:  // what stands on the floor are boxes of the world
    case TerrainKind::Profile:
      return std::min(hit_plane(ray, {0.0, 0.0, 1.0}, terrain.height), most);
    case TerrainKind::Heights:
      return std::min(hit_field(ray, terrain.field, most), most);
    case TerrainKind::Mesh:
      return terrain.mesh ? hit_mesh(ray, *terrain.mesh, most) : most;
  }
  return most;
}

}  // namespace sinew
