// Obstacles: where they are, what they weigh in the forces, and which files are refused.
#include "sinew/model/obstacles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/sim/errors.h"
#include "sinew/sim/scenario.h"
#include "sinew/text/load_scenario.h"
#include "sinew/world/observe.h"

namespace sinew {
namespace obstacles_test {

using testing::HasSubstr;

const std::string ball = R"([body.ball]
mass = 2.0
inertia = [0.01, 0.01, 0.01]
[body.ball.shape.skin]
kind = "sphere"
radius = 0.1
)";

World<double> ran(const std::string& text, double dt, int steps) {
  World<double> world = sim::make_world(text::parse_scenario(text, "file"));
  for (int k = 0; k < steps; k++) world.step(dt);
  return world;
}
double normal_at(const World<double>& world, const std::string& contact) {
  const auto seen = observe(world);
  for (std::size_t i = 0; i < world.model().pairs.size(); i++)
    if (contact_name(world.model(), int(i)) == contact) return seen.contacts[i].normal;
  ADD_FAILURE() << "no contact is named " << contact;
  return 0.0;
}

TEST(Obstacles, a_peg_reaches_its_height_above_the_ground_under_it) {
  GroundPlan ground;
  ground.terrain.kind = TerrainKind::Plane, ground.terrain.height = 0.5;
  ground.pegs = {.x = {1.0}, .y = {2.0}, .radius = 0.05, .height = 0.3};
  const auto shapes = obstacles_of(ground);
  ASSERT_EQ(shapes.size(), 1u);
  EXPECT_EQ(shapes[0].name, "peg.1");
  const Shape& s = shapes[0].shape;
  EXPECT_NEAR(shapes[0].X_WS.p[2] + s.half_length + s.radius, 0.8, 1e-15);
  EXPECT_LT(shapes[0].X_WS.p[2] - s.half_length, 0.5 - s.radius);  // its lower end is deep in the ground
}

// A ball that slides against a peg, a sphere or a wall is held there by the force along x: tilted gravity, no friction.
TEST(Obstacles, hold_a_ball_on_a_slope_with_the_downhill_force) {
  const std::string slope = "[ground]\nkind = \"plane\"\n[gravity]\nincline_deg = 30\n[contact]\nmu = 0\n" + ball +
                            "[joint.air]\nkind = \"free\"\nchild = \"ball\"\nposition = [0, 0, 0.1, 1, 0, 0, 0]\n";
  const std::pair<const char*, const char*> cases[] = {
      {"[ground.obstacle.post]\nposition = [0.15, 0]\nradius = 0.05\n", "ball.skin:obstacle.post"},
      {"[ground.pegs]\nx = [0.15, 3]\ny = [0, 0]\nradius = 0.05\n", "ball.skin:peg.1"},
      {"[ground.obstacle.wall]\nkind = \"box\"\nposition = [0.15, 0, 0.1]\nsize = [1, 0.1, 0.4]\nyaw_deg = 90\n",
       "ball.skin:obstacle.wall"},
      {"[ground.obstacle.globe]\nkind = \"sphere\"\nposition = [0.25, 0, 0.1]\nradius = 0.15\n",
       "ball.skin:obstacle.globe"}};
  for (const auto& [obstacle, contact] : cases) {
    SCOPED_TRACE(contact);
    EXPECT_NEAR(normal_at(ran(slope + obstacle, 1e-3, 500), contact), 2.0 * 9.81 * 0.5, 1e-6);
  }
}

// A tilted plane, steps, a field of heights, and no ground at all: a ball falls onto the round top of a peg and stays.
TEST(Obstacles, stand_on_every_kind_of_ground) {
  const std::pair<const char*, double> grounds[] = {
      {"kind = \"none\"\n", 0.0},
      {"kind = \"plane\"\nheight = 0.2\n", 0.2},
      {"kind = \"steps\"\n[ground.steps]\nstart = -0.5\nrun = 1.0\nrise = 0.1\n", 0.1},
      {"kind = \"heights\"\n[ground.heights]\nnx = 2\nny = 2\nx0 = -1\ny0 = -1\ndx = 2\ndy = 2\nz = [0, 0, 0.4, 0.4]\n",
       0.2}};
  for (const auto& [ground, height] : grounds) {
    SCOPED_TRACE(ground);
    const std::string text =
        std::string("[ground]\n") + ground + "[ground.obstacle.post]\nradius = 0.05\nheight = 0.3\n" + ball +
        "[joint.air]\nkind = \"prismatic\"\nchild = \"ball\"\nposition = [" + std::to_string(height + 0.41) + "]\n";
    const World<double> world = ran(text, 1e-3, 500);
    EXPECT_NEAR(observe(world).bodies[0].X_WB.p[2], height + 0.4, 1e-3);  // late by up to a step of 0.44 m/s
    EXPECT_NEAR(normal_at(world, "ball.skin:obstacle.post"), 2.0 * 9.81, 1e-6);
  }
}

void expect_refused(const std::string& more, const std::string& what) {
  const std::string text = more + ball + "[joint.air]\nkind = \"free\"\nchild = \"ball\"\n";
  try {
    text::parse_scenario(text, "file");
    ADD_FAILURE() << "accepted: " << more;
  } catch (const InputError& e) {
    EXPECT_THAT(e.problems.at(0), HasSubstr(what));
  }
}

TEST(Obstacles, mistakes_are_named) {
  expect_refused("[ground.pegs]\nx = [1, 2]\ny = [1]\n", "there are 2 x and 1 y");
  expect_refused("[ground.obstacle.a]\nposition = [1, 2, 3]\n", "it needs 2 numbers");
  expect_refused("[ground.obstacle.a]\nkind = \"box\"\n", "a box needs its three edges");
  expect_refused("[ground.obstacle.a]\nkind = \"box\"\nsize = [1, 1, 1]\nradius = 1\n",
                 "radius belongs to pegs and spheres");
  expect_refused("[ground.obstacle.a]\nkind = \"sphere\"\nheight = 1\n", "height belongs to pegs");
  expect_refused("[ground.obstacle.a]\nkind = \"sphere\"\nyaw_deg = 1\n", "yaw_deg belongs to boxes");
  expect_refused("[contact.pair.p]\nfirst = \"obstacle\"\nsecond = \"default\"\n", "nothing is made of 'obstacle'");
}

TEST(Obstacles, have_a_material_of_their_own) {
  const std::string text =
      "[ground.pegs]\nx = [1]\ny = [1]\n[contact.pair.p]\nfirst = \"obstacle\"\nsecond = "
      "\"default\"\nmu = 0.9\n" +
      ball + "[joint.air]\nkind = \"free\"\nchild = \"ball\"\n";
  const World<double> world = sim::make_world(text::parse_scenario(text, "file"));
  ASSERT_EQ(world.model().pairs.size(), 1u);
  EXPECT_EQ(world.params.contact_laws[world.model().pairs[0].law].mu_trans, 0.9);
}

}  // namespace obstacles_test
}  // namespace sinew
