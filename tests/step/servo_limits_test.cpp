// Servos whose torque falls with speed, and servos with free play.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/worlds.h"

namespace sinew::test {
namespace servo_limits_test {

constexpr double stall = 3.0, fastest = 2.0, inertia = 1.0 / 3.0;

// Explicit and implicit servos of every stepper that has them.
struct Way {
  std::string_view stepper;
  bool implicit;
};
constexpr Way ways[] = {{"moreau", false}, {"moreau", true}, {"euler", false}, {"rk4", false}};
std::string name_of(const Way& way) { return std::string(way.stepper) + (way.implicit ? " implicit" : ""); }

// A rod on a hinge without gravity, far from its target, which it never reaches.
Plan racing(double target, double speed) {
  Plan plan = pinned_rod();
  plan.gravity.kind = GravityKind::None;
  JointPlan& j = plan.joints[0];
  j.drive = Drive::Servo;
  j.motion = {{.offset = target}};
  j.kp = {1000}, j.kd = {0.1}, j.limit = {stall}, j.no_load_speed = {fastest};
  j.velocity = {speed};
  return plan;
}
double speed_after(Plan plan, const Way& way, Coordinates c, double T, int steps) {
  plan.implicit_servos = way.implicit;
  return observe(run(plan, {c, way.stepper}, T, steps)).joints[0].u[0];
}

TEST(ServoLimits, speed_approaches_the_no_load_speed_exponentially) {
  for (const Way& way : ways)
    for (const Coordinates c : both_coordinates) {
      SCOPED_TRACE(name_of(way) + " " + test::name_of(c));
      const double T = 0.3, dt = T / 3000, rate = stall / (inertia * fastest);
      // the line is taken at the speed of the start of a step: Euler's method, whose error is below dt rate u_max / 2
      EXPECT_NEAR(speed_after(racing(3, 0.0), way, c, T, 3000), fastest * (1 - std::exp(-rate * T)),
                  0.5 * dt * rate * fastest);
    }
}

TEST(ServoLimits, braking_uses_the_whole_stall_torque) {
  for (const Way& way : ways) {
    SCOPED_TRACE(name_of(way));
    EXPECT_NEAR(speed_after(racing(-3, 1.5), way, Coordinates::Tree, 0.1, 1000), 1.5 - 0.1 * stall / inertia, 1e-9);
  }
}

TEST(ServoLimits, beyond_the_no_load_speed_nothing_drives) {
  for (const Way& way : ways) {
    SCOPED_TRACE(name_of(way));
    EXPECT_NEAR(speed_after(racing(3, 2.5), way, Coordinates::Tree, 0.1, 1000), 2.5, 1e-12);
  }
}

TEST(ServoLimits, a_line_needs_a_limit_to_start_from) {
  Plan plan = racing(1, 0);
  plan.joints[0].limit = {};
  try {
    compile(plan, Coordinates::Tree);
    FAIL();
  } catch (const PlanError& e) {
    EXPECT_EQ(e.problems.at(0).key, "joint.pivot.no_load_speed");
    EXPECT_NE(e.problems.at(0).what.find("give a finite limit"), std::string::npos);
  }
}

// A rod that hangs from a hinge, with a damper so that it settles; target relative to hanging.
constexpr double hanging = -0.5 * std::numbers::pi;
Plan loose(double target, double play) {
  Plan plan = pinned_rod();
  JointPlan& j = plan.joints[0];
  j.position = {hanging};
  j.damping = {2.0};
  j.drive = Drive::Servo;
  j.motion = {{.offset = hanging + target}};
  j.kp = {400}, j.kd = {4}, j.free_play = {play};
  return plan;
}
double angle_at_rest(Plan plan, const Way& way, Coordinates c) {
  plan.implicit_servos = way.implicit;
  return observe(run(plan, {c, way.stepper}, 8.0, 8000)).joints[0].q[0];
}

TEST(FreePlay, inside_it_the_rod_hangs_freely_and_outside_it_is_held) {
  for (const Way& way : ways)
    for (const Coordinates c : both_coordinates) {
      SCOPED_TRACE(name_of(way) + " " + test::name_of(c));
      EXPECT_NEAR(angle_at_rest(loose(0.2, 0.3), way, c), hanging, 1e-8);
      for (const double side : {1.0, -1.0}) {
        // statics: kp (target - q -+ play) = m g (l/2) cos(q)
        const double q = angle_at_rest(loose(0.5 * side, 0.3), way, c);
        EXPECT_NEAR(400 * (hanging + 0.5 * side - q - 0.3 * side), 0.5 * 9.81 * std::cos(q), 1e-6);
      }
    }
}

// A rod that is swung to and fro through its play, without the damper.
Plan swung(double play) {
  Plan plan = loose(0.0, play);
  plan.joints[0].damping = {};
  plan.joints[0].motion = {{.offset = hanging, .amplitude = 0.5, .frequency = 1.0}};
  return plan;
}
World<double> swing(double play, const Way& way, Coordinates c, int steps) {
  Plan plan = swung(play);
  plan.implicit_servos = way.implicit;
  return run(plan, {c, way.stepper}, 1.0, steps);
}

TEST(FreePlay, vanishing_play_is_the_rigid_joint) {
  for (const Way& way : ways) {
    SCOPED_TRACE(name_of(way));
    const World<double> rigid = swing(0.0, way, Coordinates::Tree, 2000);
    const double wide = distance(swing(1e-3, way, Coordinates::Tree, 2000), rigid),
                 narrow = distance(swing(1e-4, way, Coordinates::Tree, 2000), rigid);
    EXPECT_LT(narrow, 0.2 * wide);
    EXPECT_LT(narrow, 5e-3);
  }
}

TEST(FreePlay, the_energy_account_closes_at_first_order) {
  for (const Way& way : ways)
    for (const Coordinates c : both_coordinates) {
      SCOPED_TRACE(name_of(way) + " " + test::name_of(c));
      const auto error = [&](double play, int steps) {
        return std::abs(observe(swing(play, way, c, steps)).balance_error);
      };
      const double coarse = error(0.1, 2000), fine = error(0.1, 8000), tight = error(0.0, 8000);
      EXPECT_LT(fine, 0.3 * coarse + 1e-9);
      EXPECT_LT(fine, 2.0 * tight + 1e-9);  // free play adds no error of its own
    }
}

TEST(FreePlay, implicit_and_explicit_servos_agree_in_the_limit_of_small_steps) {
  const auto difference = [](int steps) {
    return distance(swing(0.1, {"moreau", true}, Coordinates::Tree, steps),
                    swing(0.1, {"moreau", false}, Coordinates::Tree, steps));
  };
  const double coarse = difference(2000), fine = difference(16000);
  EXPECT_LT(fine, 0.25 * coarse);
  EXPECT_LT(fine, 2e-3);
}

}  // namespace servo_limits_test
}  // namespace sinew::test
