// The snake: axis offset, hard stops, and how it is put on its ground.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "robots/on_ground.h"
#include "sinew/parts/touch/collide.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/scenario.h"
#include "sinew/text/load_scenario.h"
#include "sinew/world/observe.h"

namespace sinew::robots {
namespace snake_test {

using testing::HasSubstr;
constexpr double degree = std::numbers::pi / 180.0;

const std::string sidewinding = R"([gait]
kind = "wave"
Ah_deg = 30.0
Av_deg = 10.0
wh_deg_s = 80.0
wv_deg_s = 80.0
dh_deg = -50.0
dv_deg = -50.0
d0_deg = 90.0
)";

sim::Scenario snake(const std::string& robot_keys, const std::string& more = "") {
  return text::parse_scenario("[robot]\nkind = \"snake\"\n" + robot_keys + "\n" + more, "file");
}
std::vector<Posed> links_of(const World<double>& world, int n) {
  const auto seen = observe(world);
  std::vector<Posed> X;
  for (int i = 1; i <= n; i++) X.push_back(seen.bodies[world.model().body("link" + std::to_string(i))].X_WB);
  return X;
}

// The paper's inertias are those of half the radius; a cylinder's follow mass, length and radius, and explicit ones win.
TEST(Snake, presets_of_inertia) {
  const auto link = [](const std::string& keys) { return sim::moving_plan(snake(keys)).bodies[0].inertia; };
  EXPECT_EQ(link("").xx, 9.63e-4);
  EXPECT_EQ(link("").zz, 2.35e-4);
  const double m = 2.0, r = 0.03, L = 0.2;
  const auto I = link("preset = \"aiko_consistent\"\nlink_mass = 2.0\nsphere_radius = 0.03\nlink_length = 0.2");
  EXPECT_NEAR(I.xx, m * (3 * r * r + L * L) / 12, 1e-15);
  EXPECT_NEAR(I.zz, m * r * r / 2, 1e-15);
  EXPECT_EQ(link("preset = \"aiko_consistent\"\ninertia_axial = 0.001").zz, 0.001);
}

// g_J = r_i + l a_i + d z_c + l a_{i+1} - r_{i+1} = 0 with z_c = (R_{i+1} e_x) x (R_i e_y) (docs/theory/snake.md#links-and-joints)
TEST(Snake, axis_offset_closes_its_gap) {
  const double d = 0.022, l = 0.5 * (0.122 - d);
  const auto X = links_of(sim::make_world(snake("axis_offset = 0.022\ninitial = \"gait\"", sidewinding)), 11);
  for (int i = 0; i + 1 < 11; i++) {
    const Vec3d z_c = cross(X[i + 1].R.col(0), X[i].R.col(1));
    EXPECT_NEAR(norm(z_c), 1.0, 1e-14);
    const Vec3d gap = X[i].p + X[i].R.col(2) * l + z_c * d + X[i + 1].R.col(2) * l - X[i + 1].p;
    EXPECT_LT(norm(gap), 1e-14) << i;
  }
}

TEST(Snake, the_two_axes_of_a_joint_share_a_station_of_the_wave) {
  const Plan with = sim::moving_plan(snake("axis_offset = 0.022", sidewinding)),
             without = sim::moving_plan(snake("", sidewinding));
  ASSERT_EQ(with.joints.size(), 21u);
  for (int i = 1; i <= 10; i++) {
    const auto& both = without.joints[i].motion;
    EXPECT_EQ(with.joints[2 * i - 1].name, "joint" + std::to_string(i) + "_yaw");
    EXPECT_EQ(with.joints[2 * i - 1].motion.at(0).phase, both.at(0).phase);
    EXPECT_EQ(with.joints[2 * i].motion.at(0).phase, both.at(1).phase);
    EXPECT_EQ(with.joints[2 * i].motion.at(0).amplitude, both.at(1).amplitude);
  }
}

std::vector<Posed> after_sidewinding(const std::string& robot_keys) {
  World<double> world = sim::make_world(
      snake("n_links = 6\n" + robot_keys, sidewinding + "ramp = 0.5\n[contact]\nmu = 0.2\n[integrator]\nactuator = "
                                                        "\"implicit\"\n"));
  for (int k = 0; k < 1000; k++) EXPECT_TRUE(world.step(1e-3).converged);
  return links_of(world, 6);
}
double farthest(const std::vector<Posed>& a, const std::vector<Posed>& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); i++) most = std::max(most, norm(a[i].p - b[i].p));
  return most;
}

