// Which motions inputs can change: the test of Popov, Belevitch and Hautus. A motion of dr/dt = F r + G u with the eigenvalue p of
// F is out of reach of u where [F - p I, G] loses rank.
#pragma once
#include <complex>

#include "sinew/math/matrix.h"

namespace sinew {

inline constexpr double out_of_reach = 1e-9;

// Smallest singular value of [F - p I, G], relative to the largest.
double reach(const Matrix& F, const Matrix& G, std::complex<double> p);

}  // namespace sinew
