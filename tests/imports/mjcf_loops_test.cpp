#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/imports/import.h"
#include "sinew/sim/errors.h"
#include "sinew/text/load_scenario.h"

namespace sinew {
namespace mjcf_loops_test {

using imports::import_model_text;
using ::testing::Contains;
using ::testing::HasSubstr;

sim::Experiment experiment_of(const std::string& text) {
  return text::parse_experiment(import_model_text(text, "robot.xml").text, "robot.toml");
}

std::string world(const std::string& bodies, const std::string& before = {}, const std::string& after = {}) {
  return "<mujoco model=\"m\">" + before + "<worldbody>" + bodies + "</worldbody>" + after + "</mujoco>";
}

TEST(MjcfLoops, a_connection_is_a_loop_where_it_is_closed_at_the_start) {
  const std::string bodies =
      "<body name=\"a\"><joint name=\"ja\" axis=\"0 1 0\"/><geom size=\"0.1\" pos=\"0.5 0 0\"/>"
      "<body name=\"b\" pos=\"1 0 0\"><joint name=\"jb\" axis=\"0 1 0\"/><geom size=\"0.1\" pos=\"0 0 "
      "0.5\"/></body></body>";
  const auto e = experiment_of(world(bodies, "", "<equality><connect body1=\"b\" anchor=\"0 0 1\"/></equality>"));
  const JointPlan& loop = e.plan().joints.back();
  EXPECT_TRUE(loop.loop);
  EXPECT_EQ(loop.kind, JointKind::Ball);
  EXPECT_EQ(loop.parent, "world");
  EXPECT_EQ(loop.p_parent[0], 1.0);
  EXPECT_EQ(loop.p_parent[2], 1.0);
  EXPECT_EQ(loop.p_child[2], 1.0);
}

TEST(MjcfLoops, sites_that_are_connected_or_welded_are_held_together) {
  const std::string bodies =
      "<body name=\"a\"><joint name=\"ja\" axis=\"0 1 0\"/><geom size=\"0.1\" pos=\"0.5 0 0\"/><site name=\"s\" "
      "pos=\"1 0 0\"/></body><body name=\"b\" pos=\"2 0 0\"><joint name=\"jb\" axis=\"0 1 0\"/><geom size=\"0.1\" "
      "pos=\"-0.5 0 0\"/><site name=\"t\" pos=\"-1.00000001 0 0\" euler=\"0 90 0\"/></body>";
  const auto equality = [&](const std::string& what) { return world(bodies, "", "<equality>" + what + "</equality>"); };
  const auto e = experiment_of(equality("<connect site1=\"s\" site2=\"t\"/>"));
  const JointPlan& loop = e.plan().joints.back();
  EXPECT_EQ(loop.kind, JointKind::Ball);
  EXPECT_EQ(loop.parent, "b");
  EXPECT_EQ(loop.p_parent[0], -1.0);  // where the other is: they are 1e-8 m apart by the file
  EXPECT_EQ(loop.p_child[0], 1.0);
  EXPECT_THAT(import_model_text(equality("<connect site1=\"s\" site2=\"t\"/>"), "a.xml").notes,
              Contains(HasSubstr("its sites are 1.0e-08 m apart, and are put together")));
  const auto welded = import_model_text(equality("<weld site1=\"s\" site2=\"t\"/>"), "a.xml");
  EXPECT_THAT(welded.warnings, ::testing::IsEmpty());
  EXPECT_THAT(welded.text, HasSubstr("kind = \"weld\""));
  EXPECT_THROW(import_model_text(equality("<connect site1=\"s\" site2=\"nowhere\"/>"), "a.xml"), InputError);
  EXPECT_THROW(import_model_text(equality("<connect body1=\"a\" body2=\"nobody\" anchor=\"0 0 0\"/>"), "a.xml"),
               InputError);
}

}  // namespace mjcf_loops_test
}  // namespace sinew
