// The wave of docs/theory/snake.md#gait-and-start, through scenario files as a user writes them.
#include <gtest/gtest.h>

#include <numbers>

#include "tests/support/gait_chain.h"

namespace sinew::gaits {
namespace wave_test {

using support::cardan;
using support::chain;
using support::expect_refused;
using support::hinge;
using support::motions_of;
using support::value;
constexpr double degree = std::numbers::pi / 180.0;
constexpr double rounding = 1e-13;  // of angles up to 30 rad

TEST(Wave, is_the_formula_on_both_axes) {
  const std::string text = chain(4, cardan,
                                 "kind = \"wave\"\nAh_deg = 30\nwh_deg_s = 80\ndh_deg = -50\nph_deg = 2\n"
                                 "Av_deg = 10\nwv_deg_s = 70\ndv_deg = -40\npv_deg = 3\nd0_deg = 90");
  for (int i = 1; i <= 4; i++) {
    const auto m = motions_of(text, i);
    ASSERT_EQ(m.size(), 2u);
    for (const double t : {0.0, 0.3, 7.7}) {
      const double h = 30 * std::sin((80 * t - (i - 1) * 50) * degree) + 2;
      const double v = 10 * std::sin((70 * t - (i - 1) * 40 + 90) * degree) + 3;
      EXPECT_NEAR(value(m[0], t), h * degree, rounding);
      EXPECT_NEAR(value(m[1], t), v * degree, rounding);
    }
  }
}

TEST(Wave, counts_only_joints_with_a_drive) {
  std::string text = chain(3, hinge, "kind = \"wave\"\nAh = 0.5\nwh = 2\ndh = 1");
  text.replace(text.find(hinge), hinge.size(), "");  // the first joint moves by itself
  EXPECT_TRUE(motions_of(text, 1).empty());
  EXPECT_NEAR(value(motions_of(text, 2)[0], 0.4), 0.5 * std::sin(0.8), rounding);
  EXPECT_NEAR(value(motions_of(text, 3)[0], 0.4), 0.5 * std::sin(1.8), rounding);
}

// Release times of the paper's sidewinding, reference values to the millisecond, which were looked for every 1/4000 s, half a step
// late at most.
TEST(Wave, soft_start_releases_each_axis_below_3_degrees) {
  const double yaw[] = {0, .553, 1.178, 1.803, .178, .803, 1.428, 2.053, .428, 1.053};
  const double pitch[] = {.907, 1.532, 0, .532, 1.157, 1.782, .157, .782, 1.407, 0};
  const std::string text = chain(10, cardan,
                                 "kind = \"wave\"\nAh_deg = 30\nwh_deg_s = 80\ndh_deg = -50\nAv_deg = 10\n"
                                 "wv_deg_s = 80\ndv_deg = -50\nd0_deg = 90\nsoft_start = 1");
  for (int i = 0; i < 10; i++) {
    const auto m = motions_of(text, i + 1);
    EXPECT_NEAR(m[0].start, yaw[i], 0.0005 + 1.0 / 4000) << "yaw " << i + 1;
    EXPECT_NEAR(m[1].start, pitch[i], 0.0005 + 1.0 / 4000) << "pitch " << i + 1;
    for (const Motion<double>& axis : m) {
      EXPECT_LE(std::abs(value(axis, axis.start + 1e-6)), 3 * degree);
      if (axis.start > 0.0) {
        EXPECT_EQ(value(axis, axis.start * (1 - 1e-12)), 0.0);
      }
    }
  }
}

TEST(Wave, soft_start_runs_backward_waves_too) {
  const std::string text = chain(3, hinge, "kind = \"wave\"\nAh = 0.5\nwh = -2\ndh = 1\nph = 0.2\nsoft_start = 1");
  for (int i = 1; i <= 3; i++) {
    Motion<double> m = motions_of(text, i)[0];
    const double start = m.start;
    m.start = 0.0;
    for (double t = 0.0; t < start - 1e-9; t += 1e-3) EXPECT_GE(std::abs(value(m, t)), 3 * degree - 1e-12);
    EXPECT_LE(std::abs(value(m, start + 1e-6)), 3 * degree);
  }
}

TEST(Wave, what_does_not_fit_is_refused_with_the_key) {
  const std::string follows = "drive = \"motion\"";
  expect_refused(chain(3, follows, "kind = \"wave\"\nsoft_start = 1"), "gait.soft_start", "would jump");
  expect_refused(chain(3, hinge, "kind = \"wave\"\nsoft_start = 1\nph = 1"), "gait.soft_start", "never comes");
  expect_refused(chain(3, hinge, "kind = \"wave\"\nsoft_start = 1\nramp = 1"), "soft_start", "keep one");
  expect_refused(chain(3, hinge, "kind = \"wave\"\nwh = 1\nwh_deg_s = 60"), "wh_deg_s", "keep one");
  expect_refused(chain(3, "kind = \"prismatic\"\n" + hinge, "kind = \"wave\""), "gait.kind", "prismatic");
  expect_refused(chain(3, hinge + "\nmotion.amplitude = 0.1", "kind = \"wave\""), "joint.j1.motion", "gait.kind");
  expect_refused(chain(3, "", "kind = \"wave\""), "gait.kind", "drive");
  expect_refused(chain(3, hinge, "kind = \"wave\"\nAx = 1"), "Ax", "Ah");
  expect_refused(chain(3, follows + "\nmotion.amplitude = 1\nmotion.frequency = 0.3\nmotion.start = 1", ""),
                 "motion.start", "would jump");
}

}  // namespace wave_test
}  // namespace sinew::gaits
