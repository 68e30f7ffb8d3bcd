// Adhesion in the contact law (docs/theory/laws.md#a-contact-point): what it holds, what it does not, and what it remembers.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/parts/law/electroadhesion.h"
#include "sinew/world/contacts.h"
#include "tests/support/touching.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace adhesion_test {

constexpr double g = 9.81, mass = 2.0, weight = mass * g;

// A box at the plane z = 0 that gravity pulls away from it; each of its four corners adheres with a quarter of the force.
Plan hanging(double force) {
  Plan plan = box_on_plane({0.2, 0.2, 0.1}, mass, 0.5);
  plan.gravity.g = Vec3d(0, 0, g);
  AdhesionPlan& a = plan.contact.adhesion;
  a.kind = Adhesion::Cohesion, a.cohesion = 1.0, a.area = force / 4;
  return plan;
}

double height(const World<double>& world) { return observe(world).bodies[0].p_WC[2]; }

World<double> after(const Plan& plan, double t, double dt, const WorldOptions& options = {}) {
  World<double> world = make_world(plan, options);
  const int steps = int(std::lround(t / dt));
  for (int k = 0; k < steps; k++) {
    const StepReport report = world.step(dt);
    EXPECT_TRUE(report.converged) << k;
    EXPECT_LE(report.outside, 1e-10) << k;
  }
  return world;
}

TEST(Adhesion, holds_up_to_its_force_and_lets_go_beyond) {
  for (const Stepper& stepper : fixed_steppers())
    for (const ContactSolver solver : {ContactSolver::Auto, ContactSolver::Newton, ContactSolver::Sweep}) {
      SCOPED_TRACE(std::string(stepper.name) + " " + std::string(contact_solver_names[int(solver)]));
      for (const double factor : {1.01, 2.0}) {
        const World<double> world = after(with_solver(hanging(factor * weight), solver), 1.0, 1e-3, {{}, stepper.name});
        EXPECT_NEAR(height(world), 0.05, 1e-9) << factor;
        EXPECT_NEAR(total_of(world).normal, -weight, 1e-6) << factor;  // the net force: it pulls
        EXPECT_NEAR(observe(world).balance_error, 0.0, 1e-9);
      }
      const World<double> gone = after(with_solver(hanging(0.99 * weight), solver), 1.0, 1e-3, {{}, stepper.name});
      EXPECT_GT(height(gone), 4.0);
    }
}

TEST(Adhesion, without_it_the_box_falls_freely) {
  Plan plan = hanging(0.0);
  plan.contact.adhesion.kind = Adhesion::None;
  for (const std::string_view method : {"moreau", "rk4"})
    EXPECT_NEAR(height(after(plan, 0.5, 1e-3, {{}, method})) - 0.05, 0.5 * g * 0.25, 1e-9) << method;
}

TEST(Adhesion, engines_and_coordinates_and_steppers_agree) {
  const Plan plan = [] {
    Plan p = crawler(4, {.mu_forward = 0.3, .mu_backward = 0.3, .mu_trans = 0.3});
    p.gravity.g = Vec3d(0.4 * g, 0, 0.3 * g);
    AdhesionPlan& a = p.contact.adhesion;
    a.kind = Adhesion::Cohesion, a.cohesion = 1.0, a.area = 4.0, a.shear_strength = 0.4;
    return p;
  }();
  const Observation<double> tree = observe(after(plan, 0.2, 2.5e-4));
  for (const ContactSolver solver : {ContactSolver::Newton, ContactSolver::Sweep})
    EXPECT_LT(distance(tree, observe(after(with_solver(plan, solver), 0.2, 2.5e-4))), 2e-4);
  EXPECT_LT(distance(tree, observe(after(plan, 0.2, 2.5e-4, {Coordinates::Maximal}))), 1e-3);
  EXPECT_LT(distance(tree, observe(after(plan, 0.2, 2.5e-4, {{}, "rk4"}))), 5e-3);
}

