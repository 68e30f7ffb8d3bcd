#include "sinew/dynamics/articulated.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "tests/support/any.h"
#include "tests/support/oracle.h"
#include "tests/support/random_plan.h"

namespace sinew {
namespace articulated_test {

using Eigen::VectorXd;
using support::Oracle;
using support::RandomRobot;

VectorXd vector_of(const std::vector<double>& x) {
  return Eigen::Map<const VectorXd>(x.data(), Eigen::Index(x.size()));
}

// A random robot with random torques and wrenches, and its accelerations by the recursion.
struct Accelerated : RandomRobot {
  Accelerated(std::uint64_t seed, int n_bodies, bool with_diagonal = false)
      : RandomRobot(seed, n_bodies), blocks(model), tau(dice.numbers(model.nu, -10.0, 10.0)), u_rate(model.nu) {
    for (int i = 0; i < model.link_count(); i++) external.push_back({dice.vector(3.0), dice.vector(10.0)});
    diag = with_diagonal ? dice.numbers(model.nu, 0.0, 20.0) : std::vector<double>(model.nu, 0.0);
    forward_dynamics(model, params, frames, {tau.data(), &external, with_diagonal ? diag.data() : nullptr}, blocks,
                     u_rate.data());
  }

  Blocks<double> blocks;
  std::vector<double> tau, diag, u_rate;
  std::vector<Wrench<double>> external;
};

// How far the accelerations are from the equations of motion, judged by the forces they need. Each force is a sum of
// terms that may cancel, so its error is measured against the sum of their absolute values.
double residual(const Accelerated& robot) {
  const Oracle oracle(robot.plan, robot.model, robot.state);
  VectorXd scale;
  const VectorXd need = oracle.of_freedoms(oracle.forces(vector_of(robot.u_rate), robot.external, scale));
  scale = oracle.of_freedoms(scale);
  double worst = 0.0;
  for (int i = 0; i < robot.model.nu; i++) {
    const double held = robot.diag[i] * robot.u_rate[i], tau = robot.tau[i];
    const double error = std::abs(need[i] + held - tau) / (scale[i] + std::abs(held) + std::abs(tau));
    if (!(error <= worst)) worst = error;  // NaN too
  }
  return worst;
}
constexpr double tolerance = 1e-10;  // the oracle's difference quotients leave 1e-12, round-off of both sides less

RC_GTEST_PROP(ForwardDynamics, satisfies_the_virtual_work_equations, ()) {
  RC_ASSERT(residual(Accelerated(support::any_seed(), support::any_size(1, 13))) <= tolerance);
}

RC_GTEST_PROP(ForwardDynamics, a_diagonal_adds_to_the_mass_matrix, ()) {
  RC_ASSERT(residual(Accelerated(support::any_seed(), support::any_size(1, 13), true)) <= tolerance);
}

TEST(ForwardDynamics, satisfies_the_equations_in_every_kind_of_gravity) {
  for (int kind = 0; kind < int(gravity_names.size()); kind++) {
    int seen = 0;
    for (std::uint64_t seed = 0; seen < 5 && seed < 1000; seed++)
      if (support::random_plan(seed, 4).gravity.kind == GravityKind(kind)) {
        seen++;
        EXPECT_LE(residual(Accelerated(seed, 4)), tolerance) << gravity_names[kind] << ", seed " << seed;
      }
    EXPECT_EQ(seen, 5);
  }
}

// Errors of the forces, 1e-12 of their terms (the oracle's difference quotients), appear in the accelerations divided by
// the least eigenvalue of M; ten times that is allowed.
RC_GTEST_PROP(ForwardDynamics, equals_the_dense_solution_with_the_mass_matrix, ()) {
  const Accelerated robot(support::any_seed(), support::any_size(1, 13));
  RC_PRE(robot.model.nu > 0);
  const Oracle oracle(robot.plan, robot.model, robot.state);
  VectorXd scale;
  const VectorXd bias = oracle.of_freedoms(oracle.forces(VectorXd::Zero(robot.model.nu), robot.external, scale));
  const VectorXd tau = vector_of(robot.tau), want = oracle.mass().ldlt().solve(tau - bias);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(oracle.mass(), Eigen::EigenvaluesOnly);
  const double size = oracle.of_freedoms(scale).norm() + tau.norm();
  RC_ASSERT((vector_of(robot.u_rate) - want).norm() <= 1e-11 * size / eigen.eigenvalues()[0]);
}

RC_GTEST_PROP(ForwardDynamics, leaves_the_classical_acceleration_of_every_link, ()) {
  const Accelerated robot(support::any_seed(), support::any_size(1, 13));
  const Oracle oracle(robot.plan, robot.model, robot.state);
  VectorXd all = VectorXd::Zero(robot.model.n_frame_axes);
  for (int i = 0; i < robot.model.nu; i++) all[oracle.free_axis[i]] = robot.u_rate[i];
  for (int i = 0; i < robot.model.link_count(); i++) {
    const support::OracleBody& b = oracle.bodies[i];
    const Twist<double>& a = robot.blocks.a[i];
    const Frame<double>& F = robot.frames.link[i];
    const Vec3d c = F.X.R * robot.params.links[i].c_F;
    const Twist<double> at_C{a.w, a.v + cross(a.w, c) + cross(F.V.w, cross(F.V.w, c))};
    const support::Vector6 want = b.A + b.J * all;
    const double scale = b.A.norm() + (b.J.cwiseAbs() * all.cwiseAbs()).norm() + 1.0;
    RC_ASSERT((support::to_eigen(at_C) - want).norm() <= 1e-10 * scale);  // as above
  }
}

RC_GTEST_PROP(SolveImpulse, equals_the_dense_response_to_impulses_on_the_links, ()) {
  Accelerated robot(support::any_seed(), support::any_size(1, 13), true);
  RC_PRE(robot.model.nu > 0);
  const Oracle oracle(robot.plan, robot.model, robot.state);
  VectorXd f = VectorXd::Zero(robot.model.n_frame_axes);
  for (int i = 0; i < robot.model.link_count(); i++) {
    const Vec3d n = robot.dice.vector(1.0), p = robot.dice.vector(1.0);
    robot.blocks.p[i] = {-n, -p};
    support::Vector6 at_C;  // the library's impulse acts at the link's origin
    const Eigen::Vector3d arm = support::to_eigen(robot.frames.link[i].X.p) - oracle.bodies[i].p_WC;
    at_C << support::to_eigen(n) + arm.cross(support::to_eigen(p)), support::to_eigen(p);
    f += oracle.bodies[i].J.transpose() * at_C;
  }
  std::vector<double> du(robot.model.nu, 0.0);
  for (int first = 0; first < robot.model.link_count();) {  // tree by tree, as solve_cuts does
    const int last = robot.model.links[first].tree_end;
    solve_impulse(robot.model, robot.frames, first, last, robot.blocks, du.data());
    first = last;
  }
  Eigen::MatrixXd A = oracle.mass();
  A.diagonal() += vector_of(robot.diag);
  const VectorXd want = A.ldlt().solve(oracle.of_freedoms(f));
  // round-off 1e-15 of some 50 terms, times the condition number: up to 3e4 among random robots
  RC_ASSERT((vector_of(du) - want).norm() <= 1e-9 * want.norm());
}

TEST(ForwardDynamics, a_pendulum_falls_with_g_over_l) {
  Plan plan;
  BodyPlan bob;
  bob.name = "bob", bob.mass = 3.0;
  JointPlan pivot;
  pivot.name = "pivot", pivot.child = "bob", pivot.axis = {0, 1, 0}, pivot.p_child = {0, 0, 2.0};
  pivot.position = {0.4}, pivot.velocity = {7.0};
  plan.bodies = {bob}, plan.joints = {pivot};
  const Compiled c = compile(plan);
  Prescribed<double> driven(*c.model);
  Frames<double> frames(*c.model);
  evaluate_frames(*c.model, c.params, c.state.q.data(), c.state.u.data(), driven, frames);
  Blocks<double> blocks(*c.model);
  double tau = 0.0, u_rate = 0.0;
  forward_dynamics<double>(*c.model, c.params, frames, {&tau}, blocks, &u_rate);
  EXPECT_NEAR(u_rate, -9.81 / 2.0 * std::sin(0.4), 1e-13);  // closed form; a few roundings of numbers below 200
}

}  // namespace articulated_test
}  // namespace sinew
