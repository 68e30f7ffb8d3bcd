#include "sinew/control/computed_torque.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/world/observe.h"

namespace sinew {
namespace computed_torque_test {

// A two-link arm whose joints follow sines, with a spring and a damper that the controller must overcome.
Plan arm() {
  Plan plan;
  std::string parent = "world";
  for (const char* name : {"upper", "lower"}) {
    BodyPlan body{name, 0.8, Vec3d(0.15, 0.02, 0.0), {0.001, 0.0, 0.0, 0.004, 0.0, 0.004}};
    JointPlan joint;
    joint.name = body.name + "_joint";
    joint.kind = parent == "world" ? JointKind::Universal : JointKind::Revolute;
    joint.parent = parent;
    joint.child = name;
    if (parent != "world") joint.p_parent = Vec3d(0.3, 0.0, 0.0);
    joint.drive = Drive::Computed;
    const int n = joint::freedom_count(joint.kind);
    joint.motion.assign(n, {.offset = 0.2, .amplitude = 0.7, .frequency = 0.8, .phase = 0.3});
    joint.stiffness.assign(n, 1.5);
    joint.damping.assign(n, 0.05);
    plan.bodies.push_back(body);
    plan.joints.push_back(joint);
    parent = name;
  }
  return plan;
}

double worst_error(const Plan& plan, const Readings& seen) {
  double worst = 0.0;
  int axis = 0;
  for (const JointPlan& joint : plan.joints)
    for (const auto& motion : joint.motion) {
      double m, rate, accel;
      motion.evaluate(seen.t, m, rate, accel);
      worst = std::max(worst, std::abs(seen.q[axis++] - m));
    }
  return worst;
}

// Largest tracking error from the time `from` to the time `to`.
double error_between(double from, double to, double dt, Coordinates coordinates, double load = 1.0,
                     double omega = 20.0) {
  Plan plan = arm();
  ComputedTorque controller(plan, {.natural_frequency = omega, .damping_ratio = 1.0});
  plan.bodies[1].mass *= load;
  World<double> world = make_world(plan, {.coordinates = coordinates, .stepper = "rk4"});
  Readings seen;
  double worst = 0.0;
  for (int i = 0; i < int(std::lround(to / dt)); i++) {
    read_sensors(world, seen);
    if (seen.t >= from) worst = std::max(worst, worst_error(plan, seen));
    controller.update(seen, world.state.memory, world.input);
    world.step(dt);
  }
  return worst;
}

TEST(ComputedTorque, StartErrorDiesOutAsTheGainsSay) {
  // critically damped: |e| <= |e_0| (1 + 2 omega t) exp(-omega t) for e_0' of the order omega e_0; the sampled torque
  // adds an error of order dt that a second check below separates
  EXPECT_GT(error_between(0.0, 0.05, 1e-4, Coordinates::Tree), 0.1);
  EXPECT_LT(error_between(0.6, 1.0, 1e-4, Coordinates::Tree), 1e-3);
}

TEST(ComputedTorque, TrackingErrorOfHeldTorquesShrinksLikeTheStep) {
  // torques are held over a step: first order in dt once the start error is gone
  const double coarse = error_between(1.0, 3.0, 2e-3, Coordinates::Tree),
               fine = error_between(1.0, 3.0, 1e-3, Coordinates::Tree);
  EXPECT_NEAR(coarse / fine, 2.0, 0.1);
}

TEST(ComputedTorque, TrackingErrorShrinksWithTheSquareOfTheNaturalFrequency) {
  // a disturbance a of frequency s leaves the error |a / (omega + i s)^2|; s = 2 pi 0.8 and its first harmonics here
  const double slow = error_between(1.0, 3.0, 1e-3, Coordinates::Tree, 1.0, 40.0);
  const double fast = error_between(1.0, 3.0, 1e-3, Coordinates::Tree, 1.0, 80.0);
  EXPECT_NEAR(slow / fast, 4.0, 0.4);
}

TEST(ComputedTorque, DoesNotCareHowTheWorldIsCut) {
  // both worlds are rk4 at the same step; their own difference is below 1e-9 here
  EXPECT_NEAR(error_between(0.4, 0.5, 1e-3, Coordinates::Tree), error_between(0.4, 0.5, 1e-3, Coordinates::Maximal),
              1e-8);
}

TEST(ComputedTorque, MissesWhenItsModelIsWrong) {
  EXPECT_GT(error_between(1.0, 3.0, 1e-3, Coordinates::Tree, 1.5),
            10 * error_between(1.0, 3.0, 1e-3, Coordinates::Tree));
}

TEST(ComputedTorque, RefusesARobotWithAPassiveJoint) {
  Plan plan = arm();
  plan.joints[1].drive = Drive::None;
  try {
    ComputedTorque controller(plan, {});
    FAIL() << "a passive joint cannot be tracked";
  } catch (const PlanError& e) {
    ASSERT_EQ(e.problems.size(), 1u);
    EXPECT_EQ(e.problems[0].key, "joint.lower_joint.drive");
  }
}

}  // namespace computed_torque_test
}  // namespace sinew
