// Closed loops: redundant rows, and configurations in which the rank of the rows changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/support/ode.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace loops_test {

struct LoopRun {
  double energy_drift = 0.0, gap = 0.0, kinetic = 0.0;  // largest
  bool finite = true;
};

LoopRun watch(World<double>& world, double T, int steps, int every = 50) {
  LoopRun out;
  const double start = observe(world).energy.total(), dt = T / steps;
  for (int k = 1; k <= steps; k++) {
    out.finite &= world.step(dt).finite;
    if (k % every) continue;
    const auto seen = observe(world);
    out.energy_drift = std::max(out.energy_drift, std::abs(seen.energy.total() - start));
    out.gap = std::max(out.gap, seen.gap);
    out.kinetic = std::max(out.kinetic, seen.energy.kinetic);
  }
  return out;
}

// cos of the angle between neighbouring rods at the six corners, the ground included.
std::array<double, 6> corner_cosines(const World<double>& world) {
  const auto seen = observe(world);
  const Vec3d start[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  Vec3d along[6];
  for (int i = 0; i < 5; i++) along[i] = seen.bodies[i].X_WB.R * start[i];
  along[5] = start[5];
  std::array<double, 6> out;
  for (int i = 0; i < 6; i++) out[i] = dot(along[(i + 5) % 6], along[i]);
  return out;
}

TEST(Bricard, it_moves_with_conserved_energy_and_closed_joints_although_its_rows_are_redundant) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    World<double> world = make_world(bricard(), {c, "rk4"});
    const LoopRun r = watch(world, 5.0, 5000);
    EXPECT_TRUE(r.finite);
    EXPECT_LT(r.energy_drift, 1e-6);  // rk4 at 1 ms; the motion turns over some 50 J
    EXPECT_LT(r.gap, 1e-9);
  }
}

// All rigid six-bars with general axes would stand still; this one falls by its one freedom.
TEST(Bricard, all_six_joints_turn_far) {
  World<double> world = make_world(bricard(), {Coordinates::Tree, "rk4"});
  std::array<double, 6> low, high;
  low.fill(1.0), high.fill(-1.0);
  for (int k = 0; k < 2000; k++) {
    world.step(1e-3);
    const auto c = corner_cosines(world);
    for (int i = 0; i < 6; i++) low[i] = std::min(low[i], c[i]), high[i] = std::max(high[i], c[i]);
  }
  for (int i = 0; i < 6; i++) EXPECT_GT(high[i] - low[i], 1.0) << "corner " << i;
}

// Threefold symmetry, and the closure of the line-and-plane-symmetric mechanism with right-angled twist:
//   cos(a) + cos(b) + cos(a) cos(b) = 0,  a at corners 0, 2, 4 and b at 1, 3, 5.
TEST(Bricard, its_angles_obey_the_closure_of_the_threefold_symmetric_mechanism) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    World<double> world = make_world(bricard(), {c, "rk4"});
    for (int k = 0; k < 20; k++) {
      run(world, 0.1 * (k + 1), 100);
      const auto x = corner_cosines(world);
      EXPECT_NEAR(x[0] + x[1] + x[0] * x[1], 0.0, 1e-8);  // gaps of 1e-9 on lengths of 1
      for (int i : {2, 4}) EXPECT_NEAR(x[i], x[0], 1e-8);
      for (int i : {3, 5}) EXPECT_NEAR(x[i], x[1], 1e-8);
    }
  }
}

TEST(Bricard, tree_and_maximal_coordinates_agree) {
  const auto tree = run(bricard(), {Coordinates::Tree, "rk4"}, 1.0, 1000);
  const auto maximal = run(bricard(), {Coordinates::Maximal, "rk4"}, 1.0, 1000);
  EXPECT_LT(distance(tree, maximal), 1e-7);  // both of order 4 at 1 ms
}

// The drift of moreau and euler is large at 1 ms, but it is theirs: it shrinks at their order, and no force blows up.
TEST(Bricard, first_order_steppers_pass_it_with_an_error_of_first_order) {
  for (const char* stepper : {"moreau", "euler"})
    for (const Coordinates c : both_coordinates) {
      SCOPED_TRACE(std::string(stepper) + " " + name_of(c));
      World<double> world = make_world(bricard(), {c, stepper}), fine = world;
      const LoopRun r = watch(world, 2.0, 4000), half = watch(fine, 2.0, 8000, 100);
      EXPECT_TRUE(r.finite && half.finite);
      EXPECT_GT(order(r.energy_drift, half.energy_drift), 0.8) << r.energy_drift << " -> " << half.energy_drift;
      EXPECT_LT(r.gap, 1e-7);  // one projection a step leaves the square of what 0.5 ms opens, some 1e-4 m
    }
}

