#include "sinew/ethercat/drive_profile.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/ethercat/devices.h"

namespace sinew::ethercat {
namespace drive_profile_test {

// A drive that turns 1 kg m^2, without a bus: objects are written as a master would.
class ADrive : public ::testing::Test {
 protected:
  template <class T>
  void put(std::uint16_t index, T value) {
    s_.objects.set(s_.objects.find(index, 0)->at, value);
  }
  template <class T>
  T get(std::uint16_t index) {
    return s_.objects.value<T>(s_.objects.find(index, 0)->at);
  }
  // A cycle of 1 ms.
  void cycle(int n = 1) {
    for (int i = 0; i < n; i++) {
      s_.drive->take(s_.objects, now_, operational_, lost_, 1e-3);
      order_ = s_.drive->act(s_.objects, now_, 1e-3);
      now_.torque = order_.is_on ? order_.torque : 0.0;
      if (!blocked_) now_.v += 1e-3 * now_.torque;
      now_.x += 1e-3 * now_.v;
      s_.drive->report(s_.objects, now_);
    }
  }
  std::uint16_t say(std::uint16_t word) {
    put(0x6040, word);
    cycle();
    return get<std::uint16_t>(0x6041) & 0x6f;
  }
  void enable(Mode mode) {
    put(0x6060, std::int8_t(mode));
    EXPECT_EQ(say(6), 0x21);
    EXPECT_EQ(say(7), 0x23);
    put(0x607a, std::int32_t(std::lround(now_.x * 1e6)));
    EXPECT_EQ(say(15), 0x27);
  }

  Slave s_ = make();
  DriveMeasured now_;
  DriveOrder order_;
  bool operational_ = true, lost_ = false, blocked_ = false;

