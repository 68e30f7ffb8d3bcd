// Friction of joints as gears and hobby servos have it: sticks to the solver's tolerance, slides as closed forms say, only takes energy out.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/bits.h"
#include "tests/support/dice.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace joint_friction_test {

constexpr double I = 1.0 / 3.0, tau_c = 0.6;  // of the rod about its pin [kg m^2], its dry friction [N m]

Plan rubbing_rod() {
  Plan plan = pinned_rod();
  plan.gravity.kind = GravityKind::None;
  plan.joints[0].dry_friction = {tau_c};
  return plan;
}

Plan pushed(Plan plan, double torque) {
  plan.joints[0].drive = Drive::Torque;
  plan.joints[0].motion = {{.offset = torque}};
  return plan;
}

// When the rod, started at u0, is still.
double stop_time(const Plan& plan, const WorldOptions& options, double dt) {
  World<double> world = make_world(plan, options);
  for (int k = 0; k < 100000; k++) {
    world.step(dt);
    if (std::abs(observe(world).joints[0].u[0]) < 1e-9) return world.state.t;
  }
  return 1e9;
}

TEST(JointFriction, sticks_below_its_bound_and_slides_above) {
  Plan plan = rubbing_rod();
  plan.joints[0].friction_static_ratio = {1.5};
  plan.joints[0].friction_stribeck_speed = {0.05};
  for (const char* stepper : {"moreau", "euler", "rk4", "verlet"})
    for (const Coordinates c : both_coordinates) {
      SCOPED_TRACE(std::string(stepper) + " " + name_of(c));
      EXPECT_NEAR(observe(run(pushed(plan, 1.49 * tau_c), {c, stepper}, 1.0, 500)).joints[0].q[0], 0.0, 1e-9);
      EXPECT_GT(observe(run(pushed(plan, 1.51 * tau_c), {c, stepper}, 1.0, 500)).joints[0].q[0], 0.1);
    }
}

// I u' = -tau until it stops: t = I u0 / tau, angle = I u0^2 / (2 tau); a different bound for either direction.
TEST(JointFriction, stops_at_the_time_of_the_closed_form_in_either_direction) {
  Plan plan = rubbing_rod();
  plan.joints[0].dry_friction_backward = {0.25};
  for (const char* stepper : {"moreau", "euler", "rk4"})
    for (const double u0 : {2.0, -2.0}) {
      SCOPED_TRACE(std::string(stepper) + (u0 > 0 ? " forward" : " backward"));
      plan.joints[0].velocity = {u0};
      const double bound = u0 > 0 ? tau_c : 0.25, dt = 1e-3;
      EXPECT_NEAR(stop_time(plan, {Coordinates::Tree, stepper}, dt), I * std::abs(u0) / bound, 1.001 * dt);
      const double angle = observe(run(plan, {Coordinates::Tree, stepper}, 4.0, 4000)).joints[0].q[0];
      EXPECT_NEAR(angle, std::copysign(I * u0 * u0 / (2 * bound), u0), std::abs(u0) * dt);
    }
}

// With viscous friction, which is the joint's damper: t = (I / d) ln(1 + d u0 / tau).
TEST(JointFriction, with_viscous_friction_it_stops_when_the_logarithm_says) {
  Plan plan = rubbing_rod();
  plan.joints[0].velocity = {3.0};
  plan.joints[0].damping = {0.4};
  const double want = I / 0.4 * std::log(1.0 + 0.4 * 3.0 / tau_c);
  EXPECT_NEAR(stop_time(plan, {.stepper = "moreau"}, 1e-4), want, 2e-4);
  EXPECT_NEAR(stop_time(plan, {.stepper = "rk4"}, 1e-4), want, 2e-4);
}

// t = integral of I du / (tau f(u)), f = 1 + 0.8 exp(-(u / v_s)^2), by Simpson's rule; the speed of the start is taken: first order.
TEST(JointFriction, stribeck_excess_shortens_the_end_of_the_slide) {
  Plan plan = rubbing_rod();
  plan.joints[0].velocity = {1.0};
  plan.joints[0].friction_static_ratio = {1.8};
  plan.joints[0].friction_stribeck_speed = {0.4};
  const auto slowness = [](double u) { return I / (tau_c * (1.0 + 0.8 * std::exp(-u * u / 0.16))); };
  double want = 0.0;
  constexpr int n = 200;
  for (int k = 0; k < n; k++) {
    const double a = double(k) / n, h = 1.0 / n;
    want += h / 6 * (slowness(a) + 4 * slowness(a + h / 2) + slowness(a + h));
  }
  EXPECT_LT(want, 0.9 * I / tau_c);
  EXPECT_NEAR(stop_time(plan, {.stepper = "moreau"}, 1e-4), want, 4e-4);
}

// A drive of the torque T moves with T - tau_c - k T: it starts above tau_c / (1 - k). A push from outside does not load the gear.
TEST(JointFriction, grows_with_what_the_drive_transmits) {
  Plan plan = rubbing_rod();
  plan.joints[0].friction_load = {0.4};
  const double start = tau_c / 0.6;
  for (const char* stepper : {"moreau", "euler", "rk4"}) {
    SCOPED_TRACE(stepper);
    const auto rate = [&](const Plan& p) { return observe(run(p, {.stepper = stepper}, 0.5, 500)).joints[0].u[0]; };
    EXPECT_NEAR(rate(pushed(plan, 0.99 * start)), 0.0, 1e-9);
    EXPECT_NEAR(rate(pushed(plan, 2.0)), 0.5 * (2.0 * 0.6 - tau_c) / I, 1e-8);
    World<double> world = make_world(plan, {.stepper = stepper});
    world.input.external[0].n = {0, 0, 0.9};  // above tau_c, below what the drive would need
    run(world, 0.5, 500);
    EXPECT_NEAR(observe(world).joints[0].u[0], 0.5 * (0.9 - tau_c) / I, 1e-8);
  }
}

