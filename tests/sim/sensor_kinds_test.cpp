// What each kind of sensor measures, against closed forms and second methods.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/sim/sensor_robots.h"

namespace sinew::sim {
namespace sensor_kinds_test {

using namespace sensor_robots;

// At rest the ankle carries the shank; upside: what lies above presses down on the foot.
TEST(SensorKinds, a_force_sensor_at_rest_carries_the_weight_beyond_its_cut) {
  Simulation s(experiment_of(on_ground + R"(
[sensor.ankle]
kind = "force6"
joint = "ankle"
body = "foot"
[sensor.sole]
kind = "force3"
body = "foot"
[sensor.flag]
kind = "contact"
body = "foot"
)"));
  EXPECT_EQ(s.get("sensor.flag"), 0.0);
  ASSERT_FALSE(s.step(300));
  EXPECT_NEAR(s.get("sensor.ankle.fz"), -3.0 * g, 1e-6);
  EXPECT_NEAR(s.get("sensor.ankle.fx"), 0.0, 1e-6);
  EXPECT_NEAR(s.get("sensor.sole.fz"), 4.5 * g - 3.0 * g, 1e-6);  // the ground pushes, the shank weighs
  EXPECT_EQ(s.get("sensor.flag"), 1.0);
  EXPECT_EQ(s.get("sensor.ankle.saturated"), 0.0);
}

// All impulses of a landing are in the samples: their sum is what the momentum beyond the cut has gained, plus its weight.
TEST(SensorKinds, a_force_sensor_loses_no_impulse_between_its_samples) {
  Simulation s(experiment_of(on_ground + R"(
[sensor.ankle]
kind = "force3"
joint = "ankle"
body = "foot"
period = 0.01
)",
                             {"joint.air.position=[0,0,0.025,1,0,0,0]"}));
  double impulse = 0.0;
  for (int k = 0; k < 20; k++) {
    ASSERT_FALSE(s.step(10));
    impulse += s.get("sensor.ankle.fz") * 0.01;
  }
  const double v = s.get("body.shank.v.z");
  EXPECT_NEAR(impulse, -3.0 * (v + g * 0.2), 1e-9);
}

// By a second method: forces of constraints, which maximal coordinates have and trees do not.
TEST(SensorKinds, a_force_sensor_of_a_moving_arm_agrees_with_the_constraint_forces_of_its_joint) {
  const std::string sensor = "[sensor.cut]\nkind = \"force6\"\njoint = \"elbow\"\nbody = \"lower\"\n";
  Simulation tree(experiment_of(two_bars + sensor, {"step=1e-4"}));
  Simulation maximal(experiment_of(two_bars + sensor, {"step=1e-4", "coordinates=maximal"}));
  ASSERT_FALSE(tree.step(3000));
  ASSERT_FALSE(maximal.step(3000));
  for (const char* name : {"sensor.cut.fx", "sensor.cut.fz", "sensor.cut.my"})
    EXPECT_NEAR(tree.get(name), maximal.get(name), 0.01) << name;
  // of the joint on its child, world axes; of the child on the rest: the other way round
  const double angle = maximal.get("joint.shoulder.q") + maximal.get("joint.elbow.q");
  const double fx = -maximal.get("joint.elbow.force.x"), fz = -maximal.get("joint.elbow.force.z");
  EXPECT_NEAR(maximal.get("sensor.cut.fx"), std::cos(angle) * fx - std::sin(angle) * fz, 0.02);
  EXPECT_NEAR(maximal.get("sensor.cut.fz"), std::sin(angle) * fx + std::cos(angle) * fz, 0.02);
  EXPECT_NEAR(maximal.get("sensor.cut.my"), 0.0, 1e-3);  // a free hinge
}

TEST(SensorKinds, a_force_sensor_beyond_its_range_is_clamped_and_flagged) {
  Simulation s(experiment_of(on_ground + R"(
[sensor.sole]
kind = "force6"
joint = "ankle"
upper = [300, 400, 20, 10, 20, 10]
)"));
  ASSERT_FALSE(s.step(100));
  EXPECT_EQ(s.get("sensor.sole.fz"), -20.0);
  EXPECT_EQ(s.get("sensor.sole.saturated"), 1.0);
  EXPECT_NEAR(s.get("sensor.sole.true.fz"), -3.0 * g, 1e-6);
}

TEST(SensorKinds, an_inertial_unit_feels_gravity_at_rest_and_nothing_in_free_fall) {
  const std::string unit = "[sensor.unit]\nkind = \"inertial\"\nbody = \"shank\"\nposition = [0.1, 0, 0]\n";
  Simulation rest(experiment_of(on_ground + unit));
  ASSERT_FALSE(rest.step(100));
  EXPECT_NEAR(rest.get("sensor.unit.az"), g, 1e-9);
  Simulation falls(experiment_of(on_ground + unit, {"ground.kind=none"}));
  ASSERT_FALSE(falls.step(100));
  for (const char* name : {"sensor.unit.ax", "sensor.unit.ay", "sensor.unit.az"})
    EXPECT_NEAR(falls.get(name), 0.0, 1e-9) << name;
}

// On a circle: towards the centre w^2 r, and the rate itself.
TEST(SensorKinds, an_inertial_unit_on_a_turning_body_feels_its_centripetal_force) {
  Simulation s(experiment_of(R"(
[gravity]
kind = "none"
[body.disk]
mass = 1.0
inertia = [0.1, 0.1, 0.2]
[joint.pivot]
child = "disk"
axis = [0, 0, 1]
velocity = 3.0
[integrator]
step = 1e-5
[sensor.unit]
kind = "inertial"
body = "disk"
position = [0.5, 0, 0]
)"));
  ASSERT_FALSE(s.step(200));
  EXPECT_NEAR(s.get("sensor.unit.wz"), 3.0, 1e-12);
  EXPECT_NEAR(s.get("sensor.unit.ax"), -4.5, 1e-4);
  EXPECT_NEAR(s.get("sensor.unit.ay"), 0.0, 1e-4);
}

TEST(SensorKinds, inclination_and_camera_tell_how_a_body_lies) {
  const double a = 0.3;
  Simulation s(experiment_of(on_ground + R"(
[sensor.level]
kind = "inclination"
body = "shank"
[sensor.camera]
kind = "camera"
body = "shank"
position = [0, 0, 0.5]
)",
                             {"ground.kind=none", "joint.air.position=[1,2,3," + std::to_string(std::cos(a / 2)) + "," +
                                                      std::to_string(std::sin(a / 2)) + ",0,0]"}));
  EXPECT_NEAR(s.get("sensor.level.roll"), a, 1e-5);
  EXPECT_NEAR(s.get("sensor.level.pitch"), 0.0, 1e-9);
  EXPECT_NEAR(s.get("sensor.camera.roll"), a, 1e-5);
  EXPECT_NEAR(s.get("sensor.camera.x"), 1.0, 1e-9);
  EXPECT_NEAR(s.get("sensor.camera.z"), 3.0 + (0.05 + 0.1 + 0.5) * std::cos(a), 1e-5);
}

TEST(SensorKinds, a_range_sensor_sees_ground_obstacles_and_bodies_and_says_when_there_is_nothing) {
  Simulation s(experiment_of(on_ground + R"(
[ground.obstacle.wall]
kind = "box"
position = [2.0, 0, 0.5]
size = [0.2, 4.0, 1.0]
[sensor.down]
kind = "range"
body = "shank"
position = [0, 0, 0.5]
orientation = [0.7071067811865476, 0, 0.7071067811865476, 0]
[sensor.ahead]
kind = "range"
body = "shank"
position = [0, 0, 0.3]
rays = 3
fan = 1.5707963267948966
upper = 5.0
[sensor.sky]
kind = "range"
body = "shank"
orientation = [0.7071067811865476, 0, -0.7071067811865476, 0]
)"));
  EXPECT_NEAR(s.get("sensor.down"), 0.5 + 0.1 + 0.05 - 0.02, 1e-9);  // onto the foot's box
  EXPECT_NEAR(s.get("sensor.ahead.1"), 1.9, 1e-9);
  EXPECT_NEAR(s.get("sensor.ahead.0"), 1.9 * std::sqrt(2.0), 1e-9);
  EXPECT_EQ(s.get("sensor.sky"), 10.0);
  EXPECT_EQ(s.get("sensor.sky.saturated"), 1.0);
  EXPECT_EQ(s.get("sensor.down.saturated"), 0.0);
}

// A spring of 400 kN/m that a drive loads with 100 N.
const std::string elastic = R"(
duration = 0.1
[gravity]
kind = "none"
[body.load]
mass = 1e9
inertia = [1, 1, 1]
[joint.slide]
kind = "prismatic"
child = "load"
[drive.screw]
kind = "series-elastic"
joint = "slide"
control = "torque"
[drive.screw.set]
torque = 100
[integrator]
step = 1e-4
[sensor.current]
kind = "current"
drive = "screw"
upper = 16
bits = 12
[sensor.spring]
kind = "hall"
drive = "screw"
upper = 1.5e-3
bits = 12
)";

TEST(SensorKinds, current_and_hall_sensors_read_a_drive_to_half_a_count) {
  Simulation s(experiment_of(elastic));
  ASSERT_FALSE(s.step(900));
  EXPECT_EQ(s.get("sensor.current.true"), s.get("drive.screw.current"));
  EXPECT_NEAR(s.get("sensor.current"), s.get("drive.screw.current"), 0.5 * 32.0 / 4096 + 1e-12);
  EXPECT_NE(s.get("drive.screw.current"), 0.0);
  EXPECT_NEAR(s.get("sensor.spring.true"), s.get("drive.screw.spring") / 4e5, 1e-12);
  EXPECT_NEAR(s.get("sensor.spring"), s.get("sensor.spring.true"), 0.5 * 3e-3 / 4096 + 1e-12);
  EXPECT_NEAR(s.get("drive.screw.spring"), 100.0, 10.0);
}

TEST(SensorKinds, what_a_drive_does_not_have_is_not_measured) {
  const std::string said = complaint(elastic + "[sensor.s]\nkind = \"current\"\ndrive = \"scrw\"\n");
  EXPECT_NE(said.find("sensor.s.drive"), std::string::npos) << said;
  EXPECT_NE(said.find("screw"), std::string::npos) << said;
  const auto refused = [](const std::string& drive, const std::string& sensor) {
    return complaint(two_bars + "[drive.m]\nkind = \"" + drive + "\"\njoint = \"elbow\"\n[sensor.s]\nkind = \"" +
                     sensor + "\"\ndrive = \"m\"\n");
  };
  EXPECT_NE(refused("ideal", "current").find("no motor"), std::string::npos) << refused("ideal", "current");
  EXPECT_NE(refused("dc-motor", "hall").find("series-elastic"), std::string::npos) << refused("dc-motor", "hall");
}

}  // namespace sensor_kinds_test
}  // namespace sinew::sim
