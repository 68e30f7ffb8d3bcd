// Builds a two-link pendulum in C++, lets it swing for two seconds and prints where its tip goes.
#include <cstdio>

#include "sinew/world.h"

int main() {
  using namespace sinew;
  Plan plan;  // SI units, radians; gravity points along -z unless told otherwise
  std::string parent = "world";
  for (const char* name : {"upper", "lower"}) {
    BodyPlan body;
    body.name = name;
    body.mass = 0.5;
    body.com = Vec3d(0.2, 0, 0);
    body.inertia = Sym3d::diagonal(0.002);
    JointPlan hinge;
    hinge.name = body.name + "_hinge";
    hinge.parent = parent;
    hinge.child = body.name;
    hinge.axis = Vec3d(0, 1, 0);
    if (parent != "world") hinge.p_parent = Vec3d(0.4, 0, 0);
    plan.bodies.push_back(body);
    plan.joints.push_back(hinge);
    parent = name;
  }
  World<double> world = make_world(plan, {.stepper = "rk4"});
  for (int i = 0; i < 2000; i++) {
    if (i % 250 == 0) {
      const auto seen = observe(world);
      const Vec3d tip = seen.bodies[1].X_WB * Vec3d(0.4, 0, 0);
      std::printf("t %.2f s  tip %7.4f %7.4f m  energy error %.1e J\n", world.state.t, tip[0], tip[2],
                  seen.balance_error);
    }
    if (!world.step(1e-3).finite) return 3;
  }
}
