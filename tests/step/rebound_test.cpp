// Impacts with restitution put no energy in, and are Newton's where Newton's law does not either.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <random>

#include "tests/support/touching.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace rebound_test {

// SINEW_LONG: many more of everything.
int times(int n) { return std::getenv("SINEW_LONG") ? 40 * n : n; }

struct Dice {
  std::mt19937 random;
  explicit Dice(unsigned seed) : random(seed) {}
  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); }
};

void set_friction(Plan& plan, double mu) {
  plan.contact.law.mu_forward = plan.contact.law.mu_backward = plan.contact.law.mu_trans = mu;
}

Plan with_impact(Plan plan, ImpactLaw law) {
  plan.contact.options.impact = law;
  return plan;
}

// A slender rod of 1 m and 1 kg in the plane x, z without gravity; its lower end touches the ground in the first step.
Plan rod_that_strikes(Dice& dice) {
  const bool provoking = dice.between(0.0, 1.0) < 0.5;
  Plan plan = box_on_plane({1.0, 0.02, 0.02}, 1.0, provoking ? dice.between(0.5, 3.0) : dice.between(0.0, 3.0));
  plan.gravity.g = {0, 0, 0};
  plan.contact.law.restitution = provoking ? 1.0 - 0.2 * dice.between(0.0, 1.0) : dice.between(0.0, 1.0);
  plan.contact.options.tolerance = 1e-12;
  plan.bodies[0].inertia = {0.08, 0, 0, 1.0 / 12.0, 0, 0.08};
  plan.bodies[0].shapes[0].shape = {.kind = ShapeKind::Capsule, .radius = 0.01, .half_length = 0.49};
  const double angle = dice.between(0.0, 0.5 * std::numbers::pi);  // of its axis z against the vertical
  plan.joints[0].position = {0, 0, 0.49 * std::cos(angle) + 0.01, std::cos(0.5 * angle), 0, std::sin(0.5 * angle), 0};
  plan.joints[0].velocity = {0, dice.between(-5.0, 5.0), 0, dice.between(-3.0, 3.0), 0, dice.between(-4.0, 0.0)};
  return plan;
}

double kinetic(const World<double>& world) { return observe(world).energy.kinetic; }

// Kinetic energy after 20 steps over that before.
double gain_of(const Plan& plan, std::string_view stepper) {
  World<double> world = make_world(plan, {Coordinates::Tree, stepper});
  const double before = kinetic(world);
  for (int k = 0; k < 20; k++) EXPECT_TRUE(world.step(1e-3).converged);
  return kinetic(world) / before - 1.0;
}

TEST(Rebound, rods_never_gain_energy_and_by_newtons_law_they_do) {
  for (const Stepper& stepper : fixed_steppers()) {
    SCOPED_TRACE(stepper.name);
    Dice dice(7);
    int gained = 0;
    for (int i = 0; i < times(300); i++) {
      const Plan plan = rod_that_strikes(dice);
      EXPECT_LT(gain_of(with_impact(plan, ImpactLaw::NewtonBounded), stepper.name), 1e-9) << i;
      gained += gain_of(with_impact(plan, ImpactLaw::Newton), stepper.name) > 1e-3;
    }
    EXPECT_GT(gained, 5);
  }
}

// What the impact gives back is as much as may be: it loses nothing where Newton's law gains.
TEST(Rebound, no_more_is_taken_than_must_be) {
  Dice dice(11);
  int bounded = 0;
  for (int i = 0; i < times(300); i++) {
    const Plan plan = rod_that_strikes(dice);
    World<double> world = make_world(plan), newton = make_world(with_impact(plan, ImpactLaw::Newton));
    for (int k = 0; k < 20; k++) {
      newton.state = world.state;
      const double before = kinetic(world);
      world.step(1e-3), newton.step(1e-3);
      if (kinetic(newton) < before * (1.0 + 1e-9)) {
        EXPECT_EQ(hash(world.state), hash(newton.state)) << "an impact that makes no energy is Newton's";
        continue;
      }
      bounded++;
      EXPECT_NEAR(kinetic(world), before, 1e-7 * before) << i;
    }
  }
  EXPECT_GT(bounded, 5);
}

