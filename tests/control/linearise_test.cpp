#include "sinew/control/linearise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "robots/catalog.h"
#include "sinew/sim/scenario.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/eigen.h"

namespace sinew {
namespace linearise_test {

using Eigen::MatrixXd;
using support::to_eigen;

Plan limb(int n, double g) {
  const std::string text = "[robot]\nkind = \"soft-limb\"\nn = " + std::to_string(n) +
                           "\nzeta = 0.4\n[gravity]\ng = [0.0, 0.0, " + std::to_string(-g) + "]\n";
  return text::parse_scenario(text, "limb.toml").plan;
}

// Joint angles of links with these directions, and the matrix that adds them up again.
std::vector<double> joints_of(const std::vector<double>& theta) {
  std::vector<double> q = theta;
  for (std::size_t i = 1; i < q.size(); i++) q[i] = theta[i] - theta[i - 1];
  return q;
}
MatrixXd sums(int n) { return MatrixXd(MatrixXd::Ones(n, n).triangularView<Eigen::Lower>()); }

// From forces and motions of joints to those of directions.
MatrixXd of_directions(const MatrixXd& A) {
  const MatrixXd back = sums(int(A.rows())).inverse();
  return back.transpose() * A * back;
}

// Petal of three links (docs/theory/softbot.md#limb), a = m lc + l sum of the masses beyond.
const double k[3] = {0.00504464555, 0.00413822185, 0.00477466672};
const double c[3] = {0.0149008292, 0.0163569812, 0.00909145903};
const double a[3] = {0.902710318, 0.517058076, 0.0901610559};

MatrixXd tridiagonal(const double* x) {
  MatrixXd K(3, 3);
  K << x[0] + x[1], -x[1], 0, -x[1], x[1] + x[2], -x[2], 0, -x[2], x[2];
  return K;
}

TEST(Linearise, mass_matrix_of_the_petal_limb_is_the_published_one) {
  Statics statics(limb(3, 1e-3));
  MatrixXd expected(3, 3);
  expected << 0.512606612, 0.308684964, 0.053018303, 0.308684964, 0.263311110, 0.053826376, 0.053018303, 0.053826376,
      0.027048559;
  const Linear linear = statics.about(joints_of({0.1, 0.2, 0.3}));
  EXPECT_LT((of_directions(to_eigen(linear.M)) - expected).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Linearise, stiffness_is_that_of_springs_and_of_gravity) {
  const double g = 1e-3, theta[3] = {0.7, -0.4, 0.3};
  Statics statics(limb(3, g));
  MatrixXd expected = tridiagonal(k);
  for (int i = 0; i < 3; i++) expected(i, i) -= g * a[i] * std::sin(theta[i]);
  const Linear linear = statics.about(joints_of({theta[0], theta[1], theta[2]}));
  EXPECT_LT((of_directions(to_eigen(linear.K)) - expected).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT((of_directions(to_eigen(linear.C)) - tridiagonal(c)).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Linearise, uniform_gravity_adds_no_stiffness_to_a_flat_limb) {
  Statics heavy(limb(3, 1e-3)), light(limb(3, 0.0));
  const std::vector<double> flat(3, 0.0);
  EXPECT_LT(largest(heavy.stiffness(flat) - light.stiffness(flat)), 1e-14);
}

TEST(Linearise, frequencies_of_the_petal_limb_are_the_published_ones) {
  Statics statics(limb(3, 0.0));
  const Linear linear = statics.about({0, 0, 0});
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(to_eigen(linear.K), to_eigen(linear.M));
  const double expected[3] = {0.0490460427, 0.318180116, 0.831022545};
  for (int i = 0; i < 3; i++) EXPECT_NEAR(std::sqrt(modes.eigenvalues()(i)), expected[i], 1e-8 * expected[i]);
}

TEST(Linearise, holding_force_of_a_limb_at_rest_under_gravity_is_zero_at_its_steady_angles) {
  Statics statics(limb(3, 1e-3));  // Tambornini 2020, figures 2.7 to 2.9
  const Matrix force = statics.holding_force(joints_of({-0.281863089, -0.415932992, -0.433072916}));
  EXPECT_LT(largest(force), 1e-11);
}

TEST(Linearise, a_robot_with_loops_is_refused) {
  Plan plan = limb(3, 0.0);
  JointPlan loop;
  loop.name = "ring", loop.loop = true, loop.parent = "world", loop.child = "link3";
  plan.joints.push_back(loop);
  EXPECT_THROW(Statics{plan}, PlanError);
}

}  // namespace linearise_test
}  // namespace sinew
