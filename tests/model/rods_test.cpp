// What becomes of a rod: bodies, joints, masses; and what is wrong with rods and cables.
#include "sinew/model/rods.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "sinew/model/compile.h"

namespace sinew {
namespace rods_test {

Plan arm() {
  Plan plan;
  RodPlan r;
  r.name = "arm", r.length = 0.4, r.radius = 0.01, r.density = 1200, r.segments = 4;
  plan.rods = {r};
  return plan;
}

TEST(RodPlans, a_rod_becomes_one_body_more_than_segments_and_weighs_what_it_weighs) {
  const Plan plan = with_rods(arm());
  ASSERT_EQ(plan.bodies.size(), 5u);
  double mass = 0.0, first_moment = 0.0;
  for (std::size_t i = 0; i < plan.bodies.size(); i++) {
    EXPECT_EQ(plan.bodies[i].name, "arm." + std::to_string(i));
    mass += plan.bodies[i].mass, first_moment += plan.bodies[i].mass * (0.1 * double(i) + plan.bodies[i].com[0]);
  }
  const double whole = 1200 * std::numbers::pi * 1e-4 * 0.4;
  EXPECT_NEAR(mass, whole, 1e-15);
  EXPECT_NEAR(first_moment, 0.2 * whole, 1e-15);  // centred at half its length
  EXPECT_NEAR(plan.bodies[0].mass, whole / 8, 1e-15);
}

TEST(RodPlans, joints_have_the_elasticity_of_a_segment) {
  const Plan plan = with_rods(arm());
  const auto joint = std::ranges::find(plan.joints, "arm.2", &JointPlan::name);
  ASSERT_NE(joint, plan.joints.end());
  EXPECT_EQ(joint->kind, JointKind::Flex);
  const double A = std::numbers::pi * 1e-4, I = std::numbers::pi / 4 * 1e-8, G = 1e6 / 3;
  const std::vector<double> want{G * 2 * I / 0.1, 1e6 * I / 0.1, 1e6 * I / 0.1,
                                 1e6 * A / 0.1,   G * A / 0.1,   G * A / 0.1};
  ASSERT_EQ(joint->stiffness.size(), want.size());
  for (std::size_t i = 0; i < want.size(); i++) EXPECT_NEAR(joint->stiffness[i], want[i], 1e-9 * want[i]);
}

TEST(RodPlans, a_rod_is_made_once) {
  const Plan once = with_rods(arm());
  EXPECT_FALSE(has_unmade_rods(once));
  EXPECT_EQ(with_rods(once).bodies.size(), once.bodies.size());
  EXPECT_EQ(compile(arm()).model->nu, compile(once).model->nu);
}

TEST(RodPlans, a_cable_along_a_rod_leads_over_its_bodies_to_its_end) {
  Plan plan = arm();
  CablePlan cable;
  cable.name = "c", cable.rod = "arm", cable.offset_y = 0.005, cable.end = 0.28;
  plan.cables = {cable};
  plan = with_rods(std::move(plan));
  const CablePlan& c = plan.cables[0];
  ASSERT_EQ(c.bodies.size(), 4u);  // at 0, 0.1, 0.2 m and tied at 0.28 m
  EXPECT_EQ(c.bodies[3], "arm.3");
  EXPECT_NEAR(c.points[9], -0.02, 1e-12);
  EXPECT_EQ(c.points[10], 0.005);
}

template <class Change>
void expect_problem(const std::string& key, const std::string& what, Change change) {
  Plan plan = arm();
  CablePlan cable;
  cable.name = "c", cable.rod = "arm", cable.offset_y = 0.005, cable.value = 1;
  plan.cables = {cable};
  EXPECT_TRUE(problems_of(plan).empty());
  change(plan);
  const auto problems = problems_of(plan);
  EXPECT_TRUE(
      std::ranges::any_of(problems, [&](const Problem& p) { return p.key == key && p.what.find(what) != p.what.npos; }))
      << key << ": " << (problems.empty() ? "no problem" : problems[0].key + ": " + problems[0].what);
}

TEST(RodPlans, what_is_wrong_is_said_with_its_key) {
  expect_problem("rod.arm.parent", "no body is named", [](Plan& p) { p.rods[0].parent = "rover"; });
  expect_problem("rod.arm.tip_on", "no body is named", [](Plan& p) { p.rods[0].child = "rover"; });
  expect_problem("rod.arm.segments", "from 1 to", [](Plan& p) { p.rods[0].segments = 0; });
  expect_problem("rod.arm.length", "> 0", [](Plan& p) { p.rods[0].length = 0; });
  expect_problem("rod.arm.radius", "> 0", [](Plan& p) { p.rods[0].radius = -1; });
  expect_problem("rod.arm.nu", "at most 0.5", [](Plan& p) { p.rods[0].nu = 0.7; });
  expect_problem("rod.arm.shape", "row of boxes", [](Plan& p) { p.rods[0].shape = RodShape::Box; });
  expect_problem("rod.arm.rest_curvature", "about z alone", [](Plan& p) {
    p.rods[0].freedoms = RodFreedoms::Planar, p.rods[0].rest_curvature = {0, 1, 0};
  });
  expect_problem("rod.arm.wave.period", "> 0", [](Plan& p) { p.rods[0].wave.on = true, p.rods[0].wave.period = 0; });
  expect_problem("rod.arm", "two rods", [](Plan& p) { p.rods.push_back(p.rods[0]); });
  expect_problem("cable.c.rod", "no rod is named", [](Plan& p) { p.cables[0].rod = "leg"; });
  expect_problem("cable.c.end", "on the rod", [](Plan& p) { p.cables[0].end = 0.5; });
  expect_problem("cable.c.bodies", "at least two", [](Plan& p) { p.cables[0].rod = ""; });
  expect_problem("cable.c.points", "need 6 numbers", [](Plan& p) {
    p.cables[0].rod = "", p.cables[0].bodies = {"world", "arm.4"}, p.cables[0].points = {0, 0, 0};
  });
  expect_problem("cable.c.bodies", "no body is named", [](Plan& p) {
    p.cables[0].rod = "", p.cables[0].bodies = {"world", "leg"}, p.cables[0].points = {0, 0, 0, 0, 0, 0};
  });
  expect_problem("cable.c.area", "> 0", [](Plan& p) { p.cables[0].kind = CableKind::Chamber; });
  expect_problem("cable.c.stiffness", "> 0", [](Plan& p) { p.cables[0].kind = CableKind::Spring; });
}

}  // namespace rods_test
}  // namespace sinew
