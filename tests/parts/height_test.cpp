#include "sinew/parts/terrain/height.h"

#include <gtest/gtest.h>

namespace sinew {
namespace height_test {

TEST(Height, of_a_tilted_plane_lies_on_the_plane) {
  Terrain t;
  t.kind = TerrainKind::Plane;
  t.normal = Vec3d(0.6, 0.0, 0.8), t.height = 0.4;
  EXPECT_NEAR(height_at(t, 2.0, 5.0), (0.4 - 0.6 * 2.0) / 0.8, 1e-15);
}

TEST(Height, of_steps_is_the_floor_or_the_step_there) {
  Terrain t;
  t.kind = TerrainKind::Steps;
  t.height = 0.05;
  t.steps = {.count = 3, .start = 0.5, .rise = 0.1, .run = 0.3, .width = 2.0};
  EXPECT_DOUBLE_EQ(height_at(t, 0.4, 0.0), 0.05);
  EXPECT_DOUBLE_EQ(height_at(t, 0.6, 0.0), 0.15);
  EXPECT_DOUBLE_EQ(height_at(t, 1.3, 0.9), 0.35);
  EXPECT_DOUBLE_EQ(height_at(t, 1.3, 1.1), 0.05);  // beside them
  EXPECT_DOUBLE_EQ(height_at(t, 1.5, 0.0), 0.05);  // behind them
}

TEST(Height, of_a_field_is_linear_on_either_side_of_the_diagonal) {
  Terrain t;
  t.kind = TerrainKind::Heights;
  t.field = {.nx = 2, .ny = 2, .x0 = 1.0, .y0 = 2.0, .dx = 0.5, .dy = 0.25, .z = {0.0, 1.0, 2.0, 5.0}};  // y fastest
  EXPECT_DOUBLE_EQ(height_at(t, 1.0, 2.25), 1.0);
  EXPECT_DOUBLE_EQ(height_at(t, 1.5, 2.0), 2.0);
  EXPECT_DOUBLE_EQ(height_at(t, 1.25, 2.125), 2.5);                    // on the diagonal
  EXPECT_DOUBLE_EQ(height_at(t, 1.375, 2.0625), 0.75 * 2 + 0.25 * 3);  // s = 3/4, t = 1/4
  EXPECT_DOUBLE_EQ(height_at(t, 1.125, 2.1875), 0.75 * 1 + 0.25 * 4);  // s = 1/4, t = 3/4
  EXPECT_DOUBLE_EQ(height_at(t, 9.0, 9.0), 5.0);                       // beside the grid
}

}  // namespace height_test
}  // namespace sinew
