#include "sinew/math/matrix.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/math/check.h"

namespace sinew {
namespace {

void check_same_shape(const char* what, const Matrix& a, const Matrix& b) {
  SINEW_CHECK(a.rows == b.rows && a.cols == b.cols, what, ": ", a.rows, " x ", a.cols, " and ", b.rows, " x ", b.cols);
}

void check_inside(const char* what, int row, int col, int rows, int cols, const Matrix& whole) {
  SINEW_CHECK(row >= 0 && col >= 0 && rows >= 0 && cols >= 0 && row + rows <= whole.rows && col + cols <= whole.cols,
              what, ": ", rows, " x ", cols, " from (", row, ", ", col, ") on in ", whole.rows, " x ", whole.cols);
}

}  // namespace

Matrix::Matrix(int rows, int cols, std::vector<double> row_by_row)
    : rows(rows), cols(cols), values(std::move(row_by_row)) {
  SINEW_CHECK(rows >= 0 && cols >= 0 && values.size() == std::size_t(rows) * std::size_t(cols),
              "Matrix: ", values.size(), " numbers for ", rows, " x ", cols);
}

Matrix Matrix::identity(int n) {
  SINEW_CHECK(n >= 0, "identity matrix: of size ", n);
  Matrix out(n, n);
  for (int i = 0; i < n; i++) out(i, i) = 1.0;
  return out;
}

Matrix Matrix::diagonal(const std::vector<double>& values) {
  Matrix out(int(values.size()), int(values.size()));
  for (int i = 0; i < out.rows; i++) out(i, i) = values[std::size_t(i)];
  return out;
}

Matrix Matrix::column(std::vector<double> values) {
  const int n = int(values.size());
  return {n, 1, std::move(values)};
}

Matrix Matrix::unit(int n, int i) {
  SINEW_CHECK(i >= 0 && i < n, "unit vector: entry ", i, " of ", n);
  Matrix out(n, 1);
  out[i] = 1.0;
  return out;
}

Matrix operator+(Matrix a, const Matrix& b) {
  check_same_shape("sum of matrices", a, b);
  for (std::size_t i = 0; i < a.values.size(); i++) a.values[i] += b.values[i];
  return a;
}

Matrix operator-(Matrix a, const Matrix& b) {
  check_same_shape("difference of matrices", a, b);
  for (std::size_t i = 0; i < a.values.size(); i++) a.values[i] -= b.values[i];
  return a;
}

Matrix operator-(Matrix a) {
  for (double& x : a.values) x = -x;
  return a;
}

Matrix operator*(double factor, Matrix a) {
  for (double& x : a.values) x *= factor;
  return a;
}

Matrix operator/(Matrix a, double divisor) {
  for (double& x : a.values) x /= divisor;
  return a;
}

Matrix operator*(const Matrix& a, const Matrix& b) {
  SINEW_CHECK(a.cols == b.rows, "product of matrices: ", a.rows, " x ", a.cols, " times ", b.rows, " x ", b.cols);
  Matrix out(a.rows, b.cols);
  for (int i = 0; i < a.rows; i++)
    for (int j = 0; j < a.cols; j++)
      for (int k = 0; k < b.cols; k++) out(i, k) += a(i, j) * b(j, k);
  return out;
}

Matrix transpose(const Matrix& a) {
  Matrix out(a.cols, a.rows);
  for (int i = 0; i < a.rows; i++)
    for (int k = 0; k < a.cols; k++) out(k, i) = a(i, k);
  return out;
}

Matrix beside(const Matrix& left, const Matrix& right) {
  SINEW_CHECK(left.rows == right.rows, "matrices side by side: ", left.rows, " rows beside ", right.rows);
  Matrix out(left.rows, left.cols + right.cols);
  put(left, 0, 0, out);
  put(right, 0, left.cols, out);
  return out;
}

Matrix block(const Matrix& a, int row, int col, int rows, int cols) {
  check_inside("block of a matrix", row, col, rows, cols, a);
  Matrix out(rows, cols);
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < cols; k++) out(i, k) = a(row + i, col + k);
  return out;
}

void put(const Matrix& part, int row, int col, Matrix& whole) {
  check_inside("part of a matrix", row, col, part.rows, part.cols, whole);
  for (int i = 0; i < part.rows; i++)
    for (int k = 0; k < part.cols; k++) whole(row + i, col + k) = part(i, k);
}

double norm(const Matrix& a) {
  double sum = 0.0;
  for (const double x : a.values) sum += x * x;
  return std::sqrt(sum);
}

double largest(const Matrix& a) {
  double out = 0.0;
  for (const double x : a.values) out = std::max(out, std::abs(x));
  return out;
}

bool is_finite(const Matrix& a) {
  return std::ranges::all_of(a.values, [](double x) { return std::isfinite(x); });
}

}  // namespace sinew
