#include "sinew/math/block_lu.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/math/check.h"
#include "sinew/math/inline.h"

namespace sinew {
namespace {

// C = A B, A and C with rows of four.
void multiply(const double* A, const double* B, double* C) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) C[4 * i + k] = A[4 * i] * B[k] + A[4 * i + 1] * B[4 + k] + A[4 * i + 2] * B[8 + k];
}

// C -= A B. A row is finished before it is stored, so that the compiler may take it as one register.
SINEW_INLINE void subtract_product(const double* A, const double* B, double* C) {
  for (int i = 0; i < 3; i++) {
    double c[4];
    for (int k = 0; k < 4; k++)
      c[k] = C[4 * i + k] - (A[4 * i] * B[k] + A[4 * i + 1] * B[4 + k] + A[4 * i + 2] * B[8 + k]);
    for (int k = 0; k < 4; k++) C[4 * i + k] = c[k];
  }
}

// y -= A x
void subtract_product_of(const double* A, const double* x, double* y) {
  for (int i = 0; i < 3; i++) y[i] -= A[4 * i] * x[0] + A[4 * i + 1] * x[1] + A[4 * i + 2] * x[2];
}

bool invert(const double* A, double* B) {
  const double c0 = A[5] * A[10] - A[6] * A[9], c1 = A[6] * A[8] - A[4] * A[10], c2 = A[4] * A[9] - A[5] * A[8];
  const double det = A[0] * c0 + A[1] * c1 + A[2] * c2;
  if (det == 0.0 || !std::isfinite(det)) return false;
  const double d = 1.0 / det;
  B[0] = c0 * d;
  B[1] = (A[2] * A[9] - A[1] * A[10]) * d;
  B[2] = (A[1] * A[6] - A[2] * A[5]) * d;
  B[4] = c1 * d;
  B[5] = (A[0] * A[10] - A[2] * A[8]) * d;
  B[6] = (A[2] * A[4] - A[0] * A[6]) * d;
  B[8] = c2 * d;
  B[9] = (A[1] * A[8] - A[0] * A[9]) * d;
  B[10] = (A[0] * A[5] - A[1] * A[4]) * d;
  B[3] = B[7] = B[11] = 0.0;
  return true;
}

// For each row in the order of elimination: those that are left and couple to it, fill included.
std::vector<std::vector<int>> eliminate(const BlockRows& W, std::vector<int>& order) {
  const int n = W.rows();
  std::vector<std::set<int>> near(n);
  for (int i = 0; i < n; i++)
    for (int k = W.start[i]; k < W.start[i + 1]; k++) {
      const int j = W.column[k];
      SINEW_ASSERT(j >= 0 && j < n);
      if (j == i) continue;
      near[i].insert(j);
      near[j].insert(i);
    }
  std::set<std::pair<int, int>> by_degree;
  for (int i = 0; i < n; i++) by_degree.insert({int(near[i].size()), i});
  std::vector<std::vector<int>> left;
  while (!by_degree.empty()) {
    const int i = by_degree.begin()->second;
    by_degree.erase(by_degree.begin());
    order.push_back(i);
    left.emplace_back(near[i].begin(), near[i].end());
    for (const int a : left.back()) {
      by_degree.erase({int(near[a].size()), a});
      near[a].erase(i);
      near[a].insert(left.back().begin(), left.back().end());
      near[a].erase(a);
      by_degree.insert({int(near[a].size()), a});
    }
    near[i].clear();
  }
  return left;
}

bool is_zero(const double* block) {
  return std::all_of(block, block + 9, [](double x) { return x == 0.0; });
}

}  // namespace

void BlockRows::add_product(const std::vector<double>& x, std::vector<double>& y) const {
  SINEW_ASSERT(x.size() == 3 * std::size_t(rows()) && y.size() == x.size());
  for (int i = 0; i < rows(); i++) {
    double* to = y.data() + 3 * std::size_t(i);
    for (int k = start[i]; k < start[i + 1]; k++) {
      const double *B = block(k), *from = x.data() + 3 * std::size_t(column[k]);
      for (int a = 0; a < 3; a++) to[a] += B[3 * a] * from[0] + B[3 * a + 1] * from[1] + B[3 * a + 2] * from[2];
    }
  }
}

BlockLu::BlockLu(const BlockRows& W) {
  const std::vector<std::vector<int>> left = eliminate(W, row_);
  const int n = int(row_.size());
  position_.resize(n);
  for (int p = 0; p < n; p++) position_[row_[p]] = p;
  std::vector<std::vector<int>> lower(n);
  upper_start_ = lower_start_ = {0};
  for (int p = 0; p < n; p++) {
    for (const int i : left[p]) upper_.push_back(position_[i]);
    std::sort(upper_.begin() + upper_start_[p], upper_.end());
    upper_start_.push_back(int(upper_.size()));
    for (int k = upper_start_[p]; k < upper_start_[p + 1]; k++) lower[upper_[k]].push_back(p);
  }
  for (const std::vector<int>& list : lower) {
    lower_.insert(lower_.end(), list.begin(), list.end());
    lower_start_.push_back(int(lower_.size()));
  }
  L_.resize(lower_.size() * wide);
  U_.resize(upper_.size() * wide);
  D_.resize(std::size_t(n) * wide);
  work_.assign(std::size_t(n) * wide, 0.0);
  y_.resize(3 * std::size_t(n));
  live_.resize(upper_.size());
  live_end_.resize(n);
  is_live_.resize(n);
}

