// Contact problems in the field's form: our solvers, with Siconos' as the other side.
#include "sinew/solve/cone_problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <Eigen/Dense>

#include "sinew/math/check.h"
#include "sinew/solve/cone_local.h"
#include "tests/support/cone_problems.h"
#include "tests/support/siconos.h"

namespace sinew {
namespace cone_test {

using support::brick_wall;
using support::random_cone_problem;
using support::Scene;

std::vector<double> zero(const ConeProblem& p) { return std::vector<double>(p.q.size(), 0.0); }

bool is_in_cones(const ConeProblem& p, const std::vector<double>& r) {
  for (int i = 0; i < p.contacts(); i++) {
    const double rim = p.mu[i] * r[3 * i];
    if (!(r[3 * i] >= 0.0 && cone::length(r[3 * i + 1], r[3 * i + 2]) <= rim * (1.0 + 1e-12))) return false;
  }
  return true;
}

Eigen::MatrixXd matrix(const BlockRows& W) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(3 * W.rows(), 3 * W.rows());
  for (int i = 0; i < W.rows(); i++)
    for (int k = W.start[i]; k < W.start[i + 1]; k++)
      for (int a = 0; a < 9; a++) A(3 * i + a / 3, 3 * W.column[k] + a % 3) += W.block(k)[a];
  return A;
}

// Rows without K among the others, E of all kinds.
TEST(BlockLu, SolvesAsEigenDoes) {
  const ConeProblem p = brick_wall(3, 4, 0.5);
  const int n = p.contacts();
  BlockLu lu(p.W);
  std::vector<double> E(9 * n, 0.0), K(9 * n, 0.0), b(3 * n), x(3 * n);
  for (int i = 0; i < 9 * n; i++) {
    const int contact = i / 9, a = i % 9;
    const bool live = contact % 3 != 1;
    E[i] = live ? 0.1 * std::sin(1.0 + i) + (a % 4 == 0 ? 2.0 : 0.0) : a % 4 == 0 ? 1.0 : 0.0;
    K[i] = live ? 0.02 * std::cos(0.7 * i) + (a % 4 == 0 ? 0.3 : 0.0) : 0.0;
  }
  for (int i = 0; i < 3 * n; i++) b[i] = std::sin(3.0 * i);
  ASSERT_TRUE(lu.factor(p.W, E, K));
  lu.solve(p.W, K, b, x);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(3 * n, 3 * n), K_all = A;
  for (int i = 0; i < n; i++)
    for (int a = 0; a < 9; a++) {
      A(3 * i + a / 3, 3 * i + a % 3) = E[9 * i + a];
      K_all(3 * i + a / 3, 3 * i + a % 3) = K[9 * i + a];
    }
  A += K_all * matrix(p.W);
  const Eigen::VectorXd expected = A.fullPivLu().solve(Eigen::Map<const Eigen::VectorXd>(b.data(), 3 * n));
  for (int i = 0; i < 3 * n; i++) EXPECT_NEAR(x[i], expected[i], 1e-11 * expected.norm()) << i;
}

TEST(ConeLocal, OneContactIsSolvedExactly) {
  for (int k = 0; k < 2000; k++) {
    ConeProblem p = random_cone_problem(k, 1, Scene::Scatter);
    p.mu[0] = k % 7 == 0 ? 0.0 : 0.2 * (k % 7);
    std::vector<double> r = zero(p);
    const ConeReport report = solve(p, ConeMethod::Sweep, {1e-13, 10}, r);
    EXPECT_LE(report.residual, 1e-12) << k;
    EXPECT_TRUE(is_in_cones(p, r)) << k;
  }
}

// Each solver by itself, and all of them in turn: solved, in the cones, and the report says what is true.
TEST(ConeSolvers, SolveRandomProblems) {
  int solved_by[4] = {}, problems = 0;
  for (int k = 0; k < 60; k++) {
    const ConeProblem p = random_cone_problem(700 + k, 3 + k % 30, Scene(k % int(Scene::count)));
    problems++;
    for (const ConeMethod method : {ConeMethod::Auto, ConeMethod::Proximal, ConeMethod::Sweep, ConeMethod::Dense}) {
      std::vector<double> r = zero(p);
      const ConeReport report = solve(p, method, {1e-10, method == ConeMethod::Sweep ? 500 : 0}, r);
      EXPECT_DOUBLE_EQ(report.residual, relative_residual(p, r)) << k;
      EXPECT_TRUE(is_in_cones(p, r)) << k;
      solved_by[int(method)] += report.residual <= 1e-10;
    }
  }
  EXPECT_EQ(solved_by[int(ConeMethod::Auto)], problems);
  EXPECT_GE(solved_by[int(ConeMethod::Proximal)], problems - 1);
  EXPECT_GE(solved_by[int(ConeMethod::Dense)], problems * 9 / 10);
  EXPECT_GE(solved_by[int(ConeMethod::Sweep)], problems / 3);
}

// Redundant contacts by the hundred; Gauss-Seidel is far from it after many sweeps.
TEST(ConeSolvers, SolveAWallOfBricks) {
  const ConeProblem p = brick_wall(6, 5, 0.6);
  std::vector<double> r = zero(p), swept = zero(p);
  const ConeReport report = solve(p, ConeMethod::Auto, {1e-12, 0}, r);
  EXPECT_LE(report.residual, 1e-12);
  EXPECT_LE(report.systems, 600);
  EXPECT_GT(solve(p, ConeMethod::Sweep, {1e-12, 200}, swept).residual, 1e-8);
  const ConeStates states = states_of(p, r);
  EXPECT_EQ(states.open + states.stick + states.slide, p.contacts());
  EXPECT_GT(states.stick, p.contacts() / 3);
}

// Where Siconos' solver succeeds both move alike: little friction, so that there is one motion.
TEST(ConeSolvers, MoveAsSiconosSays) {
  int compared = 0;
  for (int k = 0; k < 80; k++) {
    DenseProblem dense = support::random_problem(k, support::Friction::Isotropic, 2 + k % 12).problem;
    for (DenseContact& c : dense.contacts) c.law.mu_forward = c.law.mu_backward = c.law.mu_trans = 0.15;
    const ConeProblem p = cone_problem(dense);
    const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(matrix(p.W)).singularValues();
    if (values[values.size() - 1] < 1e-9 * values[0]) continue;  // redundant: any share would do
    support::SiconosProblem theirs(dense, support::siconos_solvers[0], 1e-11);
    if (!theirs.solve()) continue;
    compared++;
    std::vector<double> r = zero(p), u, their_u;
    ASSERT_LE(solve(p, ConeMethod::Auto, {1e-12, 0}, r).residual, 1e-12) << k;
    velocities(p, r, u);
    velocities(p, theirs.P, their_u);
    double q2 = 0.0;
    for (const double x : p.q) q2 += x * x;
    for (std::size_t i = 0; i < u.size(); i++) EXPECT_NEAR(u[i], their_u[i], 1e-7 * std::sqrt(q2)) << k;
  }
  EXPECT_GE(compared, 10);
}

TEST(ConeSolvers, StopAtTheLimitWithTheBestSoFar) {
  const ConeProblem p = brick_wall(6, 5, 0.6);
  for (const ConeMethod method : {ConeMethod::Auto, ConeMethod::Proximal, ConeMethod::Sweep}) {
    std::vector<double> r = zero(p);
    const ConeReport report = solve(p, method, {1e-14, 7}, r);
    EXPECT_EQ(report.sweeps + report.systems, 7);
    EXPECT_GT(report.residual, 1e-14);
    EXPECT_LE(report.residual, 1.0);
    EXPECT_TRUE(is_in_cones(p, r));
  }
}

// Painleve's: friction drives the contact in harder than the normal impulse holds it back. With u_N = 0 it slides, u_T = -8, so that
// r_T = 2 r_N and u_N = -5 r_N - 1 < 0.
TEST(ConeSolvers, SayThatAProblemWithoutSolutionIsNotSolved) {
  ConeProblem p;
  p.W = {.start = {0, 1}, .column = {0}, .value = {1.0, -3.0, 0.0, -3.0, 9.0, 0.0, 0.0, 0.0, 1.0}};
  p.q = {-1.0, -5.0, 0.0};
  p.mu = {2.0};
  std::vector<double> r = zero(p);
  const ConeReport report = solve(p, ConeMethod::Auto, {1e-10, 0}, r);
  EXPECT_GT(report.residual, 1e-3);
  EXPECT_DOUBLE_EQ(report.residual, relative_residual(p, r));
}

TEST(ConeProblem, FaultsAreNamed) {
  const ConeProblem good = brick_wall(1, 1, 0.5);
  EXPECT_EQ(fault_of(good), "");
  ConeProblem bad = good;
  bad.mu[2] = -0.5;
  EXPECT_EQ(fault_of(bad), "mu of contact 2 is -0.5: it must be >= 0");
  bad = good;
  bad.q[4] = std::nan("");
  EXPECT_EQ(fault_of(bad), "q of contact 1 is not finite");
  bad = good;
  bad.W.value[0] = HUGE_VAL;
  EXPECT_EQ(fault_of(bad), "a number of W is not finite");
  bad = good;
  bad.W.value[0] = 0.0;
  EXPECT_EQ(fault_of(bad), "the diagonal of W is not positive at contact 0");
  bad = good;
  bad.q.pop_back();
  EXPECT_NE(fault_of(bad), "");
  std::vector<double> r = zero(bad);
  EXPECT_THROW(solve(bad, ConeMethod::Auto, {}, r), CallError);
}

}  // namespace cone_test
}  // namespace sinew
