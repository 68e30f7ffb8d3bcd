// Shares of reactions (docs/theory/rods.md#kinematic-algorithm).
#include "sinew/rod/distribute.h"

#include <gtest/gtest.h>

#include <cmath>
#include <Eigen/Dense>
#include <optional>

#include "tests/support/dice.h"

namespace sinew::rod {
namespace distribute_test {

Reactions problem(support::Dice& dice, int n, int p, int sign) {
  Reactions r;
  r.clear(n);
  for (int i = 0; i < p; i++) {
    double g[6];
    for (int k = 0; k < n; k++) g[k] = dice.between(-1, 1);
    r.add(g, dice.between(0.5, 2.0), sign ? (dice.chance(0.5) ? 1 : -1) : 0);
  }
  return r;
}
Eigen::MatrixXd scaled(const Reactions& r) {
  Eigen::MatrixXd G(r.equations, r.count);
  for (int i = 0; i < r.count; i++)
    for (int k = 0; k < r.equations; k++) G(k, i) = r.column[i][k] * r.weight[i];
  return G;
}

// All subsets of pushing contacts, each solved for least norm: the best that has the right signs. An oracle for few contacts.
std::optional<Eigen::VectorXd> best_of_all_subsets(const Reactions& r, const Eigen::VectorXd& F) {
  const Eigen::MatrixXd G = scaled(r);
  std::optional<Eigen::VectorXd> best;
  for (int set = 0; set < (1 << r.count); set++) {
    Eigen::MatrixXd part = G;
    for (int i = 0; i < r.count; i++)
      if (!(set >> i & 1)) part.col(i).setZero();
    Eigen::VectorXd y = part.completeOrthogonalDecomposition().solve(F);
    if ((part * y - F).norm() > 1e-9 * (1 + F.norm())) continue;
    bool allowed = true;
    for (int i = 0; i < r.count; i++) allowed = allowed && r.sign[i] * y[i] >= -1e-10;
    if (allowed && (!best || y.norm() < best->norm())) best = y;
  }
  return best;
}

TEST(Distribute, least_norm_is_the_weighted_pseudo_inverse) {
  support::Dice dice(1);
  Svd svd;
  for (int n : {1, 3, 6}) {
    Reactions r = problem(dice, n, 9, 0);
    Eigen::VectorXd F(n);
    for (int k = 0; k < n; k++) F[k] = dice.between(-1, 1);
    distribute(Share::MinimumNorm, 0.0, F.data(), r, svd);
    const Eigen::VectorXd y = scaled(r).completeOrthogonalDecomposition().solve(F);
    for (int i = 0; i < r.count; i++) EXPECT_NEAR(r.x[i], y[i] * r.weight[i], 1e-12);
    EXPECT_LT(r.left_norm, 1e-13);
    EXPECT_TRUE(r.feasible);
  }
}

TEST(Distribute, pushing_contacts_find_the_least_norm_of_all_subsets) {
  support::Dice dice(2);
  Svd svd;
  int feasible = 0;
  for (int k = 0; k < 200; k++) {
    const int n = k % 2 ? 3 : 2, p = 4 + k % 6;
    Reactions r = problem(dice, n, p, 1);
    Eigen::VectorXd F(n);
    for (int i = 0; i < n; i++) F[i] = dice.between(-1, 1);
    const auto best = best_of_all_subsets(r, F);
    distribute(Share::Unilateral, 0.0, F.data(), r, svd);
    ASSERT_EQ(r.feasible, best.has_value()) << k;
    for (int i = 0; i < p; i++) EXPECT_GE(r.sign[i] * r.x[i], -1e-12);
    if (!best) {
      EXPECT_GT(r.left_norm, 1e-9);
      continue;
    }
    feasible++;
    EXPECT_LT(r.left_norm, 1e-11);
    for (int i = 0; i < p; i++) EXPECT_NEAR(r.x[i], (*best)[i] * r.weight[i], 1e-9) << k;
  }
  EXPECT_GT(feasible, 50);
  EXPECT_LT(feasible, 190);
}

// What cannot be done is left over, and no pushing contact could make the rest smaller: the conditions of non-negative least squares.
TEST(Distribute, an_infeasible_share_leaves_the_least_wrench) {
  support::Dice dice(5);
  Svd svd;
  for (int k = 0; k < 50; k++) {
    Reactions r = problem(dice, 6, 5, 1);
    double F[6];
    for (double& f : F) f = dice.between(-1, 1);
    distribute(Share::Unilateral, 0.0, F, r, svd);
    ASSERT_FALSE(r.feasible);
    for (int i = 0; i < r.count; i++) {
      double gain = 0.0;
      for (int j = 0; j < 6; j++) gain += r.sign[i] * r.column[i][j] * r.weight[i] * r.left[j];
      EXPECT_LT(gain, 1e-9);
      EXPECT_LT(std::abs(gain * r.x[i]), 1e-9);  // only at zero may it be unwanted
    }
  }
}

// With w the share tends to the least norm as w grows, with a residual of order 1/w.
TEST(Distribute, a_regularised_share_tends_to_the_least_norm) {
  support::Dice dice(6);
  Svd svd;
  Reactions r = problem(dice, 3, 6, 0), s = r;
  const double F[3] = {0.3, -0.2, 0.5};
  distribute(Share::MinimumNorm, 0.0, F, r, svd);
  distribute(Share::Regularised, 1e6, F, s, svd);
  for (int i = 0; i < r.count; i++) EXPECT_NEAR(s.x[i], r.x[i], 1e-5);
  EXPECT_GT(s.left_norm, 1e-8);
}

// Newtons and newton-metres: with the couple weighed by a length the share does not depend on the unit of length; with equal weights,
// as (58) of Boyer et al. 2012 in 3D, it does.
TEST(Distribute, a_weighed_share_does_not_depend_on_the_unit_of_length) {
  Svd svd;
  const auto shares = [&](double unit, bool weigh) {  // lengths in 1/unit metres
    Reactions r;
    r.clear(3);
    const double a[3] = {0, 1, 0.2 * unit}, b[3] = {0.6, 0.8, 0.5 * unit}, c[3] = {0, 0, 1}, d[3] = {1, 0, -0.3 * unit};
    r.add(a, 1, 0), r.add(b, 1, 0), r.add(d, 1, 0), r.add(c, weigh ? 0.02 * unit : 1.0, 0);
    const double F[3] = {0.4, -0.7, 0.1 * unit};
    distribute(Share::MinimumNorm, 0.0, F, r, svd);
    return r.x[0];
  };
  EXPECT_NEAR(shares(1.0, true), shares(1000.0, true), 1e-10);
  EXPECT_GT(std::abs(shares(1.0, false) - shares(1000.0, false)), 1e-3);
}

TEST(Distribute, what_contacts_cannot_do_is_said_in_words) {
  Infeasible found;
  found.count(true, 0.0, 0.1);
  EXPECT_EQ(explain(found), "");
  found.count(false, 0.25, 0.2), found.count(false, 0.5, 0.3), found.count(false, 0.1, 0.4);
  const std::string words = explain(found);
  EXPECT_NE(words.find("in 3 steps, first at t = 0.2 s"), std::string::npos) << words;
  EXPECT_NE(words.find("at most 0.5 (N, N m) at t = 0.3 s"), std::string::npos) << words;
}

}  // namespace distribute_test
}  // namespace sinew::rod
