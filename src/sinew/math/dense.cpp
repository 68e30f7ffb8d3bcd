#include "sinew/math/dense.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "sinew/math/check.h"
#include "sinew/math/dense_lu.h"
#include "sinew/math/jacobi.h"

namespace sinew {
namespace {

double dot(const double* a, const double* b, int from, int to) {
  double sum = 0.0;
  for (int i = from; i < to; i++) sum += a[i] * b[i];
  return sum;
}

struct Lu {
  Matrix columns;  // row k: column k of the factors
  std::vector<int> pivots;
  bool regular;

  explicit Lu(const Matrix& A) : columns(transpose(A)), pivots(std::size_t(A.rows)) {
    SINEW_CHECK(A.rows == A.cols, "linear system: a matrix of ", A.rows, " x ", A.cols, " is not square");
    std::vector<double> row_scale(pivots.size());
    regular = factor_dense(A.rows, columns.values.data(), A.rows, pivots.data(), row_scale.data());
  }
};

// A with its columns exchanged = Q R, by Householder's reflections 1 - weight v v'. With `pivot` the largest column is always next.
struct Qr {
  Matrix columns;                     // row k: above the diagonal column k of R, from there on v
  std::vector<double> edge, weights;  // diagonal of R
  std::vector<int> order;             // column k was column order[k]

  Qr(const Matrix& A, bool pivot)
      : columns(transpose(A)), edge(std::size_t(std::min(A.rows, A.cols))), weights(edge), order(std::size_t(A.cols)) {
    std::iota(order.begin(), order.end(), 0);
    for (int k = 0; k < steps(); k++) {
      if (pivot) bring_largest(k);
      reflect(k);
    }
  }

  int rows() const { return columns.cols; }
  int steps() const { return int(edge.size()); }
  const double* column(int k) const { return &columns.values[std::size_t(k) * std::size_t(columns.cols)]; }
  double* column(int k) { return &columns.values[std::size_t(k) * std::size_t(columns.cols)]; }

  void bring_largest(int k) {
    int best = k;
    double most = -1.0;
    for (int j = k; j < columns.rows; j++) {
      const double size = dot(column(j), column(j), k, rows());
      if (size > most) {
        most = size;
        best = j;
      }
    }
    if (best == k) return;
    std::swap_ranges(column(k), column(k) + rows(), column(best));
    std::swap(order[k], order[best]);
  }

  void reflect(int k) {
    double* v = column(k);
    const double size = std::sqrt(dot(v, v, k, rows())), front = std::abs(v[k]);
    weights[k] = size > 0.0 ? 1.0 / (size * (size + front)) : 0.0;
    edge[k] = v[k] < 0.0 ? size : -size;
    v[k] -= edge[k];  // away from zero: nothing cancels
    for (int j = k + 1; j < columns.rows; j++) turn(k, column(j));
  }

  void turn(int k, double* x) const {
    const double* v = column(k);
    const double share = weights[k] * dot(v, x, k, rows());
    for (int i = k; i < rows(); i++) x[i] -= share * v[i];
  }
  void to_q(double* x) const {  // x <- Q' x
    for (int k = 0; k < steps(); k++) turn(k, x);
  }
  void from_q(double* x) const {  // x <- Q x
    for (int k = steps() - 1; k >= 0; k--) turn(k, x);
  }

  int rank(double relative) const {
    SINEW_ASSERT(relative >= 0.0 && relative < 1.0);
    int r = 0;
    while (r < steps() && std::abs(edge[r]) > relative * std::abs(edge[0])) r++;
    return r;
  }

  Matrix upper(int n) const {  // first n rows of R
    Matrix R(n, columns.rows);
    for (int i = 0; i < n; i++) {
      SINEW_ASSERT(n <= steps() && n <= columns.rows);
      R(i, i) = edge[i];
      for (int k = i + 1; k < R.cols; k++) R(i, k) = column(k)[i];
    }
    return R;
  }
};

// Turns two rows until they are orthogonal. False: they are.
bool make_orthogonal(double* a, double* b, int n) {
  SINEW_ASSERT(a != b && n >= 0);
  const double aa = dot(a, a, 0, n), bb = dot(b, b, 0, n), ab = dot(a, b, 0, n);
  if (!(std::abs(ab) > 1e-15 * std::sqrt(aa) * std::sqrt(bb))) return false;
  jacobi_rotation(aa, bb, ab).turn(a, b, n);
  return true;
}

}  // namespace

Matrix solve(const Matrix& A, const Matrix& B) {
  SINEW_CHECK(A.rows == B.rows, "linear system: ", A.rows, " rows, the right side has ", B.rows);
  const int n = A.rows;
  const Lu lu(A);
  Matrix columns = transpose(B);
  if (!lu.regular) std::ranges::fill(columns.values, std::numeric_limits<double>::quiet_NaN());
  for (int k = 0; k < B.cols && lu.regular; k++)
    solve_factored(n, lu.columns.values.data(), n, lu.pivots.data(),
                   columns.values.data() + std::size_t(k) * std::size_t(n));
  return transpose(columns);
}

Matrix inverse(const Matrix& A) { return solve(A, Matrix::identity(A.rows)); }

double determinant(const Matrix& A) {
  const Lu lu(A);
  double out = lu.regular ? 1.0 : 0.0;
  for (int k = 0; k < A.rows && lu.regular; k++) out *= lu.pivots[k] == k ? lu.columns(k, k) : -lu.columns(k, k);
  return out;
}

// A P = Q (R; 0) with R of r rows, and R' = Z S once more: X = P Z S'^-1 Q' B.
Matrix least_norm(const Matrix& A, const Matrix& B, double relative) {
  SINEW_CHECK(A.rows == B.rows, "least squares: ", A.rows, " rows, the right side has ", B.rows);
  SINEW_CHECK(relative >= 0.0 && relative < 1.0, "least squares: directions are dropped below a share in [0, 1)");
  const Qr outer(A, true);
  const int r = outer.rank(relative);
  const Qr inner(transpose(outer.upper(r)), false);
  Matrix X(A.cols, B.cols), columns = transpose(B);
  std::vector<double> y(std::size_t(A.cols));
  for (int c = 0; c < B.cols; c++) {
    double* b = &columns(c, 0);
    outer.to_q(b);
    std::ranges::fill(y, 0.0);
    for (int k = 0; k < r; k++) y[k] = (b[k] - dot(inner.column(k), y.data(), 0, k)) / inner.edge[k];
    inner.from_q(y.data());
    for (int k = 0; k < A.cols; k++) X(outer.order[k], c) = y[k];
  }
  return X;
}

std::vector<double> singular_values(const Matrix& A) {
  const Qr qr(A.rows < A.cols ? transpose(A) : A, true);
  const int n = qr.steps();
  Matrix R = qr.upper(n);
  bool moved = true;
  for (int sweep = 0; sweep < 40 && moved; sweep++) {
    moved = false;
    for (int i = 0; i < n; i++)
      for (int k = i + 1; k < n; k++) moved = make_orthogonal(&R(i, 0), &R(k, 0), n) || moved;
  }
  std::vector<double> out;
  for (int i = 0; i < n; i++) out.push_back(std::sqrt(dot(&R(i, 0), &R(i, 0), 0, n)));
  std::ranges::sort(out, std::greater<>());
  return out;
}

}  // namespace sinew