// Spheres with any spin, and what strikes without friction with all of its points: bit for bit.
TEST(Rebound, is_newtons_for_spheres_and_flat_boxes_without_friction) {
  Dice dice(3);
  for (int i = 0; i < 20; i++) {
    Plan ball = box_on_plane({0.1, 0.1, 0.1}, 2.0, dice.between(0.0, 2.0));
    ball.bodies[0].shapes[0].shape = {.kind = ShapeKind::Sphere, .radius = 0.05};
    ball.joints[0].position[2] += 0.05;
    ball.joints[0].velocity = {3, -5, 8, dice.between(-2.0, 2.0), 0.3, -1.0};
    ball.contact.law.restitution = dice.between(0.0, 1.0);
    Plan box = ball;
    box.bodies[0].shapes[0].shape = {.kind = ShapeKind::Box, .half = {0.05, 0.05, 0.05}};
    box.joints[0].velocity = {0, 0, 8, 1, 0.3, -1.0};
    set_friction(box, 0.0);
    for (const Plan& plan : {ball, box}) {
      World<double> world = make_world(plan), newton = make_world(with_impact(plan, ImpactLaw::Newton));
      for (int k = 0; k < 300; k++) world.step(1e-3), newton.step(1e-3);
      EXPECT_EQ(hash(world.state), hash(newton.state)) << i;
    }
  }
}

// Bars that fly onto the ground and onto each other, turning. Their inertia is the same about all axes, so that nothing but
// contacts changes their energy.
Plan bars_that_strike(Dice& dice, int count) {
  Plan plan = tower(std::vector<double>(count, 1.0), dice.between(0.0, 2.0));
  plan.gravity.g = {0, 0, 0};
  plan.contact.law.restitution = dice.between(0.0, 1.0);
  for (int i = 0; i < count; i++) {
    JointPlan& j = plan.joints[i];
    j.position = {0.02 * i, 0, 0.17 + 0.25 * i, dice.between(0.5, 1), dice.between(-1, 1), dice.between(-1, 1), 0.3};
    j.velocity = {dice.between(-9, 9), dice.between(-9, 9), dice.between(-9, 9), dice.between(-1, 1), 0, -2.0 - i};
    plan.bodies[i].shapes[0].shape.half = {0.15, 0.02, 0.02};
    plan.bodies[i].inertia = {0.004, 0, 0, 0.004, 0, 0.004};
    double n2 = 0.0;
    for (int k = 3; k < 7; k++) n2 += j.position[k] * j.position[k];
    for (int k = 3; k < 7; k++) j.position[k] /= std::sqrt(n2);
  }
  return plan;
}

struct Way {
  Response response;
  ContactSolver solver;
  Coordinates coordinates;
};

TEST(Rebound, many_contacts_never_put_energy_in) {
  for (const Way& way : {Way{Response::Rigid, ContactSolver::Auto, Coordinates::Tree},
                         Way{Response::Rigid, ContactSolver::Sweep, Coordinates::Tree},
                         Way{Response::Rigid, ContactSolver::Sparse, Coordinates::Tree},
                         Way{Response::Rigid, ContactSolver::Newton, Coordinates::Maximal},
                         Way{Response::Complementarity, ContactSolver::Auto, Coordinates::Tree},
                         Way{Response::ImpulseSimultaneous, ContactSolver::Auto, Coordinates::Tree},
                         Way{Response::ImpulsePropagation, ContactSolver::Auto, Coordinates::Tree}}) {
    SCOPED_TRACE(std::string(response_names[int(way.response)]) + " " +
                 std::string(contact_solver_names[int(way.solver)]));
    Dice dice(5);
    int gained = 0;
    for (int i = 0; i < times(8); i++) {
      Plan plan = bars_that_strike(dice, 1 + i % 3);
      plan.contact.options.response = way.response, plan.contact.options.solver = way.solver;
      World<double> world = make_world(plan, {way.coordinates, "moreau"});
      World<double> newton = make_world(with_impact(plan, ImpactLaw::Newton), {way.coordinates, "moreau"});
      for (int k = 0; k < 200; k++) {
        newton.state = world.state;
        const double before = kinetic(world);
        const bool solved = world.step(1e-3).converged;
        ASSERT_TRUE(solved || way.response == Response::Complementarity) << i << " " << k;  // pivots may not arrive
        newton.step(1e-3);
        if (!solved) continue;
        ASSERT_LT(kinetic(world), before * (1.0 + 1e-7)) << i << " " << k;  // the solver's tolerance is 1e-8 m/s
        gained += kinetic(newton) > before * (1.0 + 1e-4);
      }
    }
    if (way.response != Response::ImpulsePropagation) {
      EXPECT_GT(gained, 0);
    } else {
      EXPECT_EQ(gained, 0);
    }
  }
}

