#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "sinew/model/compile.h"

namespace sinew {
namespace check_test {

using testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

// Two bodies on two joints: nothing is wrong with it.
Plan sound_plan() {
  Plan plan;
  BodyPlan arm{"arm", 1.0, {0, 0, 0}, {1, 0, 0, 1, 0, 1}}, hand = arm;
  hand.name = "hand";
  JointPlan shoulder, wrist;
  shoulder.name = "shoulder", shoulder.child = "arm";
  wrist.name = "wrist", wrist.parent = "arm", wrist.child = "hand";
  plan.bodies = {arm, hand};
  plan.joints = {shoulder, wrist};
  return plan;
}

// Exactly one problem, with this key and these words; compile throws it.
template <class Spoil>
void expect_problem(const char* key, const char* words, const Spoil& spoil) {
  Plan plan = sound_plan();
  spoil(plan);
  const std::vector<Problem> problems = problems_of(plan);
  ASSERT_EQ(problems.size(), 1u) << "for " << key << ", " << words;
  EXPECT_EQ(problems[0].key, key);
  EXPECT_THAT(problems[0].what, HasSubstr(words));
  try {
    compile(plan);
    ADD_FAILURE() << "compiled in spite of " << key;
  } catch (const PlanError& e) {
    EXPECT_EQ(e.problems.size(), 1u);
    EXPECT_EQ(e.what(), problems[0].key + ": " + problems[0].what);
  }
}

TEST(Check, a_sound_plan_has_no_problem) { EXPECT_TRUE(problems_of(sound_plan()).empty()); }

TEST(Check, an_empty_plan_needs_a_body) {
  const auto problems = problems_of(Plan{});
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].key, "body");
  EXPECT_THAT(problems[0].what, HasSubstr("at least one body"));
}

TEST(Check, masses_are_finite_and_not_negative) {
  expect_problem("body.arm.mass", "must be >= 0 kg, is -2", [](Plan& p) { p.bodies[0].mass = -2; });
  expect_problem("body.arm.mass", "must be >= 0 kg", [](Plan& p) { p.bodies[0].mass = nan; });
  expect_problem("body.hand.mass", "must be >= 0 kg", [](Plan& p) { p.bodies[1].mass = inf; });
}

TEST(Check, centres_of_mass_and_inertias_are_finite) {
  expect_problem("body.arm.com", "finite", [](Plan& p) { p.bodies[0].com[1] = nan; });
  expect_problem("body.arm.inertia", "finite", [](Plan& p) { p.bodies[0].inertia.xx = inf; });
  expect_problem("body.arm.inertia", "finite", [](Plan& p) { p.bodies[0].inertia.yz = nan; });
}

TEST(Check, inertias_belong_to_real_bodies) {
  expect_problem("body.arm.inertia", "3, 1, 1", [](Plan& p) { p.bodies[0].inertia = {1, 0, 0, 3, 0, 1}; });
  expect_problem("body.arm.inertia", "at most the sum of the other two",
                 [](Plan& p) { p.bodies[0].inertia = {-1, 0, 0, 1, 0, 1}; });
  // off-diagonal terms too large for the diagonal: principal moments 3, 1, -1
  expect_problem("body.arm.inertia", "3, 1, -1", [](Plan& p) { p.bodies[0].inertia = {1, 2, 0, 1, 0, 1}; });
}

TEST(Check, limiting_inertias_are_accepted) {
  Plan plan = sound_plan();
  plan.bodies[0].inertia = {2, 0, 0, 1, 0, 1};  // a flat plate: one moment is the sum of the others
  plan.bodies[1].inertia = {0, 0, 0, 1, 0, 1};  // a thin rod
  EXPECT_TRUE(problems_of(plan).empty());
  // the same plate, turned: only rounding differs
  const Sym3d turned = rotate(to_matrix(quaternion_exp(Vec3d(0.3, -0.8, 1.2))), plan.bodies[0].inertia);
  plan.bodies[0].inertia = turned;
  EXPECT_TRUE(problems_of(plan).empty());
  plan.bodies[0].inertia = Sym3d::diagonal(0.0);  // a point
  EXPECT_TRUE(problems_of(plan).empty());
}

TEST(Check, names_are_unique_and_the_world_is_taken) {
  expect_problem("joint.shoulder", "two joints have this name", [](Plan& p) { p.joints[1].name = "shoulder"; });
  Plan plan = sound_plan();
  plan.bodies[1].name = "arm";
  EXPECT_EQ(problems_of(plan)[0].key, "body.arm");
  EXPECT_THAT(problems_of(plan)[0].what, HasSubstr("two bodies have this name"));
  plan = sound_plan();
  plan.bodies[1].name = "world";
  EXPECT_EQ(problems_of(plan)[0].key, "body.world");
  EXPECT_THAT(problems_of(plan)[0].what, HasSubstr("choose another"));
}

