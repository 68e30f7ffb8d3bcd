// Joints that follow a given motion: their place, the torque that is read back, and its work.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/shipped.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace driven_test {

constexpr double g = 9.81;

Motion<double> swing() { return {.offset = 0.3, .rate = 0.5, .amplitude = 0.6, .frequency = 0.8, .phase = 0.2}; }

// A rod on a hinge: tau = (m l^2 / 3) q'' + m g (l / 2) cos(q), q from the level.
Plan driven_pendulum(double mass, double length) {
  Plan plan = pinned_rod(length, mass);
  plan.joints[0].drive = Drive::Motion;
  plan.joints[0].motion = {swing()};
  return plan;
}

TEST(Driven, the_torque_of_a_driven_pendulum_is_that_of_the_closed_form) {
  const double m = 1.3, l = 0.7;
  for (const Stepper& stepper : steppers())
    for (const Coordinates c : both_coordinates) {
      SCOPED_TRACE(std::string(stepper.name) + " " + name_of(c));
      World<double> world = make_world(driven_pendulum(m, l), {c, stepper.name});
      for (int k = 0; k < 50; k++) {
        world.step(0.01);
        double q, rate, accel;
        swing().evaluate(world.state.t, q, rate, accel);
        const auto seen = observe(world);
        // read back from the state: exact in the tree; in maximal coordinates at the velocity that the stepper left
        EXPECT_NEAR(seen.joints[0].q[0], q, 1e-11);  // gap left by one projection of a rotation of ~ 0.03 rad a step
        if (stepper.name == "moreau" && c == Coordinates::Maximal) continue;  // only mean velocities are held
        EXPECT_NEAR(seen.joints[0].u[0], rate, 1e-9);
        EXPECT_NEAR(seen.joints[0].torque[0], m * l * l / 3 * accel + m * g * l / 2 * std::cos(q), 1e-8);
      }
    }
}

Motion<double> gentle(int i) {
  return {.offset = 0.1 * i, .amplitude = 0.3, .frequency = 0.5 + 0.1 * i, .phase = 0.3 * i};
}

Plan driven_kind(JointKind kind) {
  Plan plan;
  plan.bodies = {lump("a"), lump("b", 0.5)};
  plan.joints = {hinge(kind, "world", "a"), hinge(JointKind::Ball, "a", "b")};
  JointPlan& j = plan.joints[0];
  j.drive = Drive::Motion;
  j.position = j.velocity = {};
  for (int i = 0; i < joint::freedom_count(kind); i++) j.motion.push_back(gentle(i));
  return plan;
}

// rk4 at 2 ms over 0.4 s: errors of order 1e-9 in both coordinates.
TEST(Driven, every_joint_kind_driven_in_maximal_coordinates_equals_the_tree) {
  for (const JointKind kind : joint::all_kinds) {
    if (kind == JointKind::Weld) continue;
    SCOPED_TRACE(joint::name_of(kind));
    const auto tree = observe(run(driven_kind(kind), {Coordinates::Tree, "rk4"}, 0.4, 200));
    const auto maximal = observe(run(driven_kind(kind), {Coordinates::Maximal, "rk4"}, 0.4, 200));
    EXPECT_LT(distance(tree, maximal), 1e-8);
    for (std::size_t i = 0; i < tree.joints[0].torque.size(); i++)
      EXPECT_NEAR(tree.joints[0].torque[i], maximal.joints[0].torque[i], 1e-6);  // times masses and levers of 1..10
  }
}

TEST(Driven, every_joint_kind_is_where_its_motion_says) {
  for (const JointKind kind : joint::all_kinds) {
    if (kind == JointKind::Weld || joint::coordinate_count(kind) != joint::freedom_count(kind)) continue;
    for (const Stepper& stepper : steppers())
      for (const Coordinates c : both_coordinates) {
        SCOPED_TRACE(std::string(joint::name_of(kind)) + " " + std::string(stepper.name) + " " + name_of(c));
        const World<double> world = run(driven_kind(kind), {c, stepper.name}, 0.4, 400);
        const auto seen = observe(world);
        for (std::size_t i = 0; i < seen.joints[0].q.size(); i++) {
          double q, rate, accel;
          gentle(int(i)).evaluate(world.state.t, q, rate, accel);
          EXPECT_NEAR(seen.joints[0].q[i], q, 1e-9);  // one Newton projection a step of 1 ms
        }
      }
  }
}