TEST(Snake, vanishing_axis_offset_is_the_universal_joint) {
  const auto without = after_sidewinding("");
  const double wide = farthest(after_sidewinding("axis_offset = 4e-3"), without),
               narrow = farthest(after_sidewinding("axis_offset = 4e-5"), without);
  EXPECT_LT(narrow, 0.1 * wide);
  EXPECT_LT(narrow, 2e-4);
}

TEST(Snake, cross_pieces_need_mass_in_maximal_coordinates) {
  try {
    snake("axis_offset = 0.022\ncoordinates = \"maximal\"");
    ADD_FAILURE() << "accepted";
  } catch (const InputError& e) {
    EXPECT_THAT(e.problems.at(0), HasSubstr("robot.cross_mass"));
  }
}

// Heavy cross pieces in both coordinates: the same motion within the error of the step.
TEST(Snake, cross_pieces_move_alike_in_both_coordinates) {
  const std::string heavy = "axis_offset = 0.022\ncross_mass = 0.1\ndrop_height = 1.0\nw0_y = 2.0\ncoordinates = ";
  std::vector<Posed> X[2];
  for (const int c : {0, 1}) {
    World<double> world = sim::make_world(
        snake("n_links = 4\n" + heavy + (c ? "\"maximal\"" : "\"tree\""), sidewinding + "ramp = 0.2\n"));
    for (int k = 0; k < 800; k++) world.step(2.5e-4);
    X[c] = links_of(world, 4);
  }
  EXPECT_LT(farthest(X[0], X[1]), 1e-3);  // free fall with servos: first order in the step
}

TEST(Snake, neighbours_across_a_cross_piece_do_not_touch) {
  const World<double> world = sim::make_world(snake("n_links = 3\naxis_offset = 0.022",
                                                    "[contact]\nbetween_bodies = "
                                                    "true\n"));
  for (std::size_t i = 0; i < world.model().pairs.size(); i++) {
    const std::string name = contact_name(world.model(), int(i));
    EXPECT_FALSE(name.find("link2") != std::string::npos && name.find("ground") == std::string::npos) << name;
  }
}

// The wave wants 30 degrees, the stops allow 10.
TEST(Snake, stops_hold_yaw_and_pitch_within_their_limits) {
  for (const char* coordinates : {"tree", "maximal"}) {
    SCOPED_TRACE(coordinates);
    World<double> world = sim::make_world(snake(
        std::string("n_links = 4\nyaw_limit_deg = 10\npitch_limit_deg = 4\ncoordinates = \"") + coordinates + "\"",
        sidewinding + "ramp = 0.5\n[contact]\nmu = 0.2\n"));
    double yaw = 0.0, pitch = 0.0;
    for (int k = 0; k < 9600; k++) {
      world.step(1.25e-4);
      if (k % 20) continue;
      const auto seen = observe(world);
      for (int i = 1; i <= 3; i++)
        yaw = std::max(yaw, std::abs(seen.joints[i].q[0])), pitch = std::max(pitch, std::abs(seen.joints[i].q[1]));
    }
    EXPECT_NEAR(yaw, 10 * degree, 2e-3);  // found within a step: late by its speed times the step
    EXPECT_NEAR(pitch, 4 * degree, 2e-3);
  }
}

