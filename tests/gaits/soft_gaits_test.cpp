// Gaits of soft robots (docs/gaits.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "gaits/catalog.h"
#include "tests/support/motion.h"

namespace sinew::gaits {
namespace soft_gaits_test {

using support::at;
using testing::HasSubstr;

void add_joint(Plan& plan, const std::string& name, const std::string& parent, double length) {
  BodyPlan body;
  body.name = name;
  JointPlan j;
  j.name = name, j.child = name, j.parent = parent, j.drive = Drive::Computed;
  j.p_parent = Vec3d(length, 0, 0);
  plan.bodies.push_back(body), plan.joints.push_back(j);
}

Plan limb(int n, double second_length = 0.6) {
  Plan plan;
  for (int i = 1; i <= n; i++)
    add_joint(plan, std::to_string(i), i == 1 ? "world" : std::to_string(i - 1),
              i == 1   ? 0.0
              : i == 3 ? second_length
                       : 0.6);
  return plan;
}

// Directions of the links and their rates at time t.
std::vector<double> directions(const Plan& plan, double t, bool rates = false) {
  std::vector<double> theta;
  double sum = 0.0;
  for (const JointPlan& j : plan.joints) {
    sum += rates ? at(j.motion[0], t).rate : at(j.motion[0], t).m;
    theta.push_back(sum);
  }
  return theta;
}

Plan with(const char* name, const Plan& plan) { return with_gait(*catalog().make(name), name, plan); }

std::string refusal(const char* name, const Plan& plan) {
  try {
    with(name, plan);
  } catch (const PlanError& e) {
    return e.what();
  }
  return "";
}

TEST(LimbArch, three_links_take_the_path_of_the_thesis) {
  const Plan plan = with("limb-arch", limb(3));
  for (const double t : {0.0, 3.0, 20.0, 33.0, 47.0}) {
    const double w = 2.0 * std::numbers::pi / 40.0, theta1 = 0.2 * (1.0 - std::cos(w * t));
    const std::vector<double> theta = directions(plan, t), rate = directions(plan, t, true);
    EXPECT_NEAR(theta[0], theta1, 1e-14);
    EXPECT_NEAR(theta[1], -std::asin(0.6 * std::sin(theta1) / 0.6), 1e-14);
    EXPECT_NEAR(theta[2], 0.0, 1e-14);
    EXPECT_NEAR(rate[0], 0.2 * w * std::sin(w * t), 1e-14);
    EXPECT_NEAR(rate[1], -std::cos(theta1) * rate[0] / std::cos(theta[1]), 1e-14);
  }
}

TEST(LimbArch, four_links_take_the_path_of_the_thesis) {
  const std::vector<double> theta = directions(with("limb-arch", limb(4)), 20.0);
  EXPECT_NEAR(theta[0], 0.4, 1e-14);
  EXPECT_NEAR(theta[1], 0.0, 1e-14);
  EXPECT_NEAR(theta[2], -0.4, 1e-14);
  EXPECT_NEAR(theta[3], 0.0, 1e-14);
}

TEST(LimbArch, links_of_other_lengths_and_other_joints_are_refused_in_words) {
  EXPECT_THAT(refusal("limb-arch", limb(3, 0.5)), HasSubstr("the same length, but they have 0.6 and 0.5 m"));
  EXPECT_THAT(refusal("limb-arch", limb(2)), HasSubstr("at least 3 joints, but 2 are driven"));
  Plan plan = limb(4);
  plan.joints[2].kind = JointKind::Prismatic;
  EXPECT_THAT(refusal("limb-arch", plan), HasSubstr("'3' is prismatic"));
}

// docs/gaits.md#inchworm: delta_1 = -a, delta_2 = +a, further joints 0, on both sides.
TEST(Inchworm, inner_links_arch_and_outer_ones_stay_level) {
  Plan plan;
  add_joint(plan, "L1", "hub", 0.0), add_joint(plan, "R1", "hub", 0.0);
  add_joint(plan, "L2", "L1", 0.9), add_joint(plan, "R2", "R1", 0.9), add_joint(plan, "R3", "R2", 0.9);
  plan = with("inchworm", plan);
  for (const double t : {0.0, 15.0, 30.0, 52.0}) {
    const double a = 0.1 + 0.25 * (1.0 - std::cos(2.0 * std::numbers::pi * t / 60.0));
    const double expected[] = {-a, -a, a, a, 0.0};
    for (int i = 0; i < 5; i++) EXPECT_NEAR(at(plan.joints[i].motion[0], t).m, expected[i], 1e-14) << i;
  }
}

TEST(Inchworm, other_joints_are_refused_in_words) {
  Plan plan = limb(2);
  plan.joints[1].kind = JointKind::Prismatic;
  EXPECT_THAT(refusal("inchworm", plan), HasSubstr("'2' is prismatic"));
}

}  // namespace soft_gaits_test
}  // namespace sinew::gaits
