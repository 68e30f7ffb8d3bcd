// The gaits for snakes against their formulas (docs/gaits.md), through scenario files as a user writes them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "gaits/catalog.h"
#include "tests/support/gait_chain.h"

namespace sinew::gaits {
namespace snake_gaits_test {

using support::cardan;
using support::chain;
using support::expect_refused;
using support::hinge;
using support::motions_of;
using support::value;

constexpr double pi = std::numbers::pi, degree = pi / 180.0;
constexpr double rounding = 1e-13;  // of angles up to 30 rad
constexpr int joints = 4;

std::string gait(const std::string& kind, const std::string& keys) {
  return "kind = \"" + kind + "\"\nramp = 0\n" + keys;
}

using Formula = std::function<double(double phi)>;  // angle [rad] of a joint whose wave has the phase phi

// Both axes of every joint i follow the formulas of phi = 2 pi f t + (i-1) d.
void expect_motions(const std::string& text, double f, double d, const Formula& yaw, const Formula& pitch) {
  for (int i = 1; i <= joints; i++) {
    const auto m = motions_of(text, i);
    ASSERT_EQ(m.size(), 2u);
    for (const double t : {0.0, 0.3, 2.6}) {
      const double phi = 2 * pi * f * t + (i - 1) * d;
      EXPECT_NEAR(value(m[0], t), yaw(phi), rounding) << "yaw of joint " << i << " at " << t;
      EXPECT_NEAR(value(m[1], t), pitch(phi), rounding) << "pitch of joint " << i << " at " << t;
    }
  }
}
double rest(double) { return 0.0; }

TEST(SnakeGaits, catalogue_has_them_by_their_usual_names) {
  std::vector<std::string> names;
  for (const Entry& entry : catalog()) names.emplace_back(entry.name);
  for (const char* name :
       {"lateral-undulation", "turning", "sidewinding", "rolling", "sinus-lifting", "linear-progression", "wave"})
    EXPECT_THAT(names, testing::Contains(name));
}

// Two waves on five links: d = 2 pi 2/5.
TEST(SnakeGaits, lateral_undulation_sends_waves_to_the_tail) {
  const std::string keys = "amplitude_deg = 35\nfrequency = 0.7\nwaves = 2\noffset_deg = 3";
  const Formula yaw = [](double phi) { return (35 * std::sin(phi) + 3) * degree; };
  expect_motions(chain(joints, cardan, gait("lateral-undulation", keys)), 0.7, -0.8 * pi, yaw, rest);
  expect_motions(chain(joints, cardan, gait("turning", keys)), 0.7, -0.8 * pi, yaw, rest);
}

TEST(SnakeGaits, turning_is_lateral_undulation_with_an_offset_of_its_own) {
  const std::string keys = "amplitude_deg = 35\nfrequency = 0.7\nwaves = 2";
  const double straight = motions_of(chain(joints, hinge, gait("lateral-undulation", keys)), 1)[0].offset;
  const double turning = motions_of(chain(joints, hinge, gait("turning", keys)), 1)[0].offset;
  EXPECT_EQ(straight, 0.0);
  EXPECT_NEAR(turning, 10 * degree, rounding);
}

TEST(SnakeGaits, sidewinding_has_a_vertical_wave_a_quarter_turn_away_on_the_chosen_side) {
  for (const bool left : {true, false}) {
    const std::string keys = "amplitude_deg = 25\nlift_deg = 8\noffset_deg = 1\nfrequency = 0.4\nwaves = 1\nside = \"" +
                             std::string(left ? "left" : "right") + "\"";
    expect_motions(
        chain(joints, cardan, gait("sidewinding", keys)), 0.4, -0.4 * pi,
        [](double phi) { return (25 * std::sin(phi) + 1) * degree; },
        [=](double phi) { return (left ? 8 : -8) * std::cos(phi) * degree; });
  }
}

TEST(SnakeGaits, rolling_bends_all_joints_alike_by_an_angle_that_stays_the_same) {
  for (const bool left : {true, false}) {
    const std::string keys =
        "amplitude_deg = 6\nfrequency = 0.4\nside = \"" + std::string(left ? "left" : "right") + "\"";
    expect_motions(
        chain(joints, cardan, gait("rolling", keys)), 0.4, 0.0, [](double phi) { return 6 * degree * std::cos(phi); },
        [=](double phi) { return (left ? 6 : -6) * degree * std::sin(phi); });
  }
}

TEST(SnakeGaits, sinus_lifting_arches_the_body_up_where_it_is_bent_most) {
  const std::string keys = "amplitude_deg = 25\nlift_deg = 3\noffset_deg = 2\nfrequency = 0.4\nwaves = 1";
  expect_motions(
      chain(joints, cardan, gait("sinus-lifting", keys)), 0.4, -0.4 * pi,
      [](double phi) { return (25 * std::sin(phi) + 2) * degree; },
      [](double phi) { return 3 * degree * (2 * std::sin(phi) * std::sin(phi) - 1); });
}

TEST(SnakeGaits, linear_progression_sends_a_vertical_wave_to_the_head) {
  const std::string keys = "amplitude_deg = 25\noffset_deg = 2\nfrequency = 0.4\nwaves = 1";
  expect_motions(
      chain(joints, cardan, gait("linear-progression", keys)), 0.4, 0.4 * pi, [](double) { return 2 * degree; },
      [](double phi) { return 25 * degree * std::sin(phi); });
}

TEST(SnakeGaits, begin_smoothly_unless_told_otherwise) {
  for (const char* name :
       {"lateral-undulation", "turning", "sidewinding", "rolling", "sinus-lifting", "linear-progression"})
    for (const Motion<double>& m : motions_of(chain(joints, cardan, "kind = \"" + std::string(name) + "\""), 2)) {
      EXPECT_GT(m.ramp, 0.0) << name;
      EXPECT_EQ(value(m, 0.0), m.offset) << name;
    }
}

TEST(SnakeGaits, what_does_not_fit_is_refused_with_the_key) {
  for (const char* name : {"sidewinding", "rolling", "sinus-lifting", "linear-progression"})
    expect_refused(chain(joints, hinge, gait(name, "")), "gait.kind", "use universal");
  expect_refused(chain(joints, "kind = \"prismatic\"\n" + hinge, gait("turning", "")), "gait.kind", "prismatic");
  expect_refused(chain(joints, cardan, gait("rolling", "waves = 2")), "waves", "unknown");
  expect_refused(chain(joints, cardan, gait("sidewinding", "side = \"up\"")), "side", "left, right");
  expect_refused(chain(joints, cardan, gait("rolling", "frequency = 0.0")), "frequency", "> 0");
  expect_refused(chain(joints, cardan, gait("rolling", "amplitude = 0.1\namplitude_deg = 6")), "amplitude", "both");
}

}  // namespace snake_gaits_test
}  // namespace sinew::gaits
