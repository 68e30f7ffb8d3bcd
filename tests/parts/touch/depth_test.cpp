// How deep something lies in the ground: never deeper than it is far from where there is none.
#include "sinew/parts/touch/depth.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew::test {
namespace depth_test {

Terrain of_kind(TerrainKind kind) {
  Terrain ground;
  ground.kind = kind;
  return ground;
}
Posed at(const Vec3d& p) {
  Posed X = Posed::identity();
  X.p = p;
  return X;
}
double depth_at(const Terrain& ground, const Vec3d& x) { return depth_in(ground, steepest_slope(ground), x); }

TEST(Depth, below_a_plane_of_any_slope) {
  Terrain ground = of_kind(TerrainKind::Plane);
  ground.normal = {0.6, 0.0, 0.8}, ground.height = 1.0;
  EXPECT_NEAR(depth_at(ground, Vec3d(0.6, 3.0, 0.8) * 0.5), 0.5, 1e-15);
  EXPECT_LT(depth_at(ground, {2, 0, 2}), 0.0);
  Shape rod{
      .kind = ShapeKind::Capsule, .radius = 0.1, .half_length = 1.0};  // along z, which leans by 0.8 against the normal
  EXPECT_NEAR(depth_in(ground, 0.0, rod, at({0, 0, 0})), 1.0 - 0.9, 1e-15);
}

TEST(Depth, in_stairs_the_nearest_way_out) {
  Terrain ground = of_kind(TerrainKind::Steps);
  ground.steps = {.count = 3, .start = 0.5, .rise = 0.1, .run = 0.3, .width = 2.0};
  EXPECT_NEAR(depth_at(ground, {0.0, 0.0, -0.2}), 0.2, 1e-15);    // below the floor
  EXPECT_NEAR(depth_at(ground, {0.51, 0.0, 0.05}), 0.01, 1e-12);  // through the first riser
  EXPECT_NEAR(depth_at(ground, {0.81, 0.0, 0.15}), 0.01, 1e-12);  // through the second
  EXPECT_NEAR(depth_at(ground, {1.0, 0.0, 0.19}), 0.01, 1e-12);   // below the second top
  EXPECT_NEAR(depth_at(ground, {1.0, 0.99, 0.05}), 0.01, 1e-12);  // through the side
  EXPECT_LT(depth_at(ground, {1.0, 0.0, 0.21}), 0.0);
  EXPECT_LT(depth_at(ground, {0.4, 0.0, 0.05}), 0.0);
}

TEST(Depth, in_a_profile_the_nearest_way_out) {
  Terrain ground = of_kind(TerrainKind::Profile);
  ground.height = -0.1;
  ground.profile = {.x = {0.5, 0.65, 1.0}, .z = {0.0, -0.1, 0.0, 0.2}, .width = 2.0, .beyond = 3.0};
  EXPECT_NEAR(depth_at(ground, {0.6, 0.0, -0.15}), 0.05, 1e-12);   // below the ditch
  EXPECT_NEAR(depth_at(ground, {0.49, 0.0, -0.05}), 0.01, 1e-12);  // in the side of the ditch
  EXPECT_NEAR(depth_at(ground, {0.66, 0.0, -0.05}), 0.01, 1e-12);  // in the other side
  EXPECT_NEAR(depth_at(ground, {1.3, 0.0, 0.18}), 0.02, 1e-12);    // below the plate
  EXPECT_NEAR(depth_at(ground, {1.3, 0.99, 0.05}), 0.01, 1e-12);   // in its end
  EXPECT_LT(depth_at(ground, {0.6, 0.0, -0.05}), 0.0);
  EXPECT_LT(depth_at(ground, {0.9, 0.0, 0.1}), 0.0);
}

TEST(Depth, in_a_field_of_heights_no_more_than_the_distance) {
  Terrain ground = of_kind(TerrainKind::Heights);
  ground.field = {
      .nx = 3, .ny = 2, .x0 = 0.0, .y0 = 0.0, .dx = 1.0, .dy = 1.0, .z = {0, 0, 1, 1, 2, 2}};  // rises along x
  EXPECT_NEAR(steepest_slope(ground), 1.0, 1e-15);
  EXPECT_NEAR(depth_at(ground, {1.0, 0.5, 0.0}), std::sqrt(0.5), 1e-12);
  EXPECT_LT(depth_at(ground, {1.0, 0.5, 1.1}), 0.0);
  EXPECT_LT(depth_at(ground, {3.0, 0.5, -5.0}), 0.0);  // beside the grid there is no ground
}

TEST(Depth, in_a_mesh_the_nearest_point_of_its_surface) {
  Terrain ground = of_kind(TerrainKind::Mesh);
  ground.mesh =
      make_mesh({{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {4, 0, 4}, {4, 4, 4}},
                {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}});  // a floor, and a wall at x = 4 that looks to -x
  EXPECT_NEAR(depth_at(ground, {2.0, 2.0, -0.5}), 0.5, 1e-12);
  EXPECT_NEAR(depth_at(ground, {2.0, 2.0, -60.0}), 60.0, 1e-9);
  EXPECT_LT(depth_at(ground, {2.0, 2.0, 0.5}), 0.0);
  EXPECT_LT(depth_at(ground, {9.0, 2.0, -0.5}), 0.0);
  const Shape ball{.kind = ShapeKind::Sphere, .radius = 0.2};
  EXPECT_NEAR(depth_in(ground, 0.0, ball, at({2.0, 2.0, -0.5})), 0.3, 1e-12);
}

}  // namespace depth_test
}  // namespace sinew::test
