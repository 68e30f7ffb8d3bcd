#include "sinew/math/block_ldlt.h"

#include <algorithm>
#include <set>

#include "sinew/math/check.h"
#include "sinew/math/small_solve.h"

namespace sinew {

BlockPattern::BlockPattern(std::vector<int> sizes, const std::vector<std::vector<int>>& neighbours)
    : size(std::move(sizes)), first(size.size()), position(size.size(), -1) {
  const int n = int(size.size());
  SINEW_CHECK(neighbours.size() == size.size(), "BlockPattern: ", size.size(), " blocks, neighbours of ",
              neighbours.size());
  std::vector<std::set<int>> graph(n);
  for (int i = 0; i < n; i++) {
    first[i] = n_rows;
    SINEW_ASSERT(size[i] >= 0 && size[i] <= 6);  // scratch of BlockLdlt
    n_rows += size[i];
    graph[i].insert(neighbours[i].begin(), neighbours[i].end());
  }
  std::set<std::pair<std::size_t, int>> queue;  // by degree, then index
  for (int i = 0; i < n; i++) queue.insert({graph[i].size(), i});
  while (!queue.empty()) {
    const int k = queue.begin()->second;
    queue.erase(queue.begin());
    Column column{k, n_values, {}, {}};
    n_values += size[k] * size[k];
    const std::set<int> later = graph[k];
    for (int i : later) {
      column.below.push_back({i, n_values});
      n_values += size[i] * size[k];
      queue.erase({graph[i].size(), i});
      graph[i].erase(k);
      for (int j : later)
        if (j != i) graph[i].insert(j);
      queue.insert({graph[i].size(), i});
    }
    widest = std::max(widest, int(column.below.size()));
    position[k] = int(columns.size());
    columns.push_back(std::move(column));
  }
  for (Column& column : columns)
    for (int i = 0; i < int(column.below.size()); i++)
      for (int j = 0; j <= i; j++) {
        const int a = column.below[i].row, b = column.below[j].row;
        const bool swap = position[a] < position[b];
        column.updates.push_back({i, j, swap ? offset(b, a) : offset(a, b), swap});
      }
}

int BlockPattern::offset(int row, int col) const {
  SINEW_ASSERT(row >= 0 && row < int(size.size()) && col >= 0 && col < int(size.size()));
  const Column& column = columns[position[col]];
  if (row == col) return column.diagonal;
  for (const Entry& e : column.below)
    if (e.row == row) return e.offset;
  return -1;
}

template <Real S>
BlockLdlt<S>::BlockLdlt(const BlockPattern& pattern)
    : values(pattern.n_values), factor_(pattern.n_values), scratch_(36 * (pattern.widest + 1)), x_(pattern.n_rows) {}

template <Real S>
void BlockLdlt<S>::clear() {
  std::fill(values.begin(), values.end(), S(0.0));
}

namespace {

// Dense L D L^T of one diagonal block; the diagonal keeps 1 / D.
template <Real S>
void factor_diagonal(int n, const S* shift, S* D) {
  SINEW_ASSERT(n == 0 || (shift && D));
  for (int j = 0; j < n; j++) {
    S pivot = D[j * n + j] + shift[j];
    for (int k = 0; k < j; k++) pivot -= D[j * n + k] * D[k * n + j];
    // below the shift there is only round-off: the row is redundant
    pivot = max(pivot, shift[j] * S(0.5));
    const auto moves = shift[j] > S(0.0);
    const S inverse = select(moves, S(1.0) / select(moves, pivot, S(1.0)), S(1.0));
    factor_column(n, j, inverse, D);
  }
}

}  // namespace

template <Real S>
void BlockLdlt<S>::factor(const BlockPattern& pattern, const S* shift) {
  SINEW_ASSERT(int(values.size()) == pattern.n_values);
  SINEW_ASSERT(int(scratch_.size()) >= 36 * pattern.widest);
  SINEW_ASSERT(pattern.n_rows == 0 || shift);
  factor_ = values;
  for (const auto& column : pattern.columns) {
    const int n = pattern.size[column.block];
    S* D = factor_.data() + column.diagonal;
    factor_diagonal(n, shift + pattern.first[column.block], D);
    for (int i = 0; i < int(column.below.size()); i++) {  // rows of G_ik D^-1
      const int rows = pattern.size[column.below[i].row];
      std::copy_n(factor_.data() + column.below[i].offset, rows * n, scratch_.data() + 36 * i);
      for (int r = 0; r < rows; r++) solve_ldlt(n, D, scratch_.data() + 36 * i + r * n);
    }
    for (const auto& u : column.updates) {
      const S* L = scratch_.data() + 36 * u.i;
      const S* G = factor_.data() + column.below[u.j].offset;
      const int rows = pattern.size[column.below[u.i].row], cols = pattern.size[column.below[u.j].row];
      SINEW_ASSERT(u.offset >= 0 && u.offset + rows * cols <= int(factor_.size()));
      S* target = factor_.data() + u.offset;
      for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
          S x = S(0.0);
          for (int k = 0; k < n; k++) x += L[r * n + k] * G[c * n + k];
          target[u.transposed ? c * rows + r : r * cols + c] -= x;
        }
    }
    for (int i = 0; i < int(column.below.size()); i++)
      std::copy_n(scratch_.data() + 36 * i, pattern.size[column.below[i].row] * n,
                  factor_.data() + column.below[i].offset);
  }
}

