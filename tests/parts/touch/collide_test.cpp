#include "sinew/parts/touch/collide.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numbers>

#include "tests/parts/touch/scene.h"
#include "tests/support/any.h"

namespace sinew {
namespace collide_test {

using namespace support;

constexpr double rounding = 1e-13;  // sums of a few numbers below 1, times what a direction loses over small distances
constexpr double on = 1e-5;         // what collide_boxes.cpp takes as on the border of a face, for sizes of 1
constexpr ShapeKind kinds[] = {ShapeKind::Sphere, ShapeKind::Capsule, ShapeKind::Box};
constexpr double quarter = 0.5 * std::numbers::pi;

const Vec3d lie_along_x(0, quarter, 0);  // turns z into x

void expect_touch(const Touch& t, const Vec3d& p, const Vec3d& n, double gap) {
  expect_near(t.p, p, rounding);
  expect_near(t.n, n, rounding);
  EXPECT_NEAR(t.gap, gap, rounding);
}

TEST(Collide, overlapping_spheres_touch_midway_between_their_surfaces) {
  const Touches t = touches(sphere(0.5), at(0, 0, 0), sphere(0.25), at(0.7, 0, 0), 0.0);
  ASSERT_EQ(t.count, 1);
  expect_touch(t[0], {0.475, 0, 0}, {1, 0, 0}, -0.05);
}

TEST(Collide, spheres_apart_touch_only_within_the_margin) {
  EXPECT_EQ(touches(sphere(0.5), at(0, 0, 0), sphere(0.25), at(0, 0.85, 0), 0.099).count, 0);
  const Touches t = touches(sphere(0.5), at(0, 0, 0), sphere(0.25), at(0, 0.85, 0), 0.101);
  ASSERT_EQ(t.count, 1);
  expect_touch(t[0], {0, 0.55, 0}, {0, 1, 0}, 0.1);
}

TEST(Collide, concentric_spheres_have_a_unit_normal_and_their_full_depth) {
  const Touches t = touches(sphere(0.5), at(1, 2, 3), sphere(0.25), at(1, 2, 3), 0.0);
  ASSERT_EQ(t.count, 1);
  EXPECT_NEAR(norm(t[0].n), 1.0, rounding);
  EXPECT_NEAR(t[0].gap, -0.75, rounding);
}

TEST(Collide, sphere_beside_a_capsule_meets_its_side_and_beyond_the_end_its_cap) {
  const Shape c = capsule(0.1, 0.5), s = sphere(0.2);
  const Touches side = touches(s, at(0.25, 0, 0.3), c, at(0, 0, 0), 0.0);
  ASSERT_EQ(side.count, 1);
  expect_touch(side[0], {0.075, 0, 0.3}, {-1, 0, 0}, -0.05);
  const Touches cap = touches(c, at(0, 0, 0), s, at(0.3, 0, 0.9), 0.25);  // 3-4-5
  ASSERT_EQ(cap.count, 1);
  expect_touch(cap[0], {0.12, 0, 0.66}, {0.6, 0, 0.8}, 0.2);
}

TEST(Collide, sphere_on_the_axis_of_a_capsule_leaves_sideways) {
  const Touches t = touches(capsule(0.1, 0.5), at(0, 0, 0), sphere(0.2), at(0, 0, 0.25), 0.0);
  ASSERT_EQ(t.count, 1);
  EXPECT_NEAR(t[0].n[2], 0.0, rounding);
  EXPECT_NEAR(t[0].gap, -0.3, rounding);
}

TEST(Collide, crossed_capsules_touch_once_between_their_axes) {
  const Touches t = touches(capsule(0.1, 0.5), turned(lie_along_x, {0, 0, 0}), capsule(0.2, 0.4),
                            turned({quarter, 0, 0}, {0.2, 0.1, 0.28}), 0.0);
  ASSERT_EQ(t.count, 1);
  expect_touch(t[0], {0.2, 0, 0.09}, {0, 0, 1}, -0.02);
}

TEST(Collide, capsules_whose_axes_cross_leave_across_both) {
  const Touches t = touches(capsule(0.1, 0.5), turned(lie_along_x, {0, 0, 0}), capsule(0.2, 0.4),
                            turned({quarter, 0, 0}, {0.2, 0.1, 0}), 0.0);
  ASSERT_EQ(t.count, 1);
  EXPECT_NEAR(std::abs(t[0].n[2]), 1.0, rounding);
  EXPECT_NEAR(t[0].gap, -0.3, rounding);
}

TEST(Collide, parallel_capsules_touch_at_both_ends_of_what_lies_side_by_side) {
  const Touches t = touches(capsule(0.1, 0.5), turned(lie_along_x, {0, 0, 0}), capsule(0.2, 0.4),
                            turned(lie_along_x, {0.3, 0, 0.28}), 0.0);  // x from -0.5, -0.1 to 0.5, 0.7
  ASSERT_EQ(t.count, 2);
  expect_touch(t[0], {-0.1, 0, 0.09}, {0, 0, 1}, -0.02);
  expect_touch(t[1], {0.5, 0, 0.09}, {0, 0, 1}, -0.02);
}

TEST(Collide, antiparallel_capsules_touch_at_the_same_two_points) {
  const Touches t = touches(capsule(0.1, 0.5), turned(lie_along_x, {0, 0, 0}), capsule(0.2, 0.4),
                            turned({0, -quarter, 0}, {0.3, 0, 0.28}), 0.0);
  ASSERT_EQ(t.count, 2);
  expect_touch(t[0], {-0.1, 0, 0.09}, {0, 0, 1}, -0.02);
  expect_touch(t[1], {0.5, 0, 0.09}, {0, 0, 1}, -0.02);
}

TEST(Collide, capsules_crossed_at_a_small_angle_touch_once_at_the_crossing) {
  const Touches t = touches(capsule(0.1, 0.5), turned(lie_along_x, {0, 0, 0}), capsule(0.2, 0.5),
                            turned({0, 0, 0.005}, {0, 0, 0}) * turned(lie_along_x, {0, 0, 0.28}), 0.0);
  ASSERT_EQ(t.count, 1);
  expect_touch(t[0], {0, 0, 0.09}, {0, 0, 1}, -0.02);
}

TEST(Collide, capsules_in_line_touch_once_at_their_caps) {
  const Touches t = touches(capsule(0.1, 0.5), at(0, 0, 0), capsule(0.2, 0.4), at(0, 0, 1.15), 0.0);
  ASSERT_EQ(t.count, 1);
  expect_touch(t[0], {0, 0, 0.575}, {0, 0, 1}, -0.05);
}

// A log on an equal log: noise of a micrometre neither adds nor loses a point nor renames one.
TEST(Collide, equal_capsules_on_each_other_keep_their_two_features_under_noise) {
  Dice dice(1);
  for (int trial = 0; trial < 500; trial++) {
    const Vec3d tilt = dice.vector(1e-5), off = dice.vector(1e-6);
    const Posed X = turned(tilt, {0.2 + off[0], off[1], off[2]});
    const Touches t = touches(capsule(0.1, 0.5), at(0, 0, 0), capsule(0.1, 0.5), X, 1e-3);
    EXPECT_EQ(t.features(), (std::set<int>{0, 1}));
  }
}

struct RunTotals {
  int apart = 0, overlap = 0, none = 0;
};

// Every pair of kinds, shapes apart and overlapping, against the independent distance and the independent separation.
void compare(Dice& dice, const Scene& scene, RunTotals& tally) {
  const double margin = dice.between(0.0, 0.2), core = core_distance(scene);
  const double gap = core - radius_of(scene.a) - radius_of(scene.b);
  const Touches t = touches(scene, margin);
  // faces may stand for edges with normals within 0.36 degrees (collide_boxes.cpp): 1e-4 of the gap and 1e-6 of the size
  const double loose = 1e-6 + 1e-4 * std::abs(gap);
  if (core > 1e-9 && gap > margin + loose) {
    EXPECT_EQ(t.count, 0);
    tally.none++;
  } else if (core > 1e-9 && gap < margin - loose) {
    ASSERT_GE(t.count, 1);
    EXPECT_GE(t.deepest().gap, gap - 1e-12);
    EXPECT_LE(t.deepest().gap, gap + loose);
    tally.apart++;
  } else if (core <= 1e-9) {
    ASSERT_GE(t.count, 1);
    const Touch& deepest = t.deepest();
    EXPECT_LE(separation(scene, deepest.n), deepest.gap + 1e-12);
    EXPECT_GE(separation(scene, deepest.n), 1.01 * deepest.gap - 6e-3 * (scene.a.reach() + scene.b.reach()));
    for (int i = 0; i < 300; i++) {  // no other way out is shorter
      const Vec3d n = i % 2 ? dice.direction() : normalized(deepest.n + dice.vector(0.05));
      EXPECT_LE(separation(scene, n), deepest.gap + 1e-6 + 1e-2 * std::abs(deepest.gap));
    }
    tally.overlap++;
  }
}

TEST(Collide, gap_is_the_distance_of_the_shapes_or_their_depth) {
  Dice dice(2);
  RunTotals all;
  for (ShapeKind a : kinds)
    for (ShapeKind b : kinds)
      for (int trial = 0; trial < 150; trial++) {
        SCOPED_TRACE(testing::Message() << int(a) << " " << int(b) << " trial " << trial);
        compare(dice, any_scene(dice, a, b), all);
        if (testing::Test::HasFailure()) return;
      }
  EXPECT_GT(all.apart, 200);
  EXPECT_GT(all.overlap, 200);
  EXPECT_GT(all.none, 100);
}

// Right angles, shared planes, coinciding corners and flat boxes, where every choice between axes is a tie.
TEST(Collide, gap_is_right_also_where_everything_is_aligned) {
  Dice dice(4);
  const auto size = [&] { return 0.1 * dice.below(4); };
  const auto shape = [&](ShapeKind kind) {
    const double x = size(), y = size(), z = size();
    return kind == ShapeKind::Sphere ? sphere(x) : kind == ShapeKind::Capsule ? capsule(x, y) : box(x, y, z);
  };
  const auto pose = [&] {
    Vec3d turn = Vec3d::zero(), p = Vec3d::zero();
    turn[dice.below(3)] = 0.5 * quarter * dice.below(8);
    for (int k = 0; k < 3; k++) p[k] = 0.1 * dice.below(5);
    return turned(turn, p);
  };
  RunTotals all;
  for (int trial = 0; trial < 3000; trial++) {
    const Shape a = shape(kinds[dice.below(3)]), b = shape(kinds[dice.below(3)]);
    const Posed X_WA = pose(), X_WB = pose(), X = trial % 2 ? any_pose(dice, 1.0) : at(0, 0, 0);
    SCOPED_TRACE(testing::Message() << int(a.kind) << " " << int(b.kind) << " trial " << trial);
    compare(dice, {a, b, X * X_WA, X * X_WB}, all);
    if (a.kind == ShapeKind::Box && b.kind == ShapeKind::Box) {
      const Scene s{a, b, X * X_WA, X * X_WB};
      const Touches one = touches(s, 0.01), two = touches(b, s.X_WB, a, s.X_WA, 0.01);
      EXPECT_TRUE(norm(X_WA.p - X_WB.p) < 0.05 || same_points(one, two, -1.0, 1e-9));
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(std::min({all.apart, all.overlap, all.none}), 200);
}

// Random pairs seldom need the tolerance that `compare` allows: one in fifty has normals that near to each other.
TEST(Collide, gaps_of_boxes_apart_are_exact_but_where_a_face_stands_for_an_edge) {
  Dice dice(3);
  int compared = 0, exact = 0;
  for (int trial = 0; trial < 600; trial++) {
    const Scene scene = any_scene(dice, ShapeKind::Box, ShapeKind::Box);
    const Touches t = touches(scene, 1.0);
    const double gap = core_distance(scene);
    if (gap < 1e-9 || t.count == 0) continue;
    compared++;
    exact += std::abs(t.deepest().gap - gap) < 1e-12;
  }
  EXPECT_GT(compared, 100);
  EXPECT_GE(exact, 0.95 * compared);
}

// Directions come from differences of nearest points: rounding over their distance.
double rounding_of(const Scene& s, const Touches& t) {
  if (t.count == 0) return 0.0;
  return rounding / std::clamp(std::abs(t.deepest().gap + radius_of(s.a) + radius_of(s.b)), 1e-6, 0.1);
}

RC_GTEST_PROP(Collide, exchanging_the_shapes_turns_the_normals_and_nothing_else, ()) {
  Dice dice(any_seed());
  for (ShapeKind a : kinds)
    for (ShapeKind b : kinds) {
      const Scene s = any_scene(dice, a, b);
      const Touches one = touches(s, 0.1), two = touches(s.b, s.X_WB, s.a, s.X_WA, 0.1);
      RC_ASSERT(same_points(one, two, -1.0, rounding_of(s, one)));
    }
}

RC_GTEST_PROP(Collide, touches_move_with_the_scene, ()) {
  Dice dice(any_seed());
  for (ShapeKind a : kinds)
    for (ShapeKind b : kinds) {
      const Scene s = any_scene(dice, a, b);
      const Posed X = any_pose(dice, 1.0);
      Touches here = touches(s, 0.1);
      for (Touch& t : here.touch) t.p = X * t.p, t.n = X.R * t.n;
      const Touches there = touches(s.a, X * s.X_WA, s.b, X * s.X_WB, 0.1);
      RC_ASSERT(same_points(here, there, 1.0, 10 * rounding_of(s, here)));
    }
}

RC_GTEST_PROP(Collide, touches_are_few_distinct_unit_and_within_the_margin, ()) {
  Dice dice(any_seed());
  for (ShapeKind a : kinds)
    for (ShapeKind b : kinds) {
      const Scene s = any_scene(dice, a, b);
      const double margin = dice.between(0.0, 0.2);
      const Touches t = touches(s, margin);
      RC_ASSERT(t.count <= touch_capacity(a, b));
      RC_ASSERT(int(t.features().size()) == t.count);
      for (const Touch& touch : t) {
        RC_ASSERT(touch.gap <= margin);
        RC_ASSERT(touch.feature >= 0);
        RC_ASSERT(std::abs(norm(touch.n) - 1.0) < rounding);
      }
    }
}

RC_GTEST_PROP(Collide, the_deepest_point_is_half_the_gap_from_both_surfaces, ()) {
  Dice dice(any_seed());
  for (ShapeKind a : kinds)
    for (ShapeKind b : kinds) {
      const Scene s = any_scene(dice, a, b);
      const Touches t = touches(s, 0.1);
      if (t.count == 0) continue;
      const Touch& d = t.deepest();
      // the axis of a capsule deep in a box: a face stands for an edge that is better by less than a hundredth
      const bool deep = a != b && d.gap + radius_of(s.a) + radius_of(s.b) < 0.0;
      const double most = 0.5 * std::abs(d.gap) + (deep ? 1e-2 * std::abs(d.gap) : 0.0) + on;
      RC_ASSERT(off_surface(s.a, s.X_WA, d.p) <= most);
      RC_ASSERT(off_surface(s.b, s.X_WB, d.p) <= most);
      if (d.gap > 0.0) RC_ASSERT(off_surface(s.a, s.X_WA, d.p - d.n * (0.5 * d.gap)) <= on);
      if (d.gap > 0.0) RC_ASSERT(off_surface(s.b, s.X_WB, d.p + d.n * (0.5 * d.gap)) <= on);
    }
}

TEST(Collide, capacities_are_symmetric_and_never_above_the_greatest) {
  for (ShapeKind a : kinds)
    for (ShapeKind b : kinds) {
      EXPECT_EQ(touch_capacity(a, b), touch_capacity(b, a));
      EXPECT_LE(touch_capacity(a, b), max_touches);
    }
  EXPECT_EQ(touch_capacity(ShapeKind::Sphere, ShapeKind::Box), 1);
  EXPECT_EQ(touch_capacity(ShapeKind::Capsule, ShapeKind::Capsule), 2);
  EXPECT_EQ(touch_capacity(ShapeKind::Box, ShapeKind::Capsule), 4);
  EXPECT_EQ(touch_capacity(ShapeKind::Box, ShapeKind::Box), 8);
  EXPECT_EQ(touch_capacity(TerrainKind::None, ShapeKind::Box), 0);
  EXPECT_EQ(touch_capacity(TerrainKind::Plane, ShapeKind::Capsule), 2);
  EXPECT_EQ(touch_capacity(TerrainKind::Heights, ShapeKind::Sphere), 4);
}

}  // namespace collide_test
}  // namespace sinew
