// Plane and field of heights. The field's second opinion: distances from a cloud of points on its surface.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "tests/parts/touch/scene.h"
#include "tests/support/any.h"

namespace sinew {
namespace collide_ground_test {

using namespace support;

constexpr double rounding = 1e-13;
constexpr double quarter = 0.5 * std::numbers::pi, sqrt2 = std::numbers::sqrt2;
const Vec3d lie_along_x(0, quarter, 0), lie_along_y(-quarter, 0, 0);
constexpr ShapeKind kinds[] = {ShapeKind::Sphere, ShapeKind::Capsule, ShapeKind::Box};

void expect_touch(const Touch& t, const Vec3d& p, const Vec3d& n, double gap) {
  expect_near(t.p, p, rounding);
  expect_near(t.n, n, rounding);
  EXPECT_NEAR(t.gap, gap, rounding);
}

Terrain plane(const Vec3d& normal, double height) {
  Terrain terrain;
  terrain.kind = TerrainKind::Plane;
  terrain.normal = normal, terrain.height = height;
  return terrain;
}

// x from -2 to 2, y from -1.5 to 1.5
Terrain field(const std::function<double(double, double)>& z, double dx = 0.25, double dy = 0.2) {
  Terrain terrain;
  terrain.kind = TerrainKind::Heights;
  HeightField& f = terrain.field;
  f.x0 = -2.0, f.y0 = -1.5, f.dx = dx, f.dy = dy;
  f.nx = int(std::lround(4.0 / dx)) + 1, f.ny = int(std::lround(3.0 / dy)) + 1;
  for (int i = 0; i < f.nx; i++)
    for (int k = 0; k < f.ny; k++) f.z.push_back(z(f.x0 + i * dx, f.y0 + k * dy));
  return terrain;
}

TEST(Plane, sphere_capsule_and_box_touch_with_their_lowest_points) {
  const Terrain floor = plane({0, 0, 1}, 0.5);
  const Touches s = touches(floor, sphere(0.2), at(1, 2, 0.68), 0.0);
  ASSERT_EQ(s.count, 1);
  expect_touch(s[0], {1, 2, 0.49}, {0, 0, 1}, -0.02);
  const Touches c = touches(floor, capsule(0.1, 0.3), turned(lie_along_x, {1, 2, 0.61}), 0.02);
  ASSERT_EQ(c.count, 2);
  expect_touch(c[0], {0.7, 2, 0.505}, {0, 0, 1}, 0.01);
  expect_touch(c[1], {1.3, 2, 0.505}, {0, 0, 1}, 0.01);
  const Touches b = touches(floor, box(0.1, 0.2, 0.3), at(0, 0, 0.79), 0.0);
  ASSERT_EQ(b.count, 4);
  expect_touch(b[0], {-0.1, -0.2, 0.495}, {0, 0, 1}, -0.01);
  EXPECT_EQ(b.features(), (std::set<int>{0, 1, 2, 3}));
  EXPECT_EQ(touches(floor, box(0.1, 0.2, 0.3), at(0, 0, 0.81), 0.009).count, 0);
}

TEST(Plane, standing_capsule_touches_with_its_lower_end_only) {
  const Touches t = touches(plane({0, 0, 1}, 0.0), capsule(0.1, 0.3), at(0, 0, 0.39), 0.0);
  ASSERT_EQ(t.count, 1);
  EXPECT_EQ(t[0].feature, 0);
  EXPECT_NEAR(t[0].gap, -0.01, rounding);
}

TEST(Plane, box_sunk_in_touches_with_all_its_corners) {
  EXPECT_EQ(touches(plane({0, 0, 1}, 5.0), box(0.1, 0.2, 0.3), at(0, 0, 0), 0.0).count, 8);
}

TEST(Plane, no_ground_touches_nothing) { EXPECT_EQ(touches(Terrain{}, sphere(1.0), at(0, 0, 0), 1.0).count, 0); }

// A field sampled from a plane is that plane: no inner edge, no vertex is felt.
RC_GTEST_PROP(Heights, a_flat_or_inclined_field_is_the_plane, ()) {
  Dice dice(any_seed());
  const double a = dice.between(-0.5, 0.5), b = dice.between(-0.5, 0.5), c = dice.between(-0.2, 0.2);
  const Terrain ground = field([&](double x, double y) { return a * x + b * y + c; });
  const Vec3d n = normalized(Vec3d(-a, -b, 1.0));
  const Terrain same = plane(n, c * n[2]);
  for (ShapeKind kind : kinds) {
    const Shape shape = any_shape(dice, kind);
    Posed X = any_pose(dice, 0.5);
    X.p[2] = a * X.p[0] + b * X.p[1] + c + dice.between(0.0, 0.5);
    if (dice.chance(0.3)) X.p[0] = -0.25, X.p[1] = 0.1;  // right over a vertex
    const Touches on_field = touches(ground, shape, X, 0.05), on_plane = touches(same, shape, X, 0.05);
    RC_ASSERT(same_points(on_field, on_plane, 1.0, 1e-7));  // `rises` times a cell
  }
}

// Both triangles have it; rounding alone makes one of them nearer.
TEST(Heights, ball_over_an_edge_of_a_flat_place_keeps_its_feature) {
  const Terrain slope = field([](double x, double) { return 0.005 * x; }, 0.25, 0.5);
  Dice dice{7};
  std::set<int> features;
  for (int i = 0; i < 1000; i++) {
    const Touches found =
        touches(slope, sphere(0.02), at(dice.between(0.02, 0.23), 0.0, dice.between(0.019, 0.02)), 0.0);
    ASSERT_EQ(found.count, 1);
    features.insert(found[0].feature);
  }
  EXPECT_EQ(features.size(), 1u);
}

TEST(Heights, ball_in_a_valley_touches_both_sides) {
  const Terrain valley = field([](double x, double) { return std::abs(x); });
  const Touches t = touches(valley, sphere(0.3), at(0, 0.13, 0.3 * sqrt2 - 0.01), 0.0);
  ASSERT_EQ(t.count, 2);
  for (const Touch& touch : t) {
    const double side = touch.n[0] > 0.0 ? -1.0 : 1.0;
    expect_near(touch.n, {-side * sqrt2 / 2, 0, sqrt2 / 2}, rounding);
    EXPECT_NEAR(touch.gap, -0.01 / sqrt2, rounding);
    EXPECT_GT(side * touch.p[0], 0.1);
  }
  EXPECT_NE(t[0].feature, t[1].feature);
}

TEST(Heights, ball_over_a_ridge_touches_its_edge) {
  const Terrain ridge = field([](double x, double) { return -std::abs(x); });
  const Touches t = touches(ridge, sphere(0.3), at(0.06, 0.13, 0.28), 0.0);
  ASSERT_EQ(t.count, 1);
  const double d = std::hypot(0.06, 0.28);
  expect_touch(t[0], Vec3d(0.06, 0, 0.28) * (0.5 * (d - 0.3) / d) + Vec3d(0, 0.13, 0), {0.06 / d, 0, 0.28 / d},
               d - 0.3);
}

TEST(Heights, ball_on_a_peak_touches_its_vertex) {
  const Terrain peak = field([](double x, double y) { return -std::abs(x) - std::abs(y + 0.1); });
  const Touches t = touches(peak, sphere(0.3), at(0, -0.1, 0.29), 0.0);
  ASSERT_EQ(t.count, 1);
  expect_touch(t[0], {0, -0.1, -0.005}, {0, 0, 1}, -0.01);
}

TEST(Heights, centre_below_the_surface_goes_out_along_the_triangle_above) {
  const Terrain slope = field([](double x, double) { return 0.75 * x; });
  const Touches t = touches(slope, sphere(0.1), at(0.4, 0.1, 0.2), 0.0);
  ASSERT_EQ(t.count, 1);
  expect_near(t[0].n, {-0.6, 0, 0.8}, rounding);
  EXPECT_NEAR(t[0].gap, -0.08 - 0.1, rounding);  // 0.1 below, times 0.8
}

TEST(Heights, outside_the_grid_there_is_no_ground) {
  const Terrain flat = field([](double, double) { return 0.0; });
  EXPECT_EQ(touches(flat, sphere(0.1), at(2.2, 0, 0), 0.0).count, 0);
  EXPECT_EQ(touches(flat, box(0.1, 0.1, 0.1), at(0, 1.7, 0), 0.0).count, 0);
  EXPECT_EQ(touches(flat, sphere(0.1), at(2.05, 0, -0.2), 0.5).count, 0);  // below the border is outside
  EXPECT_EQ(touches(flat, sphere(0.1), at(2.0, 0, 0.09), 0.0).count, 1);
  const Touches border = touches(flat, sphere(0.1), at(2.03, 0.1, 0.04), 0.0);
  ASSERT_EQ(border.count, 1);
  expect_near(border[0].n, {0.6, 0, 0.8}, 1e-12);
}

TEST(Heights, capsule_across_a_ridge_touches_the_ridge_once) {
  const Terrain ridge = field([](double x, double) { return -0.5 * std::abs(x); });
  const Touches t = touches(ridge, capsule(0.1, 0.6), turned(lie_along_x, {0.1, 0.13, 0.09}), 0.0);
  ASSERT_EQ(t.count, 1);
  expect_touch(t[0], {0, 0.13, -0.005}, {0, 0, 1}, -0.01);
}

TEST(Heights, capsule_whose_axis_is_below_a_ridge_is_still_lifted) {
  const Terrain ridge = field([](double x, double) { return -0.5 * std::abs(x); });
  const Touches t = touches(ridge, capsule(0.05, 0.6), turned(lie_along_x, {0.1, 0.13, -0.02}), 0.0);
  ASSERT_EQ(t.count, 1);
  expect_touch(t[0], {0, 0.13, -0.035}, {0, 0, 1}, -0.07);
}

// The line of its axis passes the crest on the inner side, but far behind, in the open.
TEST(Heights, capsule_behind_a_thin_wall_does_not_touch_its_crest) {
  const Terrain wall = field([](double x, double) { return std::max(0.0, 2.0 - 8.0 * std::abs(x)); });
  const Vec3d n(sqrt2 / 2, 0, sqrt2 / 2), crest(0, 0.13, 2);
  const Posed X = turned({0, 1.5 * quarter, 0}, crest - n * 0.6);  // axis along (1, 0, -1)
  EXPECT_EQ(touches(wall, capsule(0.05, 0.3), X, 0.0).count, 0);
  EXPECT_EQ(touches(wall, capsule(0.05, 0.3), {X.R, crest + n * 0.04}, 0.0).count, 1);
}

TEST(Heights, capsule_between_two_ridges_touches_both) {
  const Terrain rails = field([](double x, double) { return std::abs(std::abs(x) - 0.5) < 0.1 ? 0.2 : 0.0; });
  const Touches t = touches(rails, capsule(0.1, 1.0), turned(lie_along_x, {0, 0.13, 0.295}), 0.0);
  ASSERT_GE(t.count, 2);
  bool left = false, right = false;
  for (const Touch& touch : t) {
    expect_near(touch.n, {0, 0, 1}, rounding);
    EXPECT_NEAR(touch.gap, -0.005, rounding);
    left = left || touch.p[0] < 0.0, right = right || touch.p[0] > 0.0;
  }
  EXPECT_TRUE(left && right);
}

TEST(Heights, capsule_over_a_peak_touches_the_peak_between_its_ends) {
  const Terrain peak = field([](double x, double y) { return std::hypot(x, y + 0.1) < 0.01 ? 0.2 : 0.0; });
  const Touches t = touches(peak, capsule(0.1, 0.6), turned(lie_along_x, {0.2, -0.1, 0.295}), 0.0);
  ASSERT_EQ(t.count, 1);
  expect_touch(t[0], {0, -0.1, 0.1975}, {0, 0, 1}, -0.005);
}

TEST(Heights, capsule_over_a_fold_touches_at_its_end_and_at_the_fold) {
  const Terrain fold = field([](double x, double) { return x > 0.25 ? -(x - 0.25) : 0.0; });
  const Touches t = touches(fold, capsule(0.1, 0.5), turned(lie_along_x, {0.1, 0.13, 0.09}), 0.0);
  ASSERT_EQ(t.count, 2);
  EXPECT_NEAR(std::min(t[0].p[0], t[1].p[0]), -0.4, rounding);
  EXPECT_NEAR(std::max(t[0].p[0], t[1].p[0]), 0.25, rounding);
  for (const Touch& touch : t) EXPECT_NEAR(touch.gap, -0.01, rounding);
}

TEST(Heights, capsule_in_a_valley_touches_both_sides_with_both_ends) {
  const Terrain valley = field([](double x, double) { return std::abs(x); });
  const Touches t = touches(valley, capsule(0.2, 0.3), turned(lie_along_y, {0, 0.02, 0.2 * sqrt2 - 0.01}), 0.0);
  ASSERT_EQ(t.count, 4);
  for (const Touch& touch : t) EXPECT_NEAR(touch.gap, -0.01 / sqrt2, rounding);
}

TEST(Heights, box_on_a_peak_touches_the_peak) {
  const Terrain peak = field([](double x, double y) { return std::hypot(x, y + 0.1) < 0.01 ? 0.2 : 0.0; });
  const Touches t = touches(peak, box(0.3, 0.3, 0.1), at(0.05, 0, 0.295), 0.0);
  ASSERT_EQ(t.count, 1);
  expect_touch(t[0], {0, -0.1, 0.1975}, {0, 0, 1}, -0.005);
}

TEST(Heights, box_astride_a_ridge_touches_it_where_its_edges_cross) {
  const Terrain ridge =
      field([](double x, double) { return -0.5 * std::abs(x); }, 0.25, 1.5);  // no vertex below the box
  const Touches t = touches(ridge, box(0.3, 0.2, 0.1), at(0.05, 0.5, 0.095), 0.0);
  ASSERT_EQ(t.count, 2);
  for (const Touch& touch : t) {
    expect_near(touch.n, {0, 0, 1}, rounding);
    EXPECT_NEAR(touch.gap, -0.005, rounding);
    EXPECT_NEAR(std::abs(touch.p[1] - 0.5), 0.2, rounding);
    EXPECT_NEAR(touch.p[0], 0.0, rounding);
  }
}

// Of a box that lies across a ridge, or on one of the slopes beside it, all edges that bear it count, though they differ by rounding.
TEST(Heights, box_that_lies_flat_keeps_its_edges_on_a_ridge) {
  const Terrain ridge = field([](double x, double) { return -0.005 * std::abs(x); }, 0.25, 1.5);
  for (const double slope : {0.0, 0.005, -0.005})
    for (const double tilt : {0.0, 1e-9, -1e-9, 1e-7, -1e-7, 1e-5, -1e-5})
      for (const Vec3d& axis : {Vec3d(1, 0, 0), Vec3d(0, 1, 0)}) {
        const Posed X = turned(Vec3d(0, std::atan(slope), 0) + axis * tilt, {0.01, 0.5, 0.0999});
        int across = 0;
        for (const Touch& touch : touches(ridge, box(0.06, 0.04, 0.1), X, 0.0)) across += std::abs(touch.p[0]) < 1e-3;
        EXPECT_EQ(across, 2) << slope << " " << tilt;
      }
}

// Least distance from a cloud of points on the triangles, which overestimates by at most (spacing)^2 / (2 r) or so.
double cloud_distance(const Terrain& ground, const std::function<double(const Vec3d&)>& core) {
  const HeightField& f = ground.field;
  const int fine = 12;
  double best = 1e300;
  for (int i = 0; i + 1 < f.nx; i++)
    for (int k = 0; k + 1 < f.ny; k++)
      for (int a = 0; a <= fine; a++)
        for (int b = 0; b <= fine; b++) {
          const double u = double(a) / fine, v = double(b) / fine;
          const double z =
              u >= v ? f.at(i, k) + u * (f.at(i + 1, k) - f.at(i, k)) + v * (f.at(i + 1, k + 1) - f.at(i + 1, k))
                     : f.at(i, k) + v * (f.at(i, k + 1) - f.at(i, k)) + u * (f.at(i + 1, k + 1) - f.at(i, k + 1));
          best = std::min(best, core({f.x0 + (i + u) * f.dx, f.y0 + (k + v) * f.dy, z}));
        }
  return best;
}

TEST(Heights, gap_over_rough_ground_is_the_least_distance_from_a_cloud_of_its_points) {
  Dice dice(5);
  int compared = 0;
  for (int trial = 0; trial < 40; trial++) {
    const Terrain rough = field([&](double, double) { return dice.between(-0.1, 0.1); });
    for (ShapeKind kind : {ShapeKind::Sphere, ShapeKind::Capsule}) {
      const Shape shape =
          kind == ShapeKind::Sphere ? sphere(dice.between(0.1, 0.5)) : capsule(0.15, dice.between(0.1, 0.7));
      Posed X = any_pose(dice, 0.6);
      X.p[2] = shape.radius + dice.between(0.0, 0.4);
      const Vec3d u = X.R.col(2) * shape.half_length;
      if (X.p[2] - std::abs(u[2]) < 0.12) continue;  // all of the core above the ground
      const double cloud = cloud_distance(rough, [&](const Vec3d& x) {
        const double uu = dot(u, u), t = uu > 0.0 ? std::clamp(dot(x - X.p, u) / uu, -1.0, 1.0) : 0.0;
        return norm(x - X.p - u * t);
      });
      const Touches t = touches(rough, shape, X, 1.0);
      ASSERT_GE(t.count, 1);
      EXPECT_LE(t.deepest().gap, cloud - shape.radius + 1e-12);
      EXPECT_GE(t.deepest().gap,
                cloud - shape.radius - 3e-3);  // half a spacing of 0.025 squared, over twice 0.02 or more
      compared++;
    }
  }
  EXPECT_GT(compared, 40);
}

RC_GTEST_PROP(Heights, touches_of_rough_ground_are_few_distinct_and_point_up, ()) {
  Dice dice(any_seed());
  const Terrain rough = field([&](double, double) { return dice.between(-0.2, 0.2); });
  for (ShapeKind kind : kinds) {
    const Shape shape = any_shape(dice, kind);
    Posed X = any_pose(dice, 1.5);
    X.p[2] = dice.between(-0.2, 0.6);
    const Touches t = touches(rough, shape, X, 0.02);
    RC_ASSERT(t.count <= touch_capacity(TerrainKind::Heights, kind));
    RC_ASSERT(int(t.features().size()) == t.count);
    for (const Touch& touch : t) {
      RC_ASSERT(touch.gap <= 0.02);
      RC_ASSERT(touch.n[2] > 0.0);
      RC_ASSERT(std::abs(norm(touch.n) - 1.0) < rounding);
    }
  }
}

// Rolling over gentle waves: neither the gap nor the normal jumps from one micrometre to the next.
TEST(Heights, a_ball_rolling_over_gentle_waves_feels_no_step) {
  const Terrain waves = field([](double x, double y) { return 0.01 * std::sin(2.0 * x) * std::cos(1.5 * y); });
  Touches before;
  for (int i = 0; i <= 40000; i++) {
    const double s = i * 1e-5;
    const Touches t = touches(waves, sphere(0.1), at(-0.2 + s, 0.1 + 0.3 * s, 0.1), 0.05);
    ASSERT_GE(t.count, 1);
    if (i > 0) {
      // triangles of 0.25 m on waves with a curvature of 0.04 / m meet at angles up to 0.01
      EXPECT_NEAR(t.deepest().gap, before.deepest().gap, 4e-7);  // slope 0.03 times the way
      EXPECT_LE(norm(t.deepest().n - before.deepest().n), 0.015);
    }
    before = t;
  }
}

// As in a run that has diverged, before that is noticed.
TEST(Heights, a_shape_at_no_place_touches_nothing) {
  const Terrain terrain = field([](double, double) { return 0.0; });
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const ShapeKind kind : kinds)
    for (const double x : {nan, infinity, -infinity, 1e300}) {
      Shape shape;
      shape.kind = kind;
      shape.radius = shape.half_length = 0.1;
      shape.half = Vec3d(0.1, 0.1, 0.1);
      Posed X = Posed::identity();
      X.p = Vec3d(x, x, x);
      Touch touch[max_touches];
      EXPECT_EQ(collide(terrain, shape, X, 0.01, touch), 0);
    }
}

}  // namespace collide_ground_test
}  // namespace sinew
