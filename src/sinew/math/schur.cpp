#include "sinew/math/schur.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/math/check.h"

namespace sinew {
namespace {

using Complex = Schur::Complex;

// By hand: how libraries divide complex numbers and take their roots and sizes differs in the last bits.
double square(Complex a) { return a.real() * a.real() + a.imag() * a.imag(); }
double sum_of_sizes(Complex a) { return std::abs(a.real()) + std::abs(a.imag()); }
Complex divide(Complex a, Complex b) {
  const double s = square(b);
  const Complex product = a * std::conj(b);
  return {product.real() / s, product.imag() / s};
}
Complex root(Complex a) {
  const double size = std::sqrt(square(a)), large = std::sqrt(0.5 * (size + std::abs(a.real())));
  if (large == 0.0) return 0.0;
  const double small = a.imag() / (2.0 * large);
  return a.real() >= 0.0 ? Complex(large, small) : Complex(std::abs(small), a.imag() < 0.0 ? -large : large);
}

}  // namespace

void make_hessenberg(Matrix& H, Matrix* Q) {
  SINEW_CHECK(H.rows == H.cols, "Hessenberg's form: a matrix of ", H.rows, " x ", H.cols, " is not square");
  SINEW_CHECK(!Q || Q->cols == H.rows, "Hessenberg's form: ", H.rows, " rows, the other matrix has ", Q->cols,
              " columns");
  const int n = H.rows;
  std::vector<double> v(std::size_t(n), 0.0);
  for (int k = 0; k + 2 < n; k++) {
    double squares = 0.0;
    for (int i = k + 1; i < n; i++) {
      v[i] = H(i, k);
      squares += v[i] * v[i];
    }
    const double size = v[k + 1] < 0.0 ? -std::sqrt(squares) : std::sqrt(squares);
    if (size == 0.0) continue;
    v[k + 1] += size;
    const double weight = 1.0 / (size * v[k + 1]);
    for (int c = k; c < n; c++) {
      double sum = 0.0;
      for (int i = k + 1; i < n; i++) sum += v[i] * H(i, c);
      for (int i = k + 1; i < n; i++) H(i, c) -= weight * sum * v[i];
    }
    for (Matrix* M : {&H, Q})
      for (int r = 0; M && r < n; r++) {
        double sum = 0.0;
        for (int i = k + 1; i < n; i++) sum += (*M)(r, i) * v[i];
        for (int i = k + 1; i < n; i++) (*M)(r, i) -= weight * sum * v[i];
      }
    for (int i = k + 2; i < n; i++) H(i, k) = 0.0;
  }
}

Schur::Schur(const Matrix& A) : n_(A.rows) {
  Matrix H = A, Q = Matrix::identity(n_);
  make_hessenberg(H, &Q);
  t_.assign(H.values.begin(), H.values.end());
  u_.assign(Q.values.begin(), Q.values.end());
  found_ = is_finite(H);
  for (int last = n_ - 1, turns = 0; found_ && last > 0;) {
    if (cut(last)) {
      last--;
      turns = 0;
      continue;
    }
    int first = last - 1;
    while (first > 0 && !cut(first)) first--;
    found_ = turns++ < 100;
    const Complex by = shift(last, turns % 10 == 0);
    turn(first, T(first, first) - by, T(first + 1, first));
    for (int k = first + 1; k < last; k++) {
      turn(k, T(k, k - 1), T(k + 1, k - 1));
      T(k + 1, k - 1) = 0.0;
    }
  }
}

// Whether T falls apart between rows i - 1 and i.
bool Schur::cut(int i) {
  SINEW_ASSERT(i > 0 && i < n_);
  const double beside = sum_of_sizes(T(i - 1, i - 1)) + sum_of_sizes(T(i, i));
  if (sum_of_sizes(T(i, i - 1)) > std::numeric_limits<double>::epsilon() * beside) return false;
  T(i, i - 1) = 0.0;
  return true;
}

// The eigenvalue of the corner of two rows that is nearer to its last entry; another one now and then, in case it turns in a circle.
Complex Schur::shift(int last, bool unusual) const {
  SINEW_ASSERT(last > 0 && last < n_);
  if (unusual) return sum_of_sizes(T(last, last - 1)) + (last > 1 ? sum_of_sizes(T(last - 1, last - 2)) : 0.0);
  const Complex a = T(last - 1, last - 1), d = T(last, last), bc = T(last - 1, last) * T(last, last - 1);
  const Complex half = 0.5 * (a - d), r = root(half * half + bc);
  const Complex far = (half * std::conj(r)).real() >= 0.0 ? half + r : half - r;  // the one that does not cancel
  return square(far) > 0.0 ? d - divide(bc, far) : d;
}

// T <- G T G*, U <- U G* with the rotation G of rows k and k + 1 that takes (a, b) to (r, 0).
void Schur::turn(int k, Complex a, Complex b) {
  SINEW_ASSERT(k >= 0 && k + 1 < n_);
  const double r = std::sqrt(square(a) + square(b));
  if (r == 0.0) return;
  const Complex c(a.real() / r, -a.imag() / r), s(b.real() / r, -b.imag() / r);
  for (int i = 0; i < n_; i++) {
    const Complex x = T(k, i), y = T(k + 1, i);
    T(k, i) = c * x + s * y;
    T(k + 1, i) = std::conj(c) * y - std::conj(s) * x;
  }
  const auto from_right = [&](Complex& x, Complex& y) {
    const Complex before = x;
    x = std::conj(c) * before + std::conj(s) * y;
    y = c * y - s * before;
  };
  for (int i = 0; i < n_; i++) {
    from_right(T(i, k), T(i, k + 1));
    from_right(U(i, k), U(i, k + 1));
  }
}

int Schur::bring_stable_first() {
  SINEW_CHECK(found_, "Schur's form: it was not found, its eigenvalues cannot be sorted");
  int front = 0;
  for (int i = 0; i < n_; i++) {
    if (!(T(i, i).real() < 0.0)) continue;
    for (int k = i - 1; k >= front; k--) {  // exchanges neighbours
      turn(k, T(k, k + 1), T(k + 1, k + 1) - T(k, k));
      T(k + 1, k) = 0.0;
    }
    front++;
  }
  return front;
}

Matrix Schur::subspace(int first_row, int rows, int cols) const {
  SINEW_CHECK(first_row >= 0 && rows >= 0 && first_row + rows <= n_ && cols >= 0 && cols <= n_, "Schur's form: rows ",
              first_row, " to ", first_row + rows, " and ", cols, " columns of ", n_);
  Matrix out(rows, 2 * cols);
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < cols; k++) {
      out(i, k) = U(first_row + i, k).real();
      out(i, cols + k) = U(first_row + i, k).imag();
    }
  return out;
}

