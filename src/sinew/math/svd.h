// Singular values of a tall matrix A with up to six columns, A V = U S, by one-sided Jacobi rotations: small, exact to round-off
// also in the smallest values, no memory from the heap. Rows may also be fewer than columns.
#pragma once

namespace sinew {

struct Svd {
  static constexpr int most_rows = 256, most_columns = 6;
  int rows = 0, columns = 0;
  double u[most_columns][most_rows];     // columns of A on entry, of U after decompose
  double s[most_columns];                // largest first
  double v[most_columns][most_columns];  // column k of V is v[k]

  void decompose();
  int rank(double relative) const;
  double condition(int of_rank) const;
  // Least-squares solution of least norm of A x = b; values below rank `r` are left out.
  void solve(int r, const double* b, double* x) const;
  // Solution of least norm of A^T y = f, and, if wanted, the multiplier p with y = A p.
  void solve_transposed(int r, const double* f, double* y, double* p = nullptr) const;
};

}  // namespace sinew
