#include <gtest/gtest.h>

#include "sinew/solve/sparse.h"
#include "tests/support/loose_heap.h"

namespace sinew::test {
namespace island_cones_test {

// Friction alike in all directions, more rows than a dense matrix is tried for.
SparseProblem large_heap(int seed) {
  SparseProblem p = support::loose_heap(100, 180, seed);
  for (ContactLaw<double>& law : p.laws) law.mu_forward = law.mu_backward = law.mu_trans;
  return p;
}

// So few sweeps leave the island unsolved; with the sparse factors it is solved, to the motion that many sweeps find.
TEST(IslandCones, solve_what_sweeps_leave) {
  constexpr double tolerance = 1e-9;
  for (const int seed : {1, 2, 3, 4}) {
    SparseProblem few = large_heap(seed), by_cones = few, many = few;
    SparseSolver solver;
    EXPECT_GT(solver.solve(few, {.tolerance = tolerance, .sweeps = 12, .exact = false}).residual, 1e-6) << seed;
    const SparseReport report = solver.solve(by_cones, {.tolerance = tolerance, .sweeps = 12});
    EXPECT_LE(report.residual, tolerance) << seed;
    EXPECT_GT(report.iterations, 12) << seed;
    ASSERT_LE(solver.solve(many, {.tolerance = tolerance, .sweeps = 100000, .exact = false}).residual, tolerance);
    for (std::size_t i = 0; i < many.loose.size(); i++)
      for (int k = 0; k < 3; k++) {
        EXPECT_NEAR(by_cones.V[i].v[k], many.V[i].v[k], 1e-6) << seed << ' ' << i;
        EXPECT_NEAR(by_cones.V[i].w[k], many.V[i].w[k], 1e-5) << seed << ' ' << i;
      }
  }
}

// A normal row that gives way: its compliance is part of the matrix.
TEST(IslandCones, give_way_as_the_sweeps_do) {
  SparseProblem by_cones = large_heap(5);
  for (SparseContact& c : by_cones.contacts) c.give = 0.05;
  SparseProblem many = by_cones;
  SparseSolver solver;
  EXPECT_LE(solver.solve(by_cones, {.tolerance = 1e-9, .sweeps = 12}).residual, 1e-9);
  ASSERT_LE(solver.solve(many, {.tolerance = 1e-9, .sweeps = 100000, .exact = false}).residual, 1e-9);
  for (std::size_t i = 0; i < many.loose.size(); i++)
    for (int k = 0; k < 3; k++) EXPECT_NEAR(by_cones.V[i].v[k], many.V[i].v[k], 1e-6) << i;
}

// Friction with a direction is no cone of this kind: what sweeps leave is told as it is.
TEST(IslandCones, leave_friction_with_a_direction_alone) {
  SparseProblem p = support::loose_heap(100, 180, 6);
  SparseSolver solver;
  EXPECT_GT(solver.solve(p, {.tolerance = 1e-9, .sweeps = 12}).residual, 1e-6);
}

}  // namespace island_cones_test
}  // namespace sinew::test
