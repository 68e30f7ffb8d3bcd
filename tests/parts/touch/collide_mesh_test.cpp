// Shapes on meshes: a flat mesh of irregular triangles is a plane, whatever moves over it; a mesh in the form of a box is a box.
#include "tests/parts/touch/solids.h"

#include <gtest/gtest.h>

namespace sinew::support {
namespace collide_mesh_test {

// Points of both, each with its equal: same place, normal and gap.
void expect_same(const Touches& found, const Touches& wanted, double tolerance, const char* what) {
  EXPECT_TRUE(same_points(found, wanted, 1.0, tolerance))
      << what << ": " << found.count << " points, wanted " << wanted.count;
}

struct OnFlatMesh : ::testing::Test {
  Dice dice{3};
  Terrain plane = level(), flat = ground_of(irregular_plane(dice, 2.0, 12));
};

TEST_F(OnFlatMesh, sphere_feels_no_edges) {
  const Shape ball = sphere(0.05);
  for (int i = 0; i < 4000; i++) {
    const Posed X =
        turned(dice.vector(1.0), {dice.between(-0.9, 0.9), dice.between(-0.9, 0.9), 0.05 - dice.between(-1e-3, 0.04)});
    const Touches found = touches(flat, ball, X, 1e-6), wanted = touches(plane, ball, X, 1e-6);
    expect_same(found, wanted, 1e-12, "sphere");
  }
}

TEST_F(OnFlatMesh, sphere_that_has_sunk_in_is_pushed_up) {
  const Touches found = touches(flat, sphere(0.05), at(0.1, 0.2, -0.03), 1e-6);
  ASSERT_EQ(found.count, 1);
  expect_near(found[0].n, {0, 0, 1}, 1e-15);
  EXPECT_NEAR(found[0].gap, -0.08, 1e-15);
}

// As the feet of the quadruped: all of its distance from the surface is below it.
TEST_F(OnFlatMesh, point_that_has_sunk_in_is_found_at_any_depth) {
  for (int i = 0; i < 4000; i++) {
    const double depth = std::pow(10.0, dice.between(-10.0, -2.0));
    const Touches found = touches(flat, sphere(0.0), at(dice.between(-0.9, 0.9), dice.between(-0.9, 0.9), -depth), 0.0);
    ASSERT_EQ(found.count, 1) << depth;
    EXPECT_NEAR(found[0].gap, -depth, 1e-15);
  }
}

TEST_F(OnFlatMesh, rolling_sphere_keeps_its_feature) {
  const int first = touches(flat, sphere(0.05), at(-0.8, -0.7, 0.0499), 1e-6)[0].feature;
  for (int i = 0; i < 1000; i++) {
    const Touches found = touches(flat, sphere(0.05), at(-0.8 + 1.6e-3 * i, -0.7 + 1.3e-3 * i, 0.0499), 1e-6);
    ASSERT_EQ(found.count, 1);
    EXPECT_EQ(found[0].feature, first);
  }
}

TEST_F(OnFlatMesh, capsule_lying_or_leaning_feels_no_edges) {
  const Shape log = capsule(0.03, 0.06);
  for (int i = 0; i < 4000; i++) {
    const bool lies = i % 2;
    const Vec3d turn = lies ? Vec3d(M_PI / 2, 0, 0) : dice.vector(2.0);
    Posed X = turned(turn, {dice.between(-0.8, 0.8), dice.between(-0.8, 0.8), 0.0});
    X.R = to_matrix(quaternion_exp(Vec3d(0, 0, dice.between(-3.0, 3.0)))) * X.R;
    X.p[2] = 0.03 + 0.06 * std::abs(X.R(2, 2)) - dice.between(-1e-4, 5e-3);
    expect_same(touches(flat, log, X, 1e-6), touches(plane, log, X, 1e-6), 1e-12, lies ? "lying" : "leaning");
  }
}

TEST_F(OnFlatMesh, box_hull_mesh_and_cylinder_touch_as_on_the_plane) {
  const Shape shapes[] = {box(0.1, 0.05, 0.07), box_hull(0.1, 0.05, 0.07), box_mesh(0.1, 0.05, 0.07),
                          cylinder(0.06, 0.04), any_hull(dice, 10)};
  for (const Shape& shape : shapes)
    for (int i = 0; i < 600; i++) {
      Posed X =
          turned(i % 3 ? dice.vector(2.0) : Vec3d::zero(), {dice.between(-0.6, 0.6), dice.between(-0.6, 0.6), 0.0});
      X.p[2] = extent(shape, transpose_times(X.R, Vec3d(0, 0, -1))) - dice.between(-1e-4, 4e-3);
      expect_same(touches(flat, shape, X, 1e-6), touches(plane, shape, X, 1e-6), 1e-12,
                  shape_names[int(shape.kind)].data());
    }
}

// What rests trembles, and what slides crosses edges of the ground: neither changes the features.
TEST_F(OnFlatMesh, resting_and_sliding_bodies_keep_their_features) {
  for (const Shape& shape : {box(0.1, 0.05, 0.07), box_hull(0.1, 0.05, 0.07), box_mesh(0.1, 0.05, 0.07)}) {
    const std::set<int> first = touches(flat, shape, at(0.1, 0.2, 0.0695), 1e-6).features();
    EXPECT_EQ(first.size(), 4u);
    for (int i = 0; i < 300; i++) {
      const Posed X = turned(dice.vector(1e-6), Vec3d(0.1 - 2e-3 * i, 0.2 - 1e-3 * i, 0.0695) + dice.vector(1e-6));
      EXPECT_EQ(touches(flat, shape, X, 1e-6).features(), first);
    }
  }
}

TEST_F(OnFlatMesh, nothing_is_found_beside_the_border) {
  for (const Shape& shape : {sphere(0.05), capsule(0.03, 0.06), box(0.05, 0.05, 0.05), cylinder(0.05, 0.05)})
    EXPECT_EQ(touches(flat, shape, at(1.2, 0.3, -0.02), 1e-6).count, 0) << shape_names[int(shape.kind)];
}

// Against a mesh in the form of a box, balls are exact.
TEST(Meshes, sphere_at_a_box_of_triangles_is_as_at_a_box) {
  Dice dice(5);
  for (int i = 0; i < 3000; i++) {
    const double x = dice.between(0.1, 0.4), y = dice.between(0.1, 0.4), z = dice.between(0.1, 0.4);
    Scene s{sphere(dice.between(0.02, 0.2)), box(x, y, z), any_pose(dice, 0.5), any_pose(dice, 0.5)};
    s.X_WA.p = s.X_WB.p + dice.direction() * dice.between(0.0, 0.8);
    const Touches wanted = touches(s, 1e-3);
    s.b = box_mesh(x, y, z);
    const Touches found = touches(s, 1e-3);
    ASSERT_EQ(found.count > 0, wanted.count > 0);
    if (!found.count) continue;
    EXPECT_NEAR(found.deepest().gap, wanted[0].gap, 1e-12);
    expect_near(found.deepest().n, wanted[0].n, 1e-9);
  }
}

TEST(Meshes, capsule_at_a_box_of_triangles_is_as_deep_as_at_a_box_when_its_axis_is_outside) {
  Dice dice(6);
  int compared = 0;
  for (int i = 0; i < 3000; i++) {
    const double x = dice.between(0.1, 0.4), y = dice.between(0.1, 0.4), z = dice.between(0.1, 0.4);
    Scene s{capsule(dice.between(0.02, 0.2), dice.between(0.1, 0.4)), box(x, y, z), any_pose(dice, 0.5),
            any_pose(dice, 0.5)};
    const Touches wanted = touches(s, 1e-3);
    if (core_distance(s) < 1e-3) continue;
    s.b = box_mesh(x, y, z);
    const Touches found = touches(s, 1e-3);
    ASSERT_EQ(found.count > 0, wanted.count > 0);
    if (!found.count) continue;
    EXPECT_NEAR(found.deepest().gap, wanted.deepest().gap, 1e-9);
    compared++;
  }
  EXPECT_GT(compared, 300);
}

// Boxes of triangles lying on each other, slightly sunk in, as boxes do.
TEST(Meshes, boxes_of_triangles_rest_on_each_other_face_to_face) {
  const double depth = 4e-4;
  for (const double shift : {0.0, 0.03, 0.12}) {
    const Shape lower = box_mesh(0.2, 0.2, 0.1), upper = box_mesh(0.1, 0.15, 0.05);
    const Touches found = touches(lower, at(0, 0, 0), upper, at(shift, 0.01, 0.15 - depth), 1e-6);
    ASSERT_GE(found.count, 4);
    Vec3d low{1, 1, 1}, high{-1, -1, -1};
    for (const Touch& t : found) {
      expect_near(t.n, {0, 0, 1}, 1e-12);
      EXPECT_NEAR(t.gap, -depth, 1e-12);
      for (int i = 0; i < 3; i++) low[i] = std::min(low[i], t.p[i]), high[i] = std::max(high[i], t.p[i]);
    }
    expect_near(low, {std::max(-0.2, shift - 0.1), -0.14, 0.1 - depth / 2}, 1e-12);
    expect_near(high, {std::min(0.2, shift + 0.1), 0.16, 0.1 - depth / 2}, 1e-12);
  }
}

TEST(Meshes, crossed_bars_touch_where_their_edges_cross) {
  const Shape bar = box_mesh(0.5, 0.05, 0.05);
  const Touches found = touches(bar, at(0, 0, 0), bar, turned({0, 0, M_PI / 2}, {0, 0, 0.0999}), 1e-6);
  ASSERT_EQ(found.count, 4);
  for (const Touch& t : found) {
    expect_near(t.n, {0, 0, 1}, 1e-9);
    EXPECT_NEAR(t.gap, -1e-4, 1e-12);
    EXPECT_NEAR(std::abs(t.p[0]), 0.05, 1e-9);
    EXPECT_NEAR(std::abs(t.p[1]), 0.05, 1e-9);
  }
}

// A corner that has just passed the rim of a table is nearer to its side than to its top, and still stands on it.
TEST(Meshes, corner_at_a_rim_is_not_pushed_sideways) {
  const Shape table = box_mesh(0.5, 0.5, 0.1);
  for (const Shape& shape : {box(0.05, 0.05, 0.05), box_mesh(0.05, 0.05, 0.05)})
    for (const Touch& t : touches(table, at(0, 0, 0), shape, at(0.4499, 0, 0.1495), 1e-6))
      expect_near(t.n, {0, 0, 1}, 1e-12);
}

TEST(Meshes, sphere_in_a_valley_touches_both_sides) {
  const Terrain valley = ground_of(make_mesh({{-1, -1, 1}, {0, -1, 0}, {1, -1, 1}, {-1, 1, 1}, {0, 1, 0}, {1, 1, 1}},
                                             {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}}));
  const double r = 0.1;
  const Touches found = touches(valley, sphere(r), at(0, 0, r * std::sqrt(2.0) - 1e-4), 1e-6);
  ASSERT_EQ(found.count, 2);
  for (const Touch& t : found) {
    EXPECT_NEAR(t.gap, -1e-4 / std::sqrt(2.0), 1e-12);
    EXPECT_NEAR(std::abs(t.n[0]), std::sqrt(0.5), 1e-12);
  }
  EXPECT_LT(found[0].n[0] * found[1].n[0], 0.0);
}

TEST(Meshes, capsule_lies_across_a_ridge) {
  const Terrain ridge = ground_of(make_mesh({{-1, -1, -1}, {0, -1, 0}, {1, -1, -1}, {-1, 1, -1}, {0, 1, 0}, {1, 1, -1}},
                                            {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}}));
  const Posed X = turned({0, M_PI / 2, 0}, {0.01, 0.1, 0.0295});
  const Touches found = touches(ridge, capsule(0.03, 0.2), X, 1e-6);
  ASSERT_EQ(found.count, 1);
  EXPECT_NEAR(found[0].gap, -5e-4, 1e-12);
  expect_near(found[0].n, {0, 0, 1}, 1e-9);
  EXPECT_NEAR(found[0].p[0], 0.0, 1e-9);
}

