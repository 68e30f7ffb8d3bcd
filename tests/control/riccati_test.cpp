#include "sinew/control/riccati.h"

#include <gtest/gtest.h>

#include <cmath>
#include <Eigen/Eigenvalues>
#include <random>

namespace sinew {
namespace riccati_test {

using Eigen::MatrixXd;

TEST(Riccati, double_integrator_has_its_textbook_gain) {
  MatrixXd F(2, 2), G(2, 1);
  F << 0, 1, 0, 0;
  G << 0, 1;
  const Regulator r = solve_riccati(F, G, MatrixXd::Identity(2, 2), MatrixXd::Identity(1, 1));
  ASSERT_EQ(r.problem, "");
  const double s = std::sqrt(3.0);  // X = [s 1; 1 s], gain = [1 s]
  EXPECT_NEAR(r.X(0, 0), s, 1e-12);
  EXPECT_NEAR(r.X(0, 1), 1.0, 1e-12);
  EXPECT_NEAR(r.gain(0, 0), 1.0, 1e-12);
  EXPECT_NEAR(r.gain(0, 1), s, 1e-12);
  EXPECT_NEAR(r.poles(0).real(), -s / 2.0, 1e-12);
  EXPECT_NEAR(std::abs(r.poles(0).imag()), 0.5, 1e-12);
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
    const Regulator r = solve_riccati(F, G, Q, R);
    ASSERT_EQ(r.problem, "") << trial;
    EXPECT_LT(riccati_residual(F, G, Q, R, r.X).norm(), 1e-9 * (Q.norm() + 2 * (F.transpose() * r.X).norm())) << trial;
    EXPECT_LT(r.poles(0).real(), 0.0) << trial;
    EXPECT_GT(r.X.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), -1e-9 * r.X.norm()) << trial;
  }
}

TEST(Riccati, what_no_input_reaches_is_refused_in_words) {
  MatrixXd F = MatrixXd::Zero(4, 4), G = MatrixXd::Zero(4, 1);  // two carts, a motor on the first only
  F(0, 2) = F(1, 3) = 1.0;
  G(2, 0) = 1.0;
  const Regulator r = solve_riccati(F, G, MatrixXd::Identity(4, 4), MatrixXd::Identity(1, 1));
  EXPECT_NE(r.problem.find("the actuated joints cannot change it"), std::string::npos) << r.problem;
}

TEST(Riccati, weights_that_see_nothing_of_a_lasting_motion_are_refused_in_words) {
  MatrixXd F(2, 2), G(2, 1), Q(2, 2);
  F << 0, 1, 0, 0;
  G << 0, 1;
  Q << 0, 0, 0, 1;  // drifts away unseen
  const Regulator r = solve_riccati(F, G, Q, MatrixXd::Identity(1, 1));
  EXPECT_NE(r.problem.find("the weights do not see"), std::string::npos) << r.problem;
}

TEST(Riccati, a_motion_that_dies_out_by_itself_needs_no_input) {
  MatrixXd F(2, 2), G(2, 1);
  F << -1, 0, 0, 2;
  G << 0, 1;
  const Regulator r = solve_riccati(F, G, MatrixXd::Identity(2, 2), MatrixXd::Identity(1, 1));
  ASSERT_EQ(r.problem, "");
  EXPECT_NEAR(r.gain(0, 0), 0.0, 1e-12);
  EXPECT_NEAR(r.gain(0, 1), 2.0 + std::sqrt(5.0), 1e-12);
}

}  // namespace riccati_test
}  // namespace sinew
