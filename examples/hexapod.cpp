// Six legs that stand, and a push from the side: PD alone, and with the forces of the feet shared so that the body comes back.
#include "hexapod.h"

#include <cstdio>

int main() {
  const hexapod::Hexapod robot;
  sinew::World<double> world = sinew::make_world(hexapod::plan_of(robot), {.stepper = "moreau"});
  hexapod::Balance control(robot);
  sinew::Readings readings;
  double furthest = 0.0;
  for (int i = 0; i < 2000; i++) {
    sinew::read_sensors(world, readings);
    control.update(readings, world.state.memory, world.input);
    world.input.external[0].f = sinew::Vec3d(i >= 500 && i < 600 ? 40.0 : 0.0, 0.0, 0.0);  // 4 N s
    world.step(1e-3);
    furthest = std::max(furthest, world.state.q[0]);
  }
  std::printf("pushed by %.1f mm, back to %.2f mm; the feet missed at most %.2g N of what was wanted\n", 1e3 * furthest,
              1e3 * world.state.q[0], control.missed);
}