// Chains that are thrown on the ground, in both coordinates. Friction and impacts only take out, but for what the joints' forces do
// in a step, which are taken at its start.
TEST(Rebound, chains_never_gain_energy) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    Dice dice(2);
    int gained = 0;
    for (int i = 0; i < times(6); i++) {
      Plan plan = crawler(3, {.restitution = dice.between(0.3, 1.0)});
      set_friction(plan, dice.between(0.3, 2.0));
      plan.gravity.g = {0, 0, 0};
      for (JointPlan& j : plan.joints) {
        j.drive = Drive::None, j.kp.clear(), j.kd.clear(), j.motion.clear();
        if (j.kind == JointKind::Universal) j.velocity = {dice.between(-5, 5), dice.between(-5, 5)};
      }
      const double tilt = dice.between(0.2, 1.2);
      plan.joints[0].position = {0, 0, 0.5, std::cos(0.5 * tilt), 0, std::sin(0.5 * tilt), 0};
      plan.joints[0].velocity = {0, dice.between(-5, 5), 0, dice.between(-3, 3), 0, -4.0};
      World<double> world = make_world(plan, {c, "moreau"}),
                    newton = make_world(with_impact(plan, ImpactLaw::Newton), {c, "moreau"});
      const double start = kinetic(world);
      const auto taken = [](const World<double>& w) { return w.state.work.friction + w.state.work.impact; };
      for (int k = 0; k < 1000; k++) {
        newton.state = world.state;
        const double before = taken(world);
        ASSERT_TRUE(world.step(2e-4).converged) << i << " " << k;
        newton.step(2e-4);
        ASSERT_GT(taken(world) - before, -1e-7 * start) << i << " " << k;
        gained += taken(newton) - before < -1e-4 * start;
      }
    }
    EXPECT_GT(gained, 0);
  }
}

// One that makes energy does not change what happens to another at the same time, and is not hidden by what that one loses.
TEST(Rebound, each_island_by_itself) {
  Dice dice(7);
  int seen = 0;
  for (int i = 0; i < 60; i++) {
    const Plan alone = rod_that_strikes(dice);
    Plan both = alone;
    BodyPlan ball = both.bodies[0];
    ball.name = "ball";
    ball.shapes[0].shape = {.kind = ShapeKind::Sphere, .radius = 0.05};
    JointPlan air = both.joints[0];
    air.name = "air_ball", air.child = "ball";
    air.position = {5, 0, 0.05, 1, 0, 0, 0}, air.velocity = {0, 0, 0, 1, 0, -2};
    both.bodies.push_back(ball), both.joints.push_back(air);
    World<double> one = make_world(alone), two = make_world(both);
    World<double> newton = make_world(with_impact(alone, ImpactLaw::Newton));
    one.step(1e-3), two.step(1e-3), newton.step(1e-3);
    const auto a = observe(one), b = observe(two);
    EXPECT_NEAR(norm(a.bodies[0].v_WC - b.bodies[0].v_WC), 0.0, 1e-7) << i;
    EXPECT_NEAR(b.bodies[1].v_WC[2], 2.0 * alone.contact.law.restitution, 1e-9) << i;
    seen += hash(one.state) != hash(newton.state);
  }
  EXPECT_GT(seen, 0);
}

// In a batch each robot gets its own share.
TEST(Rebound, each_robot_of_a_batch_as_if_alone) {
  Dice dice(7);
  int bounded = 0;
  for (int i = 0; i < 60; i++) {
    const Plan plan = rod_that_strikes(dice);
    std::vector<World<double>> robots;
    World<double> first = make_world(plan), newton = make_world(with_impact(plan, ImpactLaw::Newton));
    World<Lanes> wide = widen(first);
    for (int k = 0; k < lane_count; k++) {
      robots.push_back(first);
      for (double& u : robots[k].state.u) u *= 1.0 - 0.4 * k;  // some of them come in, some go away
      set_lane_state(wide.state, k, robots[k].state);
    }
    for (int n = 0; n < 5; n++) wide.step(1e-3), newton.step(1e-3);
    for (int k = 0; k < lane_count; k++) {
      for (int n = 0; n < 5; n++) robots[k].step(1e-3);
      const State<double> in_batch = lane_state(wide.state, k);
      for (std::size_t n = 0; n < in_batch.u.size(); n++)
        EXPECT_NEAR(in_batch.u[n], robots[k].state.u[n], 1e-9) << i << " " << k;
    }
    bounded += hash(newton.state) != hash(robots[0].state);
  }
  EXPECT_GT(bounded, 0);
}

// Impact laws at rest: nothing moves, nothing is booked.
TEST(Rebound, a_stack_at_rest_loses_nothing_by_the_impulse_laws) {
  for (const Response r : {Response::ImpulsePropagation, Response::ImpulseSimultaneous})
    for (const double e : {0.0, 0.5}) {
      SCOPED_TRACE(std::string(response_names[int(r)]) + " " + std::to_string(e));
      Plan plan = tower({1.0, 2.0, 5.0}, 0.5);
      plan.contact.options.response = r;
      plan.contact.law.restitution = e;
      World<double> world = make_world(plan);
      for (int k = 0; k < 500; k++) ASSERT_TRUE(world.step(1e-3).converged);
      EXPECT_LT(std::abs(observe(world).balance_error), 1e-6);
      EXPECT_LT(std::abs(world.state.work.impact + world.state.work.friction), 1e-6);
    }
}

}  // namespace rebound_test
}  // namespace sinew::test