 private:
  static Slave make() {
    DriveKind kind;
    kind.rated = 50.0;
    kind.kp = 1000.0;
    kind.kd = 63.0;
    return make_drive(kind, 0);
  }
};

TEST_F(ADrive, goes_through_its_states_by_the_control_word) {
  EXPECT_EQ(say(0), 0x40) << "switch on disabled";
  EXPECT_EQ(say(15), 0x40) << "no shortcut";
  EXPECT_EQ(say(6), 0x21);
  EXPECT_EQ(say(7), 0x23);
  EXPECT_EQ(say(15), 0x27);
  EXPECT_EQ(say(7), 0x23) << "at rest there is nothing to slow down";
  EXPECT_EQ(say(6), 0x21);
  EXPECT_EQ(say(0), 0x40);
  operational_ = false;
  EXPECT_EQ(say(6), 0x40) << "no word counts unless the slave is Operational";
}

TEST_F(ADrive, follows_positions_velocities_and_torques) {
  enable(Mode::Position);
  for (int i = 0; i < 500; i++) {
    put(0x607a, std::int32_t(1000 * (i + 1)));
    cycle();
  }
  cycle(500);
  EXPECT_NEAR(now_.x, 0.5, 1e-3);
  EXPECT_NEAR(get<std::int32_t>(0x6064), 500000, 1000);
  EXPECT_EQ(get<std::uint16_t>(0x6041) & 0x1000, 0x1000) << "it follows";
  put(0x6060, std::int8_t(Mode::Velocity));
  put(0x60ff, std::int32_t(2'000'000));
  cycle(1000);
  EXPECT_NEAR(now_.v, 2.0, 1e-3);
  EXPECT_EQ(get<std::int8_t>(0x6061), 9);
  put(0x6060, std::int8_t(Mode::Torque));
  put(0x6071, std::int16_t(-100));
  cycle();
  EXPECT_EQ(order_.torque, -5.0) << "a tenth of the rated 50 N m";
  EXPECT_EQ(get<std::int16_t>(0x6077), -100);
  put(0x6072, std::uint16_t(50));
  cycle();
  EXPECT_EQ(order_.torque, -2.5) << "but for the most that is allowed";
  EXPECT_EQ(get<std::uint16_t>(0x6041) & 0x800, 0x800);
  put(0x6060, std::int8_t(3));
  cycle();
  EXPECT_EQ(get<std::int8_t>(0x6061), 10) << "a mode that it does not have changes nothing";
}

TEST_F(ADrive, takes_its_place_as_home_by_methods_35_and_37_alone) {
  now_.x = 0.25;
  for (const std::int8_t method : {35, 37}) {
    put(0x6098, method);
    put(0x607c, std::int32_t(method * 1000));
    enable(Mode::Homing);
    EXPECT_EQ(say(15 | 16), 0x27);
    EXPECT_EQ(get<std::uint16_t>(0x6041) & 0x3400, 0x1400) << "attained";
    EXPECT_NEAR(get<std::int32_t>(0x6064), method * 1000, 1);
    say(0);
  }
  put(0x6098, std::int8_t(17));
  enable(Mode::Homing);
  say(15 | 16);
  EXPECT_EQ(get<std::uint16_t>(0x6041) & 0x2000, 0x2000) << "an error: there is no switch";
}

TEST_F(ADrive, stops_quickly_along_its_ramp) {
  enable(Mode::Velocity);
  put(0x60ff, std::int32_t(1'000'000));
  cycle(1000);
  put(0x6085, std::uint32_t(10'000'000));
  EXPECT_EQ(say(2), 0x07);
  cycle(49);
  EXPECT_NEAR(now_.v, 0.5, 0.15) << "1 rad/s at 10 rad/s^2 takes 0.1 s; the loop of 5 Hz lags";
  EXPECT_EQ(get<std::uint16_t>(0x6041) & 0x6f, 0x07) << "on its way";
  cycle(350);
  EXPECT_NEAR(now_.v, 0.0, 0.02);
  EXPECT_EQ(say(2) & 0x4f, 0x40) << "option 2: and is disabled";
  put(0x605a, std::int16_t(6));
  enable(Mode::Velocity);
  say(2);
  cycle(400);
  EXPECT_EQ(say(2), 0x07) << "option 6: it stays where it is";
  EXPECT_EQ(say(15), 0x27);
}

TEST_F(ADrive, switched_off_on_its_ramp_stays_off) {
  enable(Mode::Velocity);
  put(0x60ff, std::int32_t(1'000'000));
  cycle(1000);
  put(0x605a, std::int16_t(6));
  EXPECT_EQ(say(2), 0x07);
  cycle(10);
  EXPECT_EQ(say(0) & 0x4f, 0x40) << "no voltage";
  cycle(1000);
  EXPECT_EQ(get<std::uint16_t>(0x6041) & 0x4f, 0x40) << "where option 6 would end, it holds";
  EXPECT_FALSE(order_.is_on);
  put(0x605b, std::int16_t(1));
  enable(Mode::Velocity);
  cycle(1000);
  EXPECT_EQ(say(6) & 0x6f, 0x27) << "on its way to be shut down";
  operational_ = false;
  EXPECT_EQ(say(6) & 0x4f, 0x40);
  now_.fault = 0x8612;
  cycle(1000);
  EXPECT_EQ(get<std::uint16_t>(0x6041) & 0x4f, 0x08) << "a fault that nobody has reset";
}

TEST_F(ADrive, that_is_held_falls_behind_and_stops_until_it_is_reset) {
  enable(Mode::Position);
  blocked_ = true;
  put(0x6066, std::uint16_t(20));
  put(0x607a, std::int32_t(300'000));
  cycle(20);
  EXPECT_EQ(get<std::uint16_t>(0x603f), 0) << "20 ms are allowed";
  cycle(2);
  EXPECT_EQ(get<std::uint16_t>(0x603f), 0x8611);
  cycle(200);
  EXPECT_EQ(say(15), 0x08) << "no word but a reset counts";
  EXPECT_FALSE(order_.is_on);
  blocked_ = false;
  EXPECT_EQ(say(128), 0x40);
  EXPECT_EQ(get<std::uint16_t>(0x603f), 0);
  enable(Mode::Position);
}

TEST_F(ADrive, brakes_when_frames_fail_and_when_the_robots_own_drive_does) {
  enable(Mode::Velocity);
  put(0x60ff, std::int32_t(500'000));
  cycle(1000);
  lost_ = true;
  operational_ = false;
  cycle();
  lost_ = false;
  EXPECT_EQ(get<std::uint16_t>(0x6041) & 0x4f, 0x0f) << "the reaction to a fault";
  EXPECT_EQ(get<std::uint16_t>(0x603f), 0x8130);
  cycle(300);
  EXPECT_EQ(get<std::uint16_t>(0x6041) & 0x4f, 0x08);
  EXPECT_NEAR(now_.v, 0.0, 0.02);
  operational_ = true;
  say(0);
  EXPECT_EQ(say(128), 0x40);
  now_.fault = 0x8612;
  EXPECT_EQ(say(0) & 0x4f, 0x08);
  EXPECT_EQ(say(128) & 0x4f, 0x40);
  EXPECT_TRUE(order_.resets) << "the robot's drive is told";
  EXPECT_EQ(say(0) & 0x4f, 0x08) << "its cause is still there";
}

TEST_F(ADrive, numbers_that_are_none_stay_within_their_types) {
  enable(Mode::Position);
  now_.x = std::nan("");
  now_.v = 1e30;
  s_.drive->report(s_.objects, now_);
  EXPECT_EQ(get<std::int32_t>(0x6064), 0);
  EXPECT_EQ(get<std::int32_t>(0x606c), 2147483647);
}

}  // namespace drive_profile_test
}  // namespace sinew::ethercat
