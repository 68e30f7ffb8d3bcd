#include "sinew/report/plot_drive.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/model/drives.h"
#include "sinew/sim/errors.h"
#include "tests/support/shipped.h"

namespace sinew::report {
namespace plot_drive_test {

drive::Numbers<double> dc_motor() {
  drive::Numbers<double> n;
  n.motor = {.R = 2.0, .L = 0.0, .k_e = 0.05, .c = 1.0, .pairs = 1.0};
  n.V = 12.0;
  n.N = 100.0;
  return n;
}

// A DC motor: torque falls on a straight line from stall, N k U / R, to nothing at the no-load speed, U / (N k).
TEST(EnvelopeOf, a_dc_motor_is_a_straight_line_from_stall_to_no_load) {
  const Envelope e = envelope_of(dc_motor(), 1.0);
  ASSERT_EQ(e.speed.size(), e.most.size());
  ASSERT_EQ(e.speed.size(), e.least.size());
  const double stall = 100.0 * 0.05 * 12.0 / 2.0, top = 12.0 / (100.0 * 0.05);
  EXPECT_NEAR(e.speed.front(), -top, 1e-12);
  EXPECT_NEAR(e.speed.back(), top, 1e-12);
  for (std::size_t i = 0; i < e.speed.size(); i++) {
    EXPECT_NEAR(e.most[i], stall * (1.0 - e.speed[i] / top), 1e-9);
    EXPECT_NEAR(e.least[i], -stall * (1.0 + e.speed[i] / top), 1e-9);
  }
}

TEST(EnvelopeOf, limits_of_current_force_and_speed_cut_it) {
  drive::Numbers<double> n = dc_motor();
  n.i_max = 3.0;
  EXPECT_NEAR(envelope_of(n, 1.0).most[100], 100.0 * 0.05 * 3.0, 1e-9);
  n.F_max = 7.0;
  n.v_max = 0.5;
  const Envelope e = envelope_of(n, 1.0);
  EXPECT_NEAR(e.speed.back(), 0.5, 1e-12);
  for (const double most : e.most) EXPECT_LE(most, 7.0);
  EXPECT_EQ(e.most[100], 7.0);
  // Forward it gives less from 98 % of the speed on, and nothing at its end; it may brake with all that it has.
  EXPECT_EQ(e.most.back(), 0.0);
  EXPECT_NEAR(e.most[199], 7.0 * 0.5, 1e-9);
  EXPECT_EQ(e.most[197], 7.0);
  EXPECT_EQ(e.most.front(), 7.0);
  EXPECT_EQ(e.least.front(), 0.0);
  EXPECT_EQ(e.least.back(), -7.0);
}

// Driven by its load, a motor with losses in its gear holds more than it could push.
TEST(EnvelopeOf, a_gear_helps_to_hold_what_drives_it) {
  drive::Numbers<double> n = dc_motor();
  n.eta = 0.5;
  n.i_max = 1.0;
  const Envelope e = envelope_of(n, 1.0);
  EXPECT_NEAR(e.most[120], 2.5, 1e-9);  // with the motion
  EXPECT_NEAR(e.most[80], 10.0, 1e-9);  // against it
}

TEST(EnvelopeOf, what_has_no_bounds_has_no_envelope) {
  EXPECT_TRUE(envelope_of(drive::Numbers<double>{}, 1.0).speed.empty());
  drive::Numbers<double> n;
  n.F_max = 4.0;
  const Envelope e = envelope_of(n, 2.0);
  EXPECT_NEAR(e.speed.back(), 2.2, 1e-12);
  EXPECT_EQ(e.most.back(), 4.0);
}

Traces traces_of(std::vector<std::string> names) {
  return {names, std::vector<std::string>(names.size(), "1"), [](std::size_t i) {
            return std::vector<double>{0.0, 1.0 + double(i)};
          }};
}

std::string words_of(const std::vector<std::string>& names, const std::string& scenario, const std::string& drive) {
  try {
    plot_drive(traces_of(names), test::shipped_experiment(scenario), drive, "run.h5");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(PlotDrive, has_the_plane_of_torque_and_speed_then_current_and_voltage) {
  const figure::Figure f = plot_drive(
      traces_of({"t", "drive.motor.speed", "drive.motor.torque", "drive.motor.current", "drive.motor.voltage"}),
      test::shipped_experiment("drive/position-step"), "motor", "run.h5");
  ASSERT_EQ(f.panels.size(), 3u);
  ASSERT_EQ(f.panels[0].curves.size(), 3u);
  EXPECT_EQ(f.panels[0].x.unit, "rad/s");
  EXPECT_EQ(f.panels[0].y.unit, "N m");
  EXPECT_EQ(f.panels[0].curves[0].x[1], 2.0);  // speed, and torque over it
  EXPECT_EQ(f.panels[0].curves[0].y[1], 3.0);
  EXPECT_EQ(f.panels[1].y.unit, "A");
  EXPECT_EQ(f.panels[2].y.unit, "V");
}

TEST(PlotDrive, says_why_it_cannot) {
  const std::vector<std::string> all{"t", "drive.motor.speed"};
  EXPECT_NE(words_of(all, "drive/position-step", "moter").find("did you mean motor"), std::string::npos);
  EXPECT_NE(words_of(all, "basics/pendulum", "motor").find("this robot has no [drive.NAME]"), std::string::npos);
  EXPECT_NE(words_of(all, "drive/position-step", "motor").find("drive.motor.torque was not recorded"),
            std::string::npos);
}

}  // namespace plot_drive_test
}  // namespace sinew::report
