#include "sinew/dynamics/mass.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Cholesky>

#include "tests/support/any.h"
#include "tests/support/oracle.h"
#include "tests/support/random_plan.h"

namespace sinew {
namespace mass_test {

using support::Oracle;
using support::RandomRobot;

Eigen::MatrixXd mass_of(const RandomRobot& robot) {
  const int n = robot.model.nu;
  std::vector<double> M(n * n, -1.0);  // not zero: every entry must be written
  MassWork<double> work(robot.model);
  mass_matrix(robot.model, robot.params, robot.frames, work, M.data());
  return Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(M.data(), n, n);
}

// Round-off of sums over 12 bodies with arms of a few metres is some 1e-14 of sqrt(M_ii M_jj); 1e-10 leaves room for
// light axes that carry far, heavy bodies, and is far below any wrong term.
RC_GTEST_PROP(MassMatrix, equals_the_virtual_work_sum_over_the_bodies, ()) {
  const RandomRobot robot(support::any_seed(), support::any_size(1, 13));
  const Oracle oracle(robot.plan, robot.model, robot.state);
  const Eigen::MatrixXd M = mass_of(robot), want = oracle.mass();
  for (int i = 0; i < robot.model.nu; i++)
    for (int j = 0; j < robot.model.nu; j++)
      RC_ASSERT(std::abs(M(i, j) - want(i, j)) <= 1e-10 * std::sqrt(want(i, i) * want(j, j)));
}

RC_GTEST_PROP(MassMatrix, is_exactly_symmetric_and_positive_definite, ()) {
  const RandomRobot robot(support::any_seed(), support::any_size(1, 13));
  RC_PRE(robot.model.nu > 0);
  const Eigen::MatrixXd M = mass_of(robot);
  RC_ASSERT(M == M.transpose());  // both triangles are written from one number: no tolerance
  RC_ASSERT(M.llt().info() == Eigen::Success);
}

TEST(MassMatrix, of_a_free_body_is_its_mass_and_its_central_inertia) {
  Plan plan;
  BodyPlan body{"b", 2.0, {0.1, -0.2, 0.3}, {0.3, 0.01, 0.02, 0.4, -0.03, 0.5}};
  JointPlan joint;
  joint.name = "j", joint.child = "b", joint.kind = JointKind::Free;
  plan.bodies = {body}, plan.joints = {joint};
  const Compiled c = compile(plan);
  Prescribed<double> driven(*c.model);
  Frames<double> frames(*c.model);
  evaluate_frames(*c.model, c.params, c.state.q.data(), c.state.u.data(), driven, frames);
  MassWork<double> work(*c.model);
  double M[36];
  mass_matrix(*c.model, c.params, frames, work, M);
  const double I[3][3] = {{0.3, 0.01, 0.02}, {0.01, 0.4, -0.03}, {0.02, -0.03, 0.5}};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      const double want = i < 3 && j < 3 ? I[i][j] : i == j ? 2.0 : 0.0;
      EXPECT_DOUBLE_EQ(M[6 * i + j], want);  // the frame is the body's own at its mass centre: nothing is rounded
    }
}

}  // namespace mass_test
}  // namespace sinew
