#include "sinew/solve/prox_fixed.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace prox_fixed_test {

// A ball of 1 kg that presses on the ground and slides: G = 1 / mass, all rows apart.
DenseProblem ball(double mu) {
  DenseProblem p;
  p.n = 3;
  DenseContact c{};
  c.first = 0, c.slides = true, c.law.mu_forward = c.law.mu_backward = c.law.mu_trans = mu;
  p.contacts = {c};
  p.G = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  p.c = {-0.01, 0.02, 0.0};  // falls at 1 cm/s, slides at 2 cm/s
  p.P = {0, 0, 0};
  p.gamma.resize(3);
  p.soft_N = p.soft = 1e-8;
  return p;
}

TEST(ProxFixed, slides_and_sticks_as_coulomb_says) {
  DenseProblem slides = ball(0.5);
  ASSERT_TRUE(solve_prox_fixed(slides, {.r_N = 0.5, .r_T = 0.5}, 1e-10).converged);
  EXPECT_NEAR(slides.P[0], 0.01, 1e-9);
  EXPECT_NEAR(slides.P[1], -0.005, 1e-9);  // mu P_N against the sliding
  EXPECT_NEAR(slides.gamma[1], 0.015, 1e-9);
  DenseProblem sticks = ball(3.0);
  ASSERT_TRUE(solve_prox_fixed(sticks, {.r_N = 0.5, .r_T = 0.5}, 1e-10).converged);
  EXPECT_NEAR(sticks.P[1], -0.02, 1e-9);
  EXPECT_NEAR(sticks.gamma[1], 0.0, 1e-9);
}

// r G > 2: the iteration swings further out every time, and must say so. It still ends, inside the cone.
TEST(ProxFixed, steps_that_are_too_long_are_reported) {
  DenseProblem p = ball(3.0);
  const DenseReport report = solve_prox_fixed(p, {.r_N = 0.5, .r_T = 2.5, .r_V = 0.05, .max_iter = 200}, 1e-10);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 200);
  EXPECT_LE(std::hypot(p.P[1], p.P[2]), 3.0 * p.P[0] * (1 + 1e-12));
}

TEST(ProxFixed, the_papers_steps_need_many_iterations) {
  DenseProblem p = ball(0.5);
  const DenseReport report = solve_prox_fixed(p, {}, 1e-8);
  EXPECT_TRUE(report.converged);
  EXPECT_GT(report.iterations, 100);  // (1 - r_N G)^k = 1e-6: k = 131
}

}  // namespace prox_fixed_test
}  // namespace sinew
