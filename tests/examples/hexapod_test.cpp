// The robot of examples/hexapod.h, which does not come with sinew: it needs public headers alone.
#include "examples/hexapod.h"

#include <gtest/gtest.h>

namespace hexapod::test {

struct Pushed {
  double furthest = 0.0, end = 0.0, tilt = 0.0;
};
Pushed push(bool balance) {
  const Hexapod robot;
  sinew::World<double> world = sinew::make_world(plan_of(robot), {.stepper = "moreau"});
  Balance control(robot);
  sinew::Readings readings;
  Pushed out;
  for (int i = 0; i < 2000; i++) {
    sinew::read_sensors(world, readings);
    control.update(readings, world.state.memory, world.input);
    if (!balance)  // PD alone, as stiff
      for (int k = 0; k < 18; k++) {
        const LegAngles& a = robot.stance[k / 3];
        const double stance[3] = {a.ha, a.hb, a.k};
        world.input.torque[6 + k] = 20.0 * (stance[k % 3] - readings.q[7 + k]) - readings.u[6 + k];
      }
    world.input.external[0].f = Vec3d(i >= 500 && i < 600 ? 40.0 : 0.0, 0.0, 0.0);
    EXPECT_TRUE(world.step(1e-3).converged);
    out.furthest = std::max(out.furthest, world.state.q[0]);
  }
  out.end = norm(Vec3d(world.state.q[0], world.state.q[1], world.state.q[2] - robot.height));
  out.tilt = std::abs(1.0 - std::abs(world.state.q[3]));
  return out;
}

TEST(HexapodExample, comes_back_from_a_push) {
  const Pushed with = push(true), without = push(false);
  EXPECT_GT(with.furthest, 0.002);
  EXPECT_LT(with.end, 0.002);
  EXPECT_LT(with.tilt, 1e-4);
  EXPECT_GT(without.end, 5.0 * with.end);
}

}  // namespace hexapod::test
