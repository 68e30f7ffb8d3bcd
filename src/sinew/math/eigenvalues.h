// Eigenvalues of small dense matrices, row by row. Not for the inside of a step.
#pragma once

namespace sinew {

double largest_real_part(int n, const double* A);

}  // namespace sinew
