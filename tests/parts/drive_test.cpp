// Drives by themselves: transform, motor, current loop, shaper, force loop, and the account of all of them.
#include "sinew/parts/drive/drive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "sinew/parts/drive/shaper.h"
#include "tests/parts/drive_bench.h"

namespace sinew::drive {
namespace drive_test {

namespace at = memory;
using namespace bench;

TEST(park, there_and_back_is_the_identity) {
  for (double phi = -7.0; phi < 7.0; phi += 0.37) {
    const Phases<double> abc = to_phases(Dq<double>{1.2, 3.4}, phi);
    const Dq<double> back = to_dq(abc, phi), of_two = to_dq_of_two(abc.a, abc.b, phi);
    EXPECT_NEAR(abc.a + abc.b + abc.c, 0.0, 1e-12);
    EXPECT_NEAR(back.d, 1.2, 1e-12);
    EXPECT_NEAR(back.q, 3.4, 1e-12);
    EXPECT_NEAR(of_two.d, 1.2, 1e-12);
    EXPECT_NEAR(of_two.q, 3.4, 1e-12);
  }
}

// Erratum of (4.1): with 3/2 in place of 2/3 currents come out 9/4 too large.
TEST(park, the_printed_factor_gives_nine_quarters) {
  const Phases<double> abc = to_phases(Dq<double>{1.2, 3.4}, 0.7);
  EXPECT_NEAR(abc.a, 3.3735246614524903, 1e-12);
  EXPECT_NEAR(abc.b, -0.5847194463842157, 1e-12);
  EXPECT_NEAR(abc.c, -2.788805215068272, 1e-12);
  const Dq<double> right = to_dq(abc, 0.7);
  const double printed = (3.0 / 2.0) / (2.0 / 3.0);
  EXPECT_NEAR(printed * right.d, 2.7, 1e-12);
  EXPECT_NEAR(printed * right.q, 7.65, 1e-12);
  EXPECT_GT(std::abs(printed * right.q - 3.4), 1.0);
}

// Erratum of (4.3): the voltages of the phases follow from voltages on the rotor's axes. With currents, as printed, a motor that holds 3.4 A at
// standstill would get 3.4 V instead of R i.
TEST(park, phase_voltages_follow_from_voltages) {
  const Motor<double> m = motor_numbers().motor;
  const Dq<double> i{0.0, 3.4}, u = m.holding(i, 0.0);
  const Phases<double> right = to_phases(u, 0.7), printed = to_phases(i, 0.7);
  EXPECT_NEAR(to_dq(right, 0.7).q, 0.85, 1e-12);
  EXPECT_NEAR(to_dq(printed, 0.7).q, 3.4, 1e-12);
  Dq<double> now = i;
  for (int k = 0; k < 100; k++) m.advance(to_dq(right, 0.7), 0.0, 1e-5, now);
  EXPECT_NEAR(now.q, 3.4, 1e-12);
  now = i;
  for (int k = 0; k < 100; k++) m.advance(to_dq(printed, 0.7), 0.0, 1e-5, now);
  EXPECT_GT(now.q, 10.0);
}

TEST(park, turned_axes_are_those_of_another_angle) {
  const Dq<double> x{1.2, 3.4};
  const Dq<double> there = turned(x, 0.4), by_phases = to_dq(to_phases(x, 0.7), 1.1);
  EXPECT_NEAR(there.d, by_phases.d, 1e-12);
  EXPECT_NEAR(there.q, by_phases.q, 1e-12);
}

TEST(motor, power_in_is_copper_and_torque_and_storage) {
  const Motor<double> m = motor_numbers().motor;
  Dq<double> i{0.3, -0.7};
  const Dq<double> u{2.0, 9.0};
  const double w = 700.0, h = 1e-5, stored = m.stored(i);
  double in = 0.0, copper = 0.0, out = 0.0;
  for (int k = 0; k < 1000; k++) {
    const Dq<double> mean = m.advance(u, w, h, i);
    in += h * m.power(u, mean);
    copper += h * m.copper(mean);
    out += h * m.torque_constant() * mean.q * w;
  }
  EXPECT_NEAR(in, copper + out + m.stored(i) - stored, 1e-12 * std::abs(in));
}

TEST(motor, currents_settle_where_the_equations_say) {
  const Motor<double> m = motor_numbers().motor;
  const Dq<double> want{1.5, 4.0}, u = m.holding(want, 900.0);
  Dq<double> i;
  for (int k = 0; k < 2000; k++) m.advance(u, 900.0, 1.0 / 28000.0, i);
  EXPECT_NEAR(i.d, want.d, 1e-9);
  EXPECT_NEAR(i.q, want.q, 1e-9);
}

TEST(motor, shorted_phases_brake) {
  const Motor<double> m = motor_numbers().motor;
  for (const double w : {-800.0, 5.0, 300.0}) {
    const Dq<double> i = m.shorted(w);
    EXPECT_LT(m.torque_constant() * i.q * w, 0.0);
    const Dq<double> u = m.holding(i, w);
    EXPECT_NEAR(u.d, 0.0, 1e-12);
    EXPECT_NEAR(u.q, 0.0, 1e-12);
  }
}

TEST(motor, reach_ends_at_the_voltage_limit) {
  const Motor<double> m = motor_numbers().motor;
  const double V = 36.0 / std::numbers::sqrt3;
  for (const double w : {-1200.0, 0.0, 400.0, 1300.0}) {
    const auto [low, high] = m.reach(V * V, w);
    for (const double i : {low, high}) {
      const Dq<double> u = m.holding({0.0, i}, w);
      EXPECT_NEAR(std::hypot(u.d, u.q), V, 1e-9);
    }
  }
}

// Locked rotor: the loop settles on what is wanted, and its copper is R i^2.
TEST(drive, current_settles_on_the_set_point) {
  Bench<double> b{full(Control::Current), motor_numbers()};
  b.given[command::current] = 3.6;
  for (int k = 0; k < 200; k++) b.step(1e-3, 0.0, 0.0);
  EXPECT_NEAR(b.own[at::i_q], 3.6, 1e-9);
  EXPECT_NEAR(b.own[at::i_d], 0.0, 1e-9);
  EXPECT_NEAR(b.own[at::torque], 0.0136 * 3.6, 1e-9);
  EXPECT_NEAR(b.own[at::power], 1.5 * 0.25 * 3.6 * 3.6, 1e-9);
}

// Tick counts follow from time: a step that shares no multiple with 28 kHz has the same ticks as one that does, but for where it ends.
TEST(drive, ticks_do_not_depend_on_the_step) {
  Bench<double> a{full(Control::Current), motor_numbers()}, b = a;
  a.given[command::current] = b.given[command::current] = 3.6;
  const double dt = 1e-3 / 17.0;
  for (int k = 0; k < 17 * 5; k++) {
    a.t = k * dt;
    a.step(dt, 0.0, 0.0);
  }
  for (int k = 0; k < 5; k++) {
    b.t = k * 1e-3;
    b.step(1e-3, 0.0, 0.0);
  }
  // partial intervals integrate by the midpoint rule of their own length
  EXPECT_NEAR(a.own[at::i_q], b.own[at::i_q], 2e-3);
  EXPECT_NEAR(a.own[at::time], b.own[at::time], 1e-12);
}

// Held integrators: what follows a saturation does not depend on how long it lasted.
TEST(drive, voltage_never_exceeds_its_limit_and_no_windup_follows) {
  double undershoot[2];
  for (const int long_one : {0, 1}) {
    Bench<double> b{full(Control::Current), motor_numbers()};
    const double w = 2000.0;  // back-EMF of 18 V of 20.8 V
    b.given[command::current] = 15.0;
    for (int k = 0; k < (long_one ? 500 : 20); k++) {
      b.step(1e-3, 0.0, w);
      EXPECT_LE(std::hypot(b.own[at::u_d], b.own[at::u_q]), b.n.V * (1 + 1e-12));
    }
    EXPECT_GT(b.own[at::at_voltage], 0.5 * b.own[at::time]);
    b.given[command::current] = 0.0;
    double least = 1e9;
    for (int k = 0; k < 280; k++) {
      b.step(1.0 / 28000.0, 0.0, w);
      least = std::min(least, b.own[at::i_q]);
    }
    undershoot[long_one] = least;
    EXPECT_NEAR(b.own[at::i_q], 0.0, 1e-3);
  }
  EXPECT_NEAR(undershoot[0], undershoot[1], 0.05);
}

// The account of a drive whose axis is moved: work is torque times the speed that it sees.
TEST(drive, electrical_in_is_mechanical_out_plus_losses_plus_stored) {
  for (const Level level : {Level::Full, Level::Fast, Level::Ideal}) {
    DriveSetup s = full(Control::Torque);
    s.level = level;
    Bench<double> b{s, motor_numbers()};
    b.n.N = 10.0;
    b.n.eta = 0.8;
    b.given[command::torque] = 0.4;
    double work = 0.0;
    const double dt = 5e-4;
    for (int k = 0; k < 4000; k++) {
      const double u = 60.0 * std::sin(0.01 * k), a = 0.0;
      b.step(dt, 0.0, u, a);
      work += b.own[at::torque] * u * dt;
    }
    EXPECT_GT(b.own[at::electrical], 1.0);
    EXPECT_NEAR(b.error(), work, 1e-9 * b.own[at::electrical]) << int(level);
  }
}

TEST(drive, a_gear_never_gives_back_more_than_it_gets) {
  DriveSetup s = full(Control::Torque);
  s.level = Level::Ideal;
  for (const double u : {-3.0, 3.0}) {
    Bench<double> b{s, motor_numbers()};
    b.n.eta = 0.65;
    b.given[command::torque] = 0.02;
    for (int k = 0; k < 100; k++) b.step(1e-3, 0.0, u);
    EXPECT_GT(b.own[at::friction], 0.0) << u;
  }
}

// The faster the current loop, the less levels differ.
TEST(drive, levels_tend_to_one_another_with_bandwidth) {
  double before = 1e9;
  for (const double hz : {200.0, 800.0, 3200.0}) {
    double impulse[3] = {};
    for (const Level level : {Level::Full, Level::Fast, Level::Ideal}) {
      DriveSetup s = full(Control::Torque);
      s.level = level;
      s.rate = 40.0 * hz;
      Bench<double> b{s, motor_numbers()};
      b.n.w_c = 2.0 * std::numbers::pi * hz;
      b.n.V = 1e3;
      b.given[command::torque] = 0.04;
      for (int k = 0; k < 20; k++) {
        b.step(1e-3, 0.0, 0.0);
        impulse[int(level)] += b.own[at::torque] * 1e-3;
      }
    }
    const double apart = std::max(std::abs(impulse[0] - impulse[2]), std::abs(impulse[1] - impulse[2]));
    EXPECT_NEAR(impulse[2], 0.04 * 0.02, 1e-15);
    EXPECT_LT(apart, before / 3.5);
    before = apart;
  }
}

TEST(drive, a_lane_equals_a_run_of_its_own) {
  for (const Kind kind : {Kind::Pmsm, Kind::SeriesElastic}) {
    DriveSetup s = full(kind == Kind::Pmsm ? Control::Position : Control::Torque);
    s.kind = kind;
    s.delay = 1.5e-3;
    s.is_shaped = true;
    const auto numbers = [&] {
      Numbers<double> n = motor_numbers();
      n.shaper_v = 40.0;
      n.shaper_a = 3000.0;
      n.N = kind == Kind::Pmsm ? 1.0 : 1.0 / 4.774648e-4;
      n.k_s = 4e5;
      n.K_p = 2.6;
      n.K_d = 0.0154;
      n.T_c = 3e-3;
      n.eta = 0.9;
      return n;
    }();
    Bench<Lanes> wide{s, broadcast<Lanes>(numbers)};
    std::vector<Bench<double>> single(lane_count, Bench<double>{s, numbers});
    const double dt = 7e-4;
    for (int k = 0; k < 40; k++) {
      Lanes u;
      for (int i = 0; i < lane_count; i++) {
        const double v = 0.01 * (i + 1) * std::sin(0.2 * k);
        u.set(i, v);
        wide.given[command::position].set(i, 0.3 * i - 0.2);
        wide.given[command::torque].set(i, 90.0 * i - 100.0);
        single[i].given[command::position] = 0.3 * i - 0.2;
        single[i].given[command::torque] = 90.0 * i - 100.0;
        single[i].step(dt, 1e-3 * k, v, 0.5);
      }
      wide.step(dt, Lanes(1e-3 * k), u, Lanes(0.5));
    }
    for (int i = 0; i < lane_count; i++)
      for (std::size_t e = 0; e < wide.own.size(); e++) ASSERT_EQ(wide.own[e][i], single[i].own[e]) << i << " " << e;
  }
}

// C7: the output held, the force loop in the drive is a system of second order without steady error.
TEST(drive, force_loop_settles_on_the_force_and_misses_it_by_friction) {
  for (const double friction : {0.0, 10.0}) {
    DriveSetup s = full(Control::Torque);
    s.kind = Kind::SeriesElastic;
    Bench<double> b{s, motor_numbers()};
    b.n.N = 2.0 * std::numbers::pi * 2.0 / 0.006;
    b.n.k_s = 4e5;
    b.n.K_p = 2.61836859782841;
    b.n.K_d = 0.015431650605247177;
    b.n.T_c = friction / b.n.N;
    b.given[command::torque] = 100.0;
    for (int k = 0; k < 400; k++) b.step(1e-3, 0.0, 0.0);
    if (friction == 0.0)
      EXPECT_NEAR(b.own[at::force], 100.0, 1e-9);
    else
      EXPECT_NEAR(b.own[at::force], 100.0 - friction / (1.0 + b.n.K_p), 0.05);
    EXPECT_NEAR(b.error(), 0.0, 1e-3 * b.own[at::electrical]);
  }
}

TEST(drive, a_warm_motor_gets_no_more_than_it_bears) {
  DriveSetup s = full(Control::Current);
  Bench<double> b{s, motor_numbers()};
  b.n.i_thermal = 4.993;
  b.n.thermal_time = 0.2;
  b.given[command::current] = 10.0;
  double peak = 0.0;
  for (int k = 0; k < 2000; k++) {
    b.step(1e-3, 0.0, 0.0);
    peak = std::max(peak, b.own[at::i_q]);
  }
  EXPECT_NEAR(peak, 10.0, 0.1);
  EXPECT_LT(b.own[at::heat], 4.993 * 4.993 * 1.01);
  EXPECT_GT(b.own[at::at_thermal], 0.5);
}

TEST(drive, a_limit_switch_stops_it_until_it_is_reset) {
  Bench<double> b{full(Control::Torque), motor_numbers()};
  b.n.switch_high = 0.05;
  b.given[command::torque] = 0.04;
  b.step(1e-3, 0.04, 1.0);
  EXPECT_EQ(b.own[at::fault], 0.0);
  b.step(1e-3, 0.0499, 1.0);
  EXPECT_EQ(b.own[at::fault], double(Fault::Switch));
  for (int k = 0; k < 20; k++) b.step(1e-3, 0.06, 50.0);
  EXPECT_LT(b.own[at::torque], 0.0);  // brakes
  b.given[command::reset] = 1.0;
  b.step(1e-3, 0.0, 0.0);
  EXPECT_EQ(b.own[at::fault], 0.0);
}

// The axis is held while the set-point goes away from it.
TEST(drive, a_following_error_stops_it_until_it_is_reset) {
  Bench<double> b{full(Control::Impedance), motor_numbers()};
  b.n.kp = 0.1;
  b.n.following = 0.2;
  b.given[command::position] = 0.19;
  for (int k = 0; k < 20; k++) b.step(1e-3, 0.0, 0.0);
  EXPECT_EQ(b.own[at::fault], 0.0);
  b.given[command::position] = 0.21;
  for (int k = 0; k < 20; k++) b.step(1e-3, 0.0, 0.0);
  EXPECT_EQ(b.own[at::fault], double(Fault::Following));
  EXPECT_NEAR(b.own[at::torque], 0.0, 1e-3);  // at rest shorted phases give nothing
  b.given[command::position] = 0.1;
  b.given[command::reset] = 1.0;
  for (int k = 0; k < 20; k++) b.step(1e-3, 0.0, 0.0);
  EXPECT_EQ(b.own[at::fault], 0.0);
  EXPECT_NEAR(b.own[at::torque], 0.01, 1e-4);
}

TEST(shaper, stays_within_its_limits_and_arrives_without_overshoot) {
  const double T = 1e-3;
  for (const double v_max : {1361.3568, 50.0})
    for (const double target : {125.66370614, 10.0, -3.0, 1e-4}) {
      const Shaper<double> shaper{v_max, 2e4};
      double x = 0.0, v = 0.0, most = 0.0;
      for (int k = 0; k < 5000; k++) {
        const double before = v;
        shaper.step(target, T, x, v);
        EXPECT_LE(std::abs(v), v_max * (1 + 1e-12));
        EXPECT_LE(std::abs(v - before), 2e4 * T * (1 + 1e-12));
        most = std::max(most, x / target);
      }
      EXPECT_NEAR(x, target, 1e-9);
      EXPECT_LE(most, 1.0 + 1e-9);
    }
}

}  // namespace drive_test
}  // namespace sinew::drive
