// basics/table-on-five-legs: forces of least norm, N = A^+ [m g, m g x, m g y]. All five are positive for these loads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "sinew/world/observe.h"
#include "tests/support/shipped.h"

namespace sinew::test {
namespace five_legs_test {

constexpr double g = 9.81;

Eigen::VectorXd least_norm(const BodyPlan& table) {
  Eigen::MatrixXd A(3, table.shapes.size());
  for (std::size_t i = 0; i < table.shapes.size(); i++)
    A.col(Eigen::Index(i)) << 1.0, table.shapes[i].position[0], table.shapes[i].position[1];
  const Eigen::Vector3d load = table.mass * g * Eigen::Vector3d(1.0, table.com[0], table.com[1]);
  return A.completeOrthogonalDecomposition().solve(load);
}

void expect_least_norm(const sim::Scenario& scenario, const std::string& what) {
  World<double> world = sim::make_world(scenario);
  const Eigen::VectorXd exact = least_norm(scenario.plan.bodies[0]);
  ASSERT_GT(exact.minCoeff(), 0.0);
  for (int k = 0; k < 50; k++) {
    ASSERT_TRUE(world.step(scenario.step).converged) << what;
    const auto contacts = observe(world).contacts;
    for (int i = 0; i < 5; i++) ASSERT_NEAR(contacts[i].normal, exact[i], 1e-6) << what << ", step " << k;
  }
}

TEST(TableOnFiveLegs, every_solver_method_and_step_gives_the_forces_of_least_norm) {
  for (const Vec3d& com : {Vec3d(0.1, 0.05, 0.0), Vec3d(0.0, 0.0, 0.0), Vec3d(-0.07, 0.12, 0.02)})
    for (const char* mu : {"0.0", "0.5"})
      for (const char* solver : {"auto", "recursion", "sweep", "newton"})
        for (const char* method : {"moreau", "rk4", "euler"})
          for (const char* step : {"1e-4", "1e-3", "1e-2"}) {
            if (std::string(solver) == "recursion" && std::string(method) == "rk4")
              continue;  // refused, with the reason
            const std::vector<std::string> sets{
                fmt::format("com=[{}, {}, {}]", com[0], com[1], com[2]),
                fmt::format("joint.air.position=[{}, {}, {}, 1, 0, 0, 0]", com[0], com[1], 0.7 + com[2]),
                fmt::format("mu={}", mu),
                fmt::format("solver={}", solver),
                fmt::format("method={}", method),
                fmt::format("step={}", step)};
            expect_least_norm(shipped("basics/table-on-five-legs", sets),
                              fmt::format("com {}, mu {}, {}, {}, {}", com[0], mu, solver, method, step));
          }
}

TEST(TableOnFiveLegs, the_order_of_the_legs_does_not_matter) {
  sim::Scenario scenario = shipped("basics/table-on-five-legs");
  std::swap(scenario.plan.bodies[0].shapes[0], scenario.plan.bodies[0].shapes[3]);
  std::swap(scenario.plan.bodies[0].shapes[1], scenario.plan.bodies[0].shapes[4]);
  expect_least_norm(scenario, "another order");
}

}  // namespace five_legs_test
}  // namespace sinew::test