TEST(Check, joints_name_two_different_bodies_that_exist) {
  const auto has = [](const Plan& plan, const std::string& key, const std::string& words) {
    for (const Problem& problem : problems_of(plan))
      if (problem.key == key && problem.what.find(words) != std::string::npos) return true;
    return false;
  };
  expect_problem("joint.wrist.parent", "no body is named 'elbow'", [](Plan& p) { p.joints[1].parent = "elbow"; });
  Plan plan = sound_plan();
  plan.joints[1].child = "elbow";
  EXPECT_TRUE(has(plan, "joint.wrist.child", "no body is named 'elbow'"));
  plan.joints[1].child = "";
  EXPECT_TRUE(has(plan, "joint.wrist.child", "must name the body it carries"));
  plan.joints[1].child = "world";
  EXPECT_TRUE(has(plan, "joint.wrist.child", "exchange parent and child"));
  plan.joints[1].child = "arm";
  EXPECT_TRUE(has(plan, "joint.wrist.child", "two different bodies"));
}

TEST(Check, free_joints_start_at_the_world_and_close_no_loop) {
  expect_problem("joint.wrist.kind", "starts at the world", [](Plan& p) { p.joints[1].kind = JointKind::Free; });
  expect_problem("loop.third.kind", "closes no loop", [](Plan& p) {
    JointPlan third;
    third.name = "third", third.child = "hand", third.kind = JointKind::Free, third.loop = true;
    p.joints.push_back(third);
  });
}

TEST(Check, axes_have_a_direction) {
  expect_problem("joint.shoulder.axis", "must not be zero", [](Plan& p) { p.joints[0].axis = Vec3d::zero(); });
  expect_problem("joint.shoulder.axis", "must not be zero", [](Plan& p) { p.joints[0].axis[0] = nan; });
  expect_problem("joint.shoulder.axis2", "perpendicular", [](Plan& p) {
    p.joints[0].kind = JointKind::Universal;
    p.joints[0].axis2 = {0, 1, 0.1};
  });
  Plan plan = sound_plan();
  plan.joints[0].kind = JointKind::Universal;
  plan.joints[0].axis2 = {0, 0, 2};
  EXPECT_EQ(problems_of(plan)[0].key, "joint.shoulder.axis2");
  EXPECT_THAT(problems_of(plan)[0].what, HasSubstr("parallel"));
}

TEST(Check, quaternions_have_length_one) {
  expect_problem("joint.shoulder.orientation", "length 1", [](Plan& p) { p.joints[0].orientation = {1, 1, 0, 0}; });
  const auto ball = [](Plan& p) -> JointPlan& { return p.joints[0].kind = JointKind::Ball, p.joints[0]; };
  expect_problem("joint.shoulder.position", "has 2", [&](Plan& p) { ball(p).position = {2, 0, 0, 0}; });
  expect_problem("joint.shoulder.rest", "has 2", [&](Plan& p) { ball(p).rest = {0, 0, 2, 0}; });
}

TEST(Check, a_weld_has_nothing_to_drive) {
  expect_problem("joint.wrist.drive", "a weld joint has no axis to drive", [](Plan& p) {
    p.joints[1].kind = JointKind::Weld;
    p.joints[1].drive = Drive::Servo;
  });
}

TEST(Check, lists_are_as_long_as_the_joint_has_axes_or_coordinates) {
  struct List {
    const char* key;
    std::vector<double> JointPlan::*list;
    const char* words;
  };
  const List lists[] = {
      {"joint.wrist.position", &JointPlan::position, "1 coordinates, but 2 values"},
      {"joint.wrist.rest", &JointPlan::rest, "1 coordinates, but 2 values"},
      {"joint.wrist.velocity", &JointPlan::velocity, "1 axes, but 2 values"},
      {"joint.wrist.stiffness", &JointPlan::stiffness, "1 axes, but 2 values"},
      {"joint.wrist.damping", &JointPlan::damping, "1 axes, but 2 values"},
      {"joint.wrist.kp", &JointPlan::kp, "1 axes, but 2 values"},
      {"joint.wrist.kd", &JointPlan::kd, "1 axes, but 2 values"},
      {"joint.wrist.limit", &JointPlan::limit, "1 axes, but 2 values"},
  };
  for (const List& l : lists) expect_problem(l.key, l.words, [&](Plan& p) { p.joints[1].*l.list = {0.5, 0.5}; });
  expect_problem("joint.wrist.motion", "1 axes, but 2 values", [](Plan& p) { p.joints[1].motion.resize(2); });
}

