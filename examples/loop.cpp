// Loads a scenario, closes a loop around it and reads signals by name: a hand-made controller holds a pendulum up. With the path of
// another scenario file as argument it only lets that run and says how far it came.
#include <cstdio>

#include "sinew/scenario.h"
#include "sinew/simulation.h"

constexpr const char* pendulum = R"(
[body.bob]
[joint.pivot]
child = "bob"
axis = [0.0, 1.0, 0.0]
p_child = [-1.0, 0.0, 0.0]
position = -1.2
)";

int main(int argc, char** argv) try {
  using namespace sinew;
  sim::Simulation s(argc > 1 ? text::load_experiment(argv[1], argv[1]) : text::parse_experiment(pendulum, "pendulum"));
  while (s.time() < 3.0) {
    if (argc == 1)
      s.set("joint.pivot.torque", 60.0 * (-1.5708 - s.get("joint.pivot.q")) - 15.0 * s.get("joint.pivot.u"));
    if (s.step()) return 3;  // why it failed, if it did
  }
  std::printf("t %.3f s  com.p %.3f %.3f %.3f m  %016llx\n", s.time(), s.get("com.p.x"), s.get("com.p.y"),
              s.get("com.p.z"), static_cast<unsigned long long>(s.hash()));
} catch (const sinew::InputError& e) {
  for (const std::string& problem : e.problems) std::fprintf(stderr, "error: %s\n", problem.c_str());
  return 2;
}
