#include "tests/support/siconos.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <Eigen/Eigenvalues>

#include "sinew/step/laws.h"
#include "sinew/step/smooth.h"
#include "tests/support/random_problems.h"
#include "tests/support/shipped.h"

namespace sinew {
namespace siconos_test {

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

// One step of a world by the matrix of its contacts; the problem is left as it was put to the solver.
DenseProblem problem_of_next_step(const World<double>& world, double dt) {
  const Model& model = world.model();
  Workspace<double> ws(model);
  accelerations(model, world.params, world.input, {world.state.t, world.state.q.data(), world.state.u.data()}, ws);
  prescribe(model, world.params, world.state.t + dt, ws.driven_E);
  gather(model, world.params, world.state, world.state.q.data(), {dt}, ws);
  for (int i = 0; i < model.nu; i++) ws.u[i] = world.state.u[i] + dt * ws.u_rate[i];
  solve_laws_by_responses(model, world.params, true, ws.u.data(), ws);
  return ws.delassus.problem;
}

// The snake on isotropic ground without rolling friction is a model that Siconos has too, the share of redundant normal
// forces included, because eps_N is part of the matrix.
TEST(DenseSolver, MovesTheSnakeAsSiconosSays) {
  int compared = 0;
  for (const char* name : {"snake/lateral-isotropic", "snake/sidewinding"}) {
    const std::vector<std::string> sets{"mu_roll=0", "contact.solver=\"newton\""};
    const sim::Scenario scenario = test::shipped(name, sets);
    World<double> world = sim::make_world(scenario);
    for (int k = 0; k < 20; k++) {
      test::run_to(world, scenario, 0.02 * (k + 1));
      const DenseProblem p = problem_of_next_step(world, scenario.step);
      support::SiconosProblem theirs(p, support::siconos_solvers[0], 1e-12);
      if (p.n == 0 || !theirs.solve()) continue;
      compared++;
      DenseProblem q = p;
      q.P = theirs.P;
      q.update_gamma();
      for (int i = 0; i < p.n; i++) EXPECT_NEAR(p.gamma[i], q.gamma[i], 1e-8) << name << " " << world.state.t;
    }
  }
  EXPECT_GE(compared, 30);
}

}  // namespace siconos_test
}  // namespace sinew
