// The same loop around a plan made in code, without scenario files: it needs sinew::core alone.
#include <cstdio>

#include "sinew/simulation.h"

int main() {
  using namespace sinew;
  sim::Scenario scenario;  // SI units, radians; gravity points along -z unless told otherwise
  scenario.plan.bodies.push_back({.name = "bob", .mass = 1.0, .inertia = Sym3d::diagonal(0.01)});
  JointPlan pivot;
  pivot.name = "pivot";
  pivot.child = "bob";
  pivot.axis = Vec3d(0, 1, 0);
  pivot.p_child = Vec3d(-1, 0, 0);
  pivot.position = {-1.2};
  scenario.plan.joints.push_back(pivot);

  sim::Simulation s{sim::Experiment(scenario)};
  const sim::Channel angle = s.reading("joint.pivot.q"), rate = s.reading("joint.pivot.u"),
                     torque = s.command("joint.pivot.torque");
  while (s.time() < 3.0) {
    s.set(torque, 60.0 * (-1.5708 - s.get(angle)) - 15.0 * s.get(rate));
    if (s.step()) return 3;
  }
  std::printf("angle %.3f %s after %.3f s\n", s.get(angle), angle.unit.c_str(), s.time());
}
