#include "sinew/math/svd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <Eigen/SVD>

#include "tests/support/dice.h"

namespace sinew {
namespace svd_test {

TEST(Svd, agrees_with_that_of_eigen_also_in_rank) {
  support::Dice dice(9);
  for (int k = 0; k < 20; k++) {
    Svd svd;
    svd.rows = 4 + k, svd.columns = 6;
    Eigen::MatrixXd A(svd.rows, 6);
    for (int j = 0; j < 6; j++)
      for (int i = 0; i < svd.rows; i++) A(i, j) = dice.between(-1, 1);
    if (k % 3 == 0) A.col(5) = A.col(0) - 2 * A.col(3);
    for (int j = 0; j < 6; j++)
      for (int i = 0; i < svd.rows; i++) svd.u[j][i] = A(i, j);
    svd.decompose();
    const Eigen::VectorXd s = A.jacobiSvd().singularValues();
    for (int j = 0; j < std::min(6, svd.rows); j++) EXPECT_NEAR(svd.s[j], s[j], 1e-13 * svd.rows);
    EXPECT_EQ(svd.rank(1e-8), std::min(svd.rows, k % 3 == 0 ? 5 : 6));
  }
}

}  // namespace svd_test
}  // namespace sinew
