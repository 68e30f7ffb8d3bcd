// The energy account: mechanical energy = start + work of actuators + work from outside - damping. Each kind of work is
// compared with an independent quadrature of its power along the run, and the account closes at the stepper's order.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/support/touching.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace balance_test {

using Power = std::function<double(const World<double>&, const Observation<double>&)>;

struct Case {
  const char* name;
  Plan plan;
  std::function<void(World<double>&)> command = [](World<double>&) {};
  double Work<double>::*work;
  Power power;
};

Case damper() {
  Plan plan = mixed_chain();
  plan.joints[0].damping = {0.7};
  plan.joints[2].damping = {0.2, 0.3, 0.1};
  return {"damper", plan, [](auto&) {}, &Work<double>::damping,
          [](const auto&, const auto& seen) {
            const auto &a = seen.joints[0].u, &b = seen.joints[2].u;
            return 0.7 * a[0] * a[0] + 0.2 * b[0] * b[0] + 0.3 * b[1] * b[1] + 0.1 * b[2] * b[2];
          }};
}

Case servo() {
  Plan plan = mixed_chain();
  plan.joints[1].drive = Drive::Servo;
  plan.joints[1].kp = {8, 6}, plan.joints[1].kd = {0.5, 0.4};
  plan.joints[1].motion = {{.amplitude = 0.5, .frequency = 0.8}, {.offset = 0.1, .rate = 0.2}};
  return {"servo", plan, [](auto&) {}, &Work<double>::actuators,
          [](const auto& world, const auto& seen) {
            const auto& j = seen.joints[1];
            const double w = 2 * M_PI * 0.8, t = world.state.t;
            const double tau0 = 8 * (0.5 * std::sin(w * t) - j.q[0]) + 0.5 * (0.5 * w * std::cos(w * t) - j.u[0]);
            const double tau1 = 6 * (0.1 + 0.2 * t - j.q[1]) + 0.4 * (0.2 - j.u[1]);
            return tau0 * j.u[0] + tau1 * j.u[1];
          }};
}

Case command() {
  return {"command", mixed_chain(), [](auto& world) { world.input.torque[0] = 1.5, world.input.torque[3] = -0.4; },
          &Work<double>::actuators,
          [](const auto&, const auto& seen) {
            return 1.5 * seen.joints[0].u[0] - 0.4 * seen.joints[2].u[0];  // axes: 1 revolute, 2 universal, then ball
          }};
}

// The drive's power by the rule of the whole robot: what it gives is the rate of change of energy.
Case driven() {
  Plan plan = mixed_chain();
  plan.joints[0].drive = Drive::Motion;
  plan.joints[0].motion = {{.offset = 0.2, .amplitude = 0.8, .frequency = 0.9, .phase = 0.3}};
  return {"driven", plan, [](auto&) {}, &Work<double>::actuators,
          [](const auto& world, const auto& seen) {
            const double w = 2 * M_PI * 0.9;
            return seen.joints[0].torque[0] * 0.8 * w * std::cos(w * world.state.t + 0.3);
          }};
}

Case external() {
  return {"external", mixed_chain(),
          [](auto& world) {
            const int b = world.model().body("c");
            world.input.external[b] = {Vec3d(0.2, -0.1, 0.3), Vec3d(1.0, 2.0, -0.5)};
          },
          &Work<double>::external,
          [](const auto& world, const auto& seen) {
            const auto& body = seen.bodies[world.model().body("c")];
            return dot(Vec3d(0.2, -0.1, 0.3), body.w_WB) + dot(Vec3d(1.0, 2.0, -0.5), body.v_WC);
          }};
}

Case spring() {
  Plan plan = mixed_chain();
  plan.joints[0].stiffness = {9.0}, plan.joints[0].rest = {0.2};
  plan.joints[2].stiffness = {4, 4, 4};
  plan.joints[3].stiffness = {30.0};
  return {"spring", plan, [](auto&) {}, nullptr, nullptr};
}

