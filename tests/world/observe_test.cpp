// Read-outs against values worked out by hand.
#include "sinew/world/observe.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/allocations.h"
#include "tests/support/call_errors.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace observe_test {

constexpr double g = 9.81;
constexpr double exact = 1e-13;  // a few roundings of numbers of size 1 to 10

// Two rods of 1 m; angles 0.3 and 0.5, rates 2 and -1 (relative).
Plan two_rods() {
  Plan plan = pinned_rod();
  plan.bodies[0].mass = 1.5, plan.bodies[0].inertia = {1e-3, 0, 0, 0.125, 0, 0.125};
  plan.bodies.push_back(rod("end", 1.0, 0.6));
  plan.joints.push_back(pin("elbow", "bar", "end", {1, 0, 0}));
  plan.joints[0].position = {0.3}, plan.joints[0].velocity = {2.0};
  plan.joints[1].position = {0.5}, plan.joints[1].velocity = {-1.0};
  return plan;
}

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance) {
  for (int i = 0; i < 3; i++) EXPECT_NEAR(a[i], b[i], tolerance) << "component " << i;
}

struct ByHand {
  Vec3d e1{std::cos(0.3), std::sin(0.3), 0}, n1{-std::sin(0.3), std::cos(0.3), 0};
  Vec3d e2{std::cos(0.8), std::sin(0.8), 0}, n2{-std::sin(0.8), std::cos(0.8), 0};
  double w1 = 2.0, w2 = 1.0, m1 = 1.5, m2 = 0.6, I1 = 0.125, I2 = 0.05;
  Vec3d p1 = e1 * 0.5, p2 = e1 + e2 * 0.5;
  Vec3d v1 = n1 * (0.5 * w1), v2 = n1 * w1 + n2 * (0.5 * w2);
};

TEST(Observe, places_and_velocities_of_bodies_are_those_of_the_hand) {
  const ByHand h;
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    const auto seen = observe(make_world(two_rods(), {c, "moreau"}));
    expect_near(seen.bodies[0].p_WC, h.p1, exact);
    expect_near(seen.bodies[1].p_WC, h.p2, exact);
    expect_near(seen.bodies[0].v_WC, h.v1, exact);
    expect_near(seen.bodies[1].v_WC, h.v2, exact);
    expect_near(seen.bodies[1].w_WB, {0, 0, h.w2}, exact);
    expect_near(seen.bodies[1].X_WB.p, h.e1, exact);         // the plan's axes sit in the elbow
    expect_near(seen.bodies[1].X_WB.R.col(0), h.e2, exact);  // and point along the rod
    EXPECT_NEAR(seen.joints[1].q[0], 0.5, exact);
    EXPECT_NEAR(seen.joints[1].u[0], -1.0, exact);
    EXPECT_LT(seen.gap, exact);
  }
}

TEST(Observe, energies_and_momenta_are_those_of_the_hand) {
  const ByHand h;
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    const auto seen = observe(make_world(two_rods(), {c, "moreau"}));
    const double kinetic =
        (h.m1 * dot(h.v1, h.v1) + h.I1 * h.w1 * h.w1 + h.m2 * dot(h.v2, h.v2) + h.I2 * h.w2 * h.w2) / 2;
    EXPECT_NEAR(seen.energy.kinetic, kinetic, exact * 10);
    EXPECT_NEAR(seen.energy.potential, g * (h.m1 * h.p1[1] + h.m2 * h.p2[1]), exact * 10);
    EXPECT_EQ(seen.energy.elastic, 0.0);
    EXPECT_NEAR(seen.energy.total(), seen.energy.kinetic + seen.energy.potential, exact);
    EXPECT_EQ(seen.balance_error, 0.0);
    expect_near(seen.momentum.linear, h.v1 * h.m1 + h.v2 * h.m2, exact * 10);
    const Vec3d angular = cross(h.p1, h.v1 * h.m1) + cross(h.p2, h.v2 * h.m2) + Vec3d(0, 0, h.I1 * h.w1 + h.I2 * h.w2);
    expect_near(seen.momentum.angular, angular, exact * 10);
  }
}

