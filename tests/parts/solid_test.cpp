#include "sinew/parts/shape/solid.h"

#include <gtest/gtest.h>

namespace sinew {
namespace solid_test {

constexpr double pi = 3.14159265358979323846;

// A mesh of the outline of a turned curve: radius r(z) at heights z, n corners around.
MeshPtr turned(const std::vector<Vec3d>& outline, int n) {
  std::vector<Vec3d> points;
  for (const Vec3d& p : outline)
    for (int k = 0; k < n; k++) {
      const double a = 2.0 * pi * k / n;
      points.push_back({p[0] * std::cos(a), p[0] * std::sin(a), p[2]});
    }
  return make_hull(points);
}

void expect_near(const Solid& a, const Solid& b, double share) {
  EXPECT_NEAR(a.volume, b.volume, share * a.volume);
  for (int i = 0; i < 3; i++) EXPECT_NEAR(a.centre[i], b.centre[i], share);
  EXPECT_NEAR(a.inertia.xx, b.inertia.xx, share * a.inertia.xx);
  EXPECT_NEAR(a.inertia.yy, b.inertia.yy, share * a.inertia.yy);
  EXPECT_NEAR(a.inertia.zz, b.inertia.zz, share * a.inertia.zz);
  EXPECT_NEAR(a.inertia.xy, b.inertia.xy, share * a.inertia.xx);
}

TEST(Solid, of_a_box_is_that_of_its_corners_as_a_hull_wherever_they_are) {
  const Shape box{.kind = ShapeKind::Box, .half = {0.1, 0.2, 0.35}};
  std::vector<Vec3d> corners;
  const Vec3d away(3.0, -2.0, 1.0);
  for (int i = 0; i < 8; i++)
    corners.push_back(Vec3d(i & 1 ? 0.1 : -0.1, i & 2 ? 0.2 : -0.2, i & 4 ? 0.35 : -0.35) + away);
  Solid of_hull = solid_of({.kind = ShapeKind::Hull, .mesh = make_hull(corners)});
  for (int i = 0; i < 3; i++) EXPECT_NEAR(of_hull.centre[i], away[i], 1e-12);
  of_hull.centre = Vec3d::zero();
  expect_near(solid_of(box), of_hull, 1e-10);
}

// A polygon of n corners lies inside its circle: volume and inertia fall short by the square of 2 pi / n.
TEST(Solid, of_round_shapes_is_that_of_a_fine_hull) {
  const int n = 60, rings = 40;
  const double r = 0.2, h = 0.3, share = 4.0 * pi * pi / (n * n);
  const Shape cylinder{.kind = ShapeKind::Cylinder, .radius = r, .half_length = h};
  expect_near(solid_of(cylinder), solid_of({.kind = ShapeKind::Hull, .mesh = turned({{r, 0, -h}, {r, 0, h}}, n)}),
              share);
  std::vector<Vec3d> capsule, ball;
  for (int k = 0; k <= rings; k++) {
    const double a = pi * k / rings, z = -r * std::cos(a);
    ball.push_back({r * std::sin(a), 0, z});
    if (2 * k <= rings) capsule.push_back({r * std::sin(a), 0, z - h});
    if (2 * k >= rings) capsule.push_back({r * std::sin(a), 0, z + h});
  }
  expect_near(solid_of({.kind = ShapeKind::Capsule, .radius = r, .half_length = h}),
              solid_of({.kind = ShapeKind::Hull, .mesh = turned(capsule, n)}), 4 * share);
  expect_near(solid_of({.kind = ShapeKind::Sphere, .radius = r}),
              solid_of({.kind = ShapeKind::Hull, .mesh = turned(ball, n)}), 4 * share);
}

TEST(MassSum, of_two_halves_of_a_box_is_the_box) {
  const Shape whole{.kind = ShapeKind::Box, .half = {0.4, 0.1, 0.1}},
      half{.kind = ShapeKind::Box, .half = {0.2, 0.1, 0.1}};
  const Solid s = solid_of(half);
  MassSum sum;
  for (const double x : {-0.2, 0.2}) sum.add({Mat3d::identity(), {x, 0, 0}}, s.volume, s.centre, s.inertia);
  expect_near(solid_of(whole), {sum.mass, sum.com(), sum.inertia_about_com()}, 1e-12);
}

}  // namespace solid_test
}  // namespace sinew