std::vector<Case> cases() { return {damper(), servo(), command(), driven(), external(), spring()}; }

double balance_error(const Case& c, const WorldOptions& options, double T, int steps) {
  World<double> world = make_world(c.plan, options);
  c.command(world);
  run(world, T, steps);
  return std::abs(observe(world).balance_error);
}

TEST(Balance, the_energy_account_closes_at_the_order_of_the_stepper) {
  for (const Case& c : cases())
    for (const Stepper& stepper : fixed_steppers())
      for (const Coordinates coordinates : both_coordinates) {
        SCOPED_TRACE(std::string(c.name) + " " + std::string(stepper.name) + " " + name_of(coordinates));
        const int steps = stepper.order > 1 ? 60 : 600;
        const double coarse = balance_error(c, {coordinates, stepper.name}, 0.3, steps);
        const double fine = balance_error(c, {coordinates, stepper.name}, 0.3, 2 * steps);
        EXPECT_GT(order(coarse, fine), stepper.order - 0.3) << coarse << " -> " << fine;
      }
}

// Joints that slide, so that the masses on the freedoms are constant. Dampers, servos and contacts depend on velocities and make
// verlet a method of first order; what they do is booked with the velocities by which it changes the kinetic energy, so the
// account closes at second order, as it does for springs.
Plan sliders_on_penalty_ground() {
  Plan plan;
  plan.bodies = {lump("a"), lump("b", 0.5)};
  ShapePlan ball;
  ball.name = "ball", ball.shape.radius = 0.1;
  plan.bodies[1].shapes = {ball};
  plan.gravity.kind = GravityKind::Uniform, plan.gravity.g = {0, 0, -9.81};
  plan.joints = {JointPlan{}, JointPlan{}};
  JointPlan &a = plan.joints[0], &b = plan.joints[1];
  a.name = a.child = b.parent = "a", b.name = b.child = "b";
  a.kind = b.kind = JointKind::Prismatic;
  a.axis = {0.6, 0, 0.8}, b.p_parent = {0, 0, 0.12};
  a.stiffness = {400.0}, a.damping = {0.5}, a.velocity = {0.6};
  b.drive = Drive::Servo, b.kp = {60.0}, b.kd = {2.0};
  b.motion = {{.amplitude = 0.2, .frequency = 1.5}};
  plan.ground.terrain.kind = TerrainKind::Plane;
  plan.contact.law.mu_forward = plan.contact.law.mu_backward = plan.contact.law.mu_trans = 0.3;
  plan.contact.options.response = Response::Penalty;
  plan.contact.penalty.stiffness = 2000.0;
  return plan;
}

TEST(Balance, verlet_closes_the_account_of_dampers_servos_and_contacts_at_second_order) {
  const Plan plan = sliders_on_penalty_ground();
  for (const Coordinates coordinates : both_coordinates) {
    SCOPED_TRACE(name_of(coordinates));
    double error[2], turnover = 0.0;
    for (int k = 0; k < 2; k++) {
      World<double> world = make_world(plan, {coordinates, "verlet"});
      run(world, 0.5, 500 << k);
      error[k] = std::abs(observe(world).balance_error);
      const Work<double>& w = world.state.work;
      EXPECT_GT(std::min({std::abs(w.actuators), w.damping, std::abs(w.impact)}), 1e-3) << "it would see nothing";
      turnover = std::abs(w.actuators) + w.damping + std::abs(w.impact);
    }
    EXPECT_GT(order(error[0], error[1]), 1.7) << error[0] << " -> " << error[1];
    EXPECT_LT(error[1], 1e-3 * turnover);
  }
}

