// Each function against its definition. eps = 2.2e-16; tolerances are eps times the size times what the method multiplies
// round-off with: the condition number for solutions, one for orthogonal transformations.
#include "sinew/math/dense.h"

#include <gtest/gtest.h>

#include <cmath>
#include <Eigen/Dense>
#include <random>
#include <stdexcept>

#include "tests/support/eigen.h"

namespace sinew {
namespace {

using support::to_eigen;

struct Random {
  std::mt19937 bits{11};
  std::normal_distribution<double> normal;
  Matrix operator()(int rows, int cols) {
    Matrix out(rows, cols);
    for (double& x : out.values) x = normal(bits);
    return out;
  }
};

Matrix hilbert(int n) {
  Matrix out(n, n);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) out(i, k) = 1.0 / (i + k + 1);
  return out;
}

TEST(Matrix, arithmetic_is_that_of_textbooks) {
  const Matrix a(2, 3, {1, 2, 3, 4, 5, 6}), b(3, 2, {1, 0, 0, 1, 2, -1});
  EXPECT_EQ((a * b).values, (std::vector<double>{7, -1, 16, -1}));
  EXPECT_EQ(transpose(a).values, (std::vector<double>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ((a + transpose(b)).values, (std::vector<double>{2, 2, 5, 4, 6, 5}));
  EXPECT_EQ((2.0 * a - a / 0.5).values, std::vector<double>(6, 0.0));
  EXPECT_EQ((-Matrix::unit(3, 1)).values, (std::vector<double>{0, -1, 0}));
  EXPECT_EQ(beside(Matrix::identity(2), Matrix(2, 1, {3, 4})).values, (std::vector<double>{1, 0, 3, 0, 1, 4}));
  EXPECT_EQ(block(a, 0, 1, 2, 2).values, (std::vector<double>{2, 3, 5, 6}));
  Matrix whole(3, 3);
  put(Matrix::diagonal({5, 7}), 1, 1, whole);
  EXPECT_EQ(whole.values, (std::vector<double>{0, 0, 0, 0, 5, 0, 0, 0, 7}));
  EXPECT_EQ(norm(Matrix::column({3, -4})), 5.0);
  EXPECT_EQ(largest(Matrix::column({3, -4})), 4.0);
  EXPECT_FALSE(is_finite(Matrix::column({1, INFINITY})));
}

TEST(LinearSystems, solutions_leave_a_residual_of_round_off) {
  Random random;
  for (const int n : {1, 2, 3, 7, 8, 9, 16, 17, 40, 61}) {
    const Matrix A = random(n, n), B = random(n, 3), X = solve(A, B);
    EXPECT_LT(norm(A * X - B), 1e-15 * n * norm(A) * norm(X)) << n;
  }
}

TEST(LinearSystems, rows_of_very_different_units_are_solved_as_well) {
  Random random;
  Matrix A = random(6, 6), X = random(6, 1);
  for (int k = 0; k < 6; k++) A(1, k) *= 1e12, A(4, k) *= 1e-9;
  const Matrix found = solve(A, A * X);
  EXPECT_LT(norm(found - X), 1e-11 * norm(X));
}

TEST(LinearSystems, singular_systems_have_no_numbers) {
  const Matrix A(2, 2, {1, 2, 2, 4});
  for (const double x : solve(A, Matrix::identity(2)).values) EXPECT_TRUE(std::isnan(x));
  EXPECT_EQ(determinant(A), 0.0);
  EXPECT_TRUE(std::isnan(solve(Matrix(3, 3), Matrix(3, 1))[0]));
}

TEST(LinearSystems, determinants_have_their_sign) {
  EXPECT_EQ(determinant(Matrix(2, 2, {0, 1, 1, 0})), -1.0);
  EXPECT_EQ(determinant(Matrix(3, 3, {0, 1, 0, 0, 0, 1, 1, 0, 0})), 1.0);
  EXPECT_NEAR(determinant(hilbert(3)), 1.0 / 2160.0, 2.2e-16 * 524 / 2160.0);  // eps, condition
  Random random;
  for (const int n : {4, 9, 20}) {
    const Matrix A = random(n, n);
    const double expected = to_eigen(A).determinant();
    EXPECT_NEAR(determinant(A), expected, 1e-12 * std::abs(expected)) << n;
  }
}

TEST(LinearSystems, inverse_of_the_hilbert_matrix_is_known_in_integers) {
  const Matrix expected(
      4, 4, {16, -120, 240, -140, -120, 1200, -2700, 1680, 240, -2700, 6480, -4200, -140, 1680, -4200, 2800});
  EXPECT_LT(largest(inverse(hilbert(4)) - expected), 2.2e-16 * 15514 * 6480);  // eps, condition, largest entry
}

TEST(LinearSystems, least_squares_leave_what_is_orthogonal_to_all_columns) {
  Random random;
  for (const int rows : {5, 12, 30}) {
    const Matrix A = random(rows, 5), B = random(rows, 2), X = least_norm(A, B, 1e-14);
    EXPECT_LT(norm(transpose(A) * (A * X - B)), 1e-14 * rows * norm(A) * norm(B)) << rows;
  }
}

TEST(LinearSystems, wide_systems_get_the_shortest_solution) {
  Random random;
  const Matrix A = random(4, 9), B = random(4, 1), X = least_norm(A, B, 1e-14);
  EXPECT_LT(norm(A * X - B), 1e-13 * norm(B));
  const Matrix shortest = transpose(A) * solve(A * transpose(A), B);  // in the row space
  EXPECT_LT(norm(X - shortest), 1e-13 * norm(X));
}

TEST(LinearSystems, rank_deficient_systems_agree_with_the_pseudoinverse) {
  Random random;
  for (const int rank : {1, 3, 6}) {
    const Matrix A = random(10, rank) * random(rank, 7), B = random(10, 2), X = least_norm(A, B, 1e-9);
    const Eigen::MatrixXd expected = to_eigen(A).completeOrthogonalDecomposition().solve(to_eigen(B));
    EXPECT_LT((to_eigen(X) - expected).norm(), 1e-11 * expected.norm()) << rank;
  }
  EXPECT_EQ(norm(least_norm(Matrix(3, 2), Matrix::column({1, 2, 3}), 1e-9)), 0.0);
}

TEST(LinearSystems, directions_below_the_threshold_are_left_out) {
  const Matrix A = Matrix::diagonal({2.0, 1e-7, 1.0}), B = Matrix::column({2, 1, 3});
  EXPECT_EQ(least_norm(A, B, 1e-6)[1], 0.0);
  EXPECT_NEAR(least_norm(A, B, 1e-8)[1], 1e7, 1e-7);
  EXPECT_NEAR(least_norm(A, B, 1e-6)[2], 3.0, 1e-14);
}

TEST(LinearSystems, singular_values_are_those_that_were_put_in) {
  Random random;
  const std::vector<double> expected{1e3, 5.0, 5.0, 1e-4, 1e-9};
  const Eigen::MatrixXd U = Eigen::HouseholderQR<Eigen::MatrixXd>(to_eigen(random(8, 8))).householderQ();
  const Eigen::MatrixXd V = Eigen::HouseholderQR<Eigen::MatrixXd>(to_eigen(random(5, 5))).householderQ();
  const Matrix A = support::matrix_from_eigen(U.leftCols(5) * to_eigen(Matrix::diagonal(expected)) * V.transpose());
  for (const std::vector<double>& found : {singular_values(A), singular_values(transpose(A))}) {
    ASSERT_EQ(found.size(), 5u);
    for (int i = 0; i < 5; i++) EXPECT_NEAR(found[i], expected[i], 1e-15 * 8 * expected[0]) << i;
  }
}

TEST(LinearSystems, singular_values_of_what_has_no_rank_are_zero) {
  const std::vector<double> s = singular_values(Matrix(3, 2, {1, 2, 2, 4, 3, 6}));
  EXPECT_NEAR(s[0], std::sqrt(70.0), 1e-14);
  EXPECT_NEAR(s[1], 0.0, 1e-15);
  EXPECT_EQ(singular_values(Matrix(2, 3)), (std::vector<double>{0.0, 0.0}));
}

}  // namespace
}  // namespace sinew
