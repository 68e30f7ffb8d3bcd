// contact.solver = "newton-normal", the scheme of Tambornini 2020, comes near to converged motions:
// angles within 1.3e-3, 2.2e-4, 1.0e-3 and 1e-3 rad in the scenes of figures 2.13, 2.15, 2.20
// and 3.14. Where bodies rest on more points than they have freedoms it has no solution, and the run says so.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/sim/run.h"
#include "sinew/text/load_scenario.h"

namespace sinew {
namespace newton_normal_test {

struct Row {
  double t;
  std::vector<double> theta;
};

struct Scene {
  std::string robot;
  double mu, step, tolerance;
  std::vector<Row> rows;               // directions of some links
  std::vector<std::vector<int>> sums;  // the joint coordinates that each adds up to
};

void expect_published(const Scene& scene) {
  sim::Scenario scenario = text::parse_scenario(
      "[robot]\n" + scene.robot + "\n[ground]\nkind = \"plane\"\n[gravity]\ng = [0.0, 0.0, -1e-3]\n[contact]\n" +
          "solver = \"newton-normal\"\nactivation_gap = 1e-4\nmu = " + std::to_string(scene.mu) +
          "\n[integrator]\nmethod = \"rk4\"\nstep = " + std::to_string(scene.step) + "\n",
      "scene.toml");
  for (const Row& row : scene.rows) scenario.at.push_back(row.t);
  scenario.duration = scenario.at.back();
  const sim::RunResult r = sim::run(scenario);
  ASSERT_EQ(r.ending, sim::Ending::Done);
  EXPECT_EQ(r.solver.unconverged_steps, 0);
  EXPECT_EQ(r.solver.iterations_max, 1);  // for each set of points that is tried: the residual is affine
  for (std::size_t k = 0; k < scene.rows.size(); k++)
    for (std::size_t i = 0; i < scene.sums.size(); i++) {
      double theta = 0.0;
      for (const int j : scene.sums[i]) theta += r.snapshots[k]->q[std::size_t(j)];
      EXPECT_NEAR(theta, scene.rows[k].theta[i], scene.tolerance) << "at " << scene.rows[k].t << " s, angle " << i;
    }
}

TEST(NewtonNormal, limb_that_falls_flat_is_that_of_figure_2_13) {
  expect_published({"kind = \"soft-limb\"\nn = 3\ntheta0 = [0.1, 0.1, 0.4]",
                    0.0,
                    0.01,
                    1.3e-3,
                    {{5.0, {0.0497929902, 0.207084814, 0.0531855514}},
                     {10.0, {0.0564888359, 0.0925101799, 0.0280357465}},
                     {12.5, {0.00272064215, 0.111920459, -0.100624858}},
                     {15.0, {0.00764341301, -0.00370219182, 0.0661800649}},
                     {17.5, {0.0022020426, 0.000703264965, -0.00109874253}},
                     {20.0, {0.0, 0.0, 0.0}},
                     {40.0, {0.0, 0.0, 0.0}}},
                    {{0}, {0, 1}, {0, 1, 2}}});
}

// In steps of 0.01 s a point comes to rest up to 2e-4 m from the ground, which is 3.3e-4 rad between two links of 0.6 m: the published
// 2.2e-4 is a matter of where in a step it lands (here 2.9e-4). Shorter steps leave the 1e-4 m below which a point is closed.
TEST(NewtonNormal, limb_with_friction_is_that_of_figure_2_15) {
  expect_published({"kind = \"soft-limb\"\nn = 3\nk = [0.0]\ntheta0 = [0.4, -0.1, -0.2]",
                    0.5,
                    0.0025,
                    2.2e-4,
                    {{5.0, {0.383760404, -0.10797601, -0.197999888}},
                     {10.0, {0.333367244, -0.129222674, -0.192648795}},
                     {12.5, {0.2965294, -0.151292206, -0.141963506}},
                     {15.0, {0.249501421, -0.176285062, -0.0716086044}},
                     {17.5, {0.191481136, -0.191481136, 0.0}},
                     {20.0, {0.129374229, -0.129374229, 0.0}},
                     {22.5, {0.0512603875, -0.0512603875, 0.0}},
                     {25.0, {0.0, 0.0, 0.0}},
                     {40.0, {0.0, 0.0, 0.0}}},
                    {{0}, {0, 1}, {0, 1, 2}}});
}

TEST(NewtonNormal, ten_links_are_those_of_figure_2_20) {
  expect_published(
      {"kind = \"soft-limb\"\nn = 10\nzeta = 0.4\n"
       "theta0 = [0.35, 0.29, 0.23, 0.17, 0.11, 0.05, -0.01, -0.07, -0.13, -0.19]",
       0.5,
       0.01,
       1.0e-3,
       {{2.0, {0.103962388, 0.262675, 0.31042903, 0.164307198}},
        {4.0, {0.0672473399, 0.146400824, 0.182136474, 0.195947553}},
        {6.0, {0.00395263335, 0.0372468128, 0.0806498571, 0.180650016}},
        {8.0, {0.0, 0.0, 0.0, 0.1402599}},
        {10.0, {0.0, 0.0, 0.00503245786, 0.137401426}},
        {15.0, {0.0870006573, 0.149185822, 0.136918682, 0.0441681527}},
        {20.0, {0.0210645981, 0.0341691434, 0.0248605407, 0.00444504011}},
        {25.0, {0.0, 0.0, 0.0, 0.0}},
        {40.0, {0.0, 0.0, 7.67112897e-12, 0.0}}},
       {{0}, {0, 1}, {0, 1, 2}, {0, 1, 2, 3, 4}}});
}

TEST(NewtonNormal, robot_that_lands_is_that_of_figure_3_14) {
  expect_published({"kind = \"soft-robot\"\ny0 = 0.6\ntheta0 = [0.2, 0.3]",
                    0.0,
                    0.01,
                    1e-3,
                    {{10.0, {0.560624312, 0.0, 0.177887938, 0.19459532}},
                     {20.0, {0.445753206, 0.0, 0.057117934, 0.112889895}},
                     {25.0, {0.353153459, 0.0, 0.00156281044, 0.000713591811}},
                     {30.0, {0.235770015, 0.0, -0.056994283, -0.093993643}},
                     {35.0, {0.1, 0.0, 0.0, 0.0}},
                     {40.0, {0.1, 0.0, 0.0, 0.0}},
                     {50.0, {0.1, 0.0, 0.0, 0.0}}},
                    {{1}, {2}, {2, 5}, {2, 5, 6}}});
}

TEST(NewtonNormal, a_box_on_four_corners_is_a_failure_in_words) {
  const sim::RunResult r = sim::run(text::parse_scenario(
      "duration = 0.1\n[ground]\nkind = \"plane\"\n[contact]\nsolver = \"newton-normal\"\n[body.box]\nmass = 1.0\n"
      "inertia = [0.1, 0.1, 0.1]\n[body.box.shape.all]\nkind = \"box\"\nsize = [0.4, 0.4, 0.2]\n[joint.air]\n"
      "kind = \"free\"\nchild = \"box\"\nposition = [0.0, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0]\n",
      "box.toml"));
  EXPECT_GT(r.solver.unconverged_steps, 0);  // exit code 3
  EXPECT_EQ(r.unsolved_where.rfind("contact", 0), 0u) << r.unsolved_where;
}

}  // namespace newton_normal_test
}  // namespace sinew