// Row p of E + K W into work_, as far as it is live.
void BlockLu::gather_row(const BlockRows& W, const double* E, const double* K, int p) {
  const int i = row_[p];
  for (int k = W.start[i]; k < W.start[i + 1]; k++) {
    const int at = position_[W.column[k]];
    if (!is_live_[at]) continue;
    const double* B = W.block(k);
    double* to = work_.data() + std::size_t(at) * wide;
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) to[4 * a + b] += K[3 * a] * B[b] + K[3 * a + 1] * B[3 + b] + K[3 * a + 2] * B[6 + b];
  }
  double* diagonal = work_.data() + std::size_t(p) * wide;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) diagonal[4 * a + b] += E[3 * a + b];
}

bool BlockLu::factor(const BlockRows& W, const std::vector<double>& E, const std::vector<double>& K) {
  const int n = int(row_.size());
  SINEW_ASSERT(W.rows() == n && E.size() == 9 * std::size_t(n) && K.size() == E.size());
  for (int p = 0; p < n; p++) is_live_[p] = !is_zero(K.data() + 9 * std::size_t(row_[p]));
  std::fill(work_.begin(), work_.end(), 0.0);
  for (int p = 0; p < n; p++) {
    if (!is_live_[p]) continue;
    gather_row(W, E.data() + 9 * std::size_t(row_[p]), K.data() + 9 * std::size_t(row_[p]), p);
    for (int x = lower_start_[p]; x < lower_start_[p + 1]; x++) {
      const int k = lower_[x];
      if (!is_live_[k]) continue;
      double *l = L_.data() + std::size_t(x) * wide, *from = work_.data() + std::size_t(k) * wide;
      multiply(from, D_.data() + std::size_t(k) * wide, l);
      std::fill_n(from, wide, 0.0);
      for (int y = upper_start_[k]; y < live_end_[k]; y++)
        subtract_product(l, U_.data() + std::size_t(y) * wide, work_.data() + std::size_t(live_[y]) * wide);
    }
    double* diagonal = work_.data() + std::size_t(p) * wide;
    if (!invert(diagonal, D_.data() + std::size_t(p) * wide)) return false;
    std::fill_n(diagonal, wide, 0.0);
    int end = upper_start_[p];
    for (int y = upper_start_[p]; y < upper_start_[p + 1]; y++) {
      if (!is_live_[upper_[y]]) continue;
      double* from = work_.data() + std::size_t(upper_[y]) * wide;
      std::copy_n(from, wide, U_.data() + std::size_t(end) * wide);
      std::fill_n(from, wide, 0.0);
      live_[end++] = upper_[y];
    }
    live_end_[p] = end;
  }
  return true;
}

void BlockLu::solve(const BlockRows& W, const std::vector<double>& K, const std::vector<double>& b,
                    std::vector<double>& x) {
  const int n = int(row_.size());
  SINEW_ASSERT(b.size() == 3 * std::size_t(n) && x.size() == b.size() && &b != &x);
  for (int p = 0; p < n; p++) {
    const int i = row_[p];
    double* y = y_.data() + 3 * std::size_t(p);
    std::copy_n(b.data() + 3 * std::size_t(i), 3, y);
    if (!is_live_[p]) continue;
    double known[3] = {0.0, 0.0, 0.0};  // what rows that are known already do to this one
    for (int k = W.start[i]; k < W.start[i + 1]; k++) {
      if (is_live_[position_[W.column[k]]]) continue;
      const double *B = W.block(k), *from = b.data() + 3 * std::size_t(W.column[k]);
      for (int a = 0; a < 3; a++) known[a] += B[3 * a] * from[0] + B[3 * a + 1] * from[1] + B[3 * a + 2] * from[2];
    }
    const double* k = K.data() + 9 * std::size_t(i);
    for (int a = 0; a < 3; a++) y[a] -= k[3 * a] * known[0] + k[3 * a + 1] * known[1] + k[3 * a + 2] * known[2];
    for (int l = lower_start_[p]; l < lower_start_[p + 1]; l++)
      if (is_live_[lower_[l]])
        subtract_product_of(L_.data() + std::size_t(l) * wide, y_.data() + 3 * std::size_t(lower_[l]), y);
  }
  for (int p = n - 1; p >= 0; p--) {
    double *y = y_.data() + 3 * std::size_t(p), *to = x.data() + 3 * std::size_t(row_[p]);
    if (!is_live_[p]) {
      std::copy_n(y, 3, to);
      continue;
    }
    for (int u = upper_start_[p]; u < live_end_[p]; u++)
      subtract_product_of(U_.data() + std::size_t(u) * wide, y_.data() + 3 * std::size_t(live_[u]), y);
    const double *D = D_.data() + std::size_t(p) * wide, old[3] = {y[0], y[1], y[2]};
    for (int a = 0; a < 3; a++) to[a] = y[a] = D[4 * a] * old[0] + D[4 * a + 1] * old[1] + D[4 * a + 2] * old[2];
  }
}

}  // namespace sinew
