// Many bodies: pairs found by a broad phase, with memory by need.
#include <gtest/gtest.h>

#include "robots/catalog.h"
#include "sinew/world/observe.h"

namespace sinew {
namespace crowd_test {

Plan heap(Culling culling, int bodies) {
  Plan plan = robots::catalog().make("pile")->plan();
  plan.bodies.resize(bodies), plan.joints.resize(bodies);
  plan.ground.terrain.kind = TerrainKind::Plane;
  plan.contact.options.culling = culling;
  plan.contact.options.tolerance = 1e-9;
  return plan;
}

TEST(Crowd, every_culling_comes_to_the_same_rest) {
  std::vector<World<double>> worlds;
  for (const Culling c : {Culling::All, Culling::Sweep, Culling::Grid}) {
    worlds.push_back(make_world(heap(c, 12)));
    EXPECT_EQ(worlds.back().model().crowd, c != Culling::All);
    for (int k = 0; k < 300; k++) EXPECT_TRUE(worlds.back().step(1e-3).converged);
  }
  EXPECT_EQ(hash(worlds[1].state), hash(worlds[2].state));  // the same pairs in the same order
  const Observation<double> all = observe(worlds[0]), grid = observe(worlds[2]);
  EXPECT_EQ(all.total.count, grid.total.count);
  EXPECT_NEAR(all.total.normal, grid.total.normal, 1e-5);
  for (int i = 0; i < 12; i++) {
    EXPECT_LT(norm(all.bodies[i].p_WC - grid.bodies[i].p_WC), 1e-6) << i;
    EXPECT_LT(norm(all.touched[i].force - grid.touched[i].force), 1e-4) << i;
  }
}

TEST(Crowd, a_copy_and_a_lane_go_on_as_the_world_does) {
  World<double> world = make_world(heap(Culling::Grid, 10));
  for (int k = 0; k < 150; k++) world.step(1e-3);
  World<double> copy = world;
  World<Lanes> wide = widen(world);
  for (int k = 0; k < 50; k++) world.step(1e-3), copy.step(1e-3), wide.step(1e-3);
  EXPECT_EQ(hash(copy.state), hash(world.state));
  for (int i = 0; i < lane_count; i++) EXPECT_EQ(hash(wide.state, i), hash(world.state));
}

TEST(Crowd, bodies_that_are_kept_apart_do_not_touch) {
  for (const Culling c : {Culling::All, Culling::Grid}) {
    Plan plan = heap(c, 30);
    plan.contact.ignore = {"sphere*:sphere*"};
    World<double> world = make_world(plan);
    for (int k = 0; k < 500; k++) world.step(1e-3);
    for (const BodyMotion<double>& b : observe(world).bodies)
      EXPECT_NEAR(b.p_WC[2], 0.05, 3e-3);  // all on the ground, in by up to v dt
  }
}

// There are slots for the contacts that a heap can have; with fewer the step says so.
TEST(Crowd, too_few_slots_are_named) {
  Plan plan = heap(Culling::Grid, 25);
  plan.contact.options.capacity = 3;
  World<double> world = make_world(plan);
  bool failed = false;
  int pair = -1;
  for (int k = 0; k < 300 && !failed; k++) {
    const StepReport report = world.step(1e-3);
    failed = !report.converged, pair = report.worst_pair;
  }
  EXPECT_TRUE(failed);
  EXPECT_NE(contact_name(world.model(), pair).find("sphere"), std::string::npos);
}

}  // namespace crowd_test
}  // namespace sinew
