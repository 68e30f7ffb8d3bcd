// Cylinders and hulls against each other and the older shapes. What must be true of every pair is in solids.h; a box of a hull
// must touch as a box does, and what rests on a face must rest on enough points.
#include "tests/parts/touch/solids.h"

#include <gtest/gtest.h>

namespace sinew::support {
namespace collide_convex_test {

constexpr ShapeKind convex[] = {ShapeKind::Sphere, ShapeKind::Capsule, ShapeKind::Box, ShapeKind::Cylinder,
                                ShapeKind::Hull};

template <class F>
void for_scenes(int trials, F f) {
  Dice dice(11);
  for (const ShapeKind a : convex)
    for (const ShapeKind b : {ShapeKind::Cylinder, ShapeKind::Hull})
      for (int i = 0; a <= b && i < trials; i++) {
        Scene s{any_solid(dice, a), any_solid(dice, b), any_pose(dice, 0.5), {}};
        const double apart = dice.between(0.0, 1.1) * (s.a.reach() + s.b.reach());
        s.X_WB = {to_matrix(dice.rotation()), s.X_WA.p + dice.direction() * apart};
        f(s, dice);
      }
}

// No direction separates the shapes by more than the gap, and the normal does by as much. Faces may stand for edges and
// corners within 0.36 degrees: then the gap may miss by 5 percent of the overlap (and by nothing else).
TEST(Convex, gap_is_the_largest_separation_of_all_directions) {
  int exact = 0, all = 0;
  for_scenes(400, [&](const Scene& s, Dice& dice) {
    const Touches found = touches(s, 10.0);
    ASSERT_GE(found.count, 1);
    const Touch& t = found.deepest();
    const double core = t.gap + radius_of_core(s.a) + radius_of_core(s.b);
    const double slack = 0.05 * std::abs(core) + 2e-6;
    double best = along(s, t.n), step = 0.1;
    EXPECT_NEAR(best, t.gap, slack);
    Vec3d n = t.n;
    for (int k = 0; k < 300; k++) {
      const Vec3d m = normalized(n + dice.vector(step));
      const double value = along(s, m);
      if (value > best)
        best = value, n = m;
      else
        step = std::max(0.97 * step, 1e-9);
    }
    for (int k = 0; k < 50; k++) best = std::max(best, along(s, dice.direction()));
    EXPECT_LE(best, t.gap + slack);
    all++, exact += best <= t.gap + 1e-7 && std::abs(along(s, t.n) - t.gap) <= 1e-7;
  });
  EXPECT_GT(exact, 0.97 * all);
}

TEST(Convex, margin_leaves_out_what_is_farther) {
  for_scenes(150, [](const Scene& s, Dice&) {
    const Touches all = touches(s, 10.0), near = touches(s, 1e-3);
    const double gap = all.deepest().gap;
    EXPECT_TRUE(gap < 2e-3 || near.count == 0);
    EXPECT_TRUE(gap > 5e-4 || near.count > 0);
    for (const Touch& t : near) EXPECT_LE(t.gap, 1e-3);
  });
}

TEST(Convex, exchange_turns_the_normals_round) {
  for_scenes(150, [](const Scene& s, Dice&) {
    const Touches found = touches(s, 1e-3), other = touches(s.b, s.X_WB, s.a, s.X_WA, 1e-3);
    EXPECT_TRUE(s.a.kind == s.b.kind || same_points(found, other, -1.0, 0.0));
    ASSERT_EQ(found.count > 0, other.count > 0);
    if (found.count == 0) return;
    EXPECT_NEAR(found.deepest().gap, other.deepest().gap, 0.05 * std::abs(found.deepest().gap) + 2e-6);
  });
}

TEST(Convex, touches_move_with_the_pair) {
  for_scenes(100, [](const Scene& s, Dice& dice) {
    const Posed X = any_pose(dice, 1.0);
    const Touches found = touches(s, 1e-3), moved = touches(s.a, X * s.X_WA, s.b, X * s.X_WB, 1e-3);
    if (found.count == 0 || moved.count == 0) return;  // at the margin rounding decides
    EXPECT_NEAR(found.deepest().gap, moved.deepest().gap, 1e-6);
  });
}

TEST(Convex, points_are_between_the_surfaces_and_features_differ) {
  for_scenes(150, [](const Scene& s, Dice&) {
    const Touches found = touches(s, 1e-3);
    EXPECT_LE(found.count, touch_capacity(s.a.kind, s.b.kind));
    EXPECT_EQ(found.features().size(), std::size_t(found.count));
    for (const Touch& t : found) {
      EXPECT_NEAR(norm(t.n), 1.0, 1e-12);
      EXPECT_GE(t.feature, 0);
      // not outside either shape by more than half the gap
      EXPECT_LE(along({s.a, sphere(0.0), s.X_WA, at(t.p[0], t.p[1], t.p[2])}, t.n), std::max(0.5 * t.gap, 0.0) + 1e-6);
    }
  });
}

// A hull in the form of a box against a box: the library's boxes are tested on their own.
TEST(Convex, hull_of_eight_corners_touches_as_a_box) {
  Dice dice(4);
  for (int i = 0; i < 1500; i++) {
    const double x = dice.between(0.05, 0.4), y = dice.between(0.05, 0.4), z = dice.between(0.05, 0.4);
    for (const ShapeKind kind : {ShapeKind::Sphere, ShapeKind::Capsule, ShapeKind::Box}) {
      Scene s{any_shape(dice, kind), box(x, y, z), any_pose(dice, 0.3), any_pose(dice, 0.3)};
      const Touches wanted = touches(s, 1e-3);
      s.b = box_hull(x, y, z);
      const Touches found = touches(s, 1e-3);
      ASSERT_EQ(found.count > 0, wanted.count > 0);
      if (!found.count) continue;
      EXPECT_NEAR(found.deepest().gap, wanted.deepest().gap, 0.05 * std::abs(wanted.deepest().gap) + 1e-6);
    }
  }
}

TEST(Convex, sphere_at_a_cylinder_has_closed_forms) {
  const Shape can = cylinder(0.2, 0.3), ball = sphere(0.1);
  const auto gap = [&](const Vec3d& p) { return touches(ball, at(p[0], p[1], p[2]), can, at(0, 0, 0), 1.0)[0].gap; };
  EXPECT_NEAR(gap({0.35, 0, 0.1}), 0.05, 1e-15);                  // beside
  EXPECT_NEAR(gap({0.1, 0.1, 0.45}), 0.05, 1e-15);                // above
  EXPECT_NEAR(gap({0.3, 0, 0.4}), std::sqrt(0.02) - 0.1, 1e-15);  // at the rim
  EXPECT_NEAR(gap({0.05, 0, 0.29}), -0.11, 1e-15);                // inside, out by the end
  EXPECT_NEAR(gap({0.19, 0, 0.0}), -0.11, 1e-15);                 // inside, out by the side
}

void expect_rests(const Touches& found, int least, double gap, double half_x, double half_y) {
  ASSERT_GE(found.count, least);
  Vec3d low{9, 9, 9}, high{-9, -9, -9};
  for (const Touch& t : found) {
    expect_near(t.n, {0, 0, 1}, 1e-9);
    EXPECT_NEAR(t.gap, gap, 1e-9);
    for (int i = 0; i < 3; i++) low[i] = std::min(low[i], t.p[i]), high[i] = std::max(high[i], t.p[i]);
  }
  EXPECT_NEAR(high[0], half_x, 1e-6);
  EXPECT_NEAR(low[0], -half_x, 1e-6);
  EXPECT_NEAR(high[1], half_y, 1e-6);
  EXPECT_NEAR(low[1], -half_y, 1e-6);
}

TEST(Convex, what_rests_on_a_face_rests_on_the_outline_of_what_is_common) {
  const double d = 3e-4;
  const Posed lower = at(0, 0, 0);
  for (const Shape& table : {box(0.5, 0.4, 0.1), box_hull(0.5, 0.4, 0.1)}) {
    const double z = 0.1 - d;
    expect_rests(touches(table, lower, box_hull(0.1, 0.2, 0.05), at(0, 0, z + 0.05), 1e-6), 4, -d, 0.1, 0.2);
    expect_rests(touches(table, lower, cylinder(0.1, 0.05), at(0, 0, z + 0.05), 1e-6), 8, -d, 0.1, 0.1);
    expect_rests(touches(table, lower, cylinder(0.1, 0.05), turned({M_PI / 2, 0, 0}, {0, 0, z + 0.1}), 1e-6), 2, -d,
                 0.0, 0.05);
  }
  expect_rests(
      touches(box_hull(0.5, 0.4, 0.1), lower, capsule(0.05, 0.2), turned({0, M_PI / 2, 0}, {0, 0, 0.15 - d}), 1e-6), 2,
      -d, 0.2, 0.0);
  expect_rests(touches(cylinder(0.2, 0.1), lower, cylinder(0.1, 0.05), at(0, 0, 0.15 - d), 1e-6), 8, -d, 0.1, 0.1);
  expect_rests(touches(cylinder(0.2, 0.1), lower, capsule(0.05, 0.1), turned({0, M_PI / 2, 0}, {0, 0, 0.15 - d}), 1e-6),
               2, -d, 0.1, 0.0);
  const Posed lying = turned({0, M_PI / 2, 0}, {0, 0, 0});
  expect_rests(
      touches(cylinder(0.1, 0.3), lying, cylinder(0.05, 0.1), turned({0, M_PI / 2, 0}, {0, 0, 0.15 - d}), 1e-6), 2, -d,
      0.1, 0.0);
}

// A body that rests and trembles keeps its features.
TEST(Convex, resting_pairs_keep_their_features_under_noise) {
  Dice dice(8);
  const Shape table = box_hull(0.5, 0.4, 0.1);
  for (const Shape& shape : {box_hull(0.1, 0.2, 0.05), box(0.1, 0.2, 0.05)}) {
    const std::set<int> first = touches(table, at(0, 0, 0), shape, at(0.02, 0.03, 0.1499), 1e-6).features();
    for (int i = 0; i < 200; i++) {
      const Posed X = turned(dice.vector(1e-7), Vec3d(0.02, 0.03, 0.1499) + dice.vector(1e-6));
      EXPECT_EQ(touches(table, at(0, 0, 0), shape, X, 1e-6).features(), first);
    }
  }
}

TEST(Convex, coincident_shapes_have_a_normal) {
  Dice dice(1);
  for (const ShapeKind a : convex)
    for (const ShapeKind b : {ShapeKind::Cylinder, ShapeKind::Hull}) {
      const Touches found = touches(any_solid(dice, a), at(0, 0, 0), any_solid(dice, b), at(0, 0, 0), 1e-6);
      ASSERT_GE(found.count, 1);
      for (const Touch& t : found) {
        EXPECT_TRUE(is_finite(t.p) && is_finite(t.n) && std::isfinite(t.gap));
        EXPECT_NEAR(norm(t.n), 1.0, 1e-9);
        EXPECT_LT(t.gap, 0.0);
      }
    }
}

}  // namespace collide_convex_test
}  // namespace sinew::support
