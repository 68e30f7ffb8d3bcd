// A matrix of any size, for what is computed before a run or once in a while. Not for the inside of a step: results allocate.
// A vector is a matrix with one column. Sums run from the first term to the last, so that bits do not depend on the machine.
#pragma once
#include <cstddef>
#include <vector>

#include "sinew/math/check.h"

namespace sinew {

struct Matrix {
  int rows = 0, cols = 0;
  std::vector<double> values;  // row by row

  Matrix() = default;
  Matrix(int rows, int cols) : rows(rows), cols(cols), values(std::size_t(rows) * std::size_t(cols), 0.0) {}
  Matrix(int rows, int cols, std::vector<double> row_by_row);  // throws CallError if these are not as many

  double& operator()(int i, int k) { return values[place(i, k)]; }
  double operator()(int i, int k) const { return values[place(i, k)]; }
  double& operator[](int i) { return values[place(i)]; }  // of a column
  double operator[](int i) const { return values[place(i)]; }

  static Matrix identity(int n);
  static Matrix diagonal(const std::vector<double>& values);
  static Matrix column(std::vector<double> values);
  static Matrix unit(int n, int i);  // column i of the identity

 private:
  std::size_t place(int i, int k) const {
    SINEW_ASSERT(i >= 0 && i < rows && k >= 0 && k < cols);
    return std::size_t(i) * std::size_t(cols) + std::size_t(k);
  }
  std::size_t place(int i) const {
    SINEW_ASSERT(i >= 0 && std::size_t(i) < values.size());
    return std::size_t(i);
  }
};

// Sizes must fit one another, else CallError.
Matrix operator+(Matrix a, const Matrix& b);
Matrix operator-(Matrix a, const Matrix& b);
Matrix operator-(Matrix a);
Matrix operator*(double factor, Matrix a);
Matrix operator/(Matrix a, double divisor);
Matrix operator*(const Matrix& a, const Matrix& b);

Matrix transpose(const Matrix& a);
Matrix beside(const Matrix& left, const Matrix& right);
Matrix block(const Matrix& a, int row, int col, int rows, int cols);
void put(const Matrix& part, int row, int col, Matrix& whole);

double norm(const Matrix& a);     // square root of the sum of all squares
double largest(const Matrix& a);  // absolute value
bool is_finite(const Matrix& a);  // in all entries

}  // namespace sinew