TEST(Check, gains_and_limits_are_not_negative) {
  for (const auto& [key, list] : {std::pair{"joint.wrist.stiffness", &JointPlan::stiffness},
                                  {"joint.wrist.damping", &JointPlan::damping},
                                  {"joint.wrist.kp", &JointPlan::kp},
                                  {"joint.wrist.kd", &JointPlan::kd},
                                  {"joint.wrist.limit", &JointPlan::limit}}) {
    expect_problem(key, "must be >= 0, is -1", [l = list](Plan& p) { p.joints[1].*l = {-1.0}; });
    expect_problem(key, "must be >= 0, is nan", [l = list](Plan& p) { p.joints[1].*l = {nan}; });
  }
}

TEST(Check, every_body_is_carried_once_from_the_world) {
  expect_problem("body.hand", "add one, of kind 'free' if it floats", [](Plan& p) { p.joints.pop_back(); });
  expect_problem("joint.second.child", "already carried by joint 'wrist'", [](Plan& p) {
    p.joints.push_back(p.joints[1]);
    p.joints[2].name = "second";
  });
  Plan plan = sound_plan();
  plan.joints[0].parent = "hand";
  const auto problems = problems_of(plan);
  ASSERT_EQ(problems.size(), 2u);  // both bodies are on the circle
  EXPECT_EQ(problems[0].key, "body.arm");
  EXPECT_EQ(problems[1].key, "body.hand");
  EXPECT_THAT(problems[0].what, HasSubstr("runs in a circle"));
}

TEST(Check, the_attracting_mass_is_not_negative) {
  expect_problem("gravity.GM", ">= 0", [](Plan& p) { p.gravity.GM = -1; });
  expect_problem("gravity.GM", ">= 0", [](Plan& p) { p.gravity.GM = nan; });
}

TEST(Check, keys_of_loops_begin_with_loop) {
  expect_problem("loop.closing.stiffness", ">= 0", [](Plan& p) {
    JointPlan closing;
    closing.name = "closing", closing.parent = "world", closing.child = "hand", closing.loop = true;
    closing.stiffness = {-1};
    p.joints.push_back(closing);
  });
}

TEST(Check, all_problems_are_reported_at_once) {
  Plan plan = sound_plan();
  plan.bodies[0].mass = -1;
  plan.bodies[1].com[0] = nan;
  plan.joints[0].axis = Vec3d::zero();
  plan.joints[1].kp = {-1};
  plan.gravity.GM = -1;
  std::vector<std::string> keys;
  for (const Problem& problem : problems_of(plan)) keys.push_back(problem.key);
  EXPECT_THAT(keys, testing::UnorderedElementsAre("body.arm.mass", "body.hand.com", "joint.shoulder.axis",
                                                  "joint.wrist.kp", "gravity.GM"));
}

// What a file's keys already refuse must not slip in through a plan made in code: one such number and every result of a
// run is NaN.
TEST(Check, numbers_of_joints_and_gravity_are_finite) {
  expect_problem("joint.wrist.p_parent", "finite", [](Plan& p) { p.joints[1].p_parent[2] = nan; });
  expect_problem("joint.wrist.p_child", "finite", [](Plan& p) { p.joints[1].p_child[0] = inf; });
  expect_problem("joint.wrist.axis2", "finite", [](Plan& p) { p.joints[1].axis2[0] = nan; });
  expect_problem("joint.wrist.orientation", "length 1", [](Plan& p) { p.joints[1].orientation.x = nan; });
  expect_problem("joint.wrist.position", "finite", [](Plan& p) { p.joints[1].position = {nan}; });
  expect_problem("joint.wrist.velocity", "finite", [](Plan& p) { p.joints[1].velocity = {inf}; });
  expect_problem("joint.wrist.rest", "finite", [](Plan& p) { p.joints[1].rest = {nan}; });
  expect_problem("joint.wrist.stiffness", "finite", [](Plan& p) { p.joints[1].stiffness = {inf}; });
  expect_problem("joint.wrist.motion", "finite", [](Plan& p) {
    p.joints[1].motion.resize(1);
    p.joints[1].motion[0].phase = nan;
  });
  expect_problem("gravity.g", "finite", [](Plan& p) { p.gravity.g[0] = nan; });
  expect_problem("gravity.GM", ">= 0", [](Plan& p) { p.gravity.GM = inf; });
  expect_problem("gravity.centre", "finite", [](Plan& p) { p.gravity.centre[1] = inf; });
  expect_problem("gravity.spin", "finite", [](Plan& p) { p.gravity.spin[2] = nan; });
}

TEST(Check, a_limit_may_be_infinite) {
  Plan plan = sound_plan();
  plan.joints[0].limit = {inf};
  EXPECT_TRUE(problems_of(plan).empty());
}

}  // namespace check_test
}  // namespace sinew
