#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/imports/import.h"
#include "sinew/sim/errors.h"
#include "sinew/text/load_scenario.h"

namespace sinew {
namespace mjcf_drives_test {

using imports::import_model_text;
using ::testing::ElementsAre;

sim::Experiment experiment_of(const std::string& text) {
  return text::parse_experiment(import_model_text(text, "robot.xml").text, "robot.toml");
}

std::string world(const std::string& bodies, const std::string& before = {}, const std::string& after = {}) {
  return "<mujoco model=\"m\">" + before + "<worldbody>" + bodies + "</worldbody>" + after + "</mujoco>";
}

std::string hinge(const std::string& inside, const std::string& attributes = {}) {
  return "<body name=\"b\" pos=\"0.1 0.2 0.3\"><joint name=\"j\" type=\"hinge\" " + attributes + "/>" + inside +
         "</body>";
}
const std::string radian = "<compiler angle=\"radian\"/>";
const std::string ball = "<geom type=\"sphere\" size=\"0.1\" pos=\"0.2 0.1 0\"/>";

const JointPlan& joint_of(const sim::Experiment& e, const std::string& name) {
  return *std::ranges::find(e.plan().joints, name, &JointPlan::name);
}

TEST(MjcfDrives, actuators_become_drives_with_their_gears_and_keyframes) {
  const std::string key = "<keyframe><key name=\"home\" qpos=\"0.3\" ctrl=\"0.6\"/></keyframe>";
  const auto drive = [&](const std::string& actuator) {
    const auto e = experiment_of(
        world(hinge(ball), "<compiler angle=\"radian\"/>", "<actuator>" + actuator + "</actuator>" + key));
    return joint_of(e, "j");
  };
  const JointPlan servo = drive("<position joint=\"j\" kp=\"20\" kv=\"3\" gear=\"2\" forcerange=\"-5 5\"/>");
  EXPECT_EQ(servo.drive, Drive::Servo);
  EXPECT_EQ(servo.kp, std::vector{80.0});
  EXPECT_EQ(servo.kd, std::vector{12.0});
  EXPECT_EQ(servo.limit, std::vector{10.0});
  EXPECT_NEAR(servo.motion[0].offset, 0.3, 1e-15);  // ctrl over gear
  EXPECT_EQ(servo.position, std::vector{0.3});
  const JointPlan speed = drive("<velocity joint=\"j\" kv=\"4\"/>");
  EXPECT_EQ(speed.kd, std::vector{4.0});
  EXPECT_NEAR(speed.motion[0].rate, 0.6, 1e-15);
  const JointPlan motor = drive("<motor joint=\"j\" gear=\"10\"/>");
  EXPECT_EQ(motor.drive, Drive::Torque);
  EXPECT_NEAR(motor.motion[0].offset, 6.0, 1e-15);
  const JointPlan general = drive("<general joint=\"j\" biastype=\"affine\" gainprm=\"50\" biasprm=\"0 -50 -5\"/>");
  EXPECT_EQ(general.kp, std::vector{50.0});
  EXPECT_EQ(general.kd, std::vector{5.0});
}

// The numbers are biasprm[2] of MuJoCo 3.14.0, npm's.
TEST(MjcfDrives, a_ratio_of_damping_is_of_all_that_the_joint_moves_at_ref) {
  const auto kd = [](const std::string& actuator, const std::string& joint) {
    const auto e = experiment_of(world(
        "<body name=\"a\" pos=\"0 0 1\"><joint name=\"j\" axis=\"0 1 0\" armature=\"0.02\"/><geom type=\"capsule\" "
        "size=\"0.05\" fromto=\"0 0 0 0.4 0 0\"/><body name=\"b\" pos=\"0.4 0 0\" euler=\"0 0 30\"><joint name=\"k\" "
        "type=\"slide\" axis=\"0 0 1\"/><geom size=\"0.1\" pos=\"0.1 0 0\"/></body></body>",
        "", "<actuator>" + actuator + "</actuator>"));
    return joint_of(e, joint).kd.at(0);
  };
  EXPECT_NEAR(kd("<position joint=\"j\" kp=\"40\" dampratio=\"0.7\" gear=\"3\"/>", "j"), 9.0 * 3.2924833361474404,
              1e-12);
  EXPECT_NEAR(kd("<position joint=\"k\" kp=\"100\" dampratio=\"1\"/>", "k"), 40.933068317859544, 1e-12);
  EXPECT_NEAR(kd("<general joint=\"j\" gainprm=\"50\" biastype=\"affine\" biasprm=\"0 -50 0.5\"/>", "j"),
              7.888089165440323, 1e-12);
}

TEST(MjcfDrives, the_range_of_a_command_bounds_what_a_servo_aims_at_and_a_motor_gives) {
  const auto joint = [](const std::string& actuator) {
    return joint_of(experiment_of(world(hinge(ball), radian, "<actuator>" + actuator + "</actuator>")), "j");
  };
  EXPECT_EQ(joint("<position joint=\"j\" kp=\"20\" ctrlrange=\"0.5 1\"/>").motion[0].offset, 0.5);
  EXPECT_TRUE(joint("<position joint=\"j\" kp=\"20\" ctrlrange=\"0.5 1\" ctrllimited=\"false\"/>").motion.empty());
  imports::ImportOptions held;
  held.prepare.drive = "servo";
  const std::string motor =
      world(hinge(ball), radian, "<actuator><motor joint=\"j\" gear=\"25\" ctrlrange=\"-4 4.5\"/></actuator>");
  const auto e = text::parse_experiment(import_model_text(motor, "robot.xml", held).text, "robot.toml");
  EXPECT_EQ(joint_of(e, "j").limit, std::vector{100.0});
}

TEST(MjcfDrives, a_keyframe_turns_ball_joints) {
  const std::string bodies =
      "<body name=\"a\"><joint name=\"j\" type=\"ball\" pos=\"0 0 0.1\"/><geom size=\"0.1\" pos=\"0.5 0 0\"/></body>";
  const auto e = experiment_of(world(bodies, "", "<keyframe><key qpos=\"2 0 2 0\"/></keyframe>"));
  const double half = std::sqrt(0.5);
  EXPECT_THAT(joint_of(e, "j").position,
              ElementsAre(::testing::DoubleNear(half, 1e-15), 0.0, ::testing::DoubleNear(half, 1e-15), 0.0));
}

}  // namespace mjcf_drives_test
}  // namespace sinew
