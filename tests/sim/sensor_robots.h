// Robots for tests of sensors, and what goes wrong when they are read.
#pragma once
#include <string>
#include <vector>

#include "sinew/sim/errors.h"
#include "sinew/sim/simulation.h"
#include "sinew/text/load_scenario.h"

namespace sinew::sim::sensor_robots {

inline constexpr double g = 9.81;

// A pendulum of two bars.
inline const std::string two_bars = R"(
duration = 1.0
[gravity]
g = [0, 0, -9.81]
[body.upper]
mass = 2.0
com = [0, 0, -0.25]
inertia = [0.05, 0.05, 0.002]
[body.lower]
mass = 1.0
com = [0, 0, -0.2]
inertia = [0.02, 0.02, 0.001]
[joint.shoulder]
child = "upper"
axis = [0, 1, 0]
position = 0.7
[joint.elbow]
parent = "upper"
child = "lower"
p_parent = [0, 0, -0.5]
axis = [0, 1, 0]
position = -0.4
[integrator]
step = 1e-3
)";

// A ball that lies on the ground, with a mast that carries a second body on a weld.
inline const std::string on_ground = R"(
duration = 0.5
[ground]
kind = "plane"
[contact]
mu = 0.8
[body.foot]
mass = 1.5
inertia = [0.01, 0.01, 0.01]
[body.foot.shape.sole]
kind = "box"
size = [0.2, 0.1, 0.04]
[body.shank]
mass = 3.0
inertia = [0.02, 0.02, 0.02]
[joint.air]
kind = "free"
child = "foot"
position = [0, 0, 0.02, 1, 0, 0, 0]
[joint.ankle]
kind = "weld"
parent = "foot"
child = "shank"
p_parent = [0, 0, 0.05]
p_child = [0, 0, -0.1]
[integrator]
step = 1e-3
)";

inline Experiment experiment_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  return text::parse_experiment(text, "test.toml", sets);
}

inline std::string complaint(const std::string& text) {
  try {
    experiment_of(text);
  } catch (const InputError& e) {
    std::string all;
    for (const std::string& p : e.problems) all += p + "\n";
    return all;
  }
  return "";
}

}  // namespace sinew::sim::sensor_robots
