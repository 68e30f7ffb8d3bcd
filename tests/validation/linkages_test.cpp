// basics/four-bar and basics/slider-crank against equations with one coordinate.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/world/observe.h"
#include "tests/support/ode.h"
#include "tests/support/shipped.h"

namespace sinew::test {
namespace linkages_test {

constexpr double g = 9.81;

// A parallelogram that keeps its branch is a pendulum: (2/3 + 2) a'' = -3 g cos(a)
TEST(FourBar, the_shipped_scenario_is_the_equivalent_pendulum) {
  const sim::Scenario scenario = shipped("basics/four-bar");
  World<double> world = sim::make_world(scenario);
  const auto pendulum = [](double, const double* y, double* dy) {
    dy[0] = y[1], dy[1] = -3 * g / (8.0 / 3.0) * std::cos(y[0]);
  };
  std::vector<double> y{std::numbers::pi / 3, 4.0};
  for (double t = 1.0; t <= 10.0; t += 1.0) {
    y = integrate(pendulum, y, t - 1.0, t);
    run_to(world, scenario, t);
    const auto seen = observe(world);
    // rk4 at 1 ms, 1e-10 a second; one more digit for the flat positions
    EXPECT_NEAR(seen.joints[0].q[0], y[0], 1e-8) << t;
    EXPECT_NEAR(seen.joints[2].q[0], y[0], 1e-8) << t;
    EXPECT_NEAR(seen.joints[0].u[0], y[1], 1e-7) << t;
    EXPECT_NEAR(seen.bodies[1].X_WB.R(1, 0), 0.0, 1e-8) << t;
    EXPECT_LT(seen.gap, 1e-9) << t;
  }
}

// Steps of its own, however short, and short given ones end everywhere around the flat positions, and in them.
TEST(FourBar, short_steps_keep_the_branch_as_well) {
  constexpr double wanted = 54.81820701035999;  // after 10 s, as in the scenario
  const auto end = [](const sim::Scenario& scenario) {
    World<double> world = sim::make_world(scenario);
    run_to(world, scenario, 10.0);
    return observe(world);
  };
  sim::Scenario scenario = shipped("basics/four-bar");
  scenario.method = "rk45";
  for (const double tolerance : {1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11}) {
    SCOPED_TRACE(tolerance);
    scenario.plan.adaptive_tolerance = tolerance;
    const auto seen = end(scenario);
    EXPECT_NEAR(seen.joints[0].q[0], wanted, 1e-8);
    EXPECT_NEAR(seen.joints[2].q[0], wanted, 1e-8);
    EXPECT_LT(std::abs(seen.balance_error), 1e-8);
  }
  scenario.method = "rk4", scenario.step = 1e-4;
  EXPECT_NEAR(end(scenario).joints[0].q[0], wanted, 1e-8);
}

// The slider-crank by hand, from the angle a of the crank alone; all velocities per unit of a'.
struct SliderCrank {
  double r = 0.2, l = 0.5;
  double a, sin_b, cos_b, b_rate, x, x_rate, rod_y;
  double inertia;  // 2 T = inertia a'^2
  double potential;

  explicit SliderCrank(double angle) : a(angle) {
    const double sa = std::sin(a), ca = std::cos(a);
    sin_b = -r * sa / l, cos_b = std::sqrt(1 - sin_b * sin_b), b_rate = -r * ca / (l * cos_b);
    x = r * ca + l * cos_b;
    x_rate = -r * sa - l * sin_b * b_rate;
    const double rod_vx = -r * sa - l / 2 * sin_b * b_rate, rod_vy = r * ca + l / 2 * cos_b * b_rate;
    rod_y = r * sa + l / 2 * sin_b;
    const double crank = r * r / 3, rod_I = l * l / 12;  // 1 kg each
    inertia = crank + rod_vx * rod_vx + rod_vy * rod_vy + rod_I * b_rate * b_rate + 2.0 * x_rate * x_rate;
    potential = g * (r / 2 * sa + rod_y);
  }
};

// At constant speed the drive's power is the change of kinetic energy: torque = w^2 / 2 d(inertia)/da.
double torque_at(double a, double w) {
  const auto difference = [&](double h) { return (SliderCrank(a + h).inertia - SliderCrank(a - h).inertia) / (2 * h); };
  return w * w / 2 * (4 * difference(1e-3) - difference(2e-3)) / 3;  // Richardson: h^4 and round-off / h, both 1e-12
}

TEST(SliderCrank, the_shipped_scenario_has_the_piston_and_the_torque_of_the_closed_form) {
  const sim::Scenario scenario = shipped("basics/slider-crank");
  World<double> world = sim::make_world(scenario);
  for (double t = 0.05; t <= 2.0; t += 0.05) {
    run_to(world, scenario, t);
    const auto seen = observe(world);
    const SliderCrank hand(10.0 * world.state.t);
    EXPECT_NEAR(seen.joints[2].q[0], hand.x, 1e-10) << t;                       // kinematics: gaps of one projection
    EXPECT_NEAR(seen.joints[2].u[0], 10.0 * hand.x_rate, 1e-9) << t;            // at 10 rad/s
    EXPECT_NEAR(seen.joints[0].torque[0], torque_at(hand.a, 10.0), 1e-7) << t;  // torques up to 10 N m
  }
}

// Without the drive, with gravity, thrown at 10 rad/s: a' from the energy, inertia(a) a'^2 / 2 + V(a) = E.
TEST(SliderCrank, running_free_it_follows_its_one_equation) {
  sim::Scenario scenario = shipped("basics/slider-crank");
  scenario.step = 0.00025;
  scenario.plan.joints[0].drive = Drive::None;
  scenario.plan.joints[0].motion = {};
  scenario.plan.joints[0].velocity = {10.0};
  scenario.plan.gravity.kind = GravityKind::Uniform;
  scenario.plan.gravity.g = {0, -g, 0};
  World<double> world = sim::make_world(scenario);
  const SliderCrank first(0.0);
  const double start = observe(world).joints[0].u[0];  // after the velocities were made consistent
  EXPECT_GT(start, 5.0);
  const double E = first.inertia * start * start / 2 + first.potential;
  const auto energy = [&](double, const double* y, double* dy) {
    const SliderCrank now(y[0]);
    dy[0] = std::sqrt(2 * (E - now.potential) / now.inertia);
  };
  std::vector<double> y{0.0};
  for (double t = 0.1; t <= 1.05; t += 0.1) {
    y = integrate(energy, y, t - 0.1, t);
    run_to(world, scenario, t);
    const auto seen = observe(world);
    EXPECT_NEAR(seen.joints[0].q[0], y[0], 1e-8) << t;  // rk4: 4e-7 was seen at 1 ms, 256 times the error here
    EXPECT_NEAR(seen.joints[2].q[0], SliderCrank(y[0]).x, 1e-8) << t;
  }
}

}  // namespace linkages_test
}  // namespace sinew::test
