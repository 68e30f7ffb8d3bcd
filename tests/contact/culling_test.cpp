// The broad phase: all three ways give the same pairs, whatever the boxes are.
#include "sinew/contact/culling.h"

#include <gtest/gtest.h>

#include <random>

namespace sinew {
namespace culling_test {

using Pairs = std::vector<std::pair<int, int>>;

std::vector<Aabb> scene(std::mt19937& random, int n, double spread, double size) {
  std::uniform_real_distribution<double> place(-spread, spread), edge(0.0, size), chance(0.0, 1.0);
  std::vector<Aabb> boxes;
  for (int i = 0; i < n; i++) {
    const double factor = chance(random) < 0.03 ? 30.0 : 1.0;  // a few are much larger
    Aabb b;
    for (int k = 0; k < 3; k++) {
      b.low[k] = place(random);
      b.high[k] = b.low[k] + factor * edge(random);
    }
    boxes.push_back(b);
  }
  return boxes;
}

TEST(Culling, sweep_and_grid_find_the_pairs_of_brute_force) {
  std::mt19937 random(1);
  CullPhase cull;
  for (int round = 0; round < 300; round++) {
    const int n = 1 + round % 120;
    const auto boxes = scene(random, n, 0.2 + 0.02 * (round % 50), 0.3);
    const Pairs expected = cull.overlaps(boxes, Culling::All);
    EXPECT_EQ(cull.overlaps(boxes, Culling::Sweep), expected) << round;
    EXPECT_EQ(cull.overlaps(boxes, Culling::Grid), expected) << round;
  }
}

// What was seen last does not count: the order of the sweep is only where it starts from.
TEST(Culling, bodies_that_move_are_found_again) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> step(-0.05, 0.05);
  auto boxes = scene(random, 80, 1.0, 0.4);
  CullPhase cull;
  for (int k = 0; k < 100; k++) {
    for (Aabb& b : boxes)
      for (int i = 0; i < 3; i++) {
        const double d = step(random);
        b.low[i] += d, b.high[i] += d;
      }
    const Pairs expected = CullPhase().overlaps(boxes, Culling::All);
    EXPECT_EQ(cull.overlaps(boxes, Culling::Sweep), expected);
    EXPECT_EQ(cull.overlaps(boxes, Culling::Grid), expected);
  }
}

TEST(Culling, degenerate_boxes_do_no_harm) {
  CullPhase cull;
  for (const Culling how : {Culling::All, Culling::Sweep, Culling::Grid}) {
    EXPECT_TRUE(cull.overlaps({}, how).empty());
    const Aabb point{{1, 2, 3}, {1, 2, 3}};
    EXPECT_EQ(cull.overlaps({point, point, point}, how), (Pairs{{0, 1}, {0, 2}, {1, 2}}));  // coincident points
    const Aabb far{{1e30, 0, 0}, {1e30, 1, 1}}, none{{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    EXPECT_EQ(cull.overlaps({point, far, none, point}, how), (Pairs{{0, 3}}));
  }
}

}  // namespace culling_test
}  // namespace sinew
