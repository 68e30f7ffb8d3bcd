// The contact problem of the next step, of boxes on one another.
#include "sinew/world/contact_problem.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/shipped.h"

namespace sinew {
namespace contact_problem_test {

TEST(NextContactProblem, IsWhatTheStepSolves) {
  World<double> world = test::shipped_experiment("contact/stacking").world();
  for (int i = 0; i < 200; i++) world.step(1e-3);
  const std::uint64_t before = hash(world.state);
  const NextProblem next = next_contact_problem(world, 1e-3);
  ASSERT_EQ(next.why_not, "");
  EXPECT_EQ(hash(world.state), before);
  const ConeProblem& p = next.problem;
  EXPECT_EQ(fault_of(p), "");
  std::vector<double> r(p.q.size(), 0.0), u;
  ASSERT_LE(solve(p, ConeMethod::Auto, {1e-10, 0}, r).residual, 1e-10);
  velocities(p, r, u);
  for (int i = 0; i < p.contacts(); i++) EXPECT_GE(u[3 * i], -1e-10);  // nothing sinks in
  double fall = 0.0;
  for (const double x : p.q) fall = std::max(fall, std::abs(x));
  EXPECT_NEAR(fall, 9.81e-3, 2e-3);  // what gravity does in a step where nothing holds
}

}  // namespace contact_problem_test
}  // namespace sinew
