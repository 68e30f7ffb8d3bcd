// The linear regulator of least cost: for dr/dt = F r + G u it minimises the integral of r'Q r + u'R u.
//   F'X + X F - X G R^-1 G'X + Q = 0,   u = -gain r,   gain = R^-1 G'X            (docs/theory/control.md)
// [1; X] spans the stable invariant subspace of the Hamiltonian matrix [F, -G R^-1 G'; -Q, -F'], found from its Schur form (Laub, IEEE
// Transactions on Automatic Control 24, 1979). Newton's method then takes out round-off (Kleinman, ibid. 13, 1968).
#pragma once
#include <complex>
#include <string>

#include "sinew/math/matrix.h"

namespace sinew {

struct Regulator {
  Matrix X;                                 // symmetric, positive semidefinite
  Matrix gain;                              // one row per input
  std::vector<std::complex<double>> poles;  // eigenvalues of F - G gain, the slowest first [1/s]
  std::string problem;                      // empty: solved; else why there is no such regulator, in words
};

// Q symmetric and positive semidefinite, R symmetric and positive definite.
Regulator solve_riccati(const Matrix& F, const Matrix& G, const Matrix& Q, const Matrix& R);

// F'X + X F - X G R^-1 G'X + Q, which should be zero.
Matrix riccati_residual(const Matrix& F, const Matrix& G, const Matrix& Q, const Matrix& R, const Matrix& X);

}  // namespace sinew
