// Schur's form against what defines it. It is backward stable: residuals are eps = 2.2e-16 times the size times the norm, those of
// Lyapunov's equation times the norm of the solution.
#include "sinew/math/schur.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <Eigen/Dense>
#include <random>

#include "sinew/math/eigenvalues.h"
#include "tests/support/eigen.h"

namespace sinew {
namespace {

using Complex = std::complex<double>;

Matrix random_matrix(std::mt19937& bits, int n) {
  std::normal_distribution<double> normal;
  Matrix out(n, n);
  for (double& x : out.values) x = normal(bits);
  return out;
}

Eigen::MatrixXcd basis(const Schur& schur, int cols) {
  const Eigen::MatrixXd both = support::to_eigen(schur.subspace(0, schur.size(), cols));
  return both.leftCols(cols) + Complex(0, 1) * both.rightCols(cols);
}

TEST(Hessenberg, is_similar_by_an_orthogonal_matrix_and_has_zeros) {
  std::mt19937 bits(1);
  for (const int n : {1, 2, 3, 9, 20}) {
    const Matrix A = random_matrix(bits, n);
    Matrix H = A, Q = Matrix::identity(n);
    make_hessenberg(H, &Q);
    EXPECT_LT(norm(transpose(Q) * Q - Matrix::identity(n)), 1e-15 * n) << n;
    EXPECT_LT(norm(Q * H * transpose(Q) - A), 1e-15 * n * norm(A)) << n;
    for (int i = 2; i < n; i++)
      for (int k = 0; k < i - 1; k++) EXPECT_EQ(H(i, k), 0.0);
  }
}

TEST(Schur, stable_eigenvalues_come_first_with_their_invariant_subspace) {
  std::mt19937 bits(2);
  for (int trial = 0; trial < 60; trial++) {
    const int n = 1 + trial % 20;
    const Matrix A = random_matrix(bits, n);
    Schur schur(A);
    ASSERT_TRUE(schur.found());
    const int stable = schur.bring_stable_first();
    EXPECT_EQ(stable, std::ranges::count_if(eigenvalues(A), [](const Complex& x) { return x.real() < 0.0; })) << trial;
    for (int i = 0; i < n; i++) EXPECT_EQ(schur.value(i).real() < 0.0, i < stable) << trial;
    const Eigen::MatrixXd a = support::to_eigen(A);
    const Eigen::MatrixXcd U = basis(schur, n), T = U.adjoint() * a * U;
    EXPECT_LT((U.adjoint() * U - Eigen::MatrixXcd::Identity(n, n)).norm(), 1e-14 * n) << trial;
    const Eigen::MatrixXcd below = T.triangularView<Eigen::StrictlyLower>();
    EXPECT_LT(below.norm(), 1e-14 * n * a.norm()) << trial;
    for (int i = 0; i < n; i++) EXPECT_LT(std::abs(T(i, i) - schur.value(i)), 1e-14 * n * a.norm()) << trial;
  }
}

TEST(Schur, of_a_permutation_in_a_circle_is_found) {
  Matrix A(4, 4);  // plain shifts never converge for it
  for (int i = 0; i < 4; i++) A((i + 1) % 4, i) = 1.0;
  const Schur schur(A);
  ASSERT_TRUE(schur.found());
  for (int i = 0; i < 4; i++) EXPECT_NEAR(std::abs(schur.value(i)), 1.0, 1e-14);
}

TEST(Schur, of_what_is_not_finite_is_not_found) {
  Matrix A = Matrix::identity(3);
  A(1, 2) = INFINITY;
  EXPECT_FALSE(Schur(A).found());
}

TEST(Lyapunov, of_one_number_and_of_a_damped_oscillator_is_that_of_textbooks) {
  EXPECT_NEAR(Schur(Matrix(1, 1, {-2.0})).solve_lyapunov(Matrix(1, 1, {3.0}))[0], 0.75, 1e-15);
  const double
      w = 3.0,
      d = 0.4;  // x'' = -w^2 x - d x'; C = 1: X = [(w^2 + 1)/(2 d) + d/(2 w^2), 1/(2 w^2); ., (1 + 1/w^2)/(2 d)]
  const Matrix X = Schur(Matrix(2, 2, {0.0, 1.0, -w * w, -d})).solve_lyapunov(Matrix::identity(2));
  EXPECT_NEAR(X(0, 0), (w * w + 1.0) / (2.0 * d) + d / (2.0 * w * w), 1e-13);
  EXPECT_NEAR(X(0, 1), 1.0 / (2.0 * w * w), 1e-14);
  EXPECT_NEAR(X(1, 0), X(0, 1), 1e-14);
  EXPECT_NEAR(X(1, 1), (1.0 + 1.0 / (w * w)) / (2.0 * d), 1e-14);
}

TEST(Lyapunov, solutions_leave_a_residual_of_round_off) {
  std::mt19937 bits(3);
  for (int trial = 0; trial < 60; trial++) {
    const int n = 1 + trial % 20;
    const Matrix A = random_matrix(bits, n) - 2.0 * std::sqrt(double(n)) * Matrix::identity(n),
                 B = random_matrix(bits, n);
    const Matrix C = B * transpose(B), X = Schur(A).solve_lyapunov(C);
    EXPECT_LT(norm(transpose(A) * X + X * A + C), 1e-14 * n * norm(A) * norm(X)) << trial;
  }
}

}  // namespace
}  // namespace sinew