// The drives of given motions also work against contacts, at impacts too: a crawler that is bent as it is told. Without that share the
// account would miss as much as friction takes out.
TEST(Balance, given_motions_are_booked_with_what_contacts_ask_of_them) {
  ContactLaw<double> law;
  law.mu_forward = law.mu_backward = 0.1, law.mu_trans = 0.6;
  for (const Response response : {Response::Rigid, Response::ImpulsePropagation, Response::Complementarity})
    for (const Stepper& stepper : steppers())
      for (const Coordinates coordinates : both_coordinates) {
        SCOPED_TRACE(std::string(response_names[std::size_t(response)]) + " " + std::string(stepper.name) + " " +
                     name_of(coordinates));
        Plan plan = crawler(4, law);
        plan.contact.options.response = response;
        for (std::size_t i = 1; i < plan.joints.size(); i++) {
          JointPlan& joint = plan.joints[i];
          joint.drive = Drive::Motion, joint.motion.clear();
          for (int c = 0; c < joint::freedom_count(joint.kind); c++)
            joint.motion.push_back({.amplitude = c == 0 ? 0.6 : 0.2, .frequency = 2.0, .phase = 0.9 * double(i)});
        }
        World<double> world = make_world(plan, {coordinates, stepper.name});
        run(world, 0.2, 400);
        const Work<double>& w = world.state.work;
        EXPECT_GT(w.friction, 0.01) << "it would see nothing";
        EXPECT_LT(std::abs(observe(world).balance_error), 0.02 * w.friction);
      }
}

// Simpson's rule on samples of every step of rk4: both errors are of order dt^4, (1e-3)^4 times moderate derivatives.
TEST(Balance, each_kind_of_work_equals_the_integral_of_its_power) {
  for (const Case& c : cases()) {
    if (!c.work) continue;
    for (const Coordinates coordinates : both_coordinates) {
      SCOPED_TRACE(std::string(c.name) + " " + name_of(coordinates));
      World<double> world = make_world(c.plan, {coordinates, "rk4"});
      c.command(world);
      const int steps = 400;
      const double dt = 0.4 / steps;
      double integral = 0.0, turnover = 0.0;
      for (int k = 0; k <= steps; k++) {
        const double p = c.power(world, observe(world));
        const double weight = k == 0 || k == steps ? 1.0 : k % 2 ? 4.0 : 2.0;
        integral += weight * p * dt / 3;
        turnover += std::abs(weight * p * dt / 3);
        if (k < steps) world.step(dt);
      }
      const Work<double>& w = world.state.work;
      EXPECT_NEAR(w.*c.work, integral, 1e-8 * turnover);
      EXPECT_GT(std::abs(w.*c.work), 1e-3) << "the test would see nothing";
      for (const auto other : {&Work<double>::actuators, &Work<double>::external, &Work<double>::damping})
        EXPECT_TRUE(other == c.work || w.*other == 0.0);
    }
  }
}

TEST(Balance, springs_exchange_energy_and_do_no_net_work) {
  const Case c = spring();
  World<double> world = make_world(c.plan, {Coordinates::Tree, "rk4"});
  const double start = observe(world).energy.elastic;
  run(world, 0.4, 800);
  const auto seen = observe(world);
  EXPECT_GT(std::abs(seen.energy.elastic - start), 0.1);  // there was something to exchange
  EXPECT_LT(std::abs(seen.balance_error), 1e-8);          // rk4 at 0.5 ms
  EXPECT_EQ(world.state.work.actuators, 0.0);
  EXPECT_EQ(world.state.work.damping, 0.0);
}

// A ball joint whose three springs differ: the force must still be the gradient of the energy that is shown.
TEST(Balance, unequal_springs_of_a_ball_joint_conserve_energy) {
  for (const Coordinates coordinates : both_coordinates) {
    SCOPED_TRACE(name_of(coordinates));
    Plan plan = single(JointKind::Ball);
    plan.gravity.kind = GravityKind::None;
    plan.joints[0].stiffness = {4, 40, 12};
    const World<double> world = run(plan, {coordinates, "rk4"}, 1.0, 2000);
    EXPECT_LT(std::abs(observe(world).balance_error), 1e-8);  // rk4 at 0.5 ms on ~ 5 J
  }
}

}  // namespace balance_test
}  // namespace sinew::test
