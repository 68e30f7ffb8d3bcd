// Bodies in the ground that cannot have come there are found, and no others.
#include "sinew/world/under_ground.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/touching.h"

namespace sinew::test {
namespace under_ground_test {

// A ball of 0.1 m whose centre starts at this height.
Plan ball_at(double z) {
  Plan plan = box_on_plane({0.1, 0.1, 0.1}, 2.0, 0.5);
  plan.bodies[0].shapes[0].shape = {.kind = ShapeKind::Sphere, .radius = 0.05};
  plan.joints[0].position[2] = z;
  return plan;
}

Sunk look(const Plan& plan, double way = 0.0, double energy = 0.0) {
  const World<double> world = make_world(plan);
  const auto seen = observe(world);
  return find_sunk(world, seen, ground_watch_from(world, seen), way, energy);
}

TEST(UnderGround, all_of_a_shape_must_be_in_it) {
  EXPECT_EQ(look(ball_at(0.05)).shape, -1);
  EXPECT_EQ(look(ball_at(-0.04)).shape, -1);
  const Sunk sunk = look(ball_at(-0.3));
  ASSERT_EQ(sunk.shape, 0);
  EXPECT_NEAR(sunk.depth, 0.25, 1e-15);
  EXPECT_NEAR(sunk.allowed, 1e-3 + 1e-6, 1e-15);  // 1 % of its size, and the activation gap
  EXPECT_THAT(text_of(sunk, make_world(ball_at(-0.3)).model()),
              ::testing::HasSubstr("body block is 0.25 m below the ground (ground.kind = \"plane\")"));
}

TEST(UnderGround, a_fast_body_may_come_in_by_a_step) {
  EXPECT_EQ(look(ball_at(-0.3), 0.26).shape, -1);
  EXPECT_EQ(look(ball_at(-0.3), 0.2).shape, 0);
  Plan plan = ball_at(1.0);
  plan.joints[0].velocity = {0, 3, 0, 0, 0, -4};
  const World<double> world = make_world(plan);
  const auto seen = observe(world);
  EXPECT_NEAR(top_speed(world, seen, ground_watch_from(world, seen)), 4.0 + 3.0 * 0.05, 1e-12);
}

TEST(UnderGround, a_soft_contact_gives_way_to_weight_and_impact) {
  Plan plan = ball_at(-0.1);
  plan.contact.options.response = Response::Penalty;
  plan.contact.penalty.stiffness = 300.0;  // 65 mm under its weight of 19.62 N
  EXPECT_EQ(look(plan).shape, -1);
  plan.joints[0].position[2] = -0.2;
  EXPECT_EQ(look(plan).shape, 0);
  EXPECT_EQ(look(plan, 0.0, 2.0).shape, -1);  // 115 mm more
}

TEST(UnderGround, what_is_held_or_has_no_ground_does_not_count) {
  Plan held = ball_at(-0.3);
  held.joints[0].kind = JointKind::Weld;
  held.joints[0].position.clear(), held.joints[0].p_parent = {0, 0, -0.3};
  EXPECT_EQ(look(held).shape, -1);
  Plan none = ball_at(-0.3);
  none.ground.terrain.kind = TerrainKind::None;
  EXPECT_EQ(look(none).shape, -1);
  Plan bare = ball_at(-0.3);
  bare.bodies[0].shapes.clear();
  EXPECT_EQ(look(bare).shape, -1);
}

}  // namespace under_ground_test
}  // namespace sinew::test
