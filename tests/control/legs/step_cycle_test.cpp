#include "sinew/control/legs/step_cycle.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew::legged {
namespace step_cycle_test {

StepShape shape_with(double tau) {
  StepShape s;
  s.tau = tau;
  return s;
}

TEST(StepCycle, the_foot_is_continuous_and_closes_its_cycle) {
  for (const double tau : {0.1, 1.0 / 6, 1.0 / 3, 0.5}) {
    const StepShape s = shape_with(tau);
    const StepTiming t = timing_of(s);
    StepPoint last = step_point(s, t, 0.0);
    const int n = 20000;
    for (int k = 1; k <= n; k++) {
      const StepPoint now = step_point(s, t, cycle_phase(double(k) / n));
      EXPECT_LT(std::abs(now.along - last.along), 1.01 * s.transfer_speed * t.period / n + 1e-9) << tau << " " << k;
      EXPECT_LT(std::abs(now.up - last.up), 1.01 * t.v_up * t.period / n + 1e-9) << tau << " " << k;
      last = now;
    }
    EXPECT_NEAR(step_point(s, t, 0.5 * tau).up, 2.0 * s.height, 1e-12);  // apex
  }
}

// The speed over the body is -V_st in 23, 2 and 24: over the ground none. In 13 and 14 it is V_tr.
TEST(StepCycle, the_foot_stands_still_in_the_world_when_it_leaves_and_meets_the_ground) {
  const StepShape s = shape_with(1.0 / 3);
  const StepTiming t = timing_of(s);
  const double d = 1e-6;
  for (const double psi : {0.02, 0.06, 0.27, 0.32, 0.4, 0.7, 0.99}) {
    const double v = (step_point(s, t, psi + d).along - step_point(s, t, psi - d).along) / (2 * d * t.period);
    EXPECT_NEAR(v + t.v_body, 0.0, 1e-9) << psi;
  }
  for (const double psi : {0.1, 0.16, 0.2, 0.24}) {
    const double v = (step_point(s, t, psi + d).along - step_point(s, t, psi - d).along) / (2 * d * t.period);
    EXPECT_NEAR(v, s.transfer_speed, 1e-9) << psi;
  }
}

TEST(StepCycle, both_forms_of_the_body_speed_agree) {
  for (const double tau : {0.05, 0.2, 0.5}) {
    const StepShape s = shape_with(tau);
    const StepTiming t = timing_of(s);
    EXPECT_NEAR(t.v_body, s.stroke / (t.period - s.stroke / s.transfer_speed), 1e-15);
    EXPECT_NEAR(t.touch_down - t.lift_off, t.stance_travel, 1e-15);
  }
}

// Konyev 2011 calls tau the duty factor. The duty factor is 1 - tau: with it in place of tau a wave gait is no cycle at all, and a foot
// would be in the air five sixths of the time.
TEST(StepCycle, tau_is_the_part_in_the_air_and_not_the_duty_factor) {
  const StepShape wave = shape_with(1.0 / 6);
  const StepTiming t = timing_of(wave);
  EXPECT_NEAR(t.t_transfer / t.period, 1.0 / 6, 1e-15);
  EXPECT_NE(problem_of(shape_with(1.0 - wave.tau)), "");
}

TEST(StepCycle, wrong_shapes_are_refused) {
  for (const double tau : {0.0, -0.1, 0.51, 1.0, double(NAN), double(INFINITY)})
    EXPECT_NE(problem_of(shape_with(tau)), "") << tau;
  StepShape s;
  EXPECT_EQ(problem_of(s), "");
  s.height = 0.0;
  EXPECT_NE(problem_of(s), "");
  s = {};
  s.stroke = -0.01;
  EXPECT_NE(problem_of(s), "");
}

TEST(StepCycle, without_stroke_or_speed_feet_march_on_the_spot) {
  for (const bool by_stroke : {true, false}) {
    StepShape s;
    (by_stroke ? s.stroke : s.transfer_speed) = 0.0;
    ASSERT_EQ(problem_of(s), "");
    const StepTiming t = timing_of(s);
    EXPECT_EQ(t.v_body, 0.0);
    EXPECT_EQ(t.t_transfer, s.marching_time);
    for (int k = 0; k < 100; k++) EXPECT_EQ(step_point(s, t, 0.01 * k).along, 0.0);
    EXPECT_NEAR(step_point(s, t, 0.25).up, 2.0 * s.height, 1e-15);
  }
}

// A plate of 25 mm is met 0.117 s early (Fig. 3.22); the period does not change.
TEST(StepCycle, contact_at_any_height_of_the_zone_leaves_the_period_as_it_is) {
  const StepShape s;
  const StepTiming t = timing_of(s);
  EXPECT_NEAR(t.t_transfer - landing_at(s, t, 0.025).time, 0.1166666666666667, 1e-12);
  for (const double y : {0.025, 0.01, 0.0, -0.01, -0.025}) {
    const Landing l = landing_at(s, t, y);
    EXPECT_EQ(l.ground, Ground::InZone);
    EXPECT_NEAR(l.time + l.t_stance, t.period, 1e-15);
    if (y < 0.0) continue;
    const StepPoint there = step_point(s, t, l.time / t.period);
    EXPECT_NEAR(there.up, y, 1e-12);
    EXPECT_NEAR(there.along, l.along, 1e-12);
  }
  EXPECT_EQ(landing_at(s, t, 0.0251).ground, Ground::Obstacle);
  EXPECT_EQ(landing_at(s, t, -0.0251).ground, Ground::Hole);
}

TEST(StepCycle, a_contact_flag_ignores_what_lasts_less_than_five_ticks) {
  ContactFlag flag;
  const ContactRule rule;
  for (int k = 0; k < 4; k++) EXPECT_FALSE(flag.update(rule, 3.0));
  EXPECT_FALSE(flag.update(rule, 1.5));  // a gap: counts anew
  for (int k = 0; k < 4; k++) EXPECT_FALSE(flag.update(rule, 3.0));
  EXPECT_TRUE(flag.update(rule, 3.0));
  for (int k = 0; k < 20; k++) EXPECT_TRUE(flag.update(rule, 1.5));  // between the two bounds it stays
  for (int k = 0; k < 4; k++) EXPECT_TRUE(flag.update(rule, 0.5));
  EXPECT_FALSE(flag.update(rule, 0.5));
}

// Closed, without jumps of place; in the air it begins and ends at rest, at the top half-way.
TEST(StepCycle, the_smooth_cycle_asks_for_no_jump) {
  for (const double tau : {0.15, 0.45, 0.8}) {
    const double h = 1e-7;
    for (const double psi : {0.0, tau}) {
      const StepPoint before = smooth_step_point(tau, cycle_phase(psi - h)), after = smooth_step_point(tau, psi + h);
      EXPECT_NEAR(before.along, after.along, 1e-5) << psi;
      EXPECT_NEAR(before.up, after.up, 1e-9) << psi;
      EXPECT_NE(is_airborne(before.phase), is_airborne(after.phase));
    }
    const StepPoint top = smooth_step_point(tau, 0.5 * tau), first = smooth_step_point(tau, 1e-4 * tau);
    EXPECT_NEAR(top.along, 0.0, 1e-12);
    EXPECT_NEAR(top.up, 1.0, 1e-12);
    EXPECT_NEAR(first.along, -0.5, 1e-10);
    EXPECT_NEAR(first.up, 0.0, 2e-7);
    const StepPoint landed = smooth_step_point(tau, tau), late = smooth_step_point(tau, tau + 0.75 * (1.0 - tau));
    EXPECT_EQ(landed.phase, StepPhase::Stance);
    EXPECT_DOUBLE_EQ(landed.along, 0.5);
    EXPECT_NEAR(late.along, -0.25, 1e-12);
  }
}

}  // namespace step_cycle_test
}  // namespace sinew::legged
