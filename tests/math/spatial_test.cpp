#include "sinew/math/spatial.h"

#include <gtest/gtest.h>

#include "tests/support/dice.h"
#include "tests/support/eigen.h"

namespace sinew {
namespace spatial_test {

using support::Dice;
using support::to_eigen;

constexpr double rounding = 1e-14;  // a few sums of products of numbers below 2

Posed random_pose(Dice& dice) {
  const Mat3d R = to_matrix(dice.rotation());
  return {R, dice.vector(1.0)};
}
Sym3d random_symmetric(Dice& dice) {
  const Vec3d a = dice.vector(1.0), b = dice.vector(1.0);
  return {a[0], a[1], a[2], b[0], b[1], b[2]};
}

TEST(Pose, composes_and_inverts_as_an_isometry) {
  Dice dice(1);
  for (int trial = 0; trial < 200; trial++) {
    const Posed A = random_pose(dice), B = random_pose(dice);
    const Vec3d x = dice.vector(1.0);
    EXPECT_LE((to_eigen(A * B).matrix() - (to_eigen(A) * to_eigen(B)).matrix()).norm(), rounding);
    EXPECT_LE((to_eigen(A * x) - to_eigen(A) * to_eigen(x)).norm(), rounding);
    EXPECT_LE((to_eigen(A.inverse()).matrix() - to_eigen(A).inverse().matrix()).norm(), rounding);
  }
}

TEST(Spatial, power_is_the_same_at_every_point_of_a_rigid_body) {
  Dice dice(2);
  for (int trial = 0; trial < 200; trial++) {
    const Vec3d r = dice.vector(1.0), w = dice.vector(1.0), v = dice.vector(1.0), n = dice.vector(1.0);
    const Twist<double> V{w, v};
    const Wrench<double> F_child{n, dice.vector(1.0)};
    EXPECT_NEAR(power(shift_to_parent(F_child, r), V), power(F_child, shift_to_child(V, r)), rounding);
  }
}

TEST(Inertia, about_the_origin_follows_steiner) {
  Dice dice(3);
  for (int trial = 0; trial < 200; trial++) {
    const double m = dice.between(0.1, 2.0);
    const Vec3d c = dice.vector(1.0);
    const Sym3d I_C = random_symmetric(dice);
    const Inertia<double> I = inertia_at_origin(m, c, I_C);
    const Eigen::Matrix3d X = to_eigen(skew(c));
    EXPECT_EQ(I.m, m);
    EXPECT_LE((to_eigen(I.mc) - m * to_eigen(c)).norm(), rounding);
    EXPECT_LE((to_eigen(I.I) - (to_eigen(I_C) - m * X * X)).norm(), rounding);
  }
}

TEST(Inertia, central_undoes_steiner) {
  Dice dice(4);
  for (int trial = 0; trial < 200; trial++) {
    const double m = dice.between(0.1, 2.0);
    const Vec3d c = dice.vector(1.0);
    const Sym3d I_C = random_symmetric(dice);
    const Inertia<double> I = inertia_at_origin(m, c, I_C);
    EXPECT_LE((to_eigen(central(I.I, c, I.mc)) - to_eigen(I_C)).norm(), rounding);
  }
}

}  // namespace spatial_test
}  // namespace sinew
