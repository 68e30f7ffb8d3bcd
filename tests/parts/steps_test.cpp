#include "sinew/parts/terrain/steps.h"

#include <gtest/gtest.h>

#include "tests/parts/touch/scene.h"

namespace sinew {
namespace steps_test {

using namespace support;

Terrain stairs() {
  Terrain terrain;
  terrain.kind = TerrainKind::Steps;
  terrain.height = 0.05;
  terrain.steps = {.count = 3, .start = 0.5, .rise = 0.1, .run = 0.3, .width = 2.0};
  return terrain;
}

TEST(Steps, each_box_spans_its_run_and_ends_at_its_height) {
  const auto boxes = boxes_of(stairs());
  ASSERT_EQ(boxes.size(), 3u);
  const double left[] = {0.5, 0.8, 1.1}, top[] = {0.15, 0.25, 0.35};
  for (int i = 0; i < 3; i++) {
    const Vec3d h = boxes[i].shape.half, p = boxes[i].X_WS.p;
    EXPECT_NEAR(p[0] - h[0], left[i], 1e-15);
    EXPECT_NEAR(p[0] + h[0], left[i] + 0.3, 1e-15);
    EXPECT_NEAR(p[2] + h[2], top[i], 1e-15);
    EXPECT_LT(p[2] - h[2], 0.05 - 0.1);
    EXPECT_EQ(h[1], 1.0);
    EXPECT_EQ(p[1], 0.0);
  }
}

TEST(Steps, other_terrains_have_no_boxes) {
  Terrain terrain = stairs();
  terrain.kind = TerrainKind::Plane;
  EXPECT_TRUE(boxes_of(terrain).empty());
}

TEST(Steps, the_terrain_itself_is_the_floor_even_if_a_tilted_normal_is_left_in_it) {
  Terrain terrain = stairs();
  terrain.normal = {0.6, 0, 0.8};
  const Touches t = touches(terrain, sphere(0.1), at(1.2, 0, 0.14), 0.0);
  ASSERT_EQ(t.count, 1);
  expect_near(t[0].n, {0, 0, 1}, 0.0);
  EXPECT_NEAR(t[0].gap, -0.01, 1e-15);
}

TEST(Steps, a_ball_on_a_step_touches_that_step_at_its_top) {
  const auto boxes = boxes_of(stairs());
  int touched = 0;
  for (const PlacedShape& step : boxes) {
    const Touches t = touches(step.shape, step.X_WS, sphere(0.1), at(0.95, 0.5, 0.345), 0.0);
    touched += t.count;
    if (t.count == 0) continue;
    expect_near(t[0].n, {0, 0, 1}, 1e-15);
    EXPECT_NEAR(t[0].gap, -0.005, 1e-15);
  }
  EXPECT_EQ(touched, 1);
}

}  // namespace steps_test
}  // namespace sinew