// A servo at its limit is a drive of constant torque, whether it is a torque or, implicit, a law. One step late in the latter.
TEST(JointFriction, knows_the_torque_of_servos) {
  for (const bool implicit : {false, true}) {
    Plan plan = rubbing_rod();
    plan.implicit_servos = implicit;
    plan.joints[0].friction_load = {0.4};
    plan.joints[0].drive = Drive::Servo;
    plan.joints[0].kp = {1e4}, plan.joints[0].kd = {1.0}, plan.joints[0].limit = {2.0};
    plan.joints[0].motion = {{.offset = 10.0}};
    const double u = observe(run(plan, {.stepper = "moreau"}, 0.5, 500)).joints[0].u[0];
    EXPECT_NEAR(u, 0.5 * (2.0 * 0.6 - tau_c) / I, implicit ? 3e-3 : 1e-8) << implicit;  // 0.8 N m / I in one step
  }
}

TEST(JointFriction, only_takes_energy_out_and_the_account_closes) {
  Plan plan = mixed_chain();
  JointPlan& j = plan.joints[0];
  j.dry_friction = {0.8}, j.dry_friction_backward = {0.3}, j.friction_static_ratio = {1.6};
  j.friction_stribeck_speed = {0.3}, j.friction_load = {0.3};
  plan.joints[1].dry_friction = {0.1, 0.2}, plan.joints[1].friction_load = {0.5, 0.5};
  plan = [&] {
    Plan p = plan;
    p.joints[0].drive = Drive::Torque;
    p.joints[0].motion = {{.amplitude = 3.0, .frequency = 1.5}};
    return p;
  }();
  World<double> world = make_world(plan);
  double last = 0.0;
  for (int k = 0; k < 3000; k++) {
    ASSERT_TRUE(world.step(5e-4).converged);
    EXPECT_GE(world.state.work.friction, last - 1e-12);
    last = world.state.work.friction;
  }
  EXPECT_GT(last, 0.1);
  EXPECT_LT(std::abs(observe(world).balance_error), 0.01 * last);
}

TEST(JointFriction, an_axis_without_details_has_the_interval_that_it_always_had) {
  support::Dice dice(3);
  for (int k = 0; k < 100; k++) {
    const double torque = dice.between(0, 9), dt = dice.between(1e-4, 1e-2);
    const auto law = law::DryFriction::at(torque, law::AxisMotion<double>{0.1, dice.between(-3, 3), dt});
    EXPECT_TRUE(support::same_bits(law.low, -torque * dt));
    EXPECT_TRUE(support::same_bits(law.high, torque * dt));
  }
}

TEST(JointFriction, lanes_have_the_bits_of_an_axis_alone_and_sets_contain_zero) {
  support::Dice dice(4);
  for (int k = 0; k < 100; k++) {
    law::AxisMotion<Lanes> wide{0.1, 0.0, 0.01};
    Lanes torque = 0.0;
    law::AxisMotion<double> one[lane_count];
    double bound[lane_count];
    for (int i = 0; i < lane_count; i++) {
      bound[i] = dice.between(0, 3);
      one[i] = {0.1, dice.between(-2, 2), 0.01};
      one[i].friction = {dice.between(-1, 2), dice.between(1, 2), dice.between(0, 1), dice.between(0, 1)};
      one[i].transmitted = dice.between(-5, 5);
      torque.set(i, bound[i]);
      wide.rate.set(i, one[i].rate);
      wide.friction.backward.set(i, one[i].friction.backward);
      wide.friction.static_ratio.set(i, one[i].friction.static_ratio);
      wide.friction.stribeck_speed.set(i, one[i].friction.stribeck_speed);
      wide.friction.load.set(i, one[i].friction.load);
      wide.transmitted.set(i, one[i].transmitted);
    }
    const AxisLaw<Lanes> law = law::DryFriction::at(torque, wide);
    for (int i = 0; i < lane_count; i++) {
      const AxisLaw<double> alone = law::DryFriction::at(bound[i], one[i]);
      EXPECT_TRUE(support::same_bits(law.low, i, alone.low) && support::same_bits(law.high, i, alone.high));
      EXPECT_LE(alone.low, 0.0);
      EXPECT_GE(alone.high, 0.0);
    }
  }
}

TEST(JointFriction, names_what_makes_no_sense) {
  const auto keys = [](auto change) {
    Plan plan = rubbing_rod();
    change(plan.joints[0]);
    std::string all;
    for (const Problem& p : problems_of(plan)) all += p.key + " ";
    return all;
  };
  EXPECT_EQ(keys([](auto&) {}), "");
  EXPECT_EQ(keys([](auto& j) { j.dry_friction_backward = {-1.0}; }), "joint.pivot.dry_friction_backward ");
  EXPECT_EQ(keys([](auto& j) { j.dry_friction_backward = {1.0, 1.0}; }), "joint.pivot.dry_friction_backward ");
  EXPECT_EQ(keys([](auto& j) { j.friction_load = {1.5}; }), "joint.pivot.friction_load ");
  EXPECT_EQ(keys([](auto& j) { j.friction_static_ratio = {0.5}; }), "joint.pivot.friction_static_ratio ");
  EXPECT_EQ(keys([](auto& j) { j.friction_static_ratio = {1.5}; }), "joint.pivot.friction_static_ratio ");
  EXPECT_EQ(keys([](auto& j) { j.friction_stribeck_speed = {INFINITY}; }), "joint.pivot.friction_stribeck_speed ");
}

}  // namespace joint_friction_test
}  // namespace sinew::test