// |F_T| <= mu (N + F_a) + F_s: exact to the solver's tolerance.
TEST(Adhesion, sticks_if_and_only_if_the_pull_is_within_the_shear_capacity) {
  const double mu = 0.5, F_a = 30.0, F_s = 7.0;
  for (const std::string_view method : {"moreau", "rk4", "euler"})
    for (const ContactSolver solver : {ContactSolver::Auto, ContactSolver::Newton, ContactSolver::ProxFixed}) {
      if (solver == ContactSolver::ProxFixed && method != "moreau") continue;
      SCOPED_TRACE(std::string(method) + " " + std::string(contact_solver_names[int(solver)]));
      const auto slid = [&](double pull) {
        Plan plan = with_solver(hanging(F_a), solver);
        plan.contact.adhesion.shear_strength = F_s / F_a;
        plan.contact.options.prox.max_iter = 100000;
        plan.gravity.g = Vec3d(pull / mass, 0, 0);  // weightless but for the pull
        const World<double> world = after(plan, 0.2, 1e-3, {{}, method});
        return observe(world).bodies[0].v_WC[0];
      };
      const double capacity = mu * F_a + F_s;
      EXPECT_NEAR(slid(0.999 * capacity), 0.0, 1e-7);
      EXPECT_NEAR(slid(1.1 * capacity), 0.2 * 0.1 * capacity / mass, 1e-6);
    }
}

// The bond holds no more than dt F_a in a step: a blow parts it.
TEST(Adhesion, does_not_hold_against_a_blow) {
  Plan plan = hanging(2.0 * weight);
  plan.joints[0].velocity = {0, 0, 0, 0, 0, 0.5};
  const World<double> world = after(plan, 0.1, 1e-3);
  EXPECT_NEAR(height(world) - 0.05, 0.05 + 0.5 * g * 0.01, 2e-3);
}

TEST(Adhesion, acts_from_the_step_after_the_first_touch) {
  Plan plan = hanging(2.0 * weight);
  plan.gravity.g = Vec3d(0, 0, 0);
  plan.joints[0].position[2] += 0.001;
  plan.joints[0].velocity = {0, 0, 0, 0, 0, -0.5};
  World<double> world = make_world(plan);
  double before = 0.0;
  for (int k = 0; k < 20; k++) {
    world.step(1e-3);
    const double pull = world.state.contact[slot::pull];
    if (before == 0.0) {  // open, or the first step of touching
      EXPECT_EQ(pull, 0.0);
    }
    before = world.state.contact[slot::key];
  }
  EXPECT_NEAR(world.state.contact[slot::pull] / 1e-3, 0.5 * weight, 1e-9);
}

Plan switched(double force) {
  Plan plan = hanging(0.0);
  AdhesionPlan& a = plan.contact.adhesion;
  a.kind = Adhesion::Electro, a.cohesion = 0.0;
  const double p = law::electro_pressure(a.pad, law::surface_of(law::electro_materials[a.surface]));
  a.area = 0.0;
  a.pads = {{.name = "sole", .shapes = {"*"}, .area = force / p, .points = 4, .group = "left"}};
  a.groups = {{.name = "left"}};
  return plan;
}

TEST(Adhesion, switching_off_releases_at_the_given_time) {
  for (const bool periodic : {false, true}) {
    Plan plan = switched(1.5 * weight);
    PadGroupPlan& left = plan.contact.adhesion.groups[0];
    if (periodic)
      left.period = 1.0;
    else
      left.on = {0.0, 0.5};
    EXPECT_NEAR(height(after(plan, 0.5, 1e-3)), 0.05, 1e-9);
    EXPECT_NEAR(height(after(plan, 0.9, 1e-3)) - 0.05, 0.5 * g * 0.16, 2e-3);
  }
}

// Until somebody says something, the times of the file hold; then the last word.
TEST(Adhesion, a_command_switches_pads_whatever_their_times_say) {
  Plan plan = switched(1.5 * weight);
  plan.contact.adhesion.groups[0].on = {0.0, 0.2};
  World<double> world = make_world(plan);
  ASSERT_EQ(world.input.drive.size(), 1u);
  const auto run = [&](double until) {
    while (world.state.t < until - 1e-9) world.step(1e-3);
  };
  world.input.drive[0] = 1.0;
  run(0.5);
  EXPECT_NEAR(height(world), 0.05, 1e-9);
  world.input.drive[0] = 0.0;
  run(0.9);
  EXPECT_NEAR(height(world) - 0.05, 0.5 * g * 0.16, 2e-3);
}