// A ball joint's motion is angles about z, y, x: compared with the product of elementary rotations.
TEST(Driven, a_driven_ball_joint_turns_by_its_three_angles) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    Plan plan = driven_kind(JointKind::Ball);
    plan.joints[0].orientation = Quatd::identity();
    plan.joints[0].axis = {0, 0, 1}, plan.joints[0].axis2 = {0, 1, 0};
    const World<double> world = run(plan, {c, "rk4"}, 0.4, 200);
    double m[3], rate, accel;
    for (int i = 0; i < 3; i++) gentle(i).evaluate(world.state.t, m[i], rate, accel);
    const Mat3d R = to_matrix(quaternion_exp(Vec3d(0, 0, m[0])) * quaternion_exp(Vec3d(0, m[1], 0)) *
                              quaternion_exp(Vec3d(m[2], 0, 0)));
    const Mat3d seen = observe(world).bodies[0].X_WB.R;
    for (int i = 0; i < 3; i++) EXPECT_LT(norm(seen.col(i) - R.col(i)), 1e-10);
  }
}

TEST(Driven, the_work_of_the_drive_is_the_change_of_energy) {
  for (const JointKind kind : joint::all_kinds) {
    if (kind == JointKind::Weld) continue;
    for (const Coordinates c : both_coordinates) {
      SCOPED_TRACE(std::string(joint::name_of(kind)) + " " + name_of(c));
      World<double> world = make_world(driven_kind(kind), {c, "rk4"});
      const double start = observe(world).energy.total();
      run(world, 0.4, 400);
      const double change = observe(world).energy.total() - start;
      EXPECT_GT(std::abs(change), 1e-3);
      EXPECT_NEAR(world.state.work.actuators, change, 1e-8);  // rk4 at 1 ms
    }
  }
}

// A spring beside the drive takes its part of the torque; the robot moves the same.
TEST(Driven, a_spring_and_a_damper_beside_the_drive_change_its_torque_by_what_they_give) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    Plan plan = driven_pendulum(1.0, 1.0);
    const auto bare = observe(run(plan, {c, "rk4"}, 0.3, 300));
    plan.joints[0].stiffness = {5.0}, plan.joints[0].damping = {0.7};
    const auto sprung = observe(run(plan, {c, "rk4"}, 0.3, 300));
    const double extra = 5.0 * bare.joints[0].q[0] + 0.7 * bare.joints[0].u[0];
    EXPECT_NEAR(sprung.joints[0].torque[0] - bare.joints[0].torque[0], extra, 1e-9);
    EXPECT_LT(distance(bare, sprung), 1e-12);
  }
}

TEST(Driven, a_drive_inside_a_closed_loop_moves_it_the_same_in_both_coordinates) {
  Plan plan = parallelogram(0.7, 0.0);
  plan.joints[0].drive = Drive::Motion;
  plan.joints[0].position = plan.joints[0].velocity = {};
  plan.joints[0].motion = {{.offset = 0.7, .rate = 1.5}};
  const double t = 0.4, angle = 0.7 + 1.5 * t;
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    const auto seen = observe(run(plan, {c, "rk4"}, t, 200));
    EXPECT_NEAR(seen.joints[2].q[0], angle, 1e-11);
    // constant rate: the torque only lifts, 3 kg at 9.81 m/s^2 on a lever of 1 m
    EXPECT_NEAR(seen.joints[0].torque[0], 3 * g * std::cos(angle), 1e-8);
  }
}

// A chain on the ground, driven along a wave: cut joints give the drives' work as the tree does, but for what keeps the tree's momentum
// (step/momentum.h), which shrinks with the step; and with it the balance closes at first order. (Rows of robots that touch something
// are solved for the end of the step, the rest at its end.)
TEST(Driven, work_of_drives_on_the_ground_is_the_same_in_both_coordinates) {
  double last = 1.0, last_difference = 1.0;
  for (const char* step : {"integrator.step=0.002", "integrator.step=0.001"}) {
    double work[2], error[2];
    for (const int c : {0, 1}) {
      const std::vector<std::string> sets{step, std::string("robot.coordinates=") + (c ? "maximal" : "tree")};
      const sim::Scenario scenario = shipped("basics/wave-chain", sets);
      World<double> world = sim::make_world(scenario);
      run_to(world, scenario, 1.0);
      work[c] = world.state.work.actuators;
      error[c] = std::abs(observe(world).balance_error);
    }
    const double difference = std::abs(work[1] - work[0]);
    EXPECT_LT(difference, 1e-5);  // of 0.2 J; measured 6.4e-6 and 2.4e-6
    EXPECT_LT(difference, 0.6 * last_difference);
    last_difference = difference;
    EXPECT_LT(error[1], 0.6 * last);
    EXPECT_LT(error[1], 2e-5);  // measured 9.6e-6 and 4.7e-6
    last = error[1];
  }
}

}  // namespace driven_test
}  // namespace sinew::test
