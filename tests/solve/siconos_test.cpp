#include "tests/support/siconos.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <Eigen/Eigenvalues>

#include "tests/support/random_problems.h"

namespace sinew {
namespace {

using support::certificate;

// Of redundant contacts any share would do, and through friction the motion depends on it.
bool is_redundant(const DenseProblem& p) {
  const Eigen::Map<const Eigen::MatrixXd> G(p.G.data(), p.n, p.n);
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(G, Eigen::EigenvaluesOnly).eigenvalues();
  return values[0] < 1e-9 * values[p.n - 1];
}

// Little friction, so that the motion is unique. Problems that Siconos does not solve say nothing about us.
TEST(DenseSolver, MovesAsSiconosSays) {
  DenseSolver solver;
  int compared = 0;
  for (int k = 0; k < 200; k++) {
    DenseProblem p = support::random_problem(k, support::Friction::Isotropic, 1 + k % 8).problem;
    if (is_redundant(p)) continue;
    for (DenseContact& c : p.contacts)
      c.law.mu_forward = c.law.mu_backward = c.law.mu_trans = std::min(c.law.mu_trans, 0.2);
    ASSERT_TRUE(solver.solve(p, DenseMethod::Newton, 1e-8).converged) << k;
    for (const support::SiconosSolver& other : support::siconos_solvers) {
      if (other.id != SICONOS_FRICTION_3D_NSGS && other.id != SICONOS_FRICTION_3D_NSN_AC) continue;
      support::SiconosProblem theirs(p, other, 1e-10);
      if (!theirs.solve() || certificate(p, theirs.P) > 1e-8) continue;
      compared++;
      DenseProblem q = p;
      q.P = theirs.P;
      q.update_gamma();
      double size = 0.0;
      for (const double c : p.c) size = std::max(size, std::abs(c));
      for (int i = 0; i < p.n; i++) EXPECT_NEAR(p.gamma[i], q.gamma[i], 1e-6 * (1.0 + size)) << k << " " << other.name;
    }
  }
  EXPECT_GE(compared, 100);
}

}  // namespace
}  // namespace sinew
