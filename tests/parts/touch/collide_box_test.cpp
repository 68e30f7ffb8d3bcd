// A box against spheres and capsules: cases by hand. Random ones are in collide_test.cpp.
#include <gtest/gtest.h>

#include <numbers>

#include "tests/parts/touch/scene.h"

namespace sinew {
namespace collide_box_test {

using namespace support;

constexpr double rounding = 1e-13;
constexpr double quarter = 0.5 * std::numbers::pi, half_sqrt = 0.5 * std::numbers::sqrt2;
const Vec3d lie_along_x(0, quarter, 0);
const Shape brick = box(0.4, 0.3, 0.2);

void expect_touch(const Touch& t, const Vec3d& p, const Vec3d& n, double gap) {
  expect_near(t.p, p, rounding);
  expect_near(t.n, n, rounding);
  EXPECT_NEAR(t.gap, gap, rounding);
}

TEST(SphereBox, sphere_above_a_face_an_edge_and_a_corner) {
  const Touches face = touches(brick, at(0, 0, 0), sphere(0.1), at(0.1, -0.2, 0.28), 0.0);
  ASSERT_EQ(face.count, 1);
  expect_touch(face[0], {0.1, -0.2, 0.19}, {0, 0, 1}, -0.02);
  const Touches edge = touches(brick, at(0, 0, 0), sphere(0.1), at(0.1, 0.36, 0.28), 1e-9);
  ASSERT_EQ(edge.count, 1);
  expect_touch(edge[0], {0.1, 0.3, 0.2}, {0, 0.6, 0.8}, 0.0);
  const Touches corner = touches(brick, at(0, 0, 0), sphere(0.4), at(-0.6, -0.5, -0.3), 0.0);  // 2, 2, 1
  ASSERT_EQ(corner.count, 1);
  expect_touch(corner[0], Vec3d(-0.4, -0.3, -0.2) + Vec3d(2, 2, 1) * (0.05 / 3), Vec3d(-2, -2, -1) * (1.0 / 3), -0.1);
}

TEST(SphereBox, centre_inside_leaves_through_the_nearest_face) {
  const Touches t = touches(sphere(0.1), at(1, 0.25, 0), brick, at(1, 0, 0), 0.0);
  ASSERT_EQ(t.count, 1);
  expect_touch(t[0], {1, 0.225, 0}, {0, -1, 0}, -0.15);  // sphere's lowest point y = 0.15, face y = 0.3
}

TEST(SphereBox, gap_is_continuous_where_the_centre_enters) {
  for (double z : {0.2 - 1e-9, 0.2, 0.2 + 1e-9}) {
    const Touches t = touches(brick, at(0, 0, 0), sphere(0.1), at(0.1, 0.1, z), 0.0);
    ASSERT_EQ(t.count, 1);
    expect_near(t[0].n, {0, 0, 1}, rounding);
    EXPECT_NEAR(t[0].gap, z - 0.3, rounding);
  }
}

TEST(CapsuleBox, capsule_lying_on_a_face_touches_with_both_ends) {
  const Touches t = touches(brick, at(0, 0, 0), capsule(0.1, 0.25), turned(lie_along_x, {0.1, 0.05, 0.29}), 0.0);
  ASSERT_EQ(t.count, 2);
  expect_touch(t[0], {-0.15, 0.05, 0.195}, {0, 0, 1}, -0.01);
  expect_touch(t[1], {0.35, 0.05, 0.195}, {0, 0, 1}, -0.01);
}

TEST(CapsuleBox, capsule_that_juts_out_touches_up_to_the_edge) {
  const Touches t = touches(brick, at(0, 0, 0), capsule(0.1, 0.5), turned(lie_along_x, {0.3, 0.05, 0.29}), 0.0);
  ASSERT_EQ(t.count, 2);
  expect_touch(t[0], {-0.2, 0.05, 0.195}, {0, 0, 1}, -0.01);
  expect_touch(t[1], {0.4, 0.05, 0.195}, {0, 0, 1}, -0.01);
}

TEST(CapsuleBox, capsule_standing_on_a_face_touches_once) {
  const Touches t = touches(capsule(0.1, 0.5), at(0.1, 0, 0.79), brick, at(0, 0, 0), 0.0);
  ASSERT_EQ(t.count, 1);
  expect_touch(t[0], {0.1, 0, 0.195}, {0, 0, -1}, -0.01);
}

TEST(CapsuleBox, capsule_across_an_edge_touches_once_midway) {
  // axis along (1, 0, -1): it passes the edge x = 0.4, z = 0.2 at the distance 0.09 along (1, 0, 1)
  const Vec3d n(half_sqrt, 0, half_sqrt);
  const Posed X = turned({0, 1.5 * quarter, 0}, Vec3d(0.4, 0.1, 0.2) + n * 0.09);
  const Touches t = touches(brick, at(0, 0, 0), capsule(0.1, 0.3), X, 0.0);
  ASSERT_EQ(t.count, 1);
  expect_touch(t[0], Vec3d(0.4, 0.1, 0.2) - n * 0.005, n, -0.01);
}

TEST(CapsuleBox, capsule_beside_a_parallel_edge_touches_at_both_ends_of_it) {
  const Touches t = touches(brick, at(0, 0, 0), capsule(0.1, 1.0), turned(lie_along_x, {0.3, 0.36, 0.28}), 0.01);
  ASSERT_EQ(t.count, 2);
  expect_touch(t[0], {-0.4, 0.3, 0.2}, {0, 0.6, 0.8}, 0.0);
  expect_touch(t[1], {0.4, 0.3, 0.2}, {0, 0.6, 0.8}, 0.0);
}

TEST(CapsuleBox, axis_through_the_box_leaves_by_the_shortest_way) {
  // upright through the brick at y = 0.2: 0.1 from the side, and the radius on top
  const Touches t = touches(brick, at(0, 0, 0), capsule(0.05, 1.0), at(0.1, 0.2, 0.3), 0.0);
  ASSERT_EQ(t.count, 2);
  for (const Touch& touch : t) {
    expect_near(touch.n, {0, 1, 0}, rounding);
    EXPECT_NEAR(touch.gap, -0.15, rounding);
    EXPECT_NEAR(std::abs(touch.p[2]), 0.2, rounding);  // where the axis leaves the box
  }
}

TEST(CapsuleBox, axis_just_below_an_edge_leaves_across_it) {
  const Vec3d n(half_sqrt, 0, half_sqrt);
  const Posed X = turned({0, 1.5 * quarter, 0}, Vec3d(0.4, 0.1, 0.2) - n * 0.02);
  const Touches t = touches(brick, at(0, 0, 0), capsule(0.1, 0.3), X, 0.0);
  ASSERT_EQ(t.count, 1);
  expect_touch(t[0], Vec3d(0.4, 0.1, 0.2) - n * 0.06, n, -0.12);
}

// Tilts of a resting capsule, also where an end juts out: always the same two features, on either side of touching.
TEST(CapsuleBox, resting_capsule_keeps_its_two_features_under_noise) {
  Dice dice(1);
  for (double x : {0.0, 0.3, 0.4})
    for (int trial = 0; trial < 500; trial++) {
      const Vec3d tilt = dice.vector(1e-5), off = dice.vector(1e-6);
      Posed X = turned(lie_along_x, {x, 0.1, 0.3});
      X = {to_matrix(quaternion_exp(tilt)) * X.R, X.p + off};
      const Touches t = touches(brick, at(0, 0, 0), capsule(0.1, 0.4), X, 1e-3);
      EXPECT_EQ(t.features(), (std::set<int>{0, 1})) << "x " << x << " trial " << trial;
      for (const Touch& touch : t) EXPECT_NEAR(touch.gap, 0.0, 1e-5);
    }
}

}  // namespace collide_box_test
}  // namespace sinew
