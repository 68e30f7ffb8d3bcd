// Joints of free bodies eliminated one by one, against matrices of all of them at once and against the solver of responses.
#include "sinew/solve/cut_trees.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sinew/math/dense.h"
#include "sinew/step/workspace.h"
#include "tests/support/shipped.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace cut_trees_test {

// Numbers between -1 and 1 that do not repeat.
struct Numbers {
  double x = 0.3;
  double next() { return x = 1.0 - 1.9 * x * x; }
};

void put(const Wrench<double>& F, double factor, int body, int column, Matrix& K, int rows_at) {
  for (int i = 0; i < 6; i++) {
    const double f = (i < 3 ? F.n[i] : F.f[i - 3]) * factor;
    K(6 * body + i, rows_at + column) = -f;
    K(rows_at + column, 6 * body + i) = f;
  }
}

// All bodies and all rows in one matrix: [I -G; G^T R] [V; P] = [-p; 0].
Matrix all_at_once(const Model& model, const Cuts<double>& cuts, const CutTreesWork<double>& work,
                   const UnsymmetricWork<double>& links) {
  const int n = model.link_count(), at = 6 * n;
  Matrix K(at + model.n_rows + model.n_axes, at + model.n_rows + model.n_axes), b(K.rows, 1);
  for (int i = 0; i < n; i++)
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c < 3; c++) {
        K(6 * i + r, 6 * i + c) = links.I[i].A(r, c);
        K(6 * i + r, 6 * i + 3 + c) = links.I[i].B(r, c);
        K(6 * i + 3 + r, 6 * i + c) = links.I[i].E(r, c);
        K(6 * i + 3 + r, 6 * i + 3 + c) = links.I[i].C(r, c);
      }
      b[6 * i + r] = -links.p[i].n[r];
      b[6 * i + 3 + r] = -links.p[i].f[r];
    }
  for (int i = 0; i < model.n_axes; i++) K(at + model.n_rows + i, at + model.n_rows + i) = 1.0;  // nothing holds
  const auto add = [&](const Cut& cut, const CutRows<double>& rows, const Vec3d& e, joint::Dir dir, int column) {
    const auto unit = [&](const Vec3d& arm) {
      return dir == joint::Dir::Angular ? Wrench<double>{e, Vec3d::zero()} : Wrench<double>{cross(arm, e), e};
    };
    put(unit(rows.arm2), 1.0, cut.body2, column, K, at);
    if (cut.body1 >= 0) put(unit(rows.arm1), -1.0, cut.body1, column, K, at);
  };
  for (std::size_t k = 0; k < model.cuts.size(); k++) {
    const Cut& cut = model.cuts[k];
    const CutRows<double>& rows = cuts.rows[k];
    for (int r = 0; r < cut.n_rows; r++) {
      const bool rests = dot(rows.e[r], rows.e[r]) == 0.0;
      if (!rests) add(cut, rows, rows.e[r], rows.dir[r], cut.row + r);
      K(at + cut.row + r, at + cut.row + r) = rests ? 1.0 : cuts.compliance[cut.row + r];
    }
    const JointInfo& info = model.joints[cut.joint];
    for (int c = 0; c < info.n_axes; c++) {
      const auto& hold = work.axis[info.axis + c];
      const int column = model.n_rows + info.axis + c;
      if (hold.stiff <= 0.0) continue;
      add(cut, rows, hold.e, hold.dir, column);
      K(at + column, at + column) = 1.0 / hold.stiff;
    }
  }
  return solve(K, b);
}

// Random blocks with an unsymmetric part on all bodies, and stiffness along every other axis.
void expect_same(const World<double>& world) {
  const Model& model = world.model();
  Workspace<double> ws(model);
  evaluate_frames(model, world.params, world.state.q.data(), world.state.u.data(), ws.driven, ws.frames);
  place_cuts(model, world.params, ws.frames, false, ws.cuts);
  CutTreesWork<double>& work = ws.recursion.cuts;
  UnsymmetricWork<double>& links = ws.recursion.links;
  ASSERT_TRUE(work.trees.hold_all);
  Numbers numbers;
  for (int i = 0; i < model.link_count(); i++) {
    for (Mat3<double>* m : {&links.I[i].A, &links.I[i].B, &links.I[i].E, &links.I[i].C})
      for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) (*m)(r, c) = 0.2 * numbers.next();
    for (int r = 0; r < 3; r++) {
      links.I[i].A(r, r) += 1.5;
      links.I[i].C(r, r) += 2.0;
      links.p[i].n[r] = numbers.next();
      links.p[i].f[r] = numbers.next();
    }
  }
  release_axes(work);
  for (int i = 0; i < model.n_axes; i += 2)
    work.axis[i] = {2.0 + numbers.next(), Vec3d(numbers.next(), numbers.next(), 1.0), joint::Dir::Angular};
  const Matrix expected = all_at_once(model, ws.cuts, work, links);
  solve_cut_trees(model, ws.cuts, work, links);
  for (int i = 0; i < model.link_count(); i++)
    for (int r = 0; r < 3; r++) {
      EXPECT_NEAR(links.change[i].w[r], expected[6 * i + r], 1e-12) << i;
      EXPECT_NEAR(links.change[i].v[r], expected[6 * i + 3 + r], 1e-12) << i;
    }
}

World<double> maximal(const Plan& plan) { return make_world(plan, {.coordinates = Coordinates::Maximal}); }

