#include "sinew/dynamics/inverse.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/any.h"
#include "tests/support/oracle.h"
#include "tests/support/random_plan.h"

namespace sinew {
namespace inverse_test {

using Eigen::VectorXd;
using support::Oracle;
using support::RandomRobot;

VectorXd vector_of(const std::vector<double>& x) {
  return Eigen::Map<const VectorXd>(x.data(), Eigen::Index(x.size()));
}

std::vector<Wrench<double>> random_wrenches(RandomRobot& robot) {
  std::vector<Wrench<double>> external;
  for (int i = 0; i < robot.model.link_count(); i++)
    external.push_back({robot.dice.vector(3.0), robot.dice.vector(10.0)});
  return external;
}

std::vector<double> axis_torques(const RandomRobot& robot, const std::vector<double>& u_rate,
                                 const std::vector<Wrench<double>>& external) {
  InverseWork<double> work(robot.model);
  std::vector<double> torque(robot.model.n_frame_axes);
  inverse_dynamics(robot.model, robot.params, robot.frames, {u_rate.data(), &external}, work, torque.data());
  return torque;
}

// 1e-10 of the sum of the absolute values of all terms of a torque: covers the oracle's difference quotients (1e-12) and
// round-off. Axes of driven joints are among them: their torque is read back with the others.
RC_GTEST_PROP(InverseDynamics, torques_of_free_and_driven_axes_equal_the_virtual_work_sum, ()) {
  RandomRobot robot(support::any_seed(), support::any_size(1, 13));
  const std::vector<double> u_rate = robot.dice.numbers(robot.model.nu, -10.0, 10.0);
  const auto external = random_wrenches(robot);
  const std::vector<double> got = axis_torques(robot, u_rate, external);
  VectorXd scale;
  const VectorXd want = Oracle(robot.plan, robot.model, robot.state).forces(vector_of(u_rate), external, scale);
  for (int i = 0; i < robot.model.n_frame_axes; i++) RC_ASSERT(std::abs(got[i] - want[i]) <= 1e-10 * (scale[i] + 1e-3));
}

RC_GTEST_PROP(InverseDynamics, gives_back_the_torques_of_forward_dynamics, ()) {
  RandomRobot robot(support::any_seed(), support::any_size(1, 13));
  const std::vector<double> tau = robot.dice.numbers(robot.model.nu, -10.0, 10.0);
  const auto external = random_wrenches(robot);
  Blocks<double> blocks(robot.model);
  std::vector<double> u_rate(robot.model.nu);
  forward_dynamics(robot.model, robot.params, robot.frames, {tau.data(), &external}, blocks, u_rate.data());
  const Oracle oracle(robot.plan, robot.model, robot.state);
  VectorXd scale;
  oracle.forces(vector_of(u_rate), external, scale);
  const std::vector<double> got = axis_torques(robot, u_rate, external);
  for (int i = 0; i < robot.model.nu; i++) {
    const int axis = oracle.free_axis[i];
    RC_ASSERT(std::abs(got[axis] - tau[i]) <= 1e-10 * (scale[axis] + std::abs(tau[i])));  // as above
  }
}

TEST(InverseDynamics, without_external_wrenches_equals_zero_wrenches) {
  for (std::uint64_t seed = 0; seed < 20; seed++) {
    RandomRobot robot(seed, 6);
    const std::vector<double> u_rate = robot.dice.numbers(robot.model.nu, -10.0, 10.0);
    const std::vector<Wrench<double>> zero(robot.model.links.size(), Wrench<double>::zero());
    InverseWork<double> work(robot.model);
    std::vector<double> torque(robot.model.n_frame_axes);
    inverse_dynamics<double>(robot.model, robot.params, robot.frames, {u_rate.data()}, work, torque.data());
    EXPECT_EQ(torque, axis_torques(robot, u_rate, zero)) << "seed " << seed;  // subtracting zero rounds nothing
  }
}

}  // namespace inverse_test
}  // namespace sinew