TEST(Adhesion, charge_follows_an_exponential) {
  Plan plan = switched(1.5 * weight);
  plan.gravity.g = Vec3d(0, 0, 0);
  AdhesionPlan& a = plan.contact.adhesion;
  a.groups[0].on = {0.0, 0.3};
  a.charge_time = 0.1, a.discharge_time = 0.05;
  const double full = 1.0 - std::exp(-3.0);
  EXPECT_NEAR(after(plan, 0.2, 1e-3).state.pad[pad::level], 1.0 - std::exp(-2.0), 1e-12);
  EXPECT_NEAR(after(plan, 0.4, 1e-3).state.pad[pad::level], full * std::exp(-2.0), 1e-12);
  // off while less than the weight is left: 1.5 (1 - exp(-t/0.1)) = 1 at 0.1099 s
  plan.gravity.g = Vec3d(0, 0, -g);
  EXPECT_NEAR(after(plan, 0.3, 1e-3).state.pad[pad::pull], 1.5 * weight * full, 1e-9);
}

// A pad needs its points: a box that hangs by fewer than four corners lies on by an edge.
TEST(Adhesion, a_pad_holds_with_all_its_points_or_by_its_edge) {
  Plan plan = hanging(0.0);
  AdhesionPlan& a = plan.contact.adhesion;
  a.area = 0.0;
  a.pads = {{.name = "sole", .shapes = {"*"}, .area = 2.0 * weight, .width = 0.2, .points = 4}};
  EXPECT_NEAR(height(after(plan, 0.5, 1e-3)), 0.05, 1e-9);
  a.pads[0].points = 5;
  EXPECT_NEAR(height(after(plan, 0.5, 1e-3)) - 0.05, 0.5 * g * 0.25, 1e-9);
  a.peel_length = 1.01 * weight / 0.2;  // over the width, at 1 Pa
  EXPECT_NEAR(height(after(plan, 0.5, 1e-3)), 0.05, 1e-9);
}

TEST(Adhesion, a_bed_that_breaks_leaves_grains_on_the_pad) {
  Plan plan = switched(10.0 * weight);
  AdhesionPlan& a = plan.contact.adhesion;
  const double p = law::electro_pressure(a.pad, law::surface_of(law::electro_materials[a.surface]));
  a.pads[0].group = "";
  a.bed_strength = 0.05 * p;  // half of the weight
  const World<double> once = after(plan, 0.1, 1e-3);
  EXPECT_GT(height(once), 0.06);
  EXPECT_EQ(once.state.pad[pad::covered], 0.1);
  EXPECT_EQ(once.state.pad[pad::attached], 0.0);
  // the bond itself opens: no grains
  a.bed_strength = std::numeric_limits<double>::infinity();
  a.pads[0].area *= 0.05;
  const World<double> clean = after(plan, 0.1, 1e-3);
  EXPECT_GT(height(clean), 0.06);
  EXPECT_EQ(clean.state.pad[pad::covered], 0.0);
}

TEST(Adhesion, grains_on_a_pad_weaken_it) {
  Plan plan = switched(1.5 * weight);
  World<double> world = make_world(plan);
  world.state.pad[pad::covered] = 0.4;
  for (int k = 0; k < 10; k++) world.step(1e-3);
  EXPECT_NEAR(world.state.pad[pad::pull], 1.5 * weight * (0.6 + 0.4 * 4.33660 / 11.6), 1e-4);
}

TEST(Adhesion, stiff_penalty_contacts_do_the_same) {
  const auto soft = [](double factor, double k) {
    Plan plan = hanging(factor * weight);
    plan.contact.options.response = Response::Penalty;
    plan.contact.penalty.stiffness = k;
    return plan;
  };
  for (const std::string_view method : {"moreau", "rk4", "euler"}) {
    for (const double k : {1e5, 1e6}) {
      // at rest the overlap carries what the pull has more than the weight
      const World<double> world = after(soft(2.0, k), 1.0, 1e-4, {{}, method});
      EXPECT_NEAR(height(world) - 0.05, -weight / k, 0.05 * weight / k) << method;
      EXPECT_NEAR(total_of(world).normal, -weight, 0.02 * weight) << method;
    }
    EXPECT_GT(height(after(soft(0.9, 1e6), 0.5, 1e-4, {{}, method})), 0.5) << method;
  }
}

