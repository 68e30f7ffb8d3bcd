// Linear systems with dense matrices of any size, and their ranks. Not for the inside of a step.
// Our own and not a library's: short, quick to compile, and with the same bits for every compiler and processor.
#pragma once
#include "sinew/math/matrix.h"

namespace sinew {

// X of A X = B, by LU with row pivoting. Singular: all entries are NaN.
Matrix solve(const Matrix& A, const Matrix& B);
Matrix inverse(const Matrix& A);
double determinant(const Matrix& A);

// X of least norm among those that leave least of A X = B, column by column. A of any shape and rank: by a complete orthogonal
// decomposition (Golub and Van Loan, Matrix computations, 4th edition, section 5.4.7), in which directions with less than
// `relative` of the first pivot count as zero.
Matrix least_norm(const Matrix& A, const Matrix& B, double relative);

// Largest first, as many as the shorter side of A: by QR and one-sided Jacobi rotations (Drmac and Veselic, SIAM Journal on Matrix
// Analysis and Applications 29, 2008), exact to round-off of the largest.
std::vector<double> singular_values(const Matrix& A);

}  // namespace sinew
