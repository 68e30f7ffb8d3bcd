// How a body of hinged segments lies over ground that it knows, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/control/legs/climbing.h"
#include "sinew/control/legs/ground_profile.h"

namespace sinew::legged {
namespace ground_profile_test {

constexpr double clearance = 0.142;

// What `z` says, with an error of `noise` that changes its sign from view to view.
template <class Height>
GroundProfile seen(const Height& z, double noise = 0.0, int views = 1) {
  GroundProfile g;
  g.move_to(-0.8);
  for (int k = 0; k < views; k++)
    for (int i = 0; i < GroundProfile::cells; i++) {
      const double x = (g.first + i + 0.5) * GroundProfile::length, sign = (i * 7 + k * 3) % 5 - 2;
      g.see(x, z(x) + 0.5 * noise * sign, 1.0);
    }
  return g;
}

// Eq. (3.10): wherever two shoulders are on the cylinder, the hinge between them has the angle of its chord, 17.9 degrees.
TEST(GroundProfile, on_a_hump_hinges_have_the_difference_of_the_normals) {
  const SegmentedBody body;
  const Hump hump{0.0, 0.5, 0.06};
  const double wanted = hump_angle(0.5, clearance, body.spacing());
  EXPECT_NEAR(wanted * 180.0 / M_PI, 17.922, 1e-3);
  const GroundProfile g = seen([&](double x) { return hump.z(x); });
  BodyOverGround over;
  ASSERT_TRUE(lie_over_ground(g, body, 0.0, clearance, over));
  EXPECT_NEAR(over.hinge[0], -wanted, 0.01 * wanted);
  EXPECT_NEAR(over.hinge[2], -wanted, 0.01 * wanted);
  EXPECT_NEAR(over.slope[1], 0.0, 1e-3);
  EXPECT_NEAR(over.slope[0], -wanted, 0.01 * wanted);
  EXPECT_NEAR(over.rise, 0.06, 1e-3);
  ASSERT_TRUE(
      lie_over_ground(g, body, -0.12, clearance, over));  // half-way up: the front hinge is on it, the rear one is not
  EXPECT_NEAR(over.slope[1], std::asin(0.12 / 0.642), 0.01);
  EXPECT_NEAR(over.hinge[0], -wanted, 0.01 * wanted);
  EXPECT_GT(over.hinge[2], 0.0);
}

// What is printed as one clearance for all is that of a ball that rolls over the ground: it does not see a slit.
TEST(GroundProfile, a_slit_bends_nothing_and_a_slope_leans_all) {
  const SegmentedBody body;
  BodyOverGround over;
  ASSERT_TRUE(
      lie_over_ground(seen([](double x) { return std::abs(x) < 0.015 ? -0.1 : 0.0; }), body, 0.0, clearance, over));
  for (int j = 0; j < 3; j++) EXPECT_NEAR(over.hinge[std::size_t(j)], 0.0, 0.02);
  ASSERT_TRUE(lie_over_ground(seen([](double x) { return 0.2 * x; }), body, 0.0, clearance, over));
  for (int j = 0; j < 3; j++) {
    EXPECT_NEAR(over.slope[std::size_t(j)], std::atan(0.2), 1e-3);
    EXPECT_NEAR(over.hinge[std::size_t(j)], 0.0, 1e-3);
  }
}

TEST(GroundProfile, many_views_with_errors_of_2_mm_find_the_angle_within_a_degree) {
  const SegmentedBody body;
  const Hump hump{0.0, 0.5, 0.06};
  const double wanted = hump_angle(0.5, clearance, body.spacing());
  BodyOverGround over;
  ASSERT_TRUE(lie_over_ground(seen([&](double x) { return hump.z(x); }, 0.002, 20), body, 0.0, clearance, over));
  EXPECT_NEAR(over.hinge[0], -wanted, M_PI / 180.0);
  EXPECT_NEAR(over.hinge[2], -wanted, M_PI / 180.0);
}

TEST(GroundProfile, where_too_little_is_known_nothing_is_said) {
  const SegmentedBody body;
  BodyOverGround over;
  over.rise = 7.0;
  EXPECT_FALSE(lie_over_ground({}, body, 0.0, clearance, over));
  GroundProfile g;
  g.move_to(-0.8);
  for (double x = -0.795; x < 0.1; x += GroundProfile::length) g.see(x, 0.0, 1.0);  // not under its front
  EXPECT_FALSE(lie_over_ground(g, body, 0.0, clearance, over));
  g.move_to(NAN);
  EXPECT_FALSE(lie_over_ground(g, body, NAN, clearance, over));
  EXPECT_EQ(over.rise, 7.0);
}

// As a ring: what lies ahead is kept when the body goes on, what is behind is forgotten; near views count more than far ones.
TEST(GroundProfile, keeps_what_is_ahead_and_forgets_what_is_behind) {
  GroundProfile g = seen([](double x) { return x; });
  double z = 0.0;
  g.move_to(0.0);
  EXPECT_FALSE(g.height_at(-0.005, z));
  EXPECT_FALSE(g.height_at(1.5, z));
  ASSERT_TRUE(g.height_at(0.505, z));
  EXPECT_NEAR(z, 0.505, 1e-12);
  g.see(0.505, 0.0, 99.0);
  ASSERT_TRUE(g.height_at(0.505, z));
  EXPECT_NEAR(z, 0.00505, 1e-12);
  g.put(0.505, 0.3);
  ASSERT_TRUE(g.height_at(0.505, z));
  EXPECT_EQ(z, 0.3);
}

}  // namespace ground_profile_test
}  // namespace sinew::legged