namespace {

// x -= L y of a block, row by row. Blocks of three are so common (rods with balls at their ends) that the compiler sees their size.
template <Real S, Real T>
SINEW_INLINE void subtract_rows(int rows, int n, const S* L, const T* y, T* x) {
  for (int r = 0; r < rows; r++)
    for (int k = 0; k < n; k++) x[r] -= L[r * n + k] * y[k];
}
template <Real S, Real T>
SINEW_INLINE void subtract(int rows, int n, const S* L, const T* y, T* x) {
  if (rows != 3 || n != 3) return subtract_rows(rows, n, L, y, x);
  const T y3[3] = {y[0], y[1], y[2]};
  T x3[3] = {x[0], x[1], x[2]};
  subtract_rows(3, 3, L, y3, x3);
  for (int r = 0; r < 3; r++) x[r] = x3[r];
}

// x -= L^T y, row by row.
template <Real S, Real T>
SINEW_INLINE void subtract_columns(int rows, int n, const S* L, const T* y, T* x) {
  for (int r = 0; r < rows; r++)
    for (int k = 0; k < n; k++) x[k] -= L[r * n + k] * y[r];
}
template <Real S, Real T>
SINEW_INLINE void subtract_transposed(int rows, int n, const S* L, const T* y, T* x) {
  if (rows != 3 || n != 3) return subtract_columns(rows, n, L, y, x);
  const T y3[3] = {y[0], y[1], y[2]};
  T x3[3] = {x[0], x[1], x[2]};
  subtract_columns(3, 3, L, y3, x3);
  for (int r = 0; r < 3; r++) x[r] = x3[r];
}

// solve_ldlt of math/small_solve.h for an x of another scalar
template <Real S, Real T>
SINEW_INLINE void solve_diagonal(int n, const S* D, T* x) {
  for (int i = 1; i < n; i++)
    for (int k = 0; k < i; k++) x[i] -= D[i * n + k] * x[k];
  for (int i = 0; i < n; i++) x[i] *= D[i * n + i];
  for (int i = n - 2; i >= 0; i--)
    for (int k = i + 1; k < n; k++) x[i] -= D[k * n + i] * x[k];
}

}  // namespace

template <Real S>
template <Real T>
void BlockLdlt<S>::substitute(const BlockPattern& pattern, T* x) const {
  SINEW_ASSERT(int(factor_.size()) == pattern.n_values);
  for (const auto& column : pattern.columns) {
    const int n = pattern.size[column.block];
    T* xk = x + pattern.first[column.block];
    for (const auto& e : column.below)
      subtract(pattern.size[e.row], n, factor_.data() + e.offset, xk, x + pattern.first[e.row]);
    solve_diagonal(n, factor_.data() + column.diagonal, xk);
  }
  for (auto column = pattern.columns.rbegin(); column != pattern.columns.rend(); ++column) {
    const int n = pattern.size[column->block];
    T* xk = x + pattern.first[column->block];
    for (const auto& e : column->below)
      subtract_transposed(pattern.size[e.row], n, factor_.data() + e.offset, x + pattern.first[e.row], xk);
  }
}

template <Real S>
template <Real T>
void BlockLdlt<S>::subtract_product(const BlockPattern& pattern, const T* P, T* b) const {
  for (const auto& column : pattern.columns) {
    const int n = pattern.size[column.block], at = pattern.first[column.block];
    subtract(n, n, values.data() + column.diagonal, P + at, b + at);
    for (const auto& e : column.below) {
      const int rows = pattern.size[e.row], row = pattern.first[e.row];
      subtract(rows, n, values.data() + e.offset, P + at, b + row);
      subtract_transposed(rows, n, values.data() + e.offset, P + row, b + at);
    }
  }
}

template <Real S>
template <Real F>
void BlockLdlt<S>::solve_by(const BlockLdlt<F>& other, const BlockPattern& pattern, int refinements, S* b, S* P) {
  SINEW_ASSERT(int(x_.size()) == pattern.n_rows && int(other.factor_.size()) == pattern.n_values);
  SINEW_ASSERT(pattern.n_rows == 0 || (b && P && b != P));
  SINEW_ASSERT(refinements >= 0);
  std::fill(P, P + pattern.n_rows, S(0.0));
  for (int pass = 0; pass <= refinements; pass++) {
    std::copy_n(b, pattern.n_rows, x_.data());
    other.substitute(pattern, x_.data());
    for (int i = 0; i < pattern.n_rows; i++) P[i] += x_[i];
    // the residual of this pass alone keeps its digits
    other.subtract_product(pattern, x_.data(), b);
  }
}

template struct BlockLdlt<double>;
template struct BlockLdlt<Lanes>;
template void BlockLdlt<double>::solve_by(const BlockLdlt<double>&, const BlockPattern&, int, double*, double*);
template void BlockLdlt<Lanes>::solve_by(const BlockLdlt<Lanes>&, const BlockPattern&, int, Lanes*, Lanes*);
template void BlockLdlt<Lanes>::solve_by(const BlockLdlt<double>&, const BlockPattern&, int, Lanes*, Lanes*);

}  // namespace sinew
