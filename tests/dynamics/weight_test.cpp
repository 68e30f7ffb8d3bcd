#include "sinew/dynamics/weight.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/any.h"
#include "tests/support/random_plan.h"

namespace sinew {
namespace weight_test {

using support::RandomRobot;

// A robot without gravity on which its weight acts as forces on the freedoms moves as one with gravity. 1e-10 of the accelerations:
// round-off of two recursions over up to 13 links.
RC_GTEST_PROP(Weight, as_forces_on_the_freedoms_replaces_gravity, ()) {
  RandomRobot robot(support::any_seed(), support::any_size(1, 13));
  Params<double> weightless = robot.params;
  weightless.gravity.kind = GravityKind::None;
  InverseWork<double> work(robot.model);
  const std::size_t n = std::size_t(robot.model.nu);
  std::vector<double> weight(n), none(n), with(n), without(n);
  weight_on_freedoms(robot.model, robot.params, robot.frames, work, weight.data());
  Blocks<double> blocks(robot.model);
  forward_dynamics(robot.model, robot.params, robot.frames, {none.data()}, blocks, with.data());
  forward_dynamics(robot.model, weightless, robot.frames, {weight.data()}, blocks, without.data());
  double size = 1.0;
  for (const double a : with) size = std::max(size, std::abs(a));
  for (std::size_t i = 0; i < n; i++) RC_ASSERT(std::abs(with[i] - without[i]) <= 1e-10 * size);
}

}  // namespace weight_test
}  // namespace sinew