// With Y = U* X U it is T* Y + Y T = -U* C U, column by column, in each from the first entry on.
Matrix Schur::solve_lyapunov(const Matrix& C) const {
  SINEW_CHECK(C.rows == n_ && C.cols == n_, "Lyapunov's equation: of size ", n_, ", the right side is ", C.rows, " x ",
              C.cols);
  SINEW_ASSERT(found_);
  const auto at = [this](std::vector<Complex>& a, int i, int k) -> Complex& { return a[std::size_t(i * n_ + k)]; };
  std::vector<Complex> half(t_.size()), Y(t_.size());
  for (int i = 0; i < n_; i++)
    for (int j = 0; j < n_; j++)
      for (int k = 0; k < n_; k++) at(half, i, k) += C(i, j) * U(j, k);
  for (int k = 0; k < n_; k++)
    for (int i = 0; i < n_; i++) {
      Complex y = 0.0;
      for (int j = 0; j < n_; j++) y -= std::conj(U(j, i)) * at(half, j, k);
      for (int j = 0; j < k; j++) y -= at(Y, i, j) * T(j, k);
      for (int j = 0; j < i; j++) y -= std::conj(T(j, i)) * at(Y, j, k);
      at(Y, i, k) = divide(y, std::conj(T(i, i)) + T(k, k));
    }
  std::ranges::fill(half, 0.0);
  for (int i = 0; i < n_; i++)
    for (int j = 0; j < n_; j++)
      for (int k = 0; k < n_; k++) at(half, i, k) += U(i, j) * at(Y, j, k);
  Matrix X(n_, n_);
  for (int i = 0; i < n_; i++)
    for (int k = 0; k < n_; k++)
      for (int j = 0; j < n_; j++) X(i, k) += (at(half, i, j) * std::conj(U(k, j))).real();
  return X;
}

}  // namespace sinew
