// Limits of what a drive gives its axis.
#include "sinew/parts/drive/loops.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/parts/drive_bench.h"

namespace sinew::drive {
namespace loops_test {

using namespace bench;

// A screw drive with 400 N: 15.6 A where it drives. Where it brakes, the gear gives 1 / 0.9 of the motor's force, and 400 N is met with 12.6 A.
Numbers<double> screw() {
  Numbers<double> n = motor_numbers();
  n.N = 1.0 / 4.774648292756860e-4;
  n.eta = 0.9;
  n.F_max = 400.0;
  return n;
}

TEST(drive_limits, hold_where_a_drive_brakes_as_where_it_drives) {
  for (const Level level : {Level::Full, Level::Fast, Level::Ideal})
    for (const double u : {-0.4, 0.4})
      for (const double wanted : {-900.0, 900.0}) {
        DriveSetup s = full(Control::Torque);
        s.level = level;
        Bench<double> b{s, screw()};
        b.given[command::torque] = wanted;
        for (int k = 0; k < 100; k++) b.step(1e-3, 0.0, u);
        EXPECT_NEAR(b.own[memory::torque], std::copysign(400.0, wanted), 1e-6) << int(level) << " " << u;
        EXPECT_GT(b.own[memory::at_force], 0.9 * b.own[memory::time]);
        EXPECT_EQ(b.own[memory::at_current], 0.0);
        const double most = 400.0 * b.n.amperes * (u * wanted < 0.0 ? 0.81 : 1.0);
        EXPECT_NEAR(std::abs(b.own[memory::i_q]), most, 1e-6);
      }
}

// Whatever the set-point is of: electronics that are told a voltage do not let more than the limit of the current through.
TEST(drive_limits, hold_a_current_that_a_voltage_would_drive) {
  for (const Level level : {Level::Full, Level::Fast, Level::Ideal})
    for (const double w : {-300.0, 0.0, 300.0}) {
      DriveSetup s = full(Control::Voltage);
      s.level = level;
      Bench<double> b{s, motor_numbers()};
      b.n.i_max = 5.0;
      b.given[command::voltage] = 12.0;
      for (int k = 0; k < 100; k++) b.step(1e-3, 0.0, w);
      EXPECT_NEAR(b.own[memory::i_q], 5.0, 1e-9) << int(level) << " " << w;
      EXPECT_GT(b.own[memory::at_current], 0.9 * b.own[memory::time]);
      b.given[command::voltage] = b.n.motor.k_e * w + 0.5;
      for (int k = 0; k < 100; k++) b.step(1e-3, 0.0, w);
      EXPECT_LT(std::abs(b.own[memory::i_q]), 2.0 + 1e-9) << "0.5 V at 0.25 Ohm";
    }
}

// Beyond the limit of the speed a drive pushes no more; that counts as the envelope of force and speed.
TEST(drive_limits, of_the_speed_are_counted_where_they_cut) {
  for (const Level level : {Level::Full, Level::Fast, Level::Ideal})
    for (const Control control : {Control::Torque, Control::Current, Control::Voltage})
      for (const double sign : {-1.0, 1.0}) {
        SCOPED_TRACE(testing::Message() << int(level) << " " << int(control) << " " << sign);
        DriveSetup s = full(control);
        s.level = level;
        Bench<double> b{s, screw()};
        b.n.v_max = 0.72;
        b.n.i_max = 15.6;
        const auto told = [&](double u) {  // 8 A of 15.6, which are 205 N
          const double E = b.n.N * u * b.n.motor.k_e;
          return control == Control::Torque ? 205.0 * sign : control == Control::Current ? 8.0 * sign : E + 2.0 * sign;
        };
        const auto run = [&](double u) {
          b.given[std::size_t(command_of(control))] = told(u);
          for (int k = 0; k < 100; k++) b.step(1e-3, 0.0, u);
        };
        run(0.5 * sign);
        run(-0.719 * sign);  // it brakes
        EXPECT_LT(b.own[memory::at_force], 1e-3 * b.own[memory::time]);
        run(0.719 * sign);  // 7 % of the force are left
        EXPECT_GT(b.own[memory::at_force], 0.3 * b.own[memory::time]);
        EXPECT_LT(b.own[memory::at_force], 0.34 * b.own[memory::time]);
        EXPECT_LT(std::abs(b.own[memory::i_q]), 1.1);
        EXPECT_EQ(b.own[memory::at_current] + b.own[memory::at_voltage], 0.0);
      }
}

TEST(drive_limits, of_the_voltage_are_those_of_the_voltage_that_is_told) {
  for (const Level level : {Level::Full, Level::Fast, Level::Ideal})
    for (const double told : {12.0, 30.0}) {
      DriveSetup s = full(Control::Voltage);
      s.level = level;
      Bench<double> b{s, motor_numbers()};
      b.given[command::voltage] = told;
      for (int k = 0; k < 100; k++) b.step(1e-3, 0.0, 300.0);
      EXPECT_NEAR(b.own[memory::at_voltage], told > b.n.V ? b.own[memory::time] : 0.0, 1e-3) << int(level);
    }
}

// A force loop asks for more than there is, of a motor that is as fast as it may be: that is one time, not two.
TEST(drive_limits, of_a_force_loop_are_counted_once) {
  for (const double told : {40.0, 300.0, 900.0}) {
    DriveSetup s = full(Control::Torque);
    s.kind = Kind::SeriesElastic;
    Bench<double> b{s, screw()};
    b.n.v_max = 0.72;
    b.n.i_max = 15.6;
    b.n.k_s = 4e5;
    b.n.K_p = 2.6184;
    b.n.K_d = 0.015432;
    b.given[command::torque] = told;
    double x = 0.0;
    for (int k = 0; k < 500; k++) {
      b.step(1e-3, x, 0.8);
      x += 0.8e-3;
    }
    EXPECT_GT(b.own[memory::at_force], 0.9 * b.own[memory::time]) << told;
    EXPECT_LT(b.own[memory::at_force], 1.001 * b.own[memory::time]) << told;
  }
}

TEST(drive_limits, of_a_lane_are_those_of_a_run_of_its_own) {
  DriveSetup s = full(Control::Torque);
  s.level = Level::Fast;
  Bench<Lanes> wide{s, broadcast<Lanes>(screw())};
  std::vector<Bench<double>> single(lane_count, Bench<double>{s, screw()});
  for (int k = 0; k < 50; k++) {
    Lanes u(0.0);
    for (int i = 0; i < lane_count; i++) {
      u.set(i, 0.7 * std::sin(0.3 * k + i));
      wide.given[command::torque].set(i, 450.0 * std::cos(0.5 * k - 2 * i));
      single[i].given[command::torque] = wide.given[command::torque][i];
      single[i].step(1e-3, 0.0, u[i]);
    }
    wide.step(1e-3, Lanes(0.0), u);
  }
  for (int i = 0; i < lane_count; i++)
    for (std::size_t e = 0; e < wide.own.size(); e++) ASSERT_EQ(wide.own[e][i], single[i].own[e]) << i << " " << e;
}

}  // namespace loops_test
}  // namespace sinew::drive
