// Small strictly convex quadratic programs by the dual active-set method of Goldfarb and Idnani (1983):
//   min 1/2 x^T H x + g^T x    subject to   c_i . x = b_i  (first n_equal rows),   c_i . x >= b_i  (the others)
// Starts at the free minimum and adds violated rows one by one; each step keeps the multipliers admissible, so it ends at
// the minimum, or at a proof that no x satisfies all rows. Room for max_x unknowns and max_rows rows; nothing allocates.
#pragma once

namespace sinew {

struct SmallQp {
  static constexpr int max_x = 32, max_rows = 192;
  enum class Status { Solved, Infeasible, NotConvex, TooLong };

  int n = 0, n_equal = 0, n_rows = 0;
  double H[max_x][max_x];  // lower triangle is read
  double g[max_x];
  double c[max_rows][max_x], b[max_rows];

  // Out:
  double x[max_x];
  double multiplier[max_rows];  // 0: the row is not active
  int iterations = 0;
  double violation = 0.0;  // largest by which a row is missed at x

  // A new row; its numbers are zero.
  int add_row(double bound);
  Status solve();

 private:
  struct Work;
  double slack(int row) const, size(int row) const;
  int worst_row(const bool* is_active) const;
  bool add(int row, Work& work, bool* is_active);
};

}  // namespace sinew
