#include "sinew/math/qp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sinew {
namespace qp_test {

// The conditions of a minimum: gradient = sum of multipliers times normals, multipliers >= 0, nothing missed, no multiplier
// on a row with slack.
TEST(SmallQp, solutions_satisfy_the_conditions_of_a_minimum) {
  std::mt19937_64 dice(1);
  std::normal_distribution<double> normal;
  SmallQp qp;
  int solved = 0, active = 0;
  for (int trial = 0; trial < 500; trial++) {
    const int n = 2 + trial % 13;
    qp.n = n, qp.n_rows = 0, qp.n_equal = trial % 3;
    double B[32][32];
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++) B[i][k] = normal(dice);
    for (int i = 0; i < n; i++) {
      qp.g[i] = 3.0 * normal(dice);
      for (int k = 0; k < n; k++) {
        qp.H[i][k] = i == k ? 0.01 : 0.0;
        for (int m = 0; m < n; m++) qp.H[i][k] += B[i][m] * B[k][m];
      }
    }
    if (qp.n_equal >= n) qp.n_equal = 0;
    for (int r = 0; r < qp.n_equal + 2 * n; r++) {
      const int row = qp.add_row(r < qp.n_equal ? normal(dice) : -std::abs(normal(dice)));
      for (int k = 0; k < n; k++) qp.c[row][k] = normal(dice);
    }
    if (qp.solve() != SmallQp::Status::Solved) continue;  // equalities and half planes at random may exclude each other
    solved++;
    EXPECT_LT(qp.violation, 1e-8);
    for (int i = 0; i < n; i++) {
      double gradient = qp.g[i], size = std::abs(qp.g[i]);
      for (int k = 0; k < n; k++) gradient += qp.H[i][k] * qp.x[k], size += std::abs(qp.H[i][k] * qp.x[k]);
      for (int r = 0; r < qp.n_rows; r++) gradient -= qp.multiplier[r] * qp.c[r][i];
      EXPECT_NEAR(gradient, 0.0, 1e-7 * (1.0 + size));
    }
    for (int r = qp.n_equal; r < qp.n_rows; r++) {
      double slack = -qp.b[r];
      for (int k = 0; k < n; k++) slack += qp.c[r][k] * qp.x[k];
      EXPECT_GE(qp.multiplier[r], -1e-9);
      EXPECT_LT(std::abs(qp.multiplier[r] * slack), 1e-6);
      active += qp.multiplier[r] > 0.0;
    }
  }
  EXPECT_GT(solved, 300);
  EXPECT_GT(active, 300);
}

TEST(SmallQp, rows_that_exclude_each_other_are_found) {
  SmallQp qp;
  qp.n = 2;
  qp.H[0][0] = qp.H[1][1] = 1.0, qp.H[1][0] = qp.g[0] = qp.g[1] = 0.0;
  qp.c[qp.add_row(1.0)][0] = 1.0;
  qp.c[qp.add_row(1.0)][0] = -1.0;
  EXPECT_EQ(qp.solve(), SmallQp::Status::Infeasible);
}

}  // namespace qp_test
}  // namespace sinew