TEST(Snake, stops_are_at_85_degrees_unless_told_otherwise) {
  const Plan plan = sim::moving_plan(snake(""));
  for (std::size_t i = 1; i < plan.joints.size(); i++)
    for (int k = 0; k < 2; k++) {
      EXPECT_DOUBLE_EQ(plan.joints[i].lower.at(k), -85 * degree);
      EXPECT_DOUBLE_EQ(plan.joints[i].upper.at(k), 85 * degree);
    }
}

// Least gap between the robot's shapes and the ground at the start.
double clearance(const sim::Scenario& scenario) {
  const World<double> world = sim::make_world(scenario);
  const auto seen = observe(world);
  const Model& model = world.model();
  double least = 1.0;
  Touch touch[max_touches];
  for (const ShapePair& pair : model.pairs) {
    const ShapeInfo& s = model.shapes[pair.shape2];
    const Posed X = seen.bodies[s.link].X_WB * model.links[s.link].X_FB.inverse() * s.X_FS;
    const int n = pair.shape1 < 0 ? collide(model.terrain, s.shape, X, 1.0, touch)
                                  : collide(model.shapes[pair.shape1].shape, model.shapes[pair.shape1].X_FS, s.shape, X,
                                            1.0, touch);
    for (int i = 0; i < n; i++) least = std::min(least, touch[i].gap);
  }
  return least;
}

TEST(Snake, starts_on_every_ground_without_a_gap_and_without_overlap) {
  const std::string
      steps = "[ground]\nkind = \"steps\"\n[ground.steps]\ncount = 2\nstart = 0.1\nrise = 0.04\n",
      heights =
          "[ground]\nkind = \"heights\"\n[ground.heights]\nnx = 4\nny = 3\nx0 = -1.5\ny0 = -1\ndx = 1\ndy "
          "= 1\nz = [0, 0.1, 0, 0.2, -0.1, 0.1, 0, 0.3, 0.1, 0, 0, 0.2]\n",
      tilted = "[ground]\nkind = \"plane\"\nnormal = [0.2, 0.1, 1]\nheight = 0.3\n";
  for (const char* surface : {"spheres", "capsule"})
    for (const std::string& ground : {std::string(), steps, heights, tilted})
      for (const char* where : {"", "x0 = 0.3\ny0 = -0.2\nyaw0_deg = 30\npitch0_deg = 5\n"}) {
        const std::string robot = std::string(where) + "surface = \"" + surface + "\"\n";
        SCOPED_TRACE(robot + ground);
        EXPECT_NEAR(clearance(snake(robot, ground)), 0.0, 1e-9);
        EXPECT_GT(clearance(snake(robot + "drop_height = 0.05", ground)), 0.01);
      }
}

TEST(Snake, starts_where_it_is_told_and_not_inside_an_obstacle) {
  const auto X = links_of(sim::make_world(snake("x0 = 0.4\ny0 = -0.3")), 11);
  EXPECT_NEAR(X[5].p[0], 0.4, 1e-15);
  EXPECT_NEAR(X[5].p[1], -0.3, 1e-15);
  for (const auto& [robot, more, what] :
       {std::tuple{"", "[ground.pegs]\nx = [5, 0.1]\ny = [0, 0.06]\n", "inside 'peg.2'"},
        std::tuple{"", "[ground.obstacle.post]\nposition = [0, 0]\n", "ground.obstacle.post: the robot starts"},
        std::tuple{"x0 = 50.0", "[ground]\nkind = \"heights\"\n[ground.heights]\nnx = 2\nny = 2\nz = [0, 0, 0, 0]\n",
                   "robot.x0: there is no ground below the robot"}})
    try {
      snake(robot, more);
      ADD_FAILURE() << "accepted: " << more;
    } catch (const InputError& e) {
      EXPECT_THAT(e.problems.at(0), HasSubstr(what));
    }
}

}  // namespace snake_test
}  // namespace sinew::robots
