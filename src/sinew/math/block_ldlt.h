// Sparse symmetric systems made of small dense blocks: G P = b by L D L^T.
// The pattern is found once (elimination order by least degree, fill included); factor and solve follow it without
// allocating. For the joints of a chain the pattern is tridiagonal and the cost linear in the joints.
// Rows may be redundant: each pivot gets a shift, and refinement against G removes its effect from everything that the
// rows can decide (proximal-point iteration: the error of a mode with the eigenvalue l relative to the shifts shrinks
// by 1 / (l + 1) each time; redundant parts of P stay at their least norm, weighted with the shifts).
#pragma once
#include <vector>

#include "sinew/math/lanes.h"

namespace sinew {

struct BlockPattern {
  struct Entry {
    int row, offset;  // block row; first number of the n_row x n_col block, row-major
  };
  struct Update {
    int i, j, offset;  // entries i >= j of the column; where block (row_i, row_j) is stored
    bool transposed;   // stored as (row_j, row_i)
  };
  struct Column {
    int block, diagonal;       // offset of the diagonal block
    std::vector<Entry> below;  // blocks eliminated later that couple to this one
    std::vector<Update> updates;
  };
  std::vector<int> size, first;  // rows of each block, first row in vectors
  std::vector<Column> columns;   // in order of elimination
  std::vector<int> position;     // of each block in columns
  int n_rows = 0, n_values = 0, widest = 0;

  // neighbours[i]: blocks coupled to block i (symmetric, without i)
  BlockPattern(std::vector<int> sizes, const std::vector<std::vector<int>>& neighbours);

  // Offset of block (row, col), row eliminated after col or equal; -1 if absent.
  int offset(int row, int col) const;
};

template <Real S>
struct BlockLdlt {
  explicit BlockLdlt(const BlockPattern& pattern);

  // G: the caller fills the lower blocks (position(row) >= position(col)) into values, then factor().
  std::vector<S> values;
  void clear();
  // shift: per row, added to its pivot; a row with the shift 0 can move nothing and gets the pivot 1.
  void factor(const BlockPattern& pattern, const S* shift);
  // P <- G^-1 b, refined; b is overwritten with the residual
  void solve(const BlockPattern& pattern, int refinements, S* b, S* P) { solve_by(*this, pattern, refinements, b, P); }
  // The same by another one's G and factor: of a single robot, for four right-hand sides at once, a lane each.
  template <Real F>
  void solve_by(const BlockLdlt<F>& other, const BlockPattern& pattern, int refinements, S* b, S* P);

 private:
  template <Real>
  friend struct BlockLdlt;
  template <Real T>
  void substitute(const BlockPattern& pattern, T* x) const;
  template <Real T>
  void subtract_product(const BlockPattern& pattern, const T* P, T* b) const;
  std::vector<S> factor_, scratch_, x_;
};

}  // namespace sinew
