// Scenarios with contact give the same in both coordinate choices.
#include <gtest/gtest.h>

#include "sinew/world/observe.h"
#include "tests/support/shipped.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace contact_coordinates_test {

TEST(ContactCoordinates, shipped_scenarios_agree) {
  for (const char* name : {"bouncing-ball", "block-on-incline", "rolling-sphere", "rocking-block", "stack",
                           "painleve-rod", "table-on-five-legs", "spinning-coin"}) {
    const std::vector<std::string> tree_set{"coordinates=tree"}, maximal_set{"coordinates=maximal"};
    const sim::Scenario tree = shipped(std::string("basics/") + name, tree_set);
    const sim::Scenario maximal = shipped(std::string("basics/") + name, maximal_set);
    World<double> a = sim::make_world(tree), b = sim::make_world(maximal);
    for (int k = 0; k < 200; k++) a.step(tree.step), b.step(tree.step);
    // free bodies are the same forest in both; only the solver may differ
    EXPECT_LT(distance(a, b), 1e-9) << name;
  }
}

// The block of basics/block-on-incline sawn in two and joined again: in maximal coordinates the weld is a constraint.
Plan sawn_block(double angle, JointKind joint) {
  Plan plan = shipped("basics/block-on-incline").plan;
  plan.incline = angle;
  BodyPlan half = plan.bodies[0];
  half.mass = 0.5;
  half.inertia = {0.5 * (0.09 + 0.04) / 12, 0, 0, 0.5 * (0.04 + 0.04) / 12, 0, 0.5 * (0.04 + 0.09) / 12};
  half.shapes[0].shape.half = {0.1, 0.15, 0.1};
  BodyPlan front = half, back = half;
  back.name = "back", front.name = "front";
  plan.bodies = {back, front};
  plan.joints[0].child = "back";
  plan.joints[0].position = {-0.1, 0, 0.1, 1, 0, 0, 0};
  JointPlan glue;
  glue.name = "glue", glue.kind = joint, glue.parent = "back", glue.child = "front";
  glue.p_parent = {0.1, 0, 0}, glue.p_child = {-0.1, 0, 0};
  plan.joints.push_back(glue);
  return plan;
}

TEST(ContactCoordinates, a_block_of_two_halves_behaves_as_one) {
  for (const double angle : {0.4, 0.6})
    for (const JointKind joint : {JointKind::Weld, JointKind::Revolute})
      for (const Coordinates c : both_coordinates) {
        World<double> world = make_world(sawn_block(angle, joint), {.coordinates = c});
        for (int k = 0; k < 500; k++) ASSERT_TRUE(world.step(1e-3).converged);
        const double a = std::max(0.0, 9.81 * (std::sin(angle) - 0.5 * std::cos(angle)));
        const auto seen = observe(world);
        EXPECT_NEAR(seen.bodies[0].v_WC[0], a * 0.5, 1e-7) << name_of(c) << angle;
        EXPECT_NEAR(seen.bodies[1].p_WC[0], 0.1 + a * 0.125, 1e-7) << name_of(c) << angle;
        double normal = 0.0;
        for (const auto& contact : seen.contacts) normal += contact.normal;
        EXPECT_NEAR(normal, 9.81 * std::cos(angle), 1e-6);
      }
}

}  // namespace contact_coordinates_test
}  // namespace sinew::test
