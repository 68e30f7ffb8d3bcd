// Contacts and implicit servos of a long chain by recursion alone: the solver of responses costs its cube.
#include "sinew/solve/recursion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sinew/solve/linear_laws.h"
#include "sinew/step/actuate.h"
#include "sinew/step/laws.h"
#include "tests/support/dice.h"
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

// Links that hardly roll, in long steps: with rows of torque as soft as in the first problem the direction of their rolling friction
// came nearer by a third with each multiplier, and a step took 7.6 iterations.
TEST(Recursion, slow_rolls_take_few_multipliers) {
  const std::vector<std::string> sets = {"actuator=implicit", "step=0.0039"};
  const sim::Scenario scenario = shipped("snake/lateral-undulation", sets);
  World<double> world = sim::make_world(scenario);
  int iterations = 0, unsolved = 0;
  for (int k = 0; k < 500; k++) {
    const StepReport report = world.step(scenario.step);
    iterations += report.iterations;
    unsolved += !report.converged;
  }
  EXPECT_LT(iterations, 500 * 5.5);
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

// Contacts in all states, some open, some without friction in one direction, some that slide otherwise than their neighbours.
void roll(support::Dice& dice, ContactRow<double>& c, RecursionWork<double>::Contact& l) {
  c.closed = dice.chance(0.8);
  c.slides = true;
  c.drills = c.rolls = false;
  c.law = {};
  for (double* mu : {&c.law.mu_forward, &c.law.mu_backward, &c.law.mu_trans})
    *mu = dice.chance(0.8) ? dice.between(0.1, 1.0) : 0.0;
  c.law.eps_N = dice.chance(0.2) ? 0.01 : 0.0;
  c.law.shear = dice.chance(0.2) ? 0.1 : 0.0;
  c.bias = dice.between(-0.1, 0.1);
  c.mass = dice.between(0.1, 1.0);
  for (int r = 0; r < row::count; r++) {
    c.P[r] = dice.between(-0.5, 1.0);
    c.gamma[r] = dice.between(-1.0, 1.0);
    l.centre[r] = dice.between(-0.5, 1.0);
  }
  l.r_T = dice.between(0.1, 10.0);
  l.per_mass = 1.0 / c.mass;
  l.stiff_N = 1e4;
  l.soft_N = dice.chance(0.8) ? 1e-4 : 0.0;
  l.code = dice.below(4);
}

TEST(Recursion, decides_about_four_contacts_with_the_bits_of_one) {
  const World<double> world = sim::make_world(shipped("snake/lateral-undulation", std::vector<std::string>{}));
  support::Dice dice(7);
  for (int k = 0; k < 50; k++) {
    Rows<double> rows(world.model());
    RecursionWork<double> single(world.model());
    rows.n_contacts = int(rows.contact.size());
    ASSERT_EQ(rows.n_contacts, 22);
    for (int i = 0; i < rows.n_contacts; i++) roll(dice, rows.contact[i], single.contact[i]);
    RecursionWork<double> together = single;
    Decision<double> one, four;
    one.stiff = four.stiff = 1e4;
    one.soft = four.soft = 1e-4;
    double worst = 0.0, worst_one = 0.0;
    bool changed = false, changed_one = false;
    const int n = decide_by_fours(rows, four, together, worst, changed);
    ASSERT_EQ(n, 20);  // the last two have no others beside them
    for (int i = 0; i < n; i++) {
      auto &a = single.contact[i], &b = together.contact[i];
      worst_one = std::max(worst_one, one.decide(rows.contact[i], a, changed_one));
      for (const auto& [x, y] : {std::pair{a.code, b.code},
                                 {a.s, b.s},
                                 {a.K_N, b.K_N},
                                 {a.T.f.x, b.T.f.x},
                                 {a.T.f.y, b.T.f.y},
                                 {a.T.xx, b.T.xx},
                                 {a.T.xy, b.T.xy},
                                 {a.T.yy, b.T.yy},
                                 {a.T.slope.x, b.T.slope.x},
                                 {a.T.slope.y, b.T.slope.y}})
        EXPECT_EQ(x, y);
      EXPECT_EQ(a.T.stick, b.T.stick);
    }
    EXPECT_EQ(worst, worst_one);
    EXPECT_EQ(four.worst_soft, one.worst_soft);
    EXPECT_EQ(four.worst_turned, one.worst_turned);
    EXPECT_EQ(changed, changed_one);
  }
}

TEST(Recursion, decides_alone_from_a_contact_that_turns_on) {
  const World<double> world = sim::make_world(shipped("snake/lateral-undulation", std::vector<std::string>{}));
  support::Dice dice(8);
  Rows<double> rows(world.model());
  RecursionWork<double> work(world.model());
  rows.n_contacts = 12;
  for (int i = 0; i < rows.n_contacts; i++) roll(dice, rows.contact[i], work.contact[i]);
  rows.contact[6].drills = true;
  Decision<double> decision;
  double worst = 0.0;
  bool changed = false;
  EXPECT_EQ(decide_by_fours(rows, decision, work, worst, changed), 4);
}

}  // namespace recursion_test
}  // namespace sinew::test
