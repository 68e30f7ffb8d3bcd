// Cylinders, hulls and meshes on a plane; heights at rest of the bodies of Konyev 2011, section 2.5.1.
#include "tests/parts/touch/solids.h"

#include <gtest/gtest.h>

namespace sinew::support {
namespace collide_plane_test {

TEST(OnPlane, deepest_point_of_any_shape_is_its_extent) {
  Dice dice(12);
  for (const ShapeKind kind : {ShapeKind::Cylinder, ShapeKind::Hull})
    for (int i = 0; i < 1000; i++) {
      const Shape shape = any_solid(dice, kind);
      const Posed X = any_pose(dice, 0.3);
      Terrain ground = level();
      ground.normal = dice.direction(), ground.height = dice.between(-0.1, 0.1);
      const Touches found = touches(ground, shape, X, 10.0);
      ASSERT_GE(found.count, 1);
      const double gap = dot(ground.normal, X.p) - extent(shape, transpose_times(X.R, -ground.normal)) - ground.height;
      EXPECT_NEAR(found.deepest().gap, gap, 1e-6);  // of equal ones the first is chosen
      for (const Touch& t : found) {
        expect_near(t.n, ground.normal, 0.0);
        EXPECT_NEAR(dot(ground.normal, t.p) - ground.height, 0.5 * t.gap, 1e-12);
      }
    }
}

TEST(OnPlane, cylinder_stands_on_four_points_lies_on_two_and_leans_on_one) {
  const Shape can = cylinder(0.1, 0.2);
  EXPECT_EQ(touches(level(), can, at(0, 0, 0.1999), 1e-6).count, 4);
  EXPECT_EQ(touches(level(), can, turned({M_PI / 2, 0, 0}, {0, 0, 0.0999}), 1e-6).count, 2);
  const Posed leaning = turned({0.5, 0.2, 0}, {0, 0, 0.0});
  const double down = extent(can, transpose_times(leaning.R, Vec3d(0, 0, -1)));
  const Touches found = touches(level(), can, {leaning.R, {0, 0, down - 1e-4}}, 1e-6);
  ASSERT_EQ(found.count, 1);
  EXPECT_NEAR(found[0].gap, -1e-4, 1e-15);
}

// The features of what stands, lies or leans do not change while it trembles or rolls on.
TEST(OnPlane, cylinder_keeps_its_features) {
  Dice dice(3);
  const Shape can = cylinder(0.1, 0.2);
  const auto features = [&](const Posed& X) { return touches(level(), can, X, 1e-6).features(); };
  const auto standing = features(at(0, 0, 0.1999)), lying = features(turned({M_PI / 2, 0, 0}, {0, 0, 0.0999}));
  for (int i = 0; i < 300; i++) {
    EXPECT_EQ(features(turned(dice.vector(1e-4), {0, 0, 0.1999})), standing);
    const Mat3d roll = to_matrix(quaternion_exp(Vec3d(0, 0, dice.between(-3.0, 3.0))));
    EXPECT_EQ(features({turned({M_PI / 2, 0, 0}, {}).R * roll, {0, 0, 0.0999}}), lying);
  }
}

TEST(OnPlane, mesh_gives_the_corners_that_are_below_and_eight_of_many) {
  const Shape thing = box_mesh(0.1, 0.2, 0.3);
  EXPECT_EQ(touches(level(), thing, at(0, 0, 0.2999), 1e-6).count, 4);
  std::vector<Vec3d> round;
  for (int i = 0; i < 40; i++)
    for (const double z : {-0.1, 0.1})
      round.push_back({0.1 * std::cos(2 * M_PI * i / 40), 0.1 * std::sin(2 * M_PI * i / 40), z});
  const Touches found = touches(level(), hull(round), at(0, 0, 0.0999), 1e-6);
  ASSERT_EQ(found.count, 8);
  // they stand for the circle: their outline holds most of its area
  Vec3d sum = Vec3d::zero();
  double widest = 0.0;
  for (const Touch& t : found) {
    sum = sum + t.p;
    for (const Touch& o : found) widest = std::max(widest, norm(t.p - o.p));
  }
  EXPECT_NEAR(norm(sum * 0.125 - Vec3d(0, 0, -0.00005)), 0.0, 0.01);
  EXPECT_NEAR(widest, 0.2, 1e-12);
}

TEST(OnPlane, flat_parts_of_a_mesh_touch_with_their_outline_only) {
  Dice dice(5);
  // a box with a finely divided bottom: only the four corners and the rim stick out
  const MeshPtr plane = irregular_plane(dice, 0.2, 10);
  int sharp = 0;
  for (std::size_t t = 0; t < plane->triangle.size(); t++)
    for (int i = 0; i < 3; i++) sharp += (plane->owns[t] >> i & 1) && (plane->sharp[t] >> (3 + i) & 1);
  EXPECT_EQ(sharp, 40);  // of 121
}

TEST(OnPlane, bounding_boxes_are_tight) {
  Dice dice(6);
  for (const ShapeKind kind :
       {ShapeKind::Sphere, ShapeKind::Capsule, ShapeKind::Box, ShapeKind::Cylinder, ShapeKind::Hull})
    for (int i = 0; i < 200; i++) {
      const Shape shape = any_solid(dice, kind);
      const Posed X = any_pose(dice, 1.0);
      const Aabb box = aabb_of(shape, X);
      for (int axis = 0; axis < 3; axis++)
        for (const double side : {-1.0, 1.0}) {
          Terrain wall = level();
          wall.normal = Vec3d::zero(), wall.normal[axis] = side;
          wall.height = side * (side > 0.0 ? box.low[axis] : box.high[axis]);
          EXPECT_NEAR(touches(wall, shape, X, 1e-3).deepest().gap, 0.0, 1e-9) << shape_names[int(kind)];
        }
    }
}

}  // namespace collide_plane_test
}  // namespace sinew::support
