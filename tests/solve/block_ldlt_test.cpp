#include "sinew/math/block_ldlt.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <set>

#include "tests/support/bits.h"
#include "tests/support/dice.h"

namespace sinew {
namespace block_ldlt_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using support::Dice;
using Neighbours = std::vector<std::vector<int>>;

constexpr double epsilon = 1e-10;  // shift of the pivots, relative to the diagonal
constexpr int refinements = 2;

struct Blocks {
  std::vector<int> sizes;
  Neighbours neighbours;

  int first(int block) const {
    int rows = 0;
    for (int i = 0; i < block; i++) rows += sizes[i];
    return rows;
  }
  int rows() const { return first(int(sizes.size())); }
};

// Any graph of n blocks with sizes 1 to 6.
Blocks random_blocks(Dice& dice, int n, double density) {
  Blocks blocks{{}, Neighbours(n)};
  for (int i = 0; i < n; i++) blocks.sizes.push_back(1 + dice.below(6));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      if (dice.chance(density)) blocks.neighbours[i].push_back(j), blocks.neighbours[j].push_back(i);
  return blocks;
}

Blocks chain(int n, int size) {
  Blocks blocks{std::vector<int>(n, size), Neighbours(n)};
  for (int i = 1; i < n; i++) blocks.neighbours[i].push_back(i - 1), blocks.neighbours[i - 1].push_back(i);
  return blocks;
}

// A sum of B B^T over the edges and the blocks: positive semidefinite with exactly the pattern's blocks. rank: columns of
// each B; few of them leave redundant rows.
MatrixXd random_matrix(const Blocks& blocks, Dice& dice, int rank) {
  MatrixXd G = MatrixXd::Zero(blocks.rows(), blocks.rows());
  const auto add = [&](int i, int j) {
    MatrixXd B = MatrixXd::Zero(blocks.rows(), rank);
    for (int block : {i, j})
      for (int r = 0; r < blocks.sizes[block]; r++)
        for (int c = 0; c < rank; c++) B(blocks.first(block) + r, c) = dice.between(-1.0, 1.0);
    G += B * B.transpose();
  };
  for (int i = 0; i < int(blocks.sizes.size()); i++) {
    add(i, i);
    for (int j : blocks.neighbours[i])
      if (j < i) add(i, j);
  }
  return G;
}

template <class Write>
void fill(const BlockPattern& pattern, const MatrixXd& G, const Write& write) {
  const auto block = [&](int row, int col, int offset) {
    for (int r = 0; r < pattern.size[row]; r++)
      for (int c = 0; c < pattern.size[col]; c++)
        write(offset + r * pattern.size[col] + c, G(pattern.first[row] + r, pattern.first[col] + c));
  };
  for (const auto& column : pattern.columns) {
    block(column.block, column.block, column.diagonal);
    for (const auto& e : column.below) block(e.row, column.block, e.offset);
  }
}

struct Solution {
  VectorXd P, residual;
};

std::vector<double> shifts_of(const MatrixXd& G) {
  std::vector<double> shift;
  for (int i = 0; i < G.rows(); i++) shift.push_back(epsilon * G(i, i));
  return shift;
}

Solution solve(const Blocks& blocks, const MatrixXd& G, const VectorXd& b) {
  const BlockPattern pattern(blocks.sizes, blocks.neighbours);
  BlockLdlt<double> ldlt(pattern);
  ldlt.clear();
  fill(pattern, G, [&](int at, double x) { ldlt.values[at] = x; });
  ldlt.factor(pattern, shifts_of(G).data());
  Solution out{VectorXd::Zero(b.size()), b};
  ldlt.solve(pattern, refinements, out.residual.data(), out.P.data());
  return out;
}

VectorXd random_vector(int n, Dice& dice) {
  VectorXd x(n);
  for (int i = 0; i < n; i++) x[i] = dice.between(-1.0, 1.0);
  return x;
}

TEST(BlockLdlt, equals_the_dense_solution_of_random_sparse_systems) {
  Dice dice(1);
  for (int trial = 0; trial < 100; trial++) {
    const Blocks blocks = random_blocks(dice, 1 + dice.below(12), dice.between(0.0, 0.6));
    MatrixXd G = random_matrix(blocks, dice, 6);
    G.diagonal().array() += 0.1;  // condition number below 1e4
    const VectorXd b = random_vector(blocks.rows(), dice), want = G.ldlt().solve(b);
    const Solution got = solve(blocks, G, b);
    // the condition number times round-off; three passes leave nothing of the shift (1e-6 cubed)
    EXPECT_LE((got.P - want).norm(), 1e-11 * want.norm()) << "trial " << trial;
    EXPECT_LE((b - G * got.P).norm(), 1e-13 * G.norm() * got.P.norm()) << "trial " << trial;
  }
}

TEST(BlockLdlt, leaves_the_residual_in_the_right_hand_side) {
  Dice dice(2);
  const Blocks blocks = random_blocks(dice, 8, 0.3);
  MatrixXd G = random_matrix(blocks, dice, 6);
  G.diagonal().array() += 0.1;
  const VectorXd b = random_vector(blocks.rows(), dice);
  const Solution got = solve(blocks, G, b);
  EXPECT_LE((got.residual - (b - G * got.P)).norm(), 1e-13 * G.norm() * got.P.norm());  // round-off of two products
}

// Rows that repeat others, b in the range of G. The shift is epsilon times the diagonal D of G, so of all P that satisfy
// the rows the one with the least P^T D P is found. Each pass leaves epsilon / l of a mode with relative eigenvalue l:
// nothing but round-off where l > 1e-5.
TEST(BlockLdlt, redundant_rows_are_satisfied_with_the_least_impulses) {
  Dice dice(3);
  int redundant = 0;
  for (int trial = 0; trial < 200; trial++) {
    const Blocks blocks = random_blocks(dice, 2 + dice.below(8), 0.3);
    const MatrixXd G = random_matrix(blocks, dice, 1);
    const VectorXd root = G.diagonal().cwiseSqrt();
    const MatrixXd scaled = root.cwiseInverse().asDiagonal() * G * root.cwiseInverse().asDiagonal();
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(scaled);
    const VectorXd b = G * random_vector(blocks.rows(), dice);
    VectorXd want = VectorXd::Zero(b.size());  // D^1/2 P
    double least = 1.0;
    for (int k = 0; k < b.size(); k++) {
      const double l = eigen.eigenvalues()[k];
      if (l < 1e-12) continue;
      least = std::min(least, l);
      want += eigen.eigenvectors().col(k) * (eigen.eigenvectors().col(k).dot(b.cwiseQuotient(root)) / l);
    }
    if (least < 1e-5) continue;  // not decided to the digits below
    redundant += eigen.eigenvalues()[0] < 1e-12;
    const Solution got = solve(blocks, G, b);
    EXPECT_LE((b - G * got.P).norm(), 1e-12 * b.norm()) << "trial " << trial;  // round-off, P up to 100
    // along redundant modes the round-off of some 50 terms, 1e-16 each, is divided by the shift: 5e-5 of P
    EXPECT_LE((got.P.cwiseProduct(root) - want).norm(), 1e-4 * want.norm()) << "trial " << trial;
  }
  EXPECT_GE(redundant, 100);  // the test tests something
}

TEST(BlockLdlt, equal_redundant_rows_share_their_load_equally) {
  const Blocks blocks{{1, 1, 1}, {{1, 2}, {0, 2}, {0, 1}}};
  const Solution got = solve(blocks, MatrixXd::Constant(3, 3, 2.0), VectorXd::Constant(3, 6.0));
  for (int i = 0; i < 3; i++) EXPECT_NEAR(got.P[i], 1.0, 1e-5);  // round-off 1e-16 over the shift 1e-10, with margin
  EXPECT_NEAR(got.P.sum(), 3.0, 1e-13);                          // what the rows decide is exact
}

TEST(BlockLdlt, rows_that_move_nothing_get_no_impulse_and_disturb_no_other) {
  const Blocks blocks{{2, 1}, {{1}, {0}}};
  MatrixXd G = MatrixXd::Zero(3, 3);
  G(0, 0) = 4.0, G(2, 2) = 2.0, G(0, 2) = G(2, 0) = 1.0;  // row 1 is empty
  VectorXd b(3);
  b << 6.0, 0.0, 5.0;
  const Solution got = solve(blocks, G, b);
  EXPECT_NEAR(got.P[0], 1.0, 1e-14);
  EXPECT_EQ(got.P[1], 0.0);
  EXPECT_NEAR(got.P[2], 2.0, 1e-14);
}

TEST(BlockPattern, of_a_chain_has_no_fill) {
  for (int n : {1, 2, 3, 10, 100, 1000}) {
    const Blocks blocks = chain(n, 5);
    const BlockPattern pattern(blocks.sizes, blocks.neighbours);
    EXPECT_EQ(pattern.n_values, 25 * n + 25 * (n - 1));
    EXPECT_LE(pattern.widest, n == 1 ? 0 : 2);
    EXPECT_EQ(pattern.n_rows, 5 * n);
  }
}

TEST(BlockPattern, of_a_ring_fills_one_block_a_column) {
  const int n = 100;
  Blocks blocks = chain(n, 3);
  blocks.neighbours[0].push_back(n - 1), blocks.neighbours[n - 1].push_back(0);
  const BlockPattern pattern(blocks.sizes, blocks.neighbours);
  EXPECT_LE(pattern.n_values, 9 * (n + 2 * n));
  EXPECT_LE(pattern.widest, 2);
}

TEST(BlockPattern, stores_every_coupling_once_and_knows_where) {
  Dice dice(4);
  const Blocks blocks = random_blocks(dice, 10, 0.3);
  const BlockPattern pattern(blocks.sizes, blocks.neighbours);
  std::set<int> offsets;
  for (int i = 0; i < 10; i++) {
    EXPECT_TRUE(offsets.insert(pattern.offset(i, i)).second);
    for (int j : blocks.neighbours[i])
      if (pattern.position[i] > pattern.position[j]) {
        EXPECT_GE(pattern.offset(i, j), 0);
        EXPECT_TRUE(offsets.insert(pattern.offset(i, j)).second);
      }
  }
}

TEST(BlockLdlt, lanes_have_the_bits_of_scalars) {
  Dice dice(5);
  for (int trial = 0; trial < 20; trial++) {
    const Blocks blocks = random_blocks(dice, 1 + dice.below(8), 0.4);
    const BlockPattern pattern(blocks.sizes, blocks.neighbours);
    BlockLdlt<Lanes> wide(pattern);
    wide.clear();
    std::vector<Lanes> b(pattern.n_rows), P(pattern.n_rows), shift(pattern.n_rows);
    std::vector<Solution> one;
    for (int i = 0; i < lane_count; i++) {
      const MatrixXd G = random_matrix(blocks, dice, 1 + i);  // redundant in some lanes, not in others
      const VectorXd rhs = G * random_vector(blocks.rows(), dice);
      fill(pattern, G, [&](int at, double x) { wide.values[at].set(i, x); });
      for (int k = 0; k < pattern.n_rows; k++) b[k].set(i, rhs[k]), shift[k].set(i, shifts_of(G)[k]);
      one.push_back(solve(blocks, G, rhs));
    }
    wide.factor(pattern, shift.data());
    wide.solve(pattern, refinements, b.data(), P.data());
    for (int i = 0; i < lane_count; i++)
      for (int k = 0; k < pattern.n_rows; k++)
        ASSERT_TRUE(support::same_bits(P[k], i, one[i].P[k])) << "trial " << trial << ", lane " << i;
  }
}

// One matrix, four right-hand sides at once.
TEST(BlockLdlt, four_right_hand_sides_of_one_robot_have_the_bits_of_one_by_one) {
  Dice dice(6);
  for (int trial = 0; trial < 20; trial++) {
    const Blocks blocks = trial < 5 ? chain(4, 3) : random_blocks(dice, 1 + dice.below(8), 0.4);
    const BlockPattern pattern(blocks.sizes, blocks.neighbours);
    const MatrixXd G = random_matrix(blocks, dice, 1 + trial % 3);
    BlockLdlt<double> ldlt(pattern);
    ldlt.clear();
    fill(pattern, G, [&](int at, double x) { ldlt.values[at] = x; });
    ldlt.factor(pattern, shifts_of(G).data());
    BlockLdlt<Lanes> wide(pattern);
    std::vector<Lanes> b(pattern.n_rows), P(pattern.n_rows);
    std::vector<Solution> one;
    for (int i = 0; i < lane_count; i++) {
      const VectorXd rhs = G * random_vector(blocks.rows(), dice);
      for (int k = 0; k < pattern.n_rows; k++) b[k].set(i, rhs[k]);
      one.push_back(solve(blocks, G, rhs));
    }
    wide.solve_by(ldlt, pattern, refinements, b.data(), P.data());
    for (int i = 0; i < lane_count; i++)
      for (int k = 0; k < pattern.n_rows; k++) {
        ASSERT_TRUE(support::same_bits(P[k], i, one[i].P[k])) << "trial " << trial << ", lane " << i;
        ASSERT_TRUE(support::same_bits(b[k], i, one[i].residual[k])) << "trial " << trial << ", lane " << i;
      }
  }
}

}  // namespace block_ldlt_test
}  // namespace sinew