// 3 of the 5 loop rows of a planar loop are redundant. The forces that matter are still unique: the drive's torque.
TEST(FourBar, redundant_rows_leave_the_torque_of_a_drive_unique) {
  Plan plan = parallelogram(0.7, 0.0);
  plan.joints[0].drive = Drive::Motion;
  plan.joints[0].position = plan.joints[0].velocity = {};
  plan.joints[0].motion = {{.offset = 0.7}};
  Plan planar = plan;  // the same loop with a ball joint: 3 rows, 1 redundant
  planar.joints[3].kind = JointKind::Ball;
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    EXPECT_NEAR(observe(make_world(plan, {c, "rk4"})).joints[0].torque[0], 3 * 9.81 * std::cos(0.7), 1e-9);
    EXPECT_NEAR(observe(make_world(planar, {c, "rk4"})).joints[0].torque[0], 3 * 9.81 * std::cos(0.7), 1e-9);
  }
}

// A parallelogram that turns over: twice a turn all bars lie on one line, and the rows lose rank. Equivalent pendulum:
//   (2/3 + 2) a'' = -3 9.81 cos(a),   integrated at 1e-12
double equivalent_angle(double angle, double rate, double T) {
  const auto f = [](double, const double* y, double* dy) {
    dy[0] = y[1], dy[1] = -3 * 9.81 / (8.0 / 3.0) * std::cos(y[0]);
  };
  return integrate(f, {angle, rate}, 0.0, T)[0];
}

TEST(FourBar, it_keeps_its_branch_and_energy_through_twenty_flat_positions) {
  const double T = 14.0, wanted = equivalent_angle(M_PI / 3, 4.0, T);
  EXPECT_GT((wanted - M_PI / 3) / M_PI, 20.0) << "fewer than twenty passages";
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    World<double> world = make_world(parallelogram(M_PI / 3, 4.0), {c, "rk4"});
    const LoopRun r = watch(world, T, 14000);
    const auto seen = observe(world);
    EXPECT_TRUE(r.finite);
    EXPECT_LT(r.energy_drift, 1e-7 * r.kinetic);  // rk4 at 1 ms, through positions where rows lose rank
    EXPECT_LT(r.gap, 1e-9);
    const double turns = std::remainder(seen.joints[0].q[0] - wanted, 2 * M_PI);
    EXPECT_NEAR(turns, 0.0, 1e-6);  // phase error of rk4 over 14 s
    EXPECT_NEAR(std::remainder(seen.joints[2].q[0] - seen.joints[0].q[0], 2 * M_PI), 0.0, 1e-8);  // same branch
    EXPECT_NEAR(seen.bodies[1].X_WB.R(1, 0), 0.0, 1e-8);                                          // coupler level
  }
}

// Stages come close to flat positions as often as chance has it; the forces they see there must not cost the order.
TEST(FourBar, rk4_is_of_order_4_through_flat_positions_in_both_coordinates) {
  const double T = 3.0, wanted = equivalent_angle(M_PI / 3, 4.0, T);
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    double error[2];
    for (int fine : {0, 1}) {
      const auto seen = observe(run(parallelogram(M_PI / 3, 4.0), {c, "rk4"}, T, fine ? 1000 : 500));
      error[fine] = std::abs(std::remainder(seen.joints[0].q[0] - wanted, 2 * M_PI));
    }
    EXPECT_GT(order(error[0], error[1]), 3.8) << error[0] << " -> " << error[1];
    EXPECT_LT(error[1], 1e-7);
  }
}

// The default stepper at the default step. In maximal coordinates the rows lose rank in the flat position for a moment;
// the velocity errors that this leaves are taken out at the end of each step.
TEST(FourBar, moreau_keeps_the_branch) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    double drift[2];
    for (int fine : {0, 1}) {
      World<double> world = make_world(parallelogram(M_PI / 3, 4.0), {c, "moreau"});
      const LoopRun r = watch(world, 14.0, fine ? 28000 : 14000, fine ? 100 : 50);
      const auto seen = observe(world);
      EXPECT_TRUE(r.finite);
      EXPECT_NEAR(std::remainder(seen.joints[2].q[0] - seen.joints[0].q[0], 2 * M_PI), 0.0, 1e-6);
      drift[fine] = r.energy_drift / r.kinetic;
    }
    EXPECT_LT(drift[0], 1e-4);            // (6 rad/s 1 ms)^2 = 4e-5 per kinetic energy, times a factor of order one
    EXPECT_GT(drift[0] / drift[1], 3.5);  // second order
  }
}

// Started exactly in the flat position, moving: the rows are rank-deficient at the very first step.
TEST(FourBar, a_start_in_the_flat_position_goes_on_as_a_parallelogram) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    World<double> world = make_world(parallelogram(0.0, 4.0), {c, "rk4"});
    run(world, 0.3, 300);
    const auto seen = observe(world);
    EXPECT_NEAR(seen.joints[0].q[0], equivalent_angle(0.0, 4.0, 0.3), 1e-8);
    EXPECT_NEAR(seen.joints[2].q[0], seen.joints[0].q[0], 1e-8);
  }
}

}  // namespace loops_test
}  // namespace sinew::test
