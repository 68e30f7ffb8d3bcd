#include "sinew/report/scene.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sinew/record/reader.h"
#include "sinew/report/recorder.h"
#include "sinew/sim/run.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/folder.h"
#include "tests/support/shipped.h"

namespace sinew::report {
namespace scene_test {

using Json = nlohmann::json;

Json scene_of(const sim::Scenario& scenario) { return Json::parse(scene_json(sim::Experiment(scenario))); }

TEST(Scene, has_the_robot_with_its_shapes) {
  const Json scene = scene_of(test::shipped("snake/sidewinding"));
  EXPECT_EQ(scene["format"], "sinew scene 1");
  EXPECT_EQ(scene["name"], "snake/sidewinding");
  EXPECT_EQ(scene["gravity"], Json({0.0, 0.0, -9.81}));
  ASSERT_EQ(scene["bodies"].size(), 11u);
  EXPECT_EQ(scene["bodies"][0]["name"], "link1");
  EXPECT_EQ(scene["bodies"][0]["shapes"][0], Json({{"name", "front"},
                                                   {"kind", "sphere"},
                                                   {"radius", 0.0525},
                                                   {"p", {0.0, 0.0, 0.0393}},
                                                   {"q", {1.0, 0.0, 0.0, 0.0}}}));
  EXPECT_EQ(scene["joints"][0]["kind"], "free");
  EXPECT_EQ(scene["joints"][0]["body1"], "");
  EXPECT_EQ(scene["joints"][1]["body1"], "link1");
  EXPECT_EQ(scene["joints"][1]["body2"], "link2");
  EXPECT_EQ(scene["contacts"].size(), 22u);
  EXPECT_EQ(scene["contacts"][0], Json({{"name", "link1.front:ground"}, {"body", "link1"}, {"other", ""}}));
  EXPECT_EQ(scene["ground"]["kind"], "plane");
}

TEST(Scene, has_the_box_that_turns_like_a_body_without_a_skin) {
  const Json scene = scene_of(test::shipped("basics/spinning-coin"));
  const Json& coin = scene["bodies"][0];
  ASSERT_EQ(coin["box"].size(), 3u);
  const double m = coin["mass"], a = coin["box"][0], b = coin["box"][1], c = coin["box"][2];
  EXPECT_NEAR(m * (b * b + c * c) / 3.0, 2.5e-4, 1e-15);
  EXPECT_NEAR(m * (a * a + b * b) / 3.0, 5e-4, 1e-15);
  EXPECT_NEAR(c, 0.0, 1e-9);                                                                // thin
  EXPECT_FALSE(scene_of(test::shipped("snake/sidewinding"))["bodies"][0].contains("box"));  // it has shapes
}

TEST(Scene, has_steps_and_pegs_among_the_obstacles) {
  const Json stairs = scene_of(test::shipped("snake/stairs"));
  EXPECT_EQ(stairs["ground"]["kind"], "steps");
  ASSERT_GT(stairs["obstacles"].size(), 0u);
  EXPECT_EQ(stairs["obstacles"][0]["kind"], "box");
  EXPECT_EQ(stairs["obstacles"][0]["half"].size(), 3u);
  const Json pegs = scene_of(test::shipped("snake/obstacle-aided"));
  ASSERT_GT(pegs["obstacles"].size(), 0u);
  EXPECT_EQ(pegs["obstacles"][0]["kind"], "peg");
  EXPECT_GT(pegs["obstacles"][0]["half_length"].get<double>(), 0.0);
}

// A rectangle of two triangles, and a disc of 48 sectors; on the plane.
TEST(Scene, has_the_patches_of_the_ground) {
  const Json scene = scene_of(test::shipped("contact/patches"));
  ASSERT_EQ(scene["patches"].size(), 4u);
  EXPECT_EQ(scene["patches"][0]["name"], "felt");
  EXPECT_EQ(scene["patches"][0]["soft"], false);
  EXPECT_EQ(scene["patches"][0]["vertices"], Json({0.5, 0.2, 0.0, 0.5, 0.6, 0.0, 3.0, 0.2, 0.0, 3.0, 0.6, 0.0}));
  EXPECT_EQ(scene["patches"][0]["triangles"], Json({0, 2, 3, 0, 3, 1}));
  EXPECT_EQ(scene["patches"][2]["soft"], true);
  EXPECT_EQ(scene["patches"][2]["triangles"].size(), 48u * 6u);
  EXPECT_NEAR(double(scene["patches"][2]["vertices"][3 * 49]), 0.5, 1e-12);  // the rim
  EXPECT_FALSE(scene_of(test::shipped("snake/stairs")).contains("patches"));
}

TEST(Scene, has_the_triangles_of_hulls_and_of_mesh_ground) {
  const sim::Scenario scenario = text::parse_scenario(R"(
    [ground]
    kind = "mesh"
    [ground.mesh]
    vertices = [-1, -1, 0, 1, -1, 0, 0, 1, 0]
    triangles = [0, 1, 2]
    position = [0, 0, -2]
    [body.a]
    inertia = [1, 1, 1]
    [body.a.shape.tip]
    kind = "hull"
    points = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    [body.a.shape.can]
    kind = "cylinder"
    radius = 0.1
    length = 0.4
    [joint.free]
    kind = "free"
    child = "a")",
                                                      "test.toml");
  const Json scene = scene_of(scenario), &shapes = scene["bodies"][0]["shapes"];
  EXPECT_EQ(scene["ground"]["kind"], "mesh");
  EXPECT_EQ(scene["ground"]["vertices"], Json({-1.0, -1.0, -2.0, 1.0, -1.0, -2.0, 0.0, 1.0, -2.0}));
  EXPECT_EQ(scene["ground"]["triangles"], Json({0, 1, 2}));
  EXPECT_EQ(shapes[0]["kind"], "hull");
  EXPECT_EQ(shapes[0]["vertices"].size(), 12u);
  EXPECT_EQ(shapes[0]["triangles"].size(), 12u);
  EXPECT_EQ(shapes[1]["kind"], "cylinder");
  EXPECT_EQ(shapes[1]["half_length"], 0.2);
}

TEST(Scene, follows_the_slope) {
  const Json scene = scene_of(test::shipped("snake/incline"));
  EXPECT_GT(std::abs(scene["gravity"][0].get<double>()), 0.1);
}

TEST(Scene, of_any_size_is_in_the_recording) {
  sim::Scenario scenario = test::shipped("snake/rough-ground");
  HeightField& field = scenario.plan.ground.terrain.field;
  field.nx = field.ny = 200, field.x0 = field.y0 = -10.0, field.dx = field.dy = 0.1;
  field.z.assign(40'000, -0.125);
  scenario.duration = 0.01;
  const test::Folder folder;
  Recorder recorder(sim::Experiment(scenario), folder / "a.h5", "test");
  sim::RunHooks hooks;
  hooks.watcher = &recorder;
  sim::run(scenario, hooks);
  recorder.finish("{}");
  const std::string stored = record::Reader(folder / "a.h5").attribute("scene");
  EXPECT_GT(stored.size(), 100'000u);
  EXPECT_EQ(Json::parse(stored)["ground"]["z"].size(), 40'000u);
}

TEST(Scene, has_what_drives_can_do_where_there_are_some) {
  const Json drives = scene_of(test::shipped("drive/position-step"))["drives"];
  ASSERT_EQ(drives.size(), 1u);
  EXPECT_EQ(drives[0]["name"], "motor");
  EXPECT_EQ(drives[0]["turns"], true);
  ASSERT_EQ(drives[0]["speed"].size(), drives[0]["most"].size());
  EXPECT_NEAR(drives[0]["most"][100].get<double>(), 0.0136 * 10.0, 1e-12);  // at rest: the current limit
  EXPECT_FALSE(scene_of(test::shipped("basics/pendulum")).contains("drives"));
}

}  // namespace scene_test
}  // namespace sinew::report
