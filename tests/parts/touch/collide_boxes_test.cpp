// Two boxes: cases by hand, and that resting boxes do not flicker. Random pairs are in collide_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "tests/parts/touch/scene.h"

namespace sinew {
namespace collide_boxes_test {

using namespace support;

constexpr double rounding = 1e-13;
constexpr double quarter = 0.5 * std::numbers::pi, sqrt2 = std::numbers::sqrt2;

bool has_point(const Touches& t, const Vec3d& p, double tolerance = rounding) {
  return std::any_of(t.begin(), t.end(), [&](const Touch& touch) { return norm(touch.p - p) <= tolerance; });
}

void expect_all(const Touches& t, const Vec3d& n, double gap) {
  for (const Touch& touch : t) {
    expect_near(touch.n, n, rounding);
    EXPECT_NEAR(touch.gap, gap, rounding);
  }
}

TEST(BoxBox, box_flat_on_a_box_touches_at_the_corners_of_the_common_rectangle) {
  const Touches t = touches(box(0.5, 0.4, 0.3), at(0, 0, 0), box(0.2, 0.3, 0.1), at(0.4, 0.2, 0.39), 0.0);
  ASSERT_EQ(t.count, 4);
  expect_all(t, {0, 0, 1}, -0.01);
  for (double x : {0.2, 0.5})
    for (double y : {-0.1, 0.4}) EXPECT_TRUE(has_point(t, {x, y, 0.295})) << x << " " << y;
}

TEST(BoxBox, boxes_apart_by_less_than_the_margin_touch_likewise) {
  const Shape a = box(0.5, 0.4, 0.3), b = box(0.2, 0.3, 0.1);
  EXPECT_EQ(touches(a, at(0, 0, 0), b, at(0.4, 0.2, 0.42), 0.019).count, 0);
  const Touches t = touches(a, at(0, 0, 0), b, at(0.4, 0.2, 0.42), 0.021);
  ASSERT_EQ(t.count, 4);
  expect_all(t, {0, 0, 1}, 0.02);
  EXPECT_TRUE(has_point(t, {0.5, 0.4, 0.31}));
}

TEST(BoxBox, planks_crossed_at_right_angles_touch_at_four_crossings) {
  const Shape plank = box(1.0, 0.1, 0.05);
  const Touches t = touches(plank, at(0, 0, 0), plank, turned({0, 0, quarter}, {0.3, 0.2, 0.1}), 1e-9);
  ASSERT_EQ(t.count, 4);
  for (double x : {0.2, 0.4})
    for (double y : {-0.1, 0.1}) EXPECT_TRUE(has_point(t, {x, y, 0.05})) << x << " " << y;
}

TEST(BoxBox, square_turned_by_45_degrees_on_an_equal_square_touches_at_eight_points) {
  const Shape cube = box(0.5, 0.5, 0.5);
  const Touches t = touches(cube, at(0, 0, 0), cube, turned({0, 0, 0.5 * quarter}, {0, 0, 0.99}), 0.0);
  ASSERT_EQ(t.count, 8);
  expect_all(t, {0, 0, 1}, -0.01);
  const double b = sqrt2 * 0.5 - 0.5;  // sides of the one cut those of the other here
  for (double s : {-1.0, 1.0})
    for (double w : {-1.0, 1.0}) {
      EXPECT_TRUE(has_point(t, {0.5 * s, b * w, 0.495}));
      EXPECT_TRUE(has_point(t, {b * s, 0.5 * w, 0.495}));
    }
}

TEST(BoxBox, larger_box_on_a_small_one_touches_at_the_corners_of_the_small_one) {
  const Touches t =
      touches(box(0.1, 0.1, 0.1), at(0, 0, 0), box(1, 1, 0.2), turned({0, 0, 0.3}, {0.2, 0.1, 0.295}), 0.0);
  ASSERT_EQ(t.count, 4);
  expect_all(t, {0, 0, 1}, -0.005);
  EXPECT_TRUE(has_point(t, {-0.1, 0.1, 0.0975}));
}

TEST(BoxBox, box_on_an_edge_touches_a_face_with_the_two_ends_of_the_edge) {
  const Touches t = touches(box(1, 1, 0.5), at(0, 0, 0), box(0.2, 0.3, 0.2),
                            turned({0, 0.5 * quarter, 0}, {0.1, 0, 0.49 + 0.2 * sqrt2}), 0.0);
  ASSERT_EQ(t.count, 2);
  expect_all(t, {0, 0, 1}, -0.01);
  EXPECT_TRUE(has_point(t, {0.1, 0.3, 0.495}));
  EXPECT_TRUE(has_point(t, {0.1, -0.3, 0.495}));
}

TEST(BoxBox, crossed_edges_touch_once) {
  // a's upper edge along y at height 0.2 sqrt 2; b's lower edge along x
  const Posed X_WA = turned({0, 0.5 * quarter, 0}, {0, 0, 0});
  for (double gap : {-0.01, 0.01}) {
    const Posed X_WB = turned({0.5 * quarter, 0, 0}, {0.05, 0.07, 0.5 * sqrt2 + gap});
    const Touches t = touches(box(0.2, 0.4, 0.2), X_WA, box(0.4, 0.3, 0.3), X_WB, 0.02);
    ASSERT_EQ(t.count, 1);
    expect_all(t, {0, 0, 1}, gap);
    expect_near(t[0].p, {0, 0.07, 0.2 * sqrt2 + 0.5 * gap}, rounding);
  }
}

TEST(BoxBox, corners_apart_have_the_direction_and_the_distance_between_them) {
  const Touches t = touches(box(0.2, 0.2, 0.2), at(0, 0, 0), box(0.1, 0.1, 0.1), at(0.32, 0.32, 0.31), 0.05);
  ASSERT_EQ(t.count, 1);
  expect_near(t[0].n, Vec3d(2, 2, 1) * (1.0 / 3), 1e-12);
  EXPECT_NEAR(t[0].gap, 0.03, rounding);
  expect_near(t[0].p, {0.21, 0.21, 0.205}, rounding);
}

TEST(BoxBox, parallel_edges_apart_touch_at_both_ends_of_what_lies_side_by_side) {
  const Touches t = touches(box(0.2, 0.2, 0.2), at(0, 0, 0), box(0.1, 0.1, 0.1), at(0.33, 0.15, 0.34), 0.06);
  ASSERT_EQ(t.count, 2);
  expect_all(t, {0.6, 0, 0.8}, 0.05);
  EXPECT_TRUE(has_point(t, {0.215, 0.05, 0.22}));
  EXPECT_TRUE(has_point(t, {0.215, 0.2, 0.22}));
}

TEST(BoxBox, concentric_equal_boxes_leave_along_their_shortest_edge) {
  const Touches t = touches(box(0.3, 0.1, 0.2), at(1, 1, 1), box(0.3, 0.1, 0.2), at(1, 1, 1), 0.0);
  ASSERT_EQ(t.count, 4);
  EXPECT_NEAR(std::abs(t[0].n[1]), 1.0, rounding);
  EXPECT_NEAR(t[0].gap, -0.2, rounding);
}

// Resting boxes jitter by far less than this. Neither the number of points nor their names may change: a renamed point
// loses its impulse of the last step.
struct Rest {
  const char* what;
  Shape a, b;
  Posed X_WB;
  int points;
};

TEST(BoxBox, resting_boxes_keep_their_features_under_noise) {
  const Shape cube = box(0.1, 0.1, 0.1), plank = box(0.5, 0.1, 0.05);
  const Rest rests[] = {
      {"equal, aligned", cube, cube, at(0, 0, 0.2), 4},
      {"equal, upside down", cube, cube, turned({2 * quarter, 0, 0}, {0, 0, 0.2}), 4},
      {"equal, lying on its side", cube, cube, turned({0, quarter, 0}, {0, 0, 0.2}), 4},
      {"equal, moved along", cube, cube, at(0.05, 0, 0.2), 4},
      {"equal, moved across", cube, cube, at(0.05, -0.03, 0.2), 4},
      {"turned", cube, cube, turned({0, 0, 0.6}, {0.01, 0.02, 0.2}), 8},
      {"turned by 45 degrees", cube, cube, turned({0, 0, 0.5 * quarter}, {0, 0, 0.2}), 8},
      {"plank across", plank, plank, turned({0, 0, quarter}, {0.1, 0.05, 0.1}), 4},
      {"small on large", box(1, 1, 0.1), cube, turned({0, 0, 0.6}, {0.2, 0.1, 0.2}), 4},
      {"large on small", cube, box(1, 1, 0.1), turned({0, 0, 0.6}, {0.2, 0.1, 0.2}), 4},
      {"on its edge", box(1, 1, 0.1), cube, turned({0, 0.6, 0}, {0, 0, 0.1 + 0.1 * (std::cos(0.6) + std::sin(0.6))}),
       2},
      {"on its edge, jutting out", cube, plank, turned({quarter / 2, 0, 0}, {0.1, 0, 0.1 + 0.15 * sqrt2 / 2}), 2},
  };
  Dice dice(1);
  for (const Rest& rest : rests) {
    const std::set<int> names = touches(rest.a, at(0, 0, 0), rest.b, rest.X_WB, 1e-3).features();
    EXPECT_EQ(int(names.size()), rest.points) << rest.what;
    int renamed = 0;
    for (int trial = 0; trial < 300; trial++) {
      const Vec3d tilt = dice.vector(1e-6), off = dice.vector(5e-8);
      const Posed X_WA = any_pose(dice, 1.0);
      const Posed X_AB{to_matrix(quaternion_exp(tilt)) * rest.X_WB.R, rest.X_WB.p + off};
      const Touches t = touches(rest.a, X_WA, rest.b, X_WA * X_AB, 1e-3);
      renamed += t.features() != names;
      for (const Touch& touch : t) EXPECT_NEAR(touch.gap, 0.0, 2e-6) << rest.what;
    }
    EXPECT_EQ(renamed, 0) << rest.what;
  }
}

TEST(BoxBox, equal_stacked_boxes_take_the_same_face_in_both_orders) {
  const Shape cube = box(0.1, 0.1, 0.1);
  const Posed low = at(0, 0, 0), high = turned({1e-4, 0, 0}, {0.03, 0, 0.199});
  const Touches up = touches(cube, low, cube, high, 0.0), down = touches(cube, high, cube, low, 0.0);
  ASSERT_EQ(up.count, 4);
  expect_near(up[0].n, {0, 0, 1}, 0.0);  // exactly: the lower one's top, not the tilted face
  EXPECT_TRUE(same_points(up, down, -1.0, 0.0));
}

}  // namespace collide_boxes_test
}  // namespace sinew
