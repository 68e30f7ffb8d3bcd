// Rays against closed forms, and against shapes made of triangles.
#include "sinew/parts/touch/ray.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/math/counter_random.h"

namespace sinew {
namespace ray_test {

constexpr double far = 100.0;

Vec3d random_vector(std::uint64_t k) {
  const auto u = [k](std::uint32_t i) { return 2.0 * math::uniform({11, 0, i, k}) - 1.0; };
  return {u(0), u(1), u(2)};
}

std::vector<Ray> random_rays(int n) {
  std::vector<Ray> out;
  for (int k = 0; k < n; k++) {
    const Vec3d from = random_vector(2 * std::uint64_t(k)) * 5.0, to = random_vector(2 * std::uint64_t(k) + 1);
    out.push_back({from, normalized(to - from)});
  }
  return out;
}

// Where a ray meets a surface it is on it: outside just before, inside just after.
TEST(Ray, what_it_hits_lies_on_the_surface) {
  const Shape sphere{.kind = ShapeKind::Sphere, .radius = 0.7};
  const Shape capsule{.kind = ShapeKind::Capsule, .radius = 0.3, .half_length = 0.8};
  const Shape box{.kind = ShapeKind::Box, .half = Vec3d(0.3, 0.5, 0.7)};
  const Shape cylinder{.kind = ShapeKind::Cylinder, .radius = 0.5, .half_length = 0.6};
  const auto depth = [](const Shape& s, const Vec3d& x) {  // below 0: inside
    const double along = std::abs(x[2]), around = std::hypot(x[0], x[1]);
    if (s.kind == ShapeKind::Sphere) return norm(x) - s.radius;
    if (s.kind == ShapeKind::Capsule) return std::hypot(around, std::max(0.0, along - s.half_length)) - s.radius;
    if (s.kind == ShapeKind::Cylinder) return std::max(around - s.radius, along - s.half_length);
    return std::max({std::abs(x[0]) - s.half[0], std::abs(x[1]) - s.half[1], along - s.half[2]});
  };
  for (const Shape& shape : {sphere, capsule, box, cylinder}) {
    int hits = 0;
    for (const Ray& ray : random_rays(500)) {
      const double s = distance_along(ray, shape, far);
      if (s == 0.0) {
        EXPECT_LE(depth(shape, ray.p), 0.0);
        continue;
      }
      for (double before = 0.0; before < std::min(s, 12.0) - 1e-9; before += 0.01)
        ASSERT_GT(depth(shape, ray.p + ray.d * before), 0.0) << "kind " << int(shape.kind);
      if (s == far) continue;
      hits++;
      EXPECT_NEAR(depth(shape, ray.p + ray.d * s), 0.0, 1e-12);
    }
    EXPECT_GT(hits, 50);
  }
}

TEST(Ray, a_box_as_hull_as_mesh_and_as_box_is_seen_at_the_same_distance) {
  const Vec3d half(0.3, 0.5, 0.7);
  std::vector<Vec3d> corners;
  for (int k = 0; k < 8; k++)
    corners.push_back({k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1], k & 4 ? half[2] : -half[2]});
  const MeshPtr hull = make_hull(corners);
  const Shape as_hull{.kind = ShapeKind::Hull, .mesh = hull};
  const Shape as_mesh{.kind = ShapeKind::Mesh, .mesh = make_mesh(hull->vertex, hull->triangle)};
  const Shape box{.kind = ShapeKind::Box, .half = half};
  for (const Ray& ray : random_rays(500)) {
    const double s = distance_along(ray, box, far);
    if (s == 0.0) continue;  // from inside a mesh its far side is seen
    EXPECT_NEAR(distance_along(ray, as_hull, far), s, 1e-10);
    EXPECT_NEAR(distance_along(ray, as_mesh, far), s, 1e-10);
  }
}

TEST(Ray, the_ground_is_seen_as_a_plane_as_heights_and_as_a_mesh) {
  const double slope = 0.2;
  Terrain plane;
  plane.kind = TerrainKind::Plane;
  plane.normal = normalized(Vec3d(-slope, 0.0, 1.0));
  Terrain heights;
  heights.kind = TerrainKind::Heights;
  heights.field = {.nx = 41, .ny = 31, .x0 = -10.0, .y0 = -7.5, .dx = 0.5, .dy = 0.5, .z = {}};
  for (int i = 0; i < 41; i++)
    for (int k = 0; k < 31; k++) heights.field.z.push_back(slope * (-10.0 + 0.5 * i));
  Terrain mesh;
  mesh.kind = TerrainKind::Mesh;
  mesh.mesh = mesh_of(heights.field);
  int hits = 0;
  for (const Ray& random : random_rays(300)) {
    const Ray ray{random.p + Vec3d(0.0, 0.0, 8.0), normalized(random.d + Vec3d(0.0, 0.0, -1.2))};
    const double s = distance_along(ray, plane, far);
    const Vec3d hit = ray.p + ray.d * s;
    if (s == far || std::abs(hit[0]) > 9.9 || std::abs(hit[1]) > 7.4) continue;
    hits++;
    EXPECT_NEAR(distance_along(ray, heights, far), s, 1e-9);
    EXPECT_NEAR(distance_along(ray, mesh, far), s, 1e-9);
  }
  EXPECT_GT(hits, 100);
  EXPECT_EQ(distance_along({{0, 0, 1}, {0, 0, 1}}, plane, far), far);
  EXPECT_EQ(distance_along({{0, 0, 1}, {0, 0, -1}}, Terrain{}, far), far);
}

}  // namespace ray_test
}  // namespace sinew