TEST(Observe, the_torque_of_a_joint_is_the_sum_of_spring_damper_servo_and_command) {
  Plan plan = two_rods();
  plan.joints[0].stiffness = {7.0}, plan.joints[0].damping = {0.4}, plan.joints[0].rest = {0.1};
  plan.joints[1].drive = Drive::Servo;
  plan.joints[1].motion = {{.offset = 0.9, .rate = 0.2}};
  plan.joints[1].kp = {3.0}, plan.joints[1].kd = {0.5};
  plan.joints[1].stiffness = {2.0};
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    World<double> world = make_world(plan, {c, "moreau"});
    world.input.torque = {0.25, -0.5};
    const auto seen = observe(world);
    EXPECT_NEAR(seen.joints[0].torque[0], -7.0 * 0.2 - 0.4 * 2.0 + 0.25, exact * 10);
    EXPECT_NEAR(seen.joints[1].torque[0], 3.0 * 0.4 + 0.5 * 1.2 - 2.0 * 0.5 - 0.5, exact * 10);
    EXPECT_NEAR(seen.energy.elastic, 7.0 * 0.2 * 0.2 / 2 + 2.0 * 0.5 * 0.5 / 2, exact);
  }
}

TEST(Observe, a_servo_at_its_limit_shows_the_limit) {
  Plan plan = two_rods();
  plan.joints[1].drive = Drive::Servo;
  plan.joints[1].kp = {100.0}, plan.joints[1].limit = {1.25};  // wants -50 N m
  for (const Coordinates c : both_coordinates)
    EXPECT_EQ(observe(make_world(plan, {c, "moreau"})).joints[1].torque[0], -1.25) << name_of(c);
}

// A turn by 1.5 full circles: the tree counts turns, a cut joint knows the circle only. Springs of both agree within
// half a turn of rest.
TEST(Observe, joint_angles_of_both_coordinates_agree_modulo_a_turn) {
  Plan plan = two_rods();
  plan.joints[0].position = {3 * M_PI + 0.2};
  const double tree = observe(make_world(plan, {Coordinates::Tree, "moreau"})).joints[0].q[0];
  const double maximal = observe(make_world(plan, {Coordinates::Maximal, "moreau"})).joints[0].q[0];
  EXPECT_NEAR(tree, 3 * M_PI + 0.2, exact);
  EXPECT_NEAR(maximal, -M_PI + 0.2, exact);
}

TEST(Observe, the_torque_of_a_resting_drive_carries_the_weight) {
  Plan plan = two_rods();
  for (JointPlan& j : plan.joints) {
    j.drive = Drive::Motion;
    j.motion = {{.offset = j.position[0]}};
    j.position = j.velocity = {};
  }
  const ByHand h;
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    const auto seen = observe(make_world(plan, {c, "moreau"}));
    EXPECT_NEAR(seen.joints[0].torque[0], g * (h.m1 * h.p1[0] + h.m2 * h.p2[0]), 1e-10);
    EXPECT_NEAR(seen.joints[1].torque[0], g * h.m2 * h.e2[0] * 0.5, 1e-10);  // rows are solved to 1e-12 relative
  }
}

TEST(Observe, every_lane_shows_what_its_robot_alone_shows) {
  const World<double> one = make_world(everything());
  const auto wide = observe(widen(one));
  const auto seen = observe(one);
  for (int i = 0; i < lane_count; i++) {
    EXPECT_EQ(lane(wide.energy.kinetic, i), seen.energy.kinetic);
    EXPECT_EQ(lane(wide.bodies[3].p_WC[1], i), seen.bodies[3].p_WC[1]);
    EXPECT_EQ(lane(wide.joints[4].torque[0], i), seen.joints[4].torque[0]);
  }
}

// What controllers are told every tick. Cut joints, loops and given motions have no numbers in the state.
TEST(Observe, joints_read_alone_have_the_bits_of_those_of_a_whole_observation_and_take_no_memory) {
  for (const Coordinates c : both_coordinates)
    for (const Plan& plan : {everything(), two_rods()}) {
      SCOPED_TRACE(name_of(c));
      World<double> world = make_world(plan, {c, "moreau"});
      for (int k = 0; k < 5; k++) world.step(1e-3);
      Observer<double> observer(world.model());
      const Observation<double> seen = observer.observe(world);
      Readings readings, again;
      read_sensors(world, readings);
      read_sensors(world, observer, again);
      EXPECT_EQ(readings.q, again.q);
      EXPECT_EQ(readings.u, again.u);
      for (std::size_t i = 0; i < seen.joints.size(); i++) {
        const JointInfo& joint = world.model().joints[i];
        for (int k = 0; k < joint.n_coords; k++) EXPECT_EQ(again.q[joint.coord + k], seen.joints[i].q[k]) << joint.name;
        for (int k = 0; k < joint.n_axes; k++) EXPECT_EQ(again.u[joint.axis + k], seen.joints[i].u[k]) << joint.name;
      }
      if (are_allocations_counted()) {
        EXPECT_EQ(count_allocations([&] { read_sensors(world, observer, again); }), 0);
      }
      std::vector<double> short_q, short_u;
      EXPECT_NE(call_error([&] { observer.read_joints(world, short_q, short_u); }), "");
    }
}

}  // namespace observe_test
}  // namespace sinew::test
