// Another ground from the command line; mirrored copies of screws and loads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "sinew/sim/errors.h"
#include "sinew/text/load_scenario.h"
#include "sinew/world/observe.h"

namespace sinew::text {
namespace ground_test {

sim::Experiment load(std::string_view text, std::vector<std::string> sets = {}) {
  return parse_experiment(text, "file.toml", sets);
}
std::string problems_of(std::string_view text, std::vector<std::string> sets = {}) {
  try {
    load(text, sets);
  } catch (const InputError& e) {
    std::string all;
    for (const std::string& p : e.problems) all += p + "\n";
    return all;
  }
  return "";
}

// The ground of another file, or a table, instead of the scenario's; what the scenario says about contacts stays.
TEST(Ground, is_replaced_from_the_command_line) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "sinew_ground_test";
  std::filesystem::create_directories(folder);
  const std::string file = (folder / "rough.toml").string();
  std::ofstream(file) << R"(
[param]
rise = 0.02
[ground]
kind = "steps"
[ground.steps]
count = 7
rise = "2 * rise"
[contact]
mu = 0.1
)";
  constexpr const char* text = R"(
[ground]
kind = "plane"
height = 0.3
[contact]
mu = 0.9
[body.a]
inertia = [1, 1, 1]
[joint.a]
child = "a"
)";
  const Terrain steps = load(text, {"ground=" + file}).scenario.plan.ground.terrain;
  EXPECT_EQ(steps.kind, TerrainKind::Steps);
  EXPECT_EQ(steps.steps.count, 7);
  EXPECT_EQ(steps.steps.rise, 0.04);
  EXPECT_EQ(load(text, {"ground=" + file}).scenario.plan.contact.law.mu_forward, 0.9);
  EXPECT_EQ(load(text, {"ground=" + file, "param.rise=0.01"}).scenario.plan.ground.terrain.steps.rise, 0.02);
  const Terrain table = load(text, {"ground={ kind = \"plane\", height = -0.2 }"}).scenario.plan.ground.terrain;
  EXPECT_EQ(table.height, -0.2);
  const Terrain none = load(text, {"ground={ kind = \"none\" }"}).scenario.plan.ground.terrain;
  EXPECT_EQ(none.kind, TerrainKind::None);
  EXPECT_NE(problems_of(text, {"ground=nowhere.toml"}).find("--set ground=nowhere.toml: "), std::string::npos);
  std::ofstream(file) << "duration = 1.0\n";
  EXPECT_NE(problems_of(text, {"ground=" + file}).find("has no [ground]"), std::string::npos);
  EXPECT_NE(problems_of(text, {"ground={ kind = \"plan\" }"}).find("ground.kind"), std::string::npos);
  std::filesystem::remove_all(folder);
}

// A group with a screw, a load and a bar is mirrored: the thread turns the other way, and the force stands on the other side.
TEST(Copies, screws_loads_and_distances_have_mirror_images) {
  const sim::Experiment e = load(R"(
[param]
lead = 0.3
[body.trunk]
inertia = [1, 1, 1]
[joint.root]
kind = "free"
child = "trunk"
[body.l_nut]
mass = 2.0
inertia = [0.1, 0.1, 0.1]
[joint.l_screw]
kind = "screw"
parent = "trunk"
child = "l_nut"
p_parent = [0.1, 0.4, 0]
axis = [0, 0.6, 0.8]
pitch = "lead"
position = 1.0
[load.l_push]
body = "l_nut"
point = [0.1, 0.2, 0.3]
force = [1, 2, 3]
couple = [4, 5, 6]
follows = true
[copies.r]
of = "l"
mirror = "y"
)");
  const auto& joints = e.scenario.plan.joints;
  EXPECT_EQ(std::ranges::find(joints, "r_screw", &JointPlan::name)->tie.pitch, -0.3);
  World<double> world = make_world(e.scenario.plan);
  for (int k = 0; k < 100; k++) world.step(1e-3);
  const auto seen = observe(world);
  const auto place = [&](const char* name) { return seen.bodies[std::size_t(world.model().body(name))].p_WC; };
  const Vec3d l = place("l_nut"), r = place("r_nut");
  EXPECT_GT(std::abs(l[0] - 0.1) + std::abs(l[1] - 0.4), 1e-3);
  EXPECT_NEAR(r[0], l[0], 1e-9);
  EXPECT_NEAR(r[1], -l[1], 1e-9);
  EXPECT_NEAR(r[2], l[2], 1e-9);
}

}  // namespace ground_test
}  // namespace sinew::text
