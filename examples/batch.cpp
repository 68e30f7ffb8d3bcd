// Several robots in one register: the same pendulum with a different length in every lane, stepped together.
#include <cstdio>

#include "sinew/world.h"

int main() {
  using namespace sinew;
  BodyPlan bob;
  bob.name = "bob";
  JointPlan pivot;
  pivot.name = "pivot";
  pivot.child = "bob";
  pivot.axis = Vec3d(0, 1, 0);
  pivot.p_child = Vec3d(-1, 0, 0);  // the bob hangs 1 m away along x: released from the horizontal
  Plan plan;
  plan.bodies = {bob};
  plan.joints = {pivot};

  World<Lanes> batch = widen(make_world(plan, {.stepper = "rk4"}));
  for (int i = 0; i < lane_count; i++) {
    const double length = 0.5 + 0.5 * i;
    LinkParams<Lanes>& link = batch.params.links[0];
    link.c_F[0].set(i, length);
    link.I_F.mc[0].set(i, length);  // mass 1 kg
    link.I_F.I.yy.set(i, length * length);
    link.I_F.I.zz.set(i, length * length);
  }
  for (int k = 0; k < 1000; k++) batch.step(1e-3);
  for (int i = 0; i < lane_count; i++)
    std::printf("length %.1f m: %6.3f rad after 1 s\n", 0.5 + 0.5 * i, batch.state.q[0][i]);
}
