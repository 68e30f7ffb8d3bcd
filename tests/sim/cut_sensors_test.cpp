// Sensors on joints that are cut (coordinates = "maximal"): they say what they say in a tree.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/sim/sensor_robots.h"

namespace sinew::sim {
namespace cut_sensors_test {

using namespace sensor_robots;

const std::string all_kinds = R"(
[drive.motor]
kind = "series-elastic"
joint = "rail"
control = "torque"
level = "fast"
set = { torque = 30.0 }
[body.cart]
mass = 3.0
inertia = [0.02, 0.02, 0.02]
[joint.rail]
kind = "prismatic"
child = "cart"
axis = [1, 0, 0]
p_parent = [0, 0, 2]
[sensor.pot]
kind = "potentiometer"
joint = "elbow"
upper = 3.0
bits = 12
noise = 0.002
[sensor.absolute]
kind = "absolute-encoder"
joint = "shoulder"
bits = 14
[sensor.shaft]
kind = "incremental-encoder"
joint = "elbow"
counts = 512
gear_ratio = 20
absolute = "pot"
fusion_time = 0.1
[sensor.stop]
kind = "limit-switch"
joint = "shoulder"
at = 0.0
closed = "below"
[sensor.cut]
kind = "force6"
joint = "elbow"
upper = [100, 100, 100, 50, 50, 50]
[sensor.cut3]
kind = "force3"
joint = "shoulder"
upper = 100
[sensor.unit]
kind = "inertial"
body = "lower"
position = [0, 0, -0.1]
[sensor.level]
kind = "inclination"
body = "lower"
[sensor.eye]
kind = "camera"
body = "lower"
[sensor.current]
kind = "current"
drive = "motor"
[sensor.spring]
kind = "hall"
drive = "motor"
upper = 1.5e-3
[sensor.ahead]
kind = "range"
body = "upper"
upper = 4.0
)";

TEST(CutSensors, all_kinds_say_what_they_say_in_a_tree) {
  const std::string robot = two_bars + all_kinds + "[ground]\nkind = \"plane\"\nheight = -2.0\n";
  Simulation tree(experiment_of(robot, {"step=2e-4"})), cut(experiment_of(robot, {"step=2e-4", "coordinates=maximal"}));
  for (int k = 0; k < 5; k++) {
    ASSERT_FALSE(tree.step(200));
    ASSERT_FALSE(cut.step(200));
    for (const char* name :
         {"pot", "absolute", "shaft", "stop", "cut.fx", "cut.fz", "cut.my", "cut3.fx", "cut3.fz", "unit.wy", "unit.ax",
          "unit.az", "level.pitch", "eye.x", "eye.z", "eye.pitch", "current", "spring", "ahead"}) {
      const std::string signal = std::string("sensor.") + name;
      const double said = tree.get(signal);
      EXPECT_NEAR(cut.get(signal), said, 1e-5 * (1.0 + std::abs(said))) << signal;
    }
  }
}

// A joint that no drive turns, more than half a turn between two samples.
TEST(CutSensors, an_encoder_counts_full_turns_of_a_cut_joint) {
  const std::string wheel = R"(
duration = 3.0
[gravity]
g = [0, 0, 0]
[body.wheel]
mass = 1.0
inertia = [0.02, 0.02, 0.02]
[joint.axle]
child = "wheel"
axis = [0, 1, 0]
velocity = 30.0
damping = 0.005
[sensor.shaft]
kind = "incremental-encoder"
joint = "axle"
counts = 4096
period = 0.15
[integrator]
step = 1e-3
)";
  Simulation tree(experiment_of(wheel)), cut(experiment_of(wheel, {"coordinates=maximal"}));
  for (int k = 0; k < 20; k++) {
    ASSERT_FALSE(tree.step(150));
    ASSERT_FALSE(cut.step(150));
    ASSERT_NEAR(cut.get("sensor.shaft"), tree.get("sensor.shaft"), 0.01);
  }
  EXPECT_GT(tree.get("sensor.shaft"), 40.0);
}

}  // namespace cut_sensors_test
}  // namespace sinew::sim
