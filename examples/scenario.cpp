// Runs a scenario written as text (or the file named on the command line) and prints its results.
#include <cstdio>

#include "sinew/scenario.h"
#include "sinew/simulation.h"

constexpr const char* swing = R"(
title = "a damped swing"
duration = 3.0
[body.bob]
[joint.pivot]
child = "bob"
axis = [0.0, 1.0, 0.0]
p_child = [-1.0, 0.0, 0.0]
damping = 0.2
[output.result]
angle = "joint.pivot.q"
lost = "energy.dissipated_damping"
)";

int main(int argc, char** argv) {
  using namespace sinew;
  try {
    const sim::Scenario scenario =
        argc > 1 ? text::load_scenario(argv[1], argv[1]) : text::parse_scenario(swing, "swing");
    for (const sim::ResultValue& result : run(scenario).results)
      std::printf("%s = %g %s\n", result.name.c_str(), result.values[0], result.unit.c_str());
  } catch (const InputError& e) {
    for (const std::string& problem : e.problems) std::fprintf(stderr, "error: %s\n", problem.c_str());
    return 2;
  }
}
