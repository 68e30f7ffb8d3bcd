#include "sinew/dynamics/energy.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sinew/dynamics/mass.h"
#include "tests/support/any.h"
#include "tests/support/oracle.h"
#include "tests/support/random_plan.h"

namespace sinew {
namespace energy_test {

using support::Oracle;
using support::RandomRobot;

// Sums of a few dozen terms of one sign: round-off of some 1e-15 each, arms included 1e-12.
constexpr double sum_tolerance = 1e-12;

RC_GTEST_PROP(Mechanics, energies_and_momenta_equal_the_sums_over_the_bodies, ()) {
  const RandomRobot robot(support::any_seed(), support::any_size(1, 13));
  const Oracle oracle(robot.plan, robot.model, robot.state);
  const Mechanics<double> got = mechanics(robot.model, robot.params, robot.frames);
  double m = 0.0, arm = 1.0, speed = 1.0, V = 1.0;  // sizes of what is summed
  for (const auto& b : oracle.bodies) {
    m += b.m, arm = std::max(arm, b.p_WC.norm()), speed = std::max(speed, b.V.norm());
    V += std::abs(support::gravity_energy(robot.plan.gravity, b.m, b.I_C, b.p_WC));
  }
  RC_ASSERT(std::abs(got.kinetic - oracle.kinetic()) <= sum_tolerance * m * speed * speed);
  RC_ASSERT(std::abs(got.potential - oracle.potential()) <= sum_tolerance * V);
  RC_ASSERT((support::to_eigen(got.linear) - oracle.linear_momentum()).norm() <= sum_tolerance * m * speed);
  RC_ASSERT((support::to_eigen(got.angular) - oracle.angular_momentum()).norm() <= sum_tolerance * m * speed * arm);
}

RC_GTEST_PROP(Mechanics, kinetic_energy_is_half_u_M_u_when_nothing_is_driven, ()) {
  const RandomRobot robot(support::any_seed(), support::any_size(1, 13));
  RC_PRE(!robot.model.has_driven);
  const int n = robot.model.nu;
  std::vector<double> M(n * n);
  MassWork<double> work(robot.model);
  mass_matrix(robot.model, robot.params, robot.frames, work, M.data());
  double T = 0.0, size = 0.0;  // size: without cancellation
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const double term = 0.5 * M[i * n + j] * robot.state.u[i] * robot.state.u[j];
      T += term, size += std::abs(term);
    }
  RC_ASSERT(std::abs(mechanics(robot.model, robot.params, robot.frames).kinetic - T) <= sum_tolerance * size);
}

}  // namespace energy_test
}  // namespace sinew