TEST(Adhesion, penalty_friction_has_the_same_capacity) {
  const double F_a = 30.0, F_s = 7.0, capacity = 0.5 * F_a + F_s;
  for (const PenaltyForces forces : {PenaltyForces::Explicit, PenaltyForces::Implicit}) {
    SCOPED_TRACE(penalty_forces_names[std::size_t(forces)]);
    const double dt = forces == PenaltyForces::Implicit ? 1e-3 : 1e-4;
    const auto slid = [&](double pull) {
      Plan plan = hanging(F_a);
      plan.contact.options.response = Response::Penalty;
      plan.contact.penalty.stiffness = 1e6;
      plan.contact.options.forces = forces;
      plan.contact.adhesion.shear_strength = F_s / F_a;
      plan.gravity.g = Vec3d(pull / mass, 0, 0);
      return observe(after(plan, 0.5, dt)).bodies[0].v_WC[0];
    };
    EXPECT_NEAR(slid(0.9 * capacity), 0.0, 1e-4);
    EXPECT_NEAR(slid(1.2 * capacity), 0.5 * 0.2 * capacity / mass, 0.05);
  }
}

TEST(Adhesion, the_energy_account_closes_while_it_slides_and_parts) {
  Plan plan = hanging(1.2 * weight);
  plan.contact.adhesion.shear_strength = 0.1;
  plan.gravity.g = Vec3d(2.0 * g, 0, 0.5 * g);
  for (const std::string_view method : {"moreau", "rk4"}) {
    const World<double> world = after(plan, 0.5, 1e-3, {{}, method});
    EXPECT_GT(world.state.work.friction, 1.0);
    EXPECT_NEAR(observe(world).balance_error, 0.0, 1e-8) << method;
  }
}

// Memory and all: a lane is a run of its own, bit for bit, and a copied state goes on as the first would.
TEST(Adhesion, lanes_and_copies_go_the_same_way) {
  Plan plan = switched(1.5 * weight);
  plan.contact.adhesion.groups[0].on = {0.0, 0.05};
  plan.contact.adhesion.charge_time = 0.01, plan.contact.adhesion.discharge_time = 0.02;
  plan.contact.adhesion.cohesion = 0.3, plan.contact.adhesion.shear_strength = 0.2;
  World<double> one = make_world(plan);
  World<Lanes> wide = widen(one);
  for (int k = 0; k < 50; k++) one.step(1e-3), wide.step(1e-3);
  World<double> copy = make_world(plan);
  copy.state = one.state;
  for (int k = 0; k < 100; k++) one.step(1e-3), wide.step(1e-3), copy.step(1e-3);
  EXPECT_EQ(hash(copy.state), hash(one.state));
  for (int lane = 0; lane < lane_count; lane++) EXPECT_EQ(hash(wide.state, lane), hash(one.state));
  EXPECT_GT(height(one), 0.05);
}

TEST(Adhesion, what_has_no_meaning_is_refused) {
  const auto problems = [](auto change) {
    Plan plan = hanging(1.0);
    change(plan.contact);
    try {
      make_world(plan);
    } catch (const PlanError& e) {
      return e.problems.front().key;
    }
    return std::string();
  };
  EXPECT_EQ(problems([](ContactPlan& c) { c.adhesion.area = 0.0; }), "contact.adhesion");
  EXPECT_EQ(
      problems([](ContactPlan& c) { c.adhesion.shear_strength = 1.0, c.options.response = Response::Complementarity; }),
      "contact.shear_strength");
  EXPECT_EQ(problems([](ContactPlan& c) { c.adhesion.pads = {{.name = "a", .shapes = {"nobody.*"}}}; }),
            "contact.pad.a.shapes");
  EXPECT_EQ(problems([](ContactPlan& c) { c.adhesion.pads = {{.name = "a", .group = "left"}}; }),
            "contact.pad.a.group");
}

}  // namespace adhesion_test
}  // namespace sinew::test
