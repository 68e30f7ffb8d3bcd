#include "sinew/math/small_solve.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "tests/support/bits.h"
#include "tests/support/dice.h"

namespace sinew {
namespace small_solve_test {

using support::Dice;

// B B^T + 0.1 with entries of B below 1: condition number below 1e3.
template <int n>
Eigen::MatrixXd random_positive(Dice& dice) {
  Eigen::MatrixXd B(n, n);
  for (int i = 0; i < n * n; i++) B.data()[i] = dice.between(-1.0, 1.0);
  Eigen::MatrixXd A = B * B.transpose();
  A.diagonal().array() += 0.1;
  return A;
}

template <int n>
void expect_solution_of_eigen() {
  Dice dice(n);
  for (int trial = 0; trial < 200; trial++) {
    const Eigen::MatrixXd A = random_positive<n>(dice);
    Eigen::VectorXd b(n);
    for (int i = 0; i < n; i++) b[i] = dice.between(-1.0, 1.0);
    double D[n * n], x[n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) D[i * n + j] = j <= i ? A(i, j) : 1e99;  // the upper triangle must not be read
    std::copy_n(b.data(), n, x);
    factor_small<n>(D);
    solve_small<n>(D, x);
    const Eigen::VectorXd want = A.ldlt().solve(b), got = Eigen::Map<Eigen::VectorXd>(x, n);
    // condition number 1e3 times round-off, with the growth of the explicit inverse for n = 2
    EXPECT_LE((got - want).norm(), 1e-12 * want.norm()) << "n = " << n;
  }
}

TEST(SmallSolve, equals_the_dense_solution_for_one_to_six_unknowns) {
  expect_solution_of_eigen<1>();
  expect_solution_of_eigen<2>();
  expect_solution_of_eigen<3>();
  expect_solution_of_eigen<4>();
  expect_solution_of_eigen<5>();
  expect_solution_of_eigen<6>();
}

template <int n>
void expect_lanes_equal_scalars() {
  Dice dice(10 + n);
  Lanes D[n * n], x[n];
  double D1[lane_count][n * n], x1[lane_count][n];
  for (int i = 0; i < lane_count; i++) {
    const Eigen::MatrixXd A = random_positive<n>(dice);
    for (int k = 0; k < n * n; k++) D1[i][k] = A.data()[k], D[k].set(i, A.data()[k]);
    for (int k = 0; k < n; k++) x1[i][k] = dice.between(-1.0, 1.0), x[k].set(i, x1[i][k]);
    factor_small<n>(D1[i]);
    solve_small<n>(D1[i], x1[i]);
  }
  factor_small<n>(D);
  solve_small<n>(D, x);
  for (int i = 0; i < lane_count; i++)
    for (int k = 0; k < n; k++) EXPECT_TRUE(support::same_bits(x[k], i, x1[i][k])) << "n = " << n;
}

TEST(SmallSolve, lanes_have_the_bits_of_scalars) {
  expect_lanes_equal_scalars<1>();
  expect_lanes_equal_scalars<2>();
  expect_lanes_equal_scalars<3>();
  expect_lanes_equal_scalars<4>();
  expect_lanes_equal_scalars<5>();
  expect_lanes_equal_scalars<6>();
}

}  // namespace small_solve_test
}  // namespace sinew
