#include "sinew/world/contacts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/world/observe.h"

namespace sinew {
namespace contacts_test {

// A block of 2 kg, 0.4 x 0.2 x 0.2 m, on the plane z = 0, its centre of mass 0.05 m towards +x.
Plan block() {
  Plan plan;
  BodyPlan body{"block", 2.0, {0.05, 0, 0}, Sym3d::diagonal(0.02), {}};
  ShapePlan box;
  box.name = "box", box.shape = {.kind = ShapeKind::Box, .half = {0.2, 0.1, 0.1}};
  body.shapes = {box};
  JointPlan air;
  air.name = "air", air.kind = JointKind::Free, air.child = "block", air.position = {0.05, 0, 0.1, 1, 0, 0, 0};
  plan.bodies = {body};
  plan.joints = {air};
  plan.ground.terrain.kind = TerrainKind::Plane;
  return plan;
}

TEST(Contacts, everything_is_open_before_the_first_step) {
  const auto contacts = observe(make_world(block())).contacts;
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].name, "block.box:ground");
  EXPECT_EQ(contacts[0].state, contact_state::open);
  EXPECT_EQ(contacts[0].count, 0);
  EXPECT_EQ(contacts[0].normal, 0);
  EXPECT_TRUE(std::isinf(contacts[0].gap));
}

TEST(Contacts, a_body_at_rest_presses_below_its_centre_of_mass) {
  World<double> world = make_world(block());
  for (int k = 0; k < 5; k++) world.step(1e-3);
  const ContactReading<double> c = observe(world).contacts[0];
  EXPECT_EQ(c.count, 4);
  EXPECT_EQ(c.state, contact_state::stick);
  EXPECT_NEAR(c.normal, 2 * 9.81, 1e-8);
  EXPECT_NEAR(norm(c.friction), 0.0, 1e-8);
  EXPECT_NEAR(c.point[0], 0.05, 1e-9);
  EXPECT_NEAR(c.point[1], 0.0, 1e-9);
  EXPECT_NEAR(c.point[2], 0.0, 1e-6);
  EXPECT_NEAR(c.gap, 0.0, 1e-6);
}

TEST(Contacts, a_sliding_body_slips_against_friction) {
  Plan plan = block();
  plan.joints[0].velocity = {0, 0, 0, 3, 4, 0};
  World<double> world = make_world(plan);
  world.step(1e-3);
  const ContactReading<double> c = observe(world).contacts[0];
  EXPECT_EQ(c.state, contact_state::slip);
  EXPECT_NEAR(norm(c.friction), 0.5 * c.normal, 1e-6);
  EXPECT_NEAR(c.friction[0], -0.6 * 0.5 * c.normal, 0.02);  // the torque of friction turns it a little
  EXPECT_NEAR(c.slip, 5.0, 0.02);
}

TEST(Contacts, two_bodies_are_named_second_first) {
  Plan plan = block();
  BodyPlan ball{"ball", 1.0, {0, 0, 0}, Sym3d::diagonal(0.004), {}};
  ShapePlan skin;
  skin.name = "skin", skin.shape = {.kind = ShapeKind::Sphere, .radius = 0.1};
  ball.shapes = {skin};
  JointPlan air = plan.joints[0];
  air.name = "air2", air.child = "ball", air.position = {0, 0, 0.3, 1, 0, 0, 0};
  plan.bodies.push_back(ball);
  plan.joints.push_back(air);
  World<double> world = make_world(plan);
  for (int k = 0; k < 5; k++) world.step(1e-3);
  const auto seen = observe(world);
  ASSERT_EQ(seen.contacts.size(), 3u);
  EXPECT_EQ(seen.contacts[0].name, "block.box:ground");
  EXPECT_EQ(seen.contacts[1].name, "ball.skin:ground");
  EXPECT_EQ(seen.contacts[2].name, "ball.skin:block.box");
  EXPECT_EQ(seen.contacts[1].count, 0);
  EXPECT_NEAR(seen.contacts[2].normal, 9.81, 1e-7);
  EXPECT_NEAR(seen.contacts[2].point[2], 0.2, 1e-6);
  EXPECT_NEAR(seen.total.normal, 9.81 * 4, 1e-6);
  EXPECT_EQ(seen.total.count, 5);
}

TEST(Contacts, lanes_read_as_single_robots) {
  World<double> one = make_world(block());
  World<Lanes> many = widen(one);
  for (int k = 0; k < 5; k++) one.step(1e-3), many.step(1e-3);
  const ContactReading<double> a = observe(one).contacts[0];
  const ContactReading<Lanes> b = observe(many).contacts[0];
  for (int i = 0; i < lanes_of<Lanes>; i++) {
    EXPECT_EQ(lane(b.normal, i), a.normal);
    EXPECT_EQ(lane(b.point[0], i), a.point[0]);
    EXPECT_EQ(lane(b.state, i), a.state);
    EXPECT_EQ(lane(b.gap, i), a.gap);
  }
}

TEST(Contacts, laws_on_axes_have_names) {
  Plan plan = block();
  JointPlan hinge;
  BodyPlan arm{"arm", 1.0, {0, 0, 0}, Sym3d::diagonal(1.0), {}};
  plan.bodies.push_back(arm);
  hinge.name = "elbow", hinge.parent = "block", hinge.child = "arm", hinge.upper = {1.0}, hinge.dry_friction = {0.1};
  plan.joints.push_back(hinge);
  const World<double> world = make_world(plan);
  ASSERT_EQ(world.model().axis_rows.size(), 2u);
  EXPECT_EQ(axis_law_name(world.model(), 0), "upper end of joint elbow");
  EXPECT_EQ(axis_law_name(world.model(), 1), "dry friction of joint elbow");
}

}  // namespace contacts_test
}  // namespace sinew
