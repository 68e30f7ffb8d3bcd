// Eigenvalues of dense matrices of any size. Not for the inside of a step. Our own for the reasons of math/dense.h.
#pragma once
#include <complex>

#include "sinew/math/matrix.h"

namespace sinew {

// Of any square matrix, by Hessenberg's form and Francis' double shifts (Golub and Van Loan, Matrix computations, 4th edition,
// algorithms 7.4.2 and 7.5.2; deflation and shifts as in EISPACK's hqr). Of a pair the one with the positive imaginary part comes
// first. All are NaN if the iteration does not end or an entry is not finite.
std::vector<std::complex<double>> eigenvalues(const Matrix& A);
double largest_real_part(const Matrix& A);

// A v = value v of a symmetric A, ascending; column k of `vectors` belongs to value k; they are orthonormal. By Jacobi's cyclic
// rotations (Golub and Van Loan, section 8.5).
struct Modes {
  std::vector<double> values;
  Matrix vectors;
};
Modes symmetric_modes(const Matrix& A);

// K v = value M v with symmetric K and M, M positive definite; vectors' M vectors = 1. Not positive definite: all values are NaN.
Modes symmetric_modes(const Matrix& K, const Matrix& M);

}  // namespace sinew
