#include "sinew/parts/terrain/height.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/parts/terrain/rough.h"

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

TEST(Height, of_a_profile_is_that_of_the_piece_there) {
  Terrain t;
  t.kind = TerrainKind::Profile;
  t.height = -0.1;
  t.profile = {.x = {0.5, 0.65}, .z = {0.0, -0.1, 0.025}, .width = 2.0, .beyond = 3.0};
  EXPECT_DOUBLE_EQ(height_at(t, 0.49, 0.0), 0.0);
  EXPECT_DOUBLE_EQ(height_at(t, 0.51, 0.9), -0.1);
  EXPECT_DOUBLE_EQ(height_at(t, 0.66, -0.9), 0.025);
  EXPECT_DOUBLE_EQ(height_at(t, 0.66, 1.1), -0.1);  // beside it
  EXPECT_DOUBLE_EQ(height_at(t, 3.66, 0.0), -0.1);  // behind it
  EXPECT_DOUBLE_EQ(height_at(t, -2.4, 0.0), 0.0);
}

// Waves of the height that was asked for, of zero mean, the same for the same seed and whatever the grid; level around the origin.
TEST(Height, of_rough_ground_follows_from_its_seed) {
  const HeightField grid{.nx = 121, .ny = 121, .x0 = -3.0, .y0 = -3.0, .dx = 0.05, .dy = 0.05, .z = {}};
  const Roughness rough{.rms = 0.01, .length = 0.3, .seed = 4};
  const std::vector<double> z = rough_heights(grid, rough);
  ASSERT_EQ(z.size(), 121u * 121u);
  double sum = 0.0, squares = 0.0;
  for (const double h : z) sum += h, squares += h * h;
  EXPECT_NEAR(sum / double(z.size()), 0.0, 5e-4);
  EXPECT_NEAR(std::sqrt(squares / double(z.size())), 0.01, 5e-4);
  EXPECT_EQ(rough_heights(grid, rough), z);
  const HeightField fine{.nx = 5, .ny = 5, .x0 = -3.0, .y0 = -3.0, .dx = 0.025, .dy = 0.025, .z = {}};
  EXPECT_NEAR(rough_heights(fine, rough)[2 * 5 + 2], z[121 + 1], 1e-12);
  Roughness other = rough;
  other.seed = 5;
  EXPECT_NE(rough_heights(grid, other), z);
  other.level = 0.5;
  const std::vector<double> around = rough_heights(grid, other);
  for (int i = 52; i <= 68; i++)
    for (int k = 55; k <= 65; k++) EXPECT_EQ(around[std::size_t(i * 121 + k)], 0.0);
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
