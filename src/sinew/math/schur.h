// Schur's form of a real square matrix with complex numbers, A = U T U*, T an upper triangle, U unitary: what invariant subspaces
// and Lyapunov's equation are computed from without loss. Not for the inside of a step.
#pragma once
#include <complex>

#include "sinew/math/matrix.h"

namespace sinew {

// H <- Q' H Q with zeros below the first diagonal under the main one, by reflections (Golub and Van Loan, Matrix computations, 4th
// edition, algorithm 7.4.2). Q, if it is wanted, is multiplied from the right by the one that was found.
void make_hessenberg(Matrix& H, Matrix* Q = nullptr);

class Schur {
 public:
  using Complex = std::complex<double>;

  explicit Schur(const Matrix& A);  // by shifted QR steps
  bool found() const { return found_; }
  int size() const { return n_; }
  Complex value(int i) const { return T(i, i); }

  // Eigenvalues with negative real parts come to the front, the first columns of U then span their subspace. How many there are.
  int bring_stable_first();
  // Real and imaginary parts of some rows of the first columns of U, side by side.
  Matrix subspace(int first_row, int rows, int cols) const;

  // X of A'X + X A + C = 0 with symmetric C, if no two eigenvalues add up to zero (Bartels and Stewart, Communications of the
  // ACM 15, 1972).
  Matrix solve_lyapunov(const Matrix& C) const;

 private:
  Complex& T(int i, int k) { return t_[std::size_t(i) * std::size_t(n_) + std::size_t(k)]; }
  Complex T(int i, int k) const { return t_[std::size_t(i) * std::size_t(n_) + std::size_t(k)]; }
  Complex& U(int i, int k) { return u_[std::size_t(i) * std::size_t(n_) + std::size_t(k)]; }
  Complex U(int i, int k) const { return u_[std::size_t(i) * std::size_t(n_) + std::size_t(k)]; }
  bool cut(int i);
  Complex shift(int last, bool unusual) const;
  void turn(int k, Complex a, Complex b);

  int n_;
  bool found_ = true;
  std::vector<Complex> t_, u_;
};

}  // namespace sinew
