#include "sinew/solve/newton_normal.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace newton_normal_test {

// Two contacts with rows N, T1, T2 each.
DenseProblem two_contacts(double mu) {
  DenseProblem p;
  p.n = 6;
  for (int first : {0, 3}) {
    DenseContact c{};
    c.first = first, c.slides = true;
    c.law.mu_forward = c.law.mu_backward = c.law.mu_trans = mu;
    p.contacts.push_back(c);
  }
  p.G.assign(36, 0.0);
  const auto set = [&](int i, int k, double x) { p.G[std::size_t(k) * 6 + i] = p.G[std::size_t(i) * 6 + k] = x; };
  for (int i = 0; i < 6; i++) set(i, i, 2.0);
  set(0, 3, 0.7), set(0, 1, 0.3), set(3, 4, -0.2);
  p.c = {-1.0, 0.5, 0.0, -2.0, -0.25, 0.0};
  p.P.assign(6, 0.0), p.gamma.assign(6, 0.0);
  return p;
}

TEST(NewtonNormal, one_step_of_newton_stops_all_points_that_bear) {
  for (const double mu : {0.0, 0.5}) {
    DenseProblem p = two_contacts(mu);
    const DenseReport report = solve_newton_normal(p, 1e-12);
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.iterations, 1);  // the residual is affine in the normal forces
    EXPECT_NEAR(p.gamma[0], 0.0, 1e-12);
    EXPECT_NEAR(p.gamma[3], 0.0, 1e-12);
    EXPECT_GT(p.P[0], 0.0);
    EXPECT_GT(p.P[3], 0.0);
    EXPECT_NEAR(p.P[1], -mu * p.P[0], 1e-15);  // against the velocity +0.5
    EXPECT_NEAR(p.P[4], mu * p.P[3], 1e-15);   // against the velocity -0.25
  }
}

TEST(NewtonNormal, points_that_would_pull_are_dropped) {
  DenseProblem p = two_contacts(0.0);
  p.c[0] = 3.0;  // goes up by itself
  const DenseReport report = solve_newton_normal(p, 1e-12);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(p.P[0], 0.0);
  EXPECT_GT(p.gamma[0], 0.0);
  EXPECT_NEAR(p.P[3], 1.0, 1e-15);
  EXPECT_NEAR(p.gamma[3], 0.0, 1e-15);
}

TEST(NewtonNormal, points_that_say_the_same_have_no_solution) {
  DenseProblem p = two_contacts(0.0);
  p.G[3] = p.G[18] = 2.0;  // the second normal row is the first once more
  p.c[3] = -1.0;
  EXPECT_FALSE(solve_newton_normal(p, 1e-12).converged);
}

TEST(NewtonNormal, nothing_closed_is_nothing_to_do) {
  DenseProblem p;
  EXPECT_TRUE(solve_newton_normal(p, 1e-12).converged);
}

}  // namespace newton_normal_test
}  // namespace sinew