TEST(Meshes, touches_move_with_the_pair_and_turn_round_when_it_is_exchanged) {
  Dice dice(9);
  const Shape thing = box_mesh(0.1, 0.2, 0.15);
  for (const Shape& shape : {sphere(0.1), capsule(0.05, 0.1), box(0.1, 0.1, 0.05), cylinder(0.08, 0.1),
                             any_hull(dice, 12), box_mesh(0.1, 0.05, 0.1)})
    for (int i = 0; i < 200; i++) {
      const Scene s{shape, thing, any_pose(dice, 0.1), any_pose(dice, 0.1)};
      const Touches found = touches(s, 1e-4), exchanged = touches(s.b, s.X_WB, s.a, s.X_WA, 1e-4);
      EXPECT_TRUE(same_points(found, exchanged, -1.0, 1e-15) || shape.kind == ShapeKind::Mesh);
      for (const Touch& t : found) {
        EXPECT_TRUE(is_finite(t.p) && std::isfinite(t.gap));
        EXPECT_NEAR(norm(t.n), 1.0, 1e-12);
        EXPECT_GE(t.feature, 0);
      }
      EXPECT_LE(found.count, touch_capacity(s.a.kind, s.b.kind));
      EXPECT_EQ(found.features().size(), std::size_t(found.count));
    }
}

TEST(Meshes, coincident_shapes_have_a_normal) {
  Dice dice(2);
  const Shape thing = box_mesh(0.1, 0.1, 0.1);
  for (const Shape& shape :
       {sphere(0.1), capsule(0.05, 0.1), box(0.1, 0.1, 0.1), cylinder(0.1, 0.1), box_hull(0.1, 0.1, 0.1), thing})
    for (const Touch& t : touches(shape, at(0, 0, 0), thing, at(0, 0, 0), 1e-6)) {
      EXPECT_TRUE(is_finite(t.p) && is_finite(t.n) && std::isfinite(t.gap));
      EXPECT_NEAR(norm(t.n), 1.0, 1e-9);
    }
}

}  // namespace collide_mesh_test
}  // namespace sinew::support