// A free body that carries two others.
Plan branched() {
  Plan plan = floating_chain();
  plan.bodies.push_back(lump("leg", 0.7));
  plan.joints.push_back(hinge(JointKind::Revolute, "base", "leg"));
  return plan;
}

// Two free bodies on one pin, which names the second as the parent.
Plan turned_round() {
  Plan plan;
  plan.bodies = {lump("base", 2.0), lump("arm", 0.8)};
  plan.joints = {hinge(JointKind::Free, "world", "base"), hinge(JointKind::Free, "world", "arm"),
                 pin("back", "arm", "base", {0, 0, 0})};
  for (int i : {0, 1}) plan.joints[i].p_child = plan.joints[i].p_parent = {0, 0, 0};
  plan.joints[1] = plan.joints[0];
  plan.joints[1].name = "other";
  plan.joints[1].child = "arm";
  plan.joints[2].loop = true;
  return plan;
}

TEST(CutTrees, move_as_one_matrix_of_all_bodies_and_rows_says) {
  const std::vector<std::string> sets = {"coordinates=maximal"};
  expect_same(maximal(mixed_chain()));  // hangs on the world
  expect_same(maximal(branched()));
  expect_same(maximal(turned_round()));
  expect_same(sim::make_world(shipped("snake/sidewinding", sets)));
}

TEST(CutTrees, loops_welds_and_trees_of_links_are_left_to_others) {
  EXPECT_FALSE(CutTrees(maximal(parallelogram(0.5, 0.0)).model()).hold_all);
  EXPECT_FALSE(CutTrees(maximal(bricard()).model()).hold_all);
  EXPECT_FALSE(CutTrees(make_world(bricard()).model()).hold_all);
  EXPECT_FALSE(CutTrees(make_world(mixed_chain()).model()).hold_all);
  Plan welded = mixed_chain();  // leaves no motion at its last joint
  welded.joints.back() = hinge(JointKind::Weld, "d", "e");
  EXPECT_TRUE(CutTrees(maximal(mixed_chain()).model()).hold_all);
  EXPECT_FALSE(CutTrees(maximal(welded).model()).hold_all);
}

struct Ran {
  World<double> world;
  int iterations;
};

Ran run_steps(const std::string& scenario, std::vector<std::string> sets, const std::string& solver, int steps) {
  sets.insert(sets.end(), {"coordinates=maximal", "contact.tolerance=1e-10", "solver=" + solver});
  const sim::Scenario s = shipped(scenario, sets);
  Ran out{sim::make_world(s), 0};
  for (int k = 0; k < steps; k++) {
    const StepReport report = out.world.step(s.step);
    EXPECT_TRUE(report.converged) << k;
    EXPECT_LE(report.residual, s.plan.contact.options.tolerance);
    out.iterations += report.iterations;
  }
  return out;
}

// Each step is solved to 1e-10 m/s by both. Rolling friction counts turning by its lever, half a millimetre: 2e-7 rad/s a step. Lying
// straight, two contacts a link are redundant: their normal forces are those of least norm, 3.3 N.
TEST(CutTrees, contacts_and_servos_as_by_responses) {
  struct Case {
    const char* scenario;
    std::vector<std::string> sets;
  };
  for (const Case& c : {Case{"snake/lateral-undulation", {}}, Case{"snake/sidewinding", {"mu_roll=0.01"}},
                        Case{"snake/straight-at-rest", {}},
                        Case{"snake/lateral-undulation", {"actuator=implicit", "step=0.001", "torque_limit=0.5"}}}) {
    SCOPED_TRACE(std::string(c.scenario) + (c.sets.empty() ? "" : " " + c.sets.back()));
    const Ran a = run_steps(c.scenario, c.sets, "auto", 40), b = run_steps(c.scenario, c.sets, "newton", 40);
    EXPECT_NE(hash(a.world.state), hash(b.world.state)) << "one solver for both";
    EXPECT_LT(distance(a.world, b.world), 1e-5);
    for (std::size_t i = 0; i < a.world.state.q.size(); i++)
      EXPECT_NEAR(a.world.state.q[i], b.world.state.q[i], 1e-7) << i;
    const auto seen = observe(a.world), expected = observe(b.world);
    ASSERT_EQ(seen.contacts.size(), expected.contacts.size());
    for (std::size_t i = 0; i < seen.contacts.size(); i++)
      EXPECT_NEAR(seen.contacts[i].normal, expected.contacts[i].normal, 1e-3) << i;
  }
}

TEST(CutTrees, each_lane_is_the_robot_alone_bit_for_bit) {
  const std::vector<std::string> sets = {"coordinates=maximal", "n_links=4"};
  const sim::Scenario scenario = shipped("snake/lateral-undulation", sets);
  std::vector<World<double>> robots;
  World<Lanes> wide = widen(sim::make_world(scenario));
  for (int i = 0; i < lane_count; i++) {
    robots.push_back(sim::make_world(scenario));
    for (int body = 0; body < 4; body++) robots[i].state.u[6 * body + 3] += 0.01 * i;
    set_lane_state(wide.state, i, robots[i].state);
  }
  for (int k = 0; k < 50; k++) EXPECT_TRUE(wide.step(scenario.step).converged);
  for (int i = 0; i < lane_count; i++) {
    for (int k = 0; k < 50; k++) robots[i].step(scenario.step);
    EXPECT_EQ(hash(wide.state, i), hash(robots[i].state)) << i;
  }
}

}  // namespace cut_trees_test
}  // namespace sinew::test
