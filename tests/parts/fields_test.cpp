// Fields of small bodies and of sunlight (docs/theory/forces.md).
#include <gtest/gtest.h>

#include <boost/math/special_functions/ellint_rd.hpp>
#include <boost/math/special_functions/ellint_rf.hpp>
#include <cmath>
#include <numbers>

#include "sinew/parts/force/gravity.h"
#include "sinew/parts/force/sunlight.h"
#include "tests/support/dice.h"

namespace sinew {
namespace fields_test {

Vec3d about_normal(double period) { return {0, -2 * std::numbers::pi / period, 0}; }  // from x upwards

Gravity<double> body(GravityKind kind, double GM, double R, double period) {
  Gravity<double> g;
  g.kind = kind, g.GM = GM, g.centre = Vec3d(0, 0, -R);
  if (period > 0.0) g.spin = about_normal(period);
  return g;
}
double weight(const Gravity<double>& g) { return -fall(g, Vec3d::zero(), Vec3d::zero())[2]; }

TEST(SmallBody, gravity_on_the_surface) {
  EXPECT_NEAR(weight(body(GravityKind::Point, 4.892, 245.03, 0)), 8.14794199e-05, 5e-14);
  EXPECT_NEAR(weight(body(GravityKind::Spinning, 4.892, 245.03, 4.297 * 3600)), 4.10550473e-05, 5e-14);
  const double GM = 4.0 / 3.0 * std::numbers::pi * 1e6 * 2000 * 6.6743e-11;
  EXPECT_NEAR(GM, 0.559144849, 5e-10);
  EXPECT_NEAR(weight(body(GravityKind::Spinning, GM, 100, 5400)), -7.9471035e-05, 5e-13);
  EXPECT_NEAR(weight(body(GravityKind::Spinning, GM, 100, 8402.67767)), 0.0, 1e-13);
}

TEST(SmallBody, gravity_of_an_ellipsoid) {
  Gravity<double> at_a = body(GravityKind::Ellipsoid, 2.36, 267.5, 0),
                  at_b = body(GravityKind::Ellipsoid, 2.36, 147, 0);
  at_a.axes = Vec3d(147, 104.5, 267.5), at_b.axes = Vec3d(267.5, 104.5, 147);
  EXPECT_NEAR(weight(at_a), 7.28756326e-05, 5e-14);
  EXPECT_NEAR(weight(at_b), 8.67312804e-05, 5e-14);
  const Vec3d p(5, 0, 20), a = fall(at_a, p, Vec3d::zero()), b = fall(at_b, p, Vec3d::zero());
  EXPECT_NEAR(a[0], -1.62980083e-06, 5e-15);
  EXPECT_NEAR(a[2], -5.2273525e-05, 5e-13);
  EXPECT_NEAR(b[0], -1.06535132e-06, 5e-15);
  EXPECT_NEAR(b[2], -6.82994036e-05, 5e-14);
  const Sym3d point = Sym3d::diagonal(0.0);
  EXPECT_NEAR(gravity_potential(at_a, 1.0, p, point), -0.00983979824, 5e-12);
  EXPECT_NEAR(gravity_potential(at_b, 1.0, p, point), -0.0129050326, 5e-11);
  at_a.spin = at_b.spin = about_normal(12.132 * 3600);
  EXPECT_NEAR(weight(at_a), 6.73394078e-05, 5e-14);
  EXPECT_NEAR(weight(at_b), 8.36889438e-05, 5e-14);
}

TEST(SmallBody, an_ellipsoid_with_equal_axes_is_a_point_mass) {
  Gravity<double> round = body(GravityKind::Ellipsoid, 2.36, 100, 0), point = body(GravityKind::Point, 2.36, 100, 0);
  round.axes = Vec3d(100, 100, 100);
  support::Dice dice(1);
  for (int i = 0; i < 100; i++) {
    const Vec3d p = round.centre + dice.direction() * dice.between(100.0, 1000.0);
    const Vec3d want = fall(point, p, Vec3d::zero());
    EXPECT_LE(norm(fall(round, p, Vec3d::zero()) - want), 1e-9 * norm(want));
  }
}

TEST(SmallBody, inside_an_ellipsoid_gravity_is_linear) {
  Gravity<double> g = body(GravityKind::Ellipsoid, 2.36, 0, 0);
  g.axes = Vec3d(3, 2, 1);
  const Vec3d p(0.5, -0.4, 0.3), one = fall(g, p, Vec3d::zero()), half = fall(g, p * 0.5, Vec3d::zero());
  for (int k = 0; k < 3; k++) EXPECT_NEAR(half[k], 0.5 * one[k], 1e-15);
}

TEST(SmallBody, carlson_integrals_are_those_of_boost) {
  support::Dice dice(2);
  for (int i = 0; i < 200; i++) {
    const Vec3d a(dice.between(0.01, 10.0), dice.between(0.01, 10.0), dice.between(0.01, 10.0));
    const Carlson<double> R = carlson(a);
    const double F = boost::math::ellint_rf(a[0], a[1], a[2]), D = boost::math::ellint_rd(a[0], a[1], a[2]);
    EXPECT_NEAR(R.F, F, 2e-15 * F);
    EXPECT_NEAR(R.D[2], D, 5e-15 * D);
  }
}

TEST(Sunlight, on_a_flat_robot) {
  Sunlight<double> sun;
  sun.pressure = 4.56e-6;
  const double area = 1.30176915;
  const Vec3d up(0, 0, 1), overhead = push_of(sun, area, up);
  EXPECT_NEAR(overhead[2], -9.29983877e-06, 1e-13);
  EXPECT_EQ(overhead[0], 0.0);
  sun.direction = Vec3d(1, 0, 1) * std::numbers::sqrt2 * 0.5;
  const Vec3d oblique = push_of(sun, area, up), from_below = push_of(sun, area, -up);
  EXPECT_NEAR(oblique[0], -1.48401683e-06, 1e-13);
  EXPECT_NEAR(oblique[2], -4.73187937e-06, 1e-13);
  for (int k = 0; k < 3; k++) EXPECT_EQ(oblique[k], from_below[k]);  // either side of a plate is one
}

}  // namespace fields_test
}  // namespace sinew
