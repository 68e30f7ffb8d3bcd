#include "sinew/math/linear.h"

#include <gtest/gtest.h>

#include "tests/support/dice.h"
#include "tests/support/eigen.h"

namespace sinew {
namespace linear_test {

using support::Dice;
using support::to_eigen;

constexpr double rounding = 1e-15;  // sums of three products of numbers below 1

Mat3d random_matrix(Dice& dice) {
  const Vec3d a = dice.vector(1.0), b = dice.vector(1.0);
  return {a, b, dice.vector(1.0)};
}
Sym3d random_symmetric(Dice& dice) {
  const Vec3d a = dice.vector(1.0), b = dice.vector(1.0);
  return {a[0], a[1], a[2], b[0], b[1], b[2]};
}

TEST(Linear, vector_operations_agree_with_eigen) {
  Dice dice(1);
  for (int trial = 0; trial < 200; trial++) {
    const Vec3d a = dice.vector(1.0), b = dice.vector(1.0);
    EXPECT_LE((to_eigen(cross(a, b)) - to_eigen(a).cross(to_eigen(b))).norm(), rounding);
    EXPECT_NEAR(dot(a, b), to_eigen(a).dot(to_eigen(b)), rounding);
    EXPECT_NEAR(norm(a), to_eigen(a).norm(), rounding);
    EXPECT_LE((to_eigen(normalized(a)) - to_eigen(a).normalized()).norm(), rounding);
    EXPECT_LE((to_eigen(skew(a) * b) - to_eigen(cross(a, b))).norm(), rounding);
  }
}

TEST(Linear, matrix_products_agree_with_eigen) {
  Dice dice(2);
  for (int trial = 0; trial < 200; trial++) {
    const Mat3d A = random_matrix(dice), B = random_matrix(dice);
    const Vec3d v = dice.vector(1.0);
    EXPECT_LE((to_eigen(A * v) - to_eigen(A) * to_eigen(v)).norm(), rounding);
    EXPECT_LE((to_eigen(A * B) - to_eigen(A) * to_eigen(B)).norm(), 2 * rounding);
    EXPECT_LE((to_eigen(transpose_times(A, v)) - to_eigen(A).transpose() * to_eigen(v)).norm(), rounding);
    EXPECT_LE((to_eigen(transpose_times(A, B)) - to_eigen(A).transpose() * to_eigen(B)).norm(), 2 * rounding);
    EXPECT_EQ((to_eigen(transpose(A)) - to_eigen(A).transpose()).norm(), 0.0);  // copies
  }
}

TEST(Sym3, acts_as_the_full_matrix) {
  Dice dice(3);
  for (int trial = 0; trial < 200; trial++) {
    const Sym3d a = random_symmetric(dice);
    const Vec3d v = dice.vector(1.0);
    EXPECT_LE((to_eigen(a * v) - to_eigen(a) * to_eigen(v)).norm(), rounding);
    Sym3d b = a;
    b.subtract_outer(v, v);
    EXPECT_LE((to_eigen(b) - (to_eigen(a) - to_eigen(v) * to_eigen(v).transpose())).norm(), rounding);
    b = a;
    b += a;
    EXPECT_EQ((to_eigen(b) - 2.0 * to_eigen(a)).norm(), 0.0);  // doubling is exact
  }
}

TEST(Sym3, rotates_as_R_a_R_transposed) {
  Dice dice(4);
  for (int trial = 0; trial < 200; trial++) {
    const Sym3d a = random_symmetric(dice);
    const Mat3d R = random_matrix(dice);  // holds for any matrix
    const Eigen::Matrix3d want = to_eigen(R) * to_eigen(a) * to_eigen(R).transpose();
    EXPECT_LE((to_eigen(rotate(R, a)) - want).norm(), 1e-14);  // sums of nine products
  }
}

}  // namespace linear_test
}  // namespace sinew
