// Contacts and implicit servos of a long chain by recursion alone: the solver of responses costs its cube.
#include "sinew/solve/recursion.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sinew/step/actuate.h"
#include "sinew/step/laws.h"
#include "tests/support/shipped.h"

namespace sinew::test {
namespace recursion_test {

// The rows of the next step of moreau, solved by recursion and by nothing else. True: certified.
bool solves_next_step(const World<double>& world, double dt, Workspace<double>& ws) {
  const Model& model = world.model();
  State<double> state = world.state;
  prescribe(model, world.params, state.t + dt, ws.driven_E);
  advance(model, state.u.data(), 0.5 * dt, state.q.data());
  evaluate_frames(model, world.params, state.q.data(), state.u.data(), ws.driven, ws.frames);
  ws.servos_in_rows = true;
  actuate(model, world.params, world.input, state.q.data(), state.u.data(), ws);
  EXPECT_TRUE(gather(model, world.params, state, state.q.data(), {dt}, ws));
  EXPECT_TRUE(use_recursion(model, ws));
  const ImpulseProblem<double> problem{model, world.params, ws.frames, ws.tau.data(), &ws.applied, nullptr, dt};
  bool failed = true;
  const SolveReport report = solve_by_recursion(problem, ws.rows, ws.recursion, ws.blocks, ws.u_rate.data(), failed);
  EXPECT_EQ(report.converged, !failed);
  return report.converged;
}

// Impulses that are put into their cones at the end move a joint whose servo is held by its torque, and do not move one whose servo
// yields: with torques held, about half of these steps were not certified.
TEST(Recursion, solves_long_chains_with_implicit_servos) {
  const std::vector<std::string> sets = {"n_links=22", "actuator=implicit", "step=0.001"};
  const sim::Scenario scenario = shipped("snake/lateral-undulation", sets);
  World<double> world = sim::make_world(scenario);
  Workspace<double> ws(world.model());
  int unsolved = 0;
  for (int k = 0; k < 60; k++) {
    unsolved += !solves_next_step(world, scenario.step, ws);
    world.step(scenario.step);
  }
  EXPECT_EQ(unsolved, 0);
}

// A servo at its limit gives that limit, whatever the others do.
TEST(Recursion, holds_servos_at_their_limits) {
  const std::vector<std::string> sets = {"actuator=implicit", "step=0.001", "torque_limit=0.5"};
  const sim::Scenario scenario = shipped("snake/lateral-undulation", sets);
  World<double> world = sim::make_world(scenario);
  Workspace<double> ws(world.model());
  int at_limit = 0;
  for (int k = 0; k < 60; k++) {
    EXPECT_TRUE(solves_next_step(world, scenario.step, ws));
    for (int i = 0; i < ws.rows.n_axes; i++) {
      const AxisRow<double>& a = ws.rows.axis[i];
      EXPECT_LE(a.P, a.law.high);
      EXPECT_GE(a.P, a.law.low);
      at_limit += a.P >= a.law.high || a.P <= a.law.low;
    }
    world.step(scenario.step);
  }
  EXPECT_GT(at_limit, 0);
}

// Servos within their limits are in the matrix of the robot for the other solvers, those at a limit are rows: the same motion.
// Each step is solved to 1e-8 m/s; in 40 of them slip carries that to 1e-7 of a coordinate.
TEST(Recursion, agrees_with_the_other_solvers_on_implicit_servos) {
  for (const std::string more : {"torque_limit=0.5", "free_play_deg=0.5"}) {
    const auto end = [&](const std::string& solver) {
      const std::vector<std::string> sets = {"actuator=implicit", "step=0.001", more, "solver=" + solver};
      const sim::Scenario scenario = shipped("snake/lateral-undulation", sets);
      World<double> world = sim::make_world(scenario);
      for (int k = 0; k < 40; k++) EXPECT_TRUE(world.step(scenario.step).converged) << solver;
      return world.state;
    };
    const State<double> expected = end("recursion");
    for (const std::string solver : {"newton", "sweep"}) {
      SCOPED_TRACE(more + " " + solver);
      const State<double> found = end(solver);
      for (std::size_t i = 0; i < expected.q.size(); i++) EXPECT_NEAR(found.q[i], expected.q[i], 1e-6);
      for (std::size_t i = 0; i < expected.axis_P.size(); i++) EXPECT_NEAR(found.axis_P[i], expected.axis_P[i], 1e-6);
    }
  }
}

}  // namespace recursion_test
}  // namespace sinew::test
