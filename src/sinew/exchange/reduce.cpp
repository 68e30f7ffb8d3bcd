#include "sinew/exchange/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sinew/exchange/problem_file.h"
#include "sinew/math/dense.h"

namespace sinew::exchange {
namespace {

constexpr std::size_t most_coupled = 2000;  // freedoms that are solved by one matrix

// Lists of freedoms that M couples.
std::vector<std::vector<int>> coupled_freedoms(const SparseMatrix& M) {
  std::vector<int> parent(M.rows);
  std::iota(parent.begin(), parent.end(), 0);
  const auto find = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const Triplet& t : M.numbers)
    if (t.value != 0.0) parent[find(t.row)] = find(t.column);
  std::map<int, std::vector<int>> by_root;
  for (int i = 0; i < M.rows; i++) by_root[find(i)].push_back(i);
  std::vector<std::vector<int>> lists;
  for (auto& [root, list] : by_root) lists.push_back(std::move(list));
  return lists;
}

// Numbers by their row.
std::vector<std::vector<Triplet>> by_row(const SparseMatrix& matrix) {
  std::vector<std::vector<Triplet>> rows(matrix.rows);
  for (const Triplet& t : matrix.numbers) rows[t.row].push_back(t);
  return rows;
}

}  // namespace

ConeProblem reduce(const GlobalProblem& global, const std::string& file) {
  const auto M = by_row(global.M), H = by_row(global.H);
  ConeProblem problem;
  problem.q = global.w;
  problem.mu = global.mu;
  std::vector<Triplet> W;
  for (const std::vector<int>& freedoms : coupled_freedoms(global.M)) {
    std::map<int, int> columns, place;  // of H in the right side; of freedoms in the matrix
    for (const int i : freedoms)
      for (const Triplet& t : H[i]) columns.emplace(t.column, 0);
    if (columns.empty()) continue;
    if (freedoms.size() > most_coupled)
      refuse(file,
             fmt::format("M couples {} freedoms, and at most {} are solved together", freedoms.size(), most_coupled));
    int k = 0;
    for (auto& [column, at] : columns) at = k++;
    const int n = int(freedoms.size());
    for (int i = 0; i < n; i++) place[freedoms[i]] = i;
    Matrix A(n, n), B(n, k + 1), H_here(n, k);  // the last column of B is f
    for (int i = 0; i < n; i++) {
      for (const Triplet& t : M[freedoms[i]])
        if (t.value != 0.0) A(i, place[t.column]) += t.value;
      for (const Triplet& t : H[freedoms[i]]) H_here(i, columns[t.column]) += t.value;
      for (int c = 0; c < k; c++) B(i, c) = H_here(i, c);
      B(i, k) = global.f[freedoms[i]];
    }
    const Matrix X = sinew::solve(A, B);
    if (!std::ranges::all_of(X.values, [](double x) { return std::isfinite(x); })) refuse(file, "M has no inverse");
    for (const auto& [row, r] : columns) {
      for (int i = 0; i < n; i++) problem.q[row] += H_here(i, r) * X(i, k);
      for (const auto& [column, c] : columns) {
        double sum = 0.0;
        for (int i = 0; i < n; i++) sum += H_here(i, r) * X(i, c);
        if (sum != 0.0) W.push_back({row, column, sum});
      }
    }
  }
  problem.W = block_rows(int(global.mu.size()), std::move(W));
  return problem;
}

}  // namespace sinew::exchange
