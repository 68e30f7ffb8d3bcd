// basics/torque-free-body against Jacobi's solution of Euler's equations (Landau and Lifshitz, Mechanics, section 37).
// Spun near the middle axis with L^2 < 2 E I2, started at w3 = 0, w2 at its largest:
//   w1 = a1 dn(K + n t),  w2 = a2 sn(K + n t),  w3 = a3 cn(K + n t)
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/world/observe.h"
#include "tests/support/elliptic.h"
#include "tests/support/shipped.h"

namespace sinew::test {
namespace torque_free_body_test {

struct Euler {
  double I1 = 0.010, I2 = 0.018, I3 = 0.025, w1 = 0.01, w2 = 5.0;
  double E2 = I1 * w1 * w1 + I2 * w2 * w2, L2 = I1 * I1 * w1 * w1 + I2 * I2 * w2 * w2;  // 2 E and L^2
  double a1 = std::sqrt((E2 * I3 - L2) / (I1 * (I3 - I1)));
  double a2 = std::sqrt((L2 - E2 * I1) / (I2 * (I2 - I1)));
  double a3 = std::sqrt((L2 - E2 * I1) / (I3 * (I3 - I1)));
  double n = std::sqrt((I2 - I1) * (E2 * I3 - L2) / (I1 * I2 * I3));
  double k_prime = w1 / a1;  // dn at its least
  double K = complete_K(k_prime);

  Vec3d at(double t) const {
    const Jacobi j = jacobi(K + n * t, k_prime);
    return {a1 * j.dn, a2 * j.sn, a3 * j.cn};
  }
};

TEST(TorqueFreeBody, the_closed_form_solves_eulers_equations) {
  const Euler e;
  for (double t : {0.0, 0.7, 1.9, 3.3}) {
    const double h = 1e-5;
    const Vec3d w = e.at(t), rate = (e.at(t + h) - e.at(t - h)) * (0.5 / h);
    EXPECT_NEAR(e.I1 * rate[0], (e.I2 - e.I3) * w[1] * w[2], 1e-8);  // central differences: h^2 and round-off / h
    EXPECT_NEAR(e.I2 * rate[1], (e.I3 - e.I1) * w[2] * w[0], 1e-8);
    EXPECT_NEAR(e.I3 * rate[2], (e.I1 - e.I2) * w[0] * w[1], 1e-8);
  }
  EXPECT_NEAR(e.at(0)[0], 0.01, 1e-13);
  EXPECT_NEAR(e.at(0)[1], 5.0, 1e-12);
}

TEST(TorqueFreeBody, the_shipped_scenario_follows_jacobis_solution) {
  const sim::Scenario scenario = shipped("basics/torque-free-body");
  World<double> world = sim::make_world(scenario);
  const Euler e;
  for (double t = 0.5; t <= 20.0; t += 0.5) {
    run_to(world, scenario, t);
    const std::vector<double> u = observe(world).joints[0].u;
    const Vec3d wanted = e.at(t);
    // rk4 at 1 ms; k is near 1, so an error of the time of one flip grows with each flip
    for (int i = 0; i < 3; i++) EXPECT_NEAR(u[i], wanted[i], 1e-7) << "t " << t << " axis " << i;
  }
}

TEST(TorqueFreeBody, it_flips_with_the_period_of_the_elliptic_integral) {
  const sim::Scenario scenario = shipped("basics/torque-free-body");
  World<double> world = sim::make_world(scenario);
  const Euler e;
  std::vector<double> flips;  // w2 changes its sign
  double last = 5.0;
  while (world.state.t < 20.0) {
    run_to(world, scenario, world.state.t + scenario.step);
    const double w2 = world.state.u[1];
    if (last * w2 < 0) flips.push_back(world.state.t - scenario.step * w2 / (w2 - last));
    last = w2;
  }
  ASSERT_GE(flips.size(), 3u);
  EXPECT_NEAR(flips[0], e.K / e.n, 1e-7);  // linear interpolation over 1 ms: w2 has no curvature at zero
  for (std::size_t i = 1; i < flips.size(); i++) EXPECT_NEAR(flips[i] - flips[i - 1], 2 * e.K / e.n, 1e-7);
}

TEST(TorqueFreeBody, angular_momentum_and_energy_are_what_the_file_says) {
  const sim::Scenario scenario = shipped("basics/torque-free-body");
  World<double> world = sim::make_world(scenario);
  run_to(world, scenario, 20.0);
  const auto seen = observe(world);
  EXPECT_NEAR(seen.momentum.angular[0], 0.0001, 1e-9);  // rk4 at 1 ms: attitude good to 1e-8 rad
  EXPECT_NEAR(seen.momentum.angular[1], 0.09, 1e-9);
  EXPECT_NEAR(seen.momentum.angular[2], 0.0, 1e-9);
  EXPECT_NEAR(seen.energy.kinetic, 0.2250005, 1e-10);
}

}  // namespace torque_free_body_test
}  // namespace sinew::test
