// basics/spinning-top: the heavy symmetric top. A = 0.012, C = 0.003 kg m^2 about the tip, m g l = 0.981 N m.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/world/observe.h"
#include "tests/support/ode.h"
#include "tests/support/shipped.h"

namespace sinew::test {
namespace spinning_top_test {

constexpr double A = 0.012, C = 0.003, mgl = 0.981, l = 0.1, spin = 150.0, tilt = std::numbers::pi / 6;

// A W^2 cos(tilt) - C s W + m g l = 0
double slow_precession() {
  const double a = A * std::cos(tilt), b = C * spin;
  return (b - std::sqrt(b * b - 4 * a * mgl)) / (2 * a);
}

// Distance of the mass centre from steady precession.
double error_at(const World<double>& world) {
  const double angle = slow_precession() * world.state.t;
  const Vec3d axis{std::sin(tilt) * std::cos(angle), std::sin(tilt) * std::sin(angle), std::cos(tilt)};
  return norm(observe(world).bodies[0].p_WC - axis * l);
}

TEST(SpinningTop, the_shipped_scenario_precesses_steadily_at_the_textbook_rate) {
  const sim::Scenario scenario = shipped("basics/spinning-top");
  World<double> world = sim::make_world(scenario);
  EXPECT_NEAR(slow_precession(), 2.302425, 5e-7);  // as the file says
  for (double t = 0.5; t <= 5.0; t += 0.5) {
    run_to(world, scenario, t);
    // rk4 at 0.2 ms turns the top by 0.03 rad a step: 0.03^5 / 120 a step are 1e-6 rad/s of the spin. The precession
    // gets a small part of it, 3e-9 m a second.
    EXPECT_LT(error_at(world), 2e-8) << t;
  }
}

// What is left is the stepper's error and nothing else: half the step leaves a sixteenth of it.
TEST(SpinningTop, the_error_of_the_steady_precession_vanishes_at_the_order_of_the_stepper) {
  std::vector<double> error;
  for (const char* step : {"integrator.step=0.0002", "integrator.step=0.0001"}) {
    const std::string sets[] = {step};
    const sim::Scenario scenario = shipped("basics/spinning-top", sets);
    World<double> world = sim::make_world(scenario);
    run_to(world, scenario, 5.0);
    error.push_back(error_at(world));
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 4.0, 0.2) << error[0] << " -> " << error[1];
}

// Released with the spin alone. p_psi = C s and p_phi = C s cos(tilt) are constant; what is left has one freedom:
//   phi' = (p_phi - p_psi cos th) / (A sin^2 th)
//   A th'' = A phi'^2 sin th cos th - p_psi phi' sin th + m g l sin th
void nutation(double, const double* y, double* dy) {
  const double s = std::sin(y[0]), c = std::cos(y[0]), p_psi = C * spin, p_phi = p_psi * std::cos(tilt);
  const double phi_rate = (p_phi - p_psi * c) / (A * s * s);
  dy[0] = y[1];
  dy[1] = phi_rate * phi_rate * s * c - p_psi / A * phi_rate * s + mgl / A * s;
  dy[2] = phi_rate;
}

TEST(SpinningTop, released_with_the_spin_alone_it_nods_as_the_reduced_equation_says) {
  const std::string sets[] = {"velocity=[0, 0, 150]"};
  const sim::Scenario scenario = shipped("basics/spinning-top", sets);
  World<double> world = sim::make_world(scenario);
  std::vector<double> y{tilt, 0, 0};
  double lowest = tilt;
  for (double t = 0.1; t <= 2.05; t += 0.1) {
    y = integrate(nutation, y, t - 0.1, t);
    run_to(world, scenario, t);
    const Vec3d wanted = Vec3d(std::sin(y[0]) * std::cos(y[2]), std::sin(y[0]) * std::sin(y[2]), std::cos(y[0])) * l;
    EXPECT_LT(norm(observe(world).bodies[0].p_WC - wanted), 1e-8) << t;
    lowest = std::max(lowest, y[0]);
  }
  EXPECT_GT(lowest - tilt, 0.02);  // it does nod
}

TEST(SpinningTop, the_conserved_quantities_stay) {
  const std::string sets[] = {"velocity=[0, 0, 150]"};
  const sim::Scenario scenario = shipped("basics/spinning-top", sets);
  World<double> world = sim::make_world(scenario);
  const double energy = C * spin * spin / 2 + mgl * std::cos(tilt);
  EXPECT_NEAR(observe(world).energy.total(), energy, 1e-12);
  run_to(world, scenario, 2.0);
  const auto seen = observe(world);
  EXPECT_NEAR(seen.momentum.angular[2], C * spin * std::cos(tilt), 1e-9);  // p_phi: gravity has no torque about z
  EXPECT_NEAR(C * seen.joints[0].u[2], C * spin, 1e-12);                   // p_psi: none about the axis of symmetry
  EXPECT_NEAR(seen.energy.total(), energy, 1e-7);                          // of 34 J
}

}  // namespace spinning_top_test
}  // namespace sinew::test
