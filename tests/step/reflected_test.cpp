// Rotors on joint axes in every stepper: periods in closed form, orders, energy, momentum, contact and servos.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/elliptic.h"
#include "tests/support/touching.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace reflected_test {

// A point mass of 1 kg at 1 m on a hinge with a rotor of A = 3 kg m^2: (m l^2 + A) q'' = -m g l sin q.
Plan geared_pendulum(double start) {
  Plan plan;
  BodyPlan bob;
  bob.name = "bob";
  JointPlan pivot;
  pivot.name = "pivot", pivot.child = "bob", pivot.axis = {0, 1, 0}, pivot.p_child = {0, 0, 1};
  pivot.position = {start}, pivot.armature = {3.0};
  plan.bodies = {bob}, plan.joints = {pivot};
  return plan;
}

double period(double start) { return 4.0 * complete_K(std::cos(0.5 * start)) * std::sqrt(4.0 / 9.81); }

TEST(Rotor, a_pendulum_comes_back_after_the_period_of_the_closed_form) {
  const double T = period(1.0);
  struct Case {
    const char* stepper;
    double order, close;
  };
  for (const Case& c : {Case{"moreau", 2.0, 1e-5}, Case{"verlet", 2.0, 1e-5}, Case{"rk4", 4.0, 1e-10}}) {
    SCOPED_TRACE(c.stepper);
    // After one period the angle is wrong at the square of the phase; the velocity is wrong at the phase itself.
    const auto error = [&](int n) {
      return std::abs(run(geared_pendulum(1.0), {Coordinates::Tree, c.stepper}, T, n).state.u[0]);
    };
    EXPECT_LT(error(2000), c.close);
    EXPECT_NEAR(order(error(100), error(200)), c.order, 0.3);
  }
}

Plan with_rotors(Plan plan) {
  for (JointPlan& j : plan.joints)
    if (joint::coordinate_count(j.kind) == joint::freedom_count(j.kind))
      j.armature = std::vector<double>(joint::freedom_count(j.kind), 0.4);
  return plan;
}

TEST(Rotor, steppers_keep_their_orders) {
  for (const Plan& plan : {with_rotors(mixed_chain()), with_rotors(floating_chain())}) {
    const auto reference = observe(run(plan, {.stepper = "rk4"}, 0.2, 2000));
    const auto error = [&](const char* stepper, int n) {
      return distance(observe(run(plan, {.stepper = stepper}, 0.2, n)), reference);
    };
    EXPECT_NEAR(order(error("moreau", 100), error("moreau", 200)), 2.0, 0.2);
    EXPECT_NEAR(order(error("euler", 400), error("euler", 800)), 1.0, 0.1);
    EXPECT_NEAR(order(error("rk4", 20), error("rk4", 40)), 4.0, 0.3);
  }
}

// In flight: the energy with that of the rotors stays, and so does the momentum of the links, exactly in moreau.
TEST(Rotor, in_flight_energy_and_momentum_are_kept) {
  const Plan plan = with_rotors(floating_chain());
  for (const char* stepper : {"moreau", "rk4"}) {
    SCOPED_TRACE(stepper);
    World<double> world = make_world(plan, {.stepper = stepper});
    const Observation<double> start = observe(world);
    run(world, 1.0, 2000);
    const Observation<double> end = observe(world);
    EXPECT_NEAR(end.energy.total(), start.energy.total(), 1e-5 * start.energy.total());
    EXPECT_LT(norm(end.momentum.linear - start.momentum.linear), 1e-9);
    EXPECT_LT(norm(end.momentum.angular - start.momentum.angular), 1e-9);
  }
}

// A given motion turns its rotor as well: the work of the drive is in the account.
TEST(Rotor, the_account_of_a_driven_joint_closes) {
  Plan plan = with_rotors(floating_chain());
  JointPlan& j = plan.joints[1];
  ASSERT_EQ(j.kind, JointKind::Universal);
  j.drive = Drive::Motion;
  j.position = j.velocity = {};
  j.motion = {{.amplitude = 0.5, .frequency = 1.0}, {.amplitude = 0.2, .frequency = 2.0}};
  const auto open = [&](int n) { return std::abs(observe(run(plan, {.stepper = "moreau"}, 0.3, n)).balance_error); };
  EXPECT_LT(open(800), 1e-4);
  EXPECT_GT(order(open(400), open(800)), 1.7);
}

// On the ground: the recursion for contacts and the matrix of responses see the same mass.
TEST(Rotor, both_solvers_of_contacts_agree) {
  Plan plan = tumbling_arm();
  int n_rotors = 0;
  for (JointPlan& j : plan.joints)
    if (j.kind == JointKind::Revolute || j.kind == JointKind::Universal) {
      j.armature = std::vector<double>(joint::freedom_count(j.kind), 0.05);
      n_rotors++;
    }
  ASSERT_GT(n_rotors, 0);
  Plan dense = plan;
  plan.contact.options.solver = ContactSolver::Recursion;
  dense.contact.options.solver = ContactSolver::Newton;
  EXPECT_LT(distance(run(plan, {}, 0.3, 600), run(dense, {}, 0.3, 600)), 1e-6);
}

// (I + A) q'' = -kp q - kd q', I = 1/3, A = 1: damped oscillation in closed form. Implicit servos are rows on the same diagonal.
TEST(Rotor, an_implicit_servo_moves_rod_and_rotor) {
  Plan plan = pinned_rod();
  plan.gravity.kind = GravityKind::None;
  plan.implicit_servos = true;
  plan.joints[0].drive = Drive::Servo;
  plan.joints[0].kp = {30}, plan.joints[0].kd = {2}, plan.joints[0].armature = {1.0};
  plan.joints[0].position = {0.5};
  const double I = 4.0 / 3.0, T = 1.0, d = 1.0 / I, w = std::sqrt(30.0 / I - d * d);
  const double want = 0.5 * std::exp(-d * T) * (std::cos(w * T) + d / w * std::sin(w * T));
  const auto error = [&](const char* stepper, int n) {
    return std::abs(run(plan, {Coordinates::Tree, stepper}, T, n).state.q[0] - want);
  };
  EXPECT_LT(error("moreau", 1000), 1e-5);
  EXPECT_NEAR(order(error("euler", 1000), error("euler", 2000)), 1.0, 0.1);
}

TEST(Rotor, is_refused_where_it_has_no_freedom_to_act_on) {
  const auto keys = [](const Plan& plan, Coordinates c = Coordinates::Tree) {
    std::string all;
    for (const Problem& p : problems_of(plan, c)) all += p.key + " ";
    return all;
  };
  EXPECT_EQ(keys(geared_pendulum(1.0), Coordinates::Maximal), "");
  Plan plan = geared_pendulum(1.0);
  plan.joints[0].armature = {-1.0};
  EXPECT_EQ(keys(plan), "joint.pivot.armature ");
  plan.joints[0].armature = {1.0, 1.0};
  EXPECT_EQ(keys(plan), "joint.pivot.armature ");
  plan.joints[0].armature = {INFINITY};
  EXPECT_EQ(keys(plan), "joint.pivot.armature ");
  plan.joints[0].kind = JointKind::Ball;
  plan.joints[0].position = {};
  plan.joints[0].armature = {1.0, 1.0, 1.0};
  EXPECT_EQ(keys(plan), "joint.pivot.armature ");
  plan = parallelogram(0.3, 0.0);
  for (JointPlan& j : plan.joints)
    if (j.loop) j.armature = {1.0};
  EXPECT_NE(keys(plan).find("armature"), std::string::npos);
}

}  // namespace reflected_test
}  // namespace sinew::test
