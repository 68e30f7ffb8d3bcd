#include "sinew/kinematics/frames.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/any.h"
#include "tests/support/derivative.h"
#include "tests/support/oracle.h"
#include "tests/support/random_plan.h"

namespace sinew {
namespace frames_test {

using support::Dice;
using support::Oracle;
using support::RandomRobot;
using support::to_eigen;
using support::Vector6;

// The frames a time s later, when the freedoms keep their velocities and driven joints follow their motions.
Frames<double> later(const RandomRobot& robot, double s) {
  std::vector<double> q = robot.state.q;
  advance(robot.model, robot.state.u.data(), s, q.data());
  Prescribed<double> driven(robot.model);
  prescribe(robot.model, robot.params, robot.state.t + s, driven);
  Frames<double> frames(robot.model);
  evaluate_frames(robot.model, robot.params, q.data(), robot.state.u.data(), driven, frames);
  return frames;
}

// Difference quotients of order 8 (derivative.h) leave 1e-12 of the values; chains turn with up to 10 rad/s.
constexpr double differences = 1e-10;

RC_GTEST_PROP(Frames, velocities_are_differences_of_poses, ()) {
  const RandomRobot robot(support::any_seed(), support::any_size(1, 13));
  for (int i = 0; i < robot.model.link_count(); i++) {
    const Vector6 want = support::velocity_of([&](double s) { return later(robot, s).link[i].X; });
    RC_ASSERT((to_eigen(robot.frames.link[i].V) - want).norm() <= differences * (1.0 + want.norm()));
  }
}

// With all du/dt zero the coast is the acceleration of every link.
RC_GTEST_PROP(Frames, drift_accelerations_are_differences_of_velocities, ()) {
  const RandomRobot robot(support::any_seed(), support::any_size(1, 13));
  for (int i = 0; i < robot.model.link_count(); i++) {
    const Vector6 want = support::derivative([&](double s) { return to_eigen(later(robot, s).link[i].V); });
    RC_ASSERT((to_eigen(robot.frames.link[i].coast) - want).norm() <= differences * (1.0 + want.norm()));
  }
}

// Asked for at other velocities, the coast is that of these, while velocities and places stay.
RC_GTEST_PROP(Frames, quadratic_terms_may_be_taken_at_other_velocities, ()) {
  const RandomRobot robot(support::any_seed(), support::any_size(1, 13));
  std::vector<double> u_b = robot.state.u;
  for (double& x : u_b) x = 0.3 - 1.5 * x;
  Prescribed<double> driven(robot.model), other(robot.model);
  prescribe(robot.model, robot.params, robot.state.t, driven);
  other = driven;
  for (double& x : other.u) x = 0.7 * x - 0.2;
  Frames<double> mixed(robot.model), at_b(robot.model);
  evaluate_frames(robot.model, robot.params, {robot.state.q.data(), robot.state.u.data(), u_b.data(), other.u.data()},
                  driven, mixed);
  evaluate_frames(robot.model, robot.params, robot.state.q.data(), u_b.data(), other, at_b);
  for (int i = 0; i < robot.model.link_count(); i++) {
    RC_ASSERT(to_eigen(mixed.link[i].V) == to_eigen(robot.frames.link[i].V));
    RC_ASSERT(to_eigen(mixed.link[i].V_b) == to_eigen(at_b.link[i].V));
    RC_ASSERT(to_eigen(mixed.link[i].coast) == to_eigen(at_b.link[i].coast));
  }
}

RC_GTEST_PROP(Frames, bodies_are_where_the_plan_puts_them, ()) {
  const RandomRobot robot(support::any_seed(), support::any_size(1, 13));
  const Oracle oracle(robot.plan, robot.model, robot.state);
  for (int i = 0; i < robot.model.link_count(); i++) {
    const Frame<double>& F = robot.frames.link[i];
    const Posed X_WB = F.X * robot.model.links[i].X_FB;
    const Vec3d c = F.X.R * robot.params.links[i].c_F;
    // products of up to 12 rotations and arms of up to 20 m: round-off below 1e-13
    RC_ASSERT((to_eigen(X_WB).matrix() - oracle.bodies[i].X_WB.matrix()).norm() <= 1e-12);
    RC_ASSERT((to_eigen(F.X.p + c) - oracle.bodies[i].p_WC).norm() <= 1e-12);
    RC_ASSERT((to_eigen(shift_to_child(F.V, c)) - oracle.bodies[i].V).norm() <=
              1e-12 * (1 + oracle.bodies[i].V.norm()));
  }
}

RC_GTEST_PROP(Frames, r_leads_from_the_parents_origin_to_the_links, ()) {
  const RandomRobot robot(support::any_seed(), support::any_size(1, 13));
  for (int i = 0; i < robot.model.link_count(); i++) {
    const Link& link = robot.model.links[i];
    if (link.parent < 0) continue;
    const Vec3d want = robot.frames.link[i].X.p - robot.frames.link[link.parent].X.p;
    RC_ASSERT(norm(robot.frames.link[i].r - want) <= 1e-13);  // a difference of positions of up to 20 m
  }
}

TEST(Frames, of_lone_links_and_of_maximal_coordinates_move_as_differences_of_poses) {
  for (std::uint64_t seed = 0; seed < 20; seed++) {
    RandomRobot robot(seed, 5, Coordinates::Maximal);
    robot.state = support::random_state(robot.model, robot.dice);
    robot.evaluate();
    for (int i = 0; i < robot.model.link_count(); i++) {
      const Vector6 want = support::velocity_of([&](double s) { return later(robot, s).link[i].X; });
      EXPECT_LE((to_eigen(robot.frames.link[i].V) - want).norm(), differences * (1.0 + want.norm())) << "seed " << seed;
    }
  }
}

std::vector<Twist<double>> velocities(const RandomRobot& robot, const std::vector<double>& u, double drive_scale) {
  std::vector<Twist<double>> V(robot.model.links.size());
  evaluate_velocities(robot.model, robot.frames, u.data(), robot.driven, drive_scale, V);
  return V;
}

// Sums along chains of at most 12 links: round-off of some 1e-14.
constexpr double chain_rounding = 1e-13;

RC_GTEST_PROP(Velocities, of_the_states_own_u_are_those_of_the_frames, ()) {
  const RandomRobot robot(support::any_seed(), support::any_size(1, 13));
  const auto V = velocities(robot, robot.state.u, 1.0);
  for (int i = 0; i < robot.model.link_count(); i++) {
    const Vector6 want = to_eigen(robot.frames.link[i].V);
    RC_ASSERT((to_eigen(V[i]) - want).norm() <= chain_rounding * (1.0 + want.norm()));
  }
}

RC_GTEST_PROP(Velocities, are_linear_in_u_and_in_the_scale_of_the_drives, ()) {
  RandomRobot robot(support::any_seed(), support::any_size(1, 13));
  const std::vector<double> a = robot.dice.numbers(robot.model.nu, -1, 1),
                            b = robot.dice.numbers(robot.model.nu, -1, 1);
  std::vector<double> sum(robot.model.nu);
  for (int i = 0; i < robot.model.nu; i++) sum[i] = 2.0 * a[i] - 3.0 * b[i];
  const auto V_a = velocities(robot, a, 0.0), V_b = velocities(robot, b, 1.0), V = velocities(robot, sum, -3.0);
  for (int i = 0; i < robot.model.link_count(); i++) {
    const Vector6 want = 2.0 * to_eigen(V_a[i]) - 3.0 * to_eigen(V_b[i]);
    const double size = to_eigen(V_a[i]).norm() + to_eigen(V_b[i]).norm() + 1.0;
    RC_ASSERT((to_eigen(V[i]) - want).norm() <= 10 * chain_rounding * size);
  }
}

TEST(Advance, moves_every_free_joint_and_leaves_driven_ones) {
  for (std::uint64_t seed = 0; seed < 20; seed++) {
    RandomRobot robot(seed, 8);
    std::vector<double> q = robot.state.q, want = q;
    advance(robot.model, robot.state.u.data(), 0.1, q.data());
    for (const Link& link : robot.model.links)
      if (!link.driven)
        joint::visit(link.kind, [&]<class J>() { J::advance(&want[link.q], &robot.state.u[link.u], 0.1); });
    EXPECT_EQ(q, want) << "seed " << seed;  // the same function: no tolerance
  }
}

}  // namespace frames_test
}  // namespace sinew
