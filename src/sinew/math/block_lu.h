// Sparse systems made of 3 x 3 blocks that need not be symmetric: (E + K W) x = b by L U, E and K one block a row.
// The pattern of W is taken as symmetric; it is found once, with its fill, in an order of least degree. Pivots are not exchanged
// between blocks: for matrices whose diagonal blocks stay regular on the way, as those of compliant contacts do.
// Not for the inside of a step: factor allocates nothing, but the pattern is no smaller than that of all rows.
#pragma once
#include <vector>

namespace sinew {

// Compressed rows of 3 x 3 blocks; a block is row-major.
struct BlockRows {
  std::vector<int> start, column;  // start: one more than rows
  std::vector<double> value;       // nine a block

  int rows() const { return int(start.size()) - 1; }
  const double* block(int k) const { return value.data() + 9 * std::size_t(k); }
  // y += W x
  void add_product(const std::vector<double>& x, std::vector<double>& y) const;
};

class BlockLu {
 public:
  explicit BlockLu(const BlockRows& W);

  // E, K: nine numbers a row. Rows whose K is zero must have the identity for E; they cost nothing. False: a pivot is singular.
  bool factor(const BlockRows& W, const std::vector<double>& E, const std::vector<double>& K);
  // x of the factored system; W and K are those of factor.
  void solve(const BlockRows& W, const std::vector<double>& K, const std::vector<double>& b, std::vector<double>& x);

 private:
  static constexpr int wide =
      12;  // numbers of a stored block: rows of four, the last of them zero, for registers of four

  void gather_row(const BlockRows& W, const double* E, const double* K, int p);

  std::vector<int> position_, row_;           // of each row in the order of elimination, and back
  std::vector<int> lower_start_, lower_;      // by position: earlier ones that a row couples to
  std::vector<int> upper_start_, upper_;      // later ones
  std::vector<int> live_end_, live_;          // of upper_: those whose K is not zero, packed from the same start
  std::vector<char> is_live_;                 // by position
  std::vector<double> L_, U_, D_, work_, y_;  // D_: inverse pivots
};

}  // namespace sinew
