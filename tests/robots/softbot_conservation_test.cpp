// What must not change (docs/softbot.md). That the faults of the printed derivation would be noticed
// by it is shown in softbot_mutation_test.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/sim/scenario.h"
#include "sinew/text/load_scenario.h"
#include "sinew/world/observe.h"
#include "tests/support/softbot.h"

namespace sinew {
namespace softbot_conservation_test {

using namespace support;

World<double> world_of(const std::string& robot, const std::string& gravity = "kind = \"none\"") {
  return sim::make_world(text::parse_scenario(
      "[robot]\n" + robot + "\n[gravity]\n" + gravity + "\n[integrator]\nmethod = \"rk4\"\n", "file"));
}

// Absolute angles and place of the hub in the order of docs/theory/softbot.md#robot, left limb first.
VectorXd pose(const World<double>& world, int nL, int nR) {
  const std::vector<double>& q = world.state.q;
  VectorXd out(nL + nR + 3);
  double angle = -q[2];
  for (int i = 0; i < nL; i++) out[nL - 1 - i] = angle += q[3 + i];
  for (int i = 0; i < 3; i++) out[nL + i] = q[i];
  angle = q[2];
  for (int i = 0; i < nR; i++) out[nL + 3 + i] = angle += q[3 + nL + i];
  return out;
}

struct Drift {
  double energy = 0.0, linear = 0.0, angular = 0.0;  // largest change
};
// With a look at every tenth step.
Drift run(World<double>& world, double T, double dt) {
  Drift most;
  const auto start = observe(world);
  const int steps = int(std::lround(T / dt));
  for (int k = 1; k <= steps; k++) {
    world.step(dt);
    if (k % 10 != 0 && k != steps) continue;
    const auto now = observe(world);
    most.energy = std::max(most.energy, std::abs(now.balance_error));
    most.linear = std::max(most.linear, norm(now.momentum.linear - start.momentum.linear));
    most.angular = std::max(most.angular, norm(now.momentum.angular - start.momentum.angular));
  }
  return most;
}

const std::string unforced = "kind = \"soft-limb\"\ntheta0 = [0.1, 0.2, 0.3]";
const std::string sagging = "kind = \"soft-limb\"\ntheta0 = [0.1, 0.15, 0.2]\nrate0 = [0.01, 0.01, 0.01]";
const std::string weak = "g = [0.0, 0.0, -1e-3]";
const std::string flapper = "kind = \"soft-robot\"\ntheta0 = [0.2, 0.3]\n";
const std::string waver = flapper + "[robot.left]\ntheta0 = [-0.2, -0.3]\n";
const std::string tumbling = R"(kind = "soft-robot"
hub_mass = 4.0
hub_inertia = 0.07
bL = 0.12
bR = 0.20
h = 0.08
turn0 = 0.5
vx0 = 0.02
vy0 = -0.01
spin0 = 0.12
[robot.left]
n = 3
theta0 = [0.3, -0.2, 0.4]
rate0 = [0.08, -0.05, 0.1]
[robot.right]
planform = "diamond"
length = 1.5
thickness = 3e-3
theta0 = [-0.3, 0.6]
rate0 = [-0.1, 0.15]
)";

TEST(SoftLimb, energy_stays_in_steps_of_10_ms) {
  for (const auto& [robot, gravity] : {std::pair(unforced, std::string("kind = \"none\"")), std::pair(sagging, weak)}) {
    World<double> world = world_of(robot, gravity);
    const double E = std::abs(observe(world).energy.total());
    EXPECT_LT(run(world, 100.0, 0.01).energy, 1e-10 * E);
  }
}

TEST(SoftLimb, energy_error_falls_by_25_when_steps_are_halved) {
  for (const auto& [robot, gravity] : {std::pair(unforced, std::string("kind = \"none\"")), std::pair(sagging, weak)}) {
    double last = 0.0;
    for (const double dt : {0.4, 0.2, 0.1}) {
      World<double> world = world_of(robot, gravity);
      const double error = run(world, 100.0, dt).energy;
      if (last > 0.0) {
        EXPECT_GT(last / error, 25.0) << dt;
      }
      last = error;
    }
  }
}

TEST(SoftLimb, what_dampers_take_out_is_what_is_missing) {
  World<double> world = world_of(sagging + "\nzeta = 0.4", weak);
  EXPECT_LT(run(world, 1000.0, 0.1).energy, 1e-9);
  double before = 1e9;
  const double steady = -0.281863089;        // root of K th + g a cos(th) = 0
  for (int swing = 0; swing < 8; swing++) {  // a period of about 128 s: the envelope shrinks
    double most = 0.0;
    for (int k = 0; k < 1400; k++) world.step(0.1), most = std::max(most, std::abs(world.state.q[0] - steady));
    EXPECT_LT(most, before);
    before = most;
  }
  EXPECT_LT(before, 1e-3);
}

TEST(SoftRobot, momenta_and_energy_of_the_free_robot_stay) {
  for (const std::string& robot : {flapper, waver, tumbling}) {
    World<double> world = world_of(robot);
    const Drift most = run(world, 100.0, 0.01);
    EXPECT_LT(most.linear, 1e-9);
    EXPECT_LT(most.angular, 1e-9);
    EXPECT_LT(most.energy, 1e-11);
  }
}

TEST(SoftRobot, a_common_velocity_and_a_turn_change_nothing_else) {
  World<double> plain = world_of(waver), drifting = world_of("vx0 = 0.02\nvy0 = 0.01\n" + waver),
                turned = world_of(
                    "kind = \"soft-robot\"\nturn0 = 1.0\n[robot.left]\ntheta0 = [-1.2, -1.3]\n[robot.right]\n"
                    "theta0 = [1.2, 1.3]\n");
  for (World<double>* w : {&plain, &drifting, &turned}) run(*w, 100.0, 0.01);
  const VectorXd a = pose(plain, 2, 2), b = pose(drifting, 2, 2), c = pose(turned, 2, 2);
  for (int i = 0; i < 7; i++) EXPECT_NEAR(b[i], a[i] + (i == 2 ? 2.0 : i == 3 ? 1.0 : 0.0), 1e-11) << i;
  for (const int i : {0, 1, 4, 5, 6}) EXPECT_NEAR(c[i], a[i] + (i < 2 ? -1.0 : 1.0), 1e-11) << i;
}

TEST(SoftRobot, free_fall_is_free_flight_and_a_parabola) {
  World<double> flying = world_of(flapper), falling = world_of("y0 = 0.6\n" + flapper, weak);
  run(flying, 100.0, 0.01), run(falling, 100.0, 0.01);
  const VectorXd a = pose(flying, 2, 2), b = pose(falling, 2, 2);
  for (int i = 0; i < 7; i++) EXPECT_NEAR(b[i], a[i] + (i == 3 ? 0.6 - 0.5e-3 * 1e4 : 0.0), 1e-11) << i;
}

TEST(SoftRobot, the_flapper_stays_symmetric) {
  World<double> world = world_of(flapper);
  for (int k = 0; k < 100; k++) {
    run(world, 1.0, 0.01);
    const VectorXd q = pose(world, 2, 2);
    ASSERT_NEAR(q[2], 0.0, 1e-12);
    ASSERT_NEAR(q[4], 0.0, 1e-12);
    ASSERT_NEAR(q[0], q[6], 1e-12);
    ASSERT_NEAR(q[1], q[5], 1e-12);
  }
}

TEST(SoftRobot, on_a_very_heavy_hub_each_limb_is_a_pinned_limb) {
  World<double> robot = world_of(
                    "hub_mass = 1e10\nhub_inertia = 1e10\nn = 3\nkind = \"soft-robot\"\n[robot.left]\n"
                    "theta0 = [0.1, 0.2, 0.3]\n[robot.right]\ntheta0 = [-0.2, 0.1, 0.3]\n"),
                left = world_of(unforced), right = world_of("kind = \"soft-limb\"\ntheta0 = [-0.2, 0.1, 0.3]");
  for (World<double>* w : {&robot, &left, &right}) run(*w, 50.0, 0.01);
  const VectorXd q = pose(robot, 3, 3);
  for (int i = 0; i < 3; i++) {
    double a = 0.0, b = 0.0;
    for (int k = 0; k <= i; k++) a += left.state.q[k], b += right.state.q[k];
    EXPECT_NEAR(q[2 - i], a, 1e-9);
    EXPECT_NEAR(q[6 + i], b, 1e-9);
  }
}

}  // namespace softbot_conservation_test
}  // namespace sinew
