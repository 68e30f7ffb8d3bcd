#include "sinew/control/riccati.h"

#include <gtest/gtest.h>

#include <cmath>
#include <Eigen/Eigenvalues>
#include <random>

#include "tests/support/eigen.h"

namespace sinew {
namespace riccati_test {

using Eigen::MatrixXd;
using support::to_eigen;

Matrix from(const MatrixXd& a) { return support::matrix_from_eigen(a); }

Regulator solve(const MatrixXd& F, const MatrixXd& G, const MatrixXd& Q, const MatrixXd& R) {
  return solve_riccati(from(F), from(G), from(Q), from(R));
}

TEST(Riccati, double_integrator_has_its_textbook_gain) {
  const Matrix F(2, 2, {0, 1, 0, 0}), G(2, 1, {0, 1});
  const Regulator r = solve_riccati(F, G, Matrix::identity(2), Matrix::identity(1));
  ASSERT_EQ(r.problem, "");
  const double s = std::sqrt(3.0);  // X = [s 1; 1 s], gain = [1 s]
  EXPECT_NEAR(r.X(0, 0), s, 1e-12);
  EXPECT_NEAR(r.X(0, 1), 1.0, 1e-12);
  EXPECT_NEAR(r.gain(0, 0), 1.0, 1e-12);
  EXPECT_NEAR(r.gain(0, 1), s, 1e-12);
  EXPECT_NEAR(r.poles[0].real(), -s / 2.0, 1e-12);
  EXPECT_NEAR(std::abs(r.poles[0].imag()), 0.5, 1e-12);
}

TEST(Riccati, random_problems_leave_no_residual_and_are_stable) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 200; trial++) {
    const int n = 1 + trial % 12, m = 1 + trial % 3;
    const auto matrix = [&](int rows, int cols) {
      return MatrixXd(MatrixXd::NullaryExpr(rows, cols, [&] { return normal(random); }));
    };
    const MatrixXd F = matrix(n, n), G = matrix(n, m), A = matrix(n, n), B = matrix(m, m);
    const MatrixXd Q = A * A.transpose(), R = B * B.transpose() + 0.1 * MatrixXd::Identity(m, m);
    const Regulator r = solve(F, G, Q, R);
    ASSERT_EQ(r.problem, "") << trial;
    const MatrixXd X = to_eigen(r.X),
                   residual = F.transpose() * X + X * F - X * G * R.ldlt().solve(G.transpose() * X) + Q;
    EXPECT_LT(residual.norm(), 1e-9 * (Q.norm() + 2 * (F.transpose() * X).norm())) << trial;
    const Matrix own = riccati_residual(from(F), from(G), from(Q), from(R), r.X);
    const double terms =
        Q.norm() + 2 * F.norm() * X.norm() + X.squaredNorm() * (G * R.ldlt().solve(G.transpose())).norm();
    EXPECT_LT((to_eigen(own) - residual).norm(), 1e-15 * n * terms) << trial;
    EXPECT_LT(r.poles[0].real(), 0.0) << trial;
    EXPECT_GT(X.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), -1e-9 * X.norm()) << trial;
  }
}

TEST(Riccati, what_no_input_reaches_is_refused_in_words) {
  Matrix F(4, 4), G(4, 1);  // two carts, a motor on the first only
  F(0, 2) = F(1, 3) = 1.0;
  G(2, 0) = 1.0;
  const Regulator r = solve_riccati(F, G, Matrix::identity(4), Matrix::identity(1));
  EXPECT_NE(r.problem.find("the actuated joints cannot change it"), std::string::npos) << r.problem;
}

TEST(Riccati, weights_that_see_nothing_of_a_lasting_motion_are_refused_in_words) {
  const Matrix F(2, 2, {0, 1, 0, 0}), G(2, 1, {0, 1}), Q(2, 2, {0, 0, 0, 1});  // drifts away unseen
  const Regulator r = solve_riccati(F, G, Q, Matrix::identity(1));
  EXPECT_NE(r.problem.find("the weights do not see"), std::string::npos) << r.problem;
}

TEST(Riccati, a_motion_that_dies_out_by_itself_needs_no_input) {
  const Matrix F(2, 2, {-1, 0, 0, 2}), G(2, 1, {0, 1});
  const Regulator r = solve_riccati(F, G, Matrix::identity(2), Matrix::identity(1));
  ASSERT_EQ(r.problem, "");
  EXPECT_NEAR(r.gain(0, 0), 0.0, 1e-12);
  EXPECT_NEAR(r.gain(0, 1), 2.0 + std::sqrt(5.0), 1e-12);
}

}  // namespace riccati_test
}  // namespace sinew
