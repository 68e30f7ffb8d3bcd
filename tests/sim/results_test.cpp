// Results: what a robot brings, what a scenario adds, and accounts of the whole run; against values found by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "sinew/report/report.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/run.h"
#include "sinew/sim/run_quantities.h"
#include "sinew/text/load_scenario.h"

namespace sinew::sim {
namespace results_test {

using testing::HasSubstr;

Scenario parse(const std::string& text) { return text::parse_scenario(text, "file"); }

double number(const RunResult& r, std::string_view name) {
  const auto found = std::ranges::find(r.results, name, &ResultValue::name);
  EXPECT_NE(found, r.results.end()) << name;
  return found == r.results.end() ? std::nan("") : found->values.at(0);
}

const std::string link = R"(
duration = 0.5
[integrator]
step = 0.001
[robot]
kind = "snake"
n_links = 1
)";

// In the air without gravity: uniform motion, 3-4-5 in the horizontal plane.
TEST(Results, of_a_link_in_uniform_flight) {
  const RunResult r = run(parse(link + R"(
drop_height = 1.0
v0_x = 3.0
v0_y = 4.0
v0_z = 7.0
[gravity]
g = [0, 0, 0]
[output]
t_avg_start = 0.25
at = [0.1]
[output.result]
way = { signal = "com.p", take = "change" }
v = "com.v"
)"));
  EXPECT_NEAR(number(r, "distance"), 2.5, 1e-12);
  EXPECT_NEAR(number(r, "com_speed"), 5.0, 1e-12);
  EXPECT_NEAR(number(r, "com_dx"), 1.5, 1e-12);
  EXPECT_NEAR(number(r, "com_dy"), 2.0, 1e-12);
  EXPECT_EQ(number(r, "mean_contacts"), 0.0);
  EXPECT_EQ(number(r, "heading_deg"), 0.0);
  const ResultValue& way = r.results[r.results.size() - 2];
  EXPECT_TRUE(way.is_vector);
  EXPECT_NEAR(way.values[2], 3.5, 1e-12);
  EXPECT_NEAR(r.results.back().values[1], 4.0, 1e-12);
  const auto& at = r.snapshots[0]->results;
  EXPECT_NEAR(at[at.size() - 2][0], 0.3, 1e-12);  // a change counts from the start
  const RunResult too_short = run(parse(link + "[output]\nt_avg_start = 0.6"));
  EXPECT_TRUE(std::isnan(number(too_short, "com_speed")));
}

// Slides to the end with friction mu: v = 2 - mu g t, on two points of half the weight each.
TEST(Results, of_a_link_that_slides) {
  const RunResult r = run(parse(link + R"(
v0_x = 2.0
[contact]
mu_long = 0.2
mu_trans = 0.2
mu_roll = 0.0
eps_N = 0.0
)"));
  const double m = 7.5 / 11.0, g = 9.81, way = 2.0 * 0.5 - 0.5 * 0.2 * g * 0.25;
  EXPECT_NEAR(number(r, "mean_normal_force"), m * g, 1e-6);
  EXPECT_NEAR(number(r, "mean_contacts"), 2.0, 1e-12);
  EXPECT_NEAR(number(r, "distance"), way, 1e-6);
  EXPECT_NEAR(number(r, "com_speed"), way / 0.5, 1e-6);
  EXPECT_NEAR(number(r, "work_contact"), -0.2 * m * g * way, 1e-6);
  EXPECT_NEAR(number(r, "ekin"), 0.5 * m * (2.0 - 0.1 * g) * (2.0 - 0.1 * g), 1e-6);
  EXPECT_NEAR(number(r, "epot"), m * g * 0.0525, 1e-6);
  EXPECT_LT(number(r, "max_penetration"), 1e-6);
  EXPECT_LT(number(r, "max_cone_violation"), 1e-12);
  EXPECT_LT(number(r, "max_friction_gain"), 1e-12);
  EXPECT_EQ(number(r, "work_actuators"), 0.0);
  EXPECT_EQ(number(r, "cost_of_transport"), 0.0);
  EXPECT_EQ(number(r, "failed_steps"), 0.0);
  EXPECT_LT(number(r, "worst_residual"), 1e-8);
  EXPECT_THAT(report::to_json(r, 12.5, "", ""), HasSubstr("\"wall_time\": 12.5"));
}

// Dropped from 0.1 m: it flies for sqrt(2 h / g) and then lies; the mean force is the weight, because it is at rest again.
TEST(Results, of_a_link_that_is_dropped) {
  const RunResult r = run(parse(link + R"(
initial = "dropped"
drop_height = 0.1
[contact]
eps_N = 0.0
[output.result]
depth = "contacts.penetration"
)"));
  const double m = 7.5 / 11.0, g = 9.81, flight = std::sqrt(2 * 0.1 / g);
  EXPECT_NEAR(number(r, "mean_normal_force"), m * g, 1e-6);
  EXPECT_NEAR(number(r, "mean_contacts"), 2.0 * (0.5 - flight) / 0.5, 2.0 * 0.001 / 0.5);
  EXPECT_GT(number(r, "max_penetration"), 0.0);
  EXPECT_LT(number(r, "max_penetration"), g * flight * 0.001);
  EXPECT_NEAR(number(r, "max_penetration"), 0.0525 - number(r, "mid_z"), 1e-9);
  EXPECT_NEAR(number(r, "depth"), number(r, "max_penetration"), 1e-9);
  EXPECT_NEAR(number(r, "work_contact"), -m * g * (0.1 + 0.0525 - number(r, "mid_z")), 1e-3);
}

// One and three kilograms, side by side; in free fall for 0.1 s.
TEST(Results, centre_of_mass_weighs_the_bodies) {
  const RunResult r = run(parse(R"(
duration = 0.1
[body.light]
inertia = [1, 1, 1]
[body.heavy]
mass = 3
inertia = [1, 1, 1]
[joint.a]
kind = "free"
child = "light"
position = [0, 8, 0, 1, 0, 0, 0]
[joint.b]
kind = "free"
child = "heavy"
position = [4, 0, 0, 1, 0, 0, 0]
velocity = [0, 0, 0, 0, 2, 0]
[output.result]
p = "com.p"
v = "com.v"
heading = "heading_deg"
way = "run.distance"
)"));
  const auto expect = [&](std::size_t i, double x, double y, double z) {
    for (int k = 0; k < 3; k++) EXPECT_NEAR(r.results[i].values[std::size_t(k)], (Vec3d(x, y, z)[k]), 1e-12);
  };
  expect(0, 3.0, 2.0 + 0.15, -0.5 * 9.81 * 0.01);
  expect(1, 0.0, 1.5, -0.981);
  EXPECT_NEAR(r.results[2].values[0], std::atan2(8.0 - 0.2, -4.0) * 180.0 / std::numbers::pi, 1e-9);
  EXPECT_NEAR(r.results[3].values[0], 0.15, 1e-12);  // straight and horizontal
}

// Three links on a line at 30 degrees to x.
TEST(Results, of_a_straight_chain_that_points_somewhere) {
  const RunResult r = run(parse("duration = 0\n[robot]\nkind = \"snake\"\nn_links = 3\nyaw0_deg = 30\n"));
  EXPECT_NEAR(number(r, "heading_deg"), 30.0, 1e-12);
  EXPECT_NEAR(number(r, "head_x"), 0.122 * std::cos(std::numbers::pi / 6), 1e-12);
  EXPECT_NEAR(number(r, "head_y"), 0.061, 1e-12);
  EXPECT_NEAR(number(r, "tail_y"), -0.061, 1e-12);
  EXPECT_NEAR(number(r, "mid_y"), 0.0, 1e-12);
}

// Joints that are constraints show a gap before it is closed, others none.
TEST(Results, joint_drift_is_that_of_joints_held_by_constraints) {
  const std::string text = R"(
duration = 0.1
[robot]
kind = "snake"
n_links = 3
drop_height = 1.0
w0_x = 2.0
w0_z = 5.0
)";
  EXPECT_EQ(number(run(parse(text)), "max_joint_drift"), 0.0);
  const double drift = number(run(parse(text + "coordinates = \"maximal\"")), "max_joint_drift");
  EXPECT_GT(drift, 1e-12);
  EXPECT_LT(drift, 1e-5);
}

TEST(Results, a_quantity_of_the_run_has_no_extremes) {
  try {
    parse(link + "[output.result]\nway = { signal = \"run.distance\", take = \"max\" }\nx = \"run.distanse\"\n");
    FAIL();
  } catch (const InputError& e) {
    ASSERT_EQ(e.problems.size(), 2u);
    EXPECT_THAT(e.problems[0], HasSubstr("run.distance is about the whole run and has no \"max\": leave out take"));
    EXPECT_THAT(e.problems[1], HasSubstr("run.distance"));
  }
}

TEST(Results, every_quantity_of_the_run_may_stand_in_a_scenario_without_a_robot) {
  std::string text =
      "duration = 0.1\n[body.ball]\ninertia = [1, 1, 1]\n[joint.air]\nkind = \"free\"\nchild = "
      "\"ball\"\n[output.result]\n";
  for (std::size_t i = 0; i < run_quantities().size(); i++)
    text += "r" + std::to_string(i) + " = \"" + std::string(run_quantities()[i].name) + "\"\n";
  EXPECT_EQ(run(parse(text)).results.size(), run_quantities().size());
}

TEST(Results, a_robot_brings_its_own_and_the_scenario_adds) {
  const Scenario s = parse(link + "[output.result]\nmine = \"t\"\nekin = \"energy.potential\"\n");
  const std::vector<ResultPlan> all = results_of(s);
  EXPECT_EQ(all.front().name, "mid_x");
  EXPECT_EQ(all.back().name, "ekin");
  EXPECT_EQ(all.back().signal, "energy.potential");
  EXPECT_EQ(all[all.size() - 2].name, "mine");
  EXPECT_EQ(std::ranges::count(all, "ekin", &ResultPlan::name), 1);
  const RunResult r = run(s);
  EXPECT_EQ(number(r, "ekin"), r.energy.potential);
  EXPECT_EQ(number(r, "epot"), r.energy.potential);
  EXPECT_FALSE(r.results.back().of_robot);
  EXPECT_TRUE(r.results.front().of_robot);
}

}  // namespace results_test
}  // namespace sinew::sim
