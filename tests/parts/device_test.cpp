#include <gtest/gtest.h>

#include "sinew/parts/device/motion.h"
#include "sinew/parts/device/servo.h"
#include "sinew/parts/force/spring.h"
#include "tests/support/bits.h"
#include "tests/support/derivative.h"
#include "tests/support/dice.h"
#include "tests/support/motion.h"

namespace sinew {
namespace device_test {

using support::at;
using support::Dice;
using support::Values;

// Difference quotients of order 8 with h = 4e-3: rates of 13 rad/s leave (13 h)^8 / 630 = 1e-13 of the values; the angle,
// up to 130 rad, is rounded by 7e-15, which the rates see 13 times larger and the quotient 500 times again: 5e-11.
constexpr double differences = 1e-10;
constexpr double rounding = 1e-12;  // sums of products of numbers up to 200

Motion<double> random_motion(Dice& dice, double ramp) {
  Motion<double> m;
  m.offset = dice.between(-1, 1), m.rate = dice.between(-1, 1), m.amplitude = dice.between(-1, 1);
  m.frequency = dice.between(0, 2), m.phase = dice.between(-3, 3), m.ramp = ramp;
  return m;
}

TEST(Motion, rates_are_derivatives_inside_and_after_the_ramp) {
  Dice dice(1);
  for (int trial = 0; trial < 100; trial++) {
    const Motion<double> motion = random_motion(dice, trial % 2 ? 2.0 : 0.0);
    const double t = trial % 4 < 2 ? dice.between(0.1, 1.9) : dice.between(2.1, 10.0);
    const Values now = at(motion, t);
    EXPECT_NEAR(now.rate, support::derivative([&](double s) { return at(motion, t + s).m; }), differences);
    EXPECT_NEAR(now.accel, support::derivative([&](double s) { return at(motion, t + s).rate; }), differences);
  }
}

TEST(Motion, after_the_ramp_is_the_plain_sine) {
  Dice dice(2);
  for (int trial = 0; trial < 50; trial++) {
    Motion<double> soft = random_motion(dice, 1.5), plain = soft;
    plain.ramp = 0.0;
    const Values a = at(soft, 1.5 + trial), b = at(plain, 1.5 + trial);
    EXPECT_EQ(a.m, b.m);  // s is exactly 1 and its rates exactly 0
    EXPECT_EQ(a.rate, b.rate);
    EXPECT_EQ(a.accel, b.accel);
    const double omega = 2 * std::numbers::pi * plain.frequency, x = omega * (1.5 + trial) + plain.phase;
    EXPECT_NEAR(b.m, plain.offset + plain.rate * (1.5 + trial) + plain.amplitude * std::sin(x), rounding);
  }
}

TEST(Motion, ramp_begins_at_rest_and_ends_without_a_jump) {
  Dice dice(3);
  for (int trial = 0; trial < 50; trial++) {
    const double T = dice.between(0.2, 3.0);
    const Motion<double> motion = random_motion(dice, T);
    const Values start = at(motion, 0.0);
    EXPECT_EQ(start.m, motion.offset);
    EXPECT_EQ(start.rate, motion.rate);
    EXPECT_EQ(start.accel, 0.0);
    // over a gap of 2e-9 T values change by their rates times that; a jump would be of the size of the amplitude
    const Values before = at(motion, T * (1 - 1e-9)), after = at(motion, T * (1 + 1e-9));
    EXPECT_NEAR(before.m, after.m, 1e-6);
    EXPECT_NEAR(before.rate, after.rate, 1e-5);
    EXPECT_NEAR(before.accel, after.accel, 1e-4);
  }
}

TEST(Motion, takes_over_from_another_without_a_jump_and_then_is_itself) {
  Dice dice(5);
  for (int trial = 0; trial < 50; trial++) {
    const Motion<double> other = random_motion(dice, 0.0), plain = random_motion(dice, 0.0);
    const double t = dice.between(0.5, 5.0), T = dice.between(0.1, 1.0);
    Motion<double> from = other;
    if (trial % 2) from = take_over(random_motion(dice, 0.0), other, t - 0.5 * T, T);  // itself on its way
    const Motion<double> motion = take_over(from, plain, t, T);
    const Values a = at(from, t), b = at(motion, t);
    EXPECT_NEAR(a.m, b.m, rounding);
    EXPECT_NEAR(a.rate, b.rate, 1e2 * rounding);  // differences times T, divided by it
    EXPECT_NEAR(a.accel, b.accel, 1e4 * rounding);
    const double inside = t + dice.between(0.2, 0.8) * T;
    const auto slope = [&](auto what) {
      const double h = 1e-3 * T;
      return (8.0 * (what(inside + h) - what(inside - h)) - what(inside + 2 * h) + what(inside - 2 * h)) / (12.0 * h);
    };
    const Values c = at(motion, inside);
    EXPECT_NEAR(c.rate, slope([&](double s) { return at(motion, s).m; }), 1e-7 / T);
    EXPECT_NEAR(c.accel, slope([&](double s) { return at(motion, s).rate; }), 1e-7 / (T * T));
    for (const double later : {t + T, t + 1.5 * T}) {
      EXPECT_NEAR(at(motion, later).m, at(plain, later).m, rounding);
      EXPECT_NEAR(at(motion, later).rate, at(plain, later).rate, 1e2 * rounding);
      EXPECT_NEAR(at(motion, later).accel, at(plain, later).accel, 1e4 * rounding);
    }
  }
}

TEST(Motion, waits_at_zero_until_its_start_and_then_is_the_plain_motion) {
  Dice dice(5);
  for (int trial = 0; trial < 50; trial++) {
    Motion<double> late = random_motion(dice, 0.0), plain = late;
    late.start = dice.between(0.1, 2.0);
    for (const double t : {0.0, 0.5 * late.start, late.start - 1e-9}) {
      const Values x = at(late, t);
      EXPECT_TRUE(x.m == 0.0 && x.rate == 0.0 && x.accel == 0.0);
    }
    for (const double t : {late.start, late.start + 1.0}) {
      const Values a = at(late, t), b = at(plain, t);
      EXPECT_TRUE(a.m == b.m && a.rate == b.rate && a.accel == b.accel);
    }
  }
}

TEST(Motion, a_ramp_begins_at_the_start) {
  const Motion<double> motion{.amplitude = 1.0, .frequency = 0.7, .phase = 0.3, .ramp = 2.0, .start = 1.0};
  const Values at_start = at(motion, 1.0);
  EXPECT_TRUE(at_start.m == 0.0 && at_start.rate == 0.0 && at_start.accel == 0.0);
  const double t = 2.1;
  EXPECT_NEAR(at(motion, t).rate, support::derivative([&](double s) { return at(motion, t + s).m; }), differences);
  Motion<double> plain = motion;
  plain.ramp = plain.start = 0.0;
  EXPECT_EQ(at(motion, 3.0).m, at(plain, 3.0).m);
}

TEST(Motion, without_values_stays_at_zero) {
  const Values x = at(Motion<double>{}, 3.0);
  EXPECT_EQ(x.m, 0.0);
  EXPECT_EQ(x.rate, 0.0);
  EXPECT_EQ(x.accel, 0.0);
}

TEST(Motion, lanes_have_the_bits_of_scalars) {
  Dice dice(4);
  for (int trial = 0; trial < 100; trial++) {
    Motion<Lanes> wide;
    Motion<double> one[lane_count];
    for (int i = 0; i < lane_count; i++) {
      one[i] = random_motion(dice, i % 2 ? 1.0 : 0.0);
      wide.offset.set(i, one[i].offset), wide.rate.set(i, one[i].rate), wide.amplitude.set(i, one[i].amplitude);
      wide.frequency.set(i, one[i].frequency), wide.phase.set(i, one[i].phase), wide.ramp.set(i, one[i].ramp);
      one[i].start = i % 3 ? 0.0 : dice.between(0.0, 3.0);
      wide.start.set(i, one[i].start);
      if (trial % 2 && i % 2) one[i] = take_over(random_motion(dice, 0.0), one[i], dice.between(0.0, 2.0), 1.0);
      const Passage<double>& p = one[i].passage;
      wide.passage.begin.set(i, p.begin), wide.passage.time.set(i, p.time);
      wide.passage.c0.set(i, p.c0), wide.passage.c1.set(i, p.c1), wide.passage.c2.set(i, p.c2);
    }
    const double t = dice.between(0.0, 3.0);
    Lanes m, rate, accel;
    wide.evaluate(t, m, rate, accel);
    for (int i = 0; i < lane_count; i++) {
      const Values want = at(one[i], t);
      EXPECT_TRUE(support::same_bits(m, i, want.m) && support::same_bits(rate, i, want.rate) &&
                  support::same_bits(accel, i, want.accel));
    }
  }
}

TEST(Servo, follows_its_error_inside_the_limit_and_stops_at_it) {
  const Servo<double> servo{10.0, 2.0, 5.0};
  EXPECT_EQ(servo.torque(0.1, 0.5, 0.0), 2.0);
  EXPECT_EQ(servo.torque(1.0, 0.0, 0.0), 5.0);
  EXPECT_EQ(servo.torque(-1.0, 0.0, 0.0), -5.0);
  EXPECT_EQ(servo.torque(1.0, -4.75, 0.0), 0.5);
  EXPECT_EQ(servo.wanted(1.0, 0.0), 10.0);
}

TEST(Servo, without_a_limit_gives_whatever_is_wanted) {
  const Servo<double> servo{10.0, 0.0};
  EXPECT_EQ(servo.torque(1e10, 0.0, 0.0), 1e11);
  EXPECT_EQ(servo.torque(-1e10, 0.0, 0.0), -1e11);
}

TEST(Servo, what_it_can_give_falls_linearly_with_speed_when_it_drives_and_not_when_it_brakes) {
  const Servo<double> servo{10.0, 0.0, 6.0, 4.0};
  EXPECT_EQ(servo.torque(5.0, 0.0, 0.0), 6.0);
  EXPECT_EQ(servo.torque(5.0, 0.0, 1.0), 4.5);
  EXPECT_EQ(servo.torque(5.0, 0.0, 4.0), 0.0);
  EXPECT_EQ(servo.torque(5.0, 0.0, 9.0), 0.0);
  EXPECT_EQ(servo.torque(5.0, 0.0, -3.0), 6.0);
  EXPECT_EQ(servo.torque(-5.0, 0.0, -1.0), -4.5);
  EXPECT_EQ(servo.torque(-5.0, 0.0, 3.0), -6.0);
}

TEST(Servo, with_free_play_pushes_only_outside_of_it) {
  const Servo<double> servo{.kp = 10.0, .kd = 0.0, .limit = 2.0, .play = 0.25};
  EXPECT_EQ(servo.torque(0.2, 0.0, 0.0), 0.0);
  EXPECT_EQ(servo.torque(-0.25, 0.0, 0.0), 0.0);
  EXPECT_EQ(servo.torque(0.375, 0.0, 0.0), 1.25);
  EXPECT_EQ(servo.torque(-0.375, 0.0, 0.0), -1.25);
  EXPECT_EQ(servo.torque(3.0, 0.0, 0.0), 2.0);
}

TEST(Servo, without_free_play_is_the_plain_clamped_torque_bit_for_bit) {
  Dice dice(7);
  for (int trial = 0; trial < 1000; trial++) {
    const Servo<double> servo{dice.between(0, 10), dice.between(0, 3), dice.between(0.1, 5)};
    const double e = dice.between(-1, 1), rate = dice.between(-1, 1);
    const double want = std::max(std::min(servo.kp * e + servo.kd * rate, servo.limit), -servo.limit);
    EXPECT_EQ(servo.torque(e, rate, dice.between(-9, 9)), want);
  }
}

// The tangent of an implicit stepper: at the velocity of the start it gives the torque there.
TEST(Servo, line_of_an_implicit_step_meets_the_torque_and_slopes_only_where_it_pushes) {
  const Servo<double> servo{10.0, 2.0, 5.0, 8.0, 0.25};
  const double dt = 0.01, m_rate = 0.3;
  for (const double e : {-2.0, -0.4, 0.0, 0.1, 0.4, 2.0})
    for (const double u : {-0.5, 0.0, 0.7}) {
      const auto line = servo.line(e, m_rate, u, dt);
      const double tau = servo.torque(e - dt * u, m_rate - u, u);
      EXPECT_NEAR(line.constant - line.slope * u, tau, rounding) << e << " " << u;
      const bool inside = tau != 0.0 && tau < servo.upper(u) && tau > servo.lower(u);
      EXPECT_EQ(line.slope, inside ? dt * 10.0 + 2.0 : 0.0) << e << " " << u;
    }
}

TEST(Spring, force_is_minus_the_slope_of_its_energy_and_damping_takes_power) {
  const Spring<double> spring{7.0, 3.0};
  for (double e : {-0.5, 0.0, 0.2, 1.0}) {
    const double slope = support::derivative([&](double s) { return spring.energy(e + s); });
    EXPECT_NEAR(spring.elastic_force(e), -slope, rounding);
    EXPECT_LE(spring.damping_force(e) * e, 0.0);
  }
}

}  // namespace device_test
}  // namespace sinew
