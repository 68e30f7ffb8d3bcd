#include "sinew/math/matrix.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace sinew {

Matrix::Matrix(int rows, int cols, std::vector<double> row_by_row)
    : rows(rows), cols(cols), values(std::move(row_by_row)) {
  if (values.size() != std::size_t(rows) * std::size_t(cols))
    throw std::invalid_argument("a matrix needs as many numbers as its rows times its columns");
}

Matrix Matrix::identity(int n) {
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
  Matrix out(n, 1);
  out[i] = 1.0;
  return out;
}

Matrix operator+(Matrix a, const Matrix& b) {
  for (std::size_t i = 0; i < a.values.size(); i++) a.values[i] += b.values[i];
  return a;
}

Matrix operator-(Matrix a, const Matrix& b) {
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
  Matrix out(left.rows, left.cols + right.cols);
  put(left, 0, 0, out), put(right, 0, left.cols, out);
  return out;
}

Matrix block(const Matrix& a, int row, int col, int rows, int cols) {
  Matrix out(rows, cols);
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < cols; k++) out(i, k) = a(row + i, col + k);
  return out;
}

void put(const Matrix& part, int row, int col, Matrix& whole) {
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
