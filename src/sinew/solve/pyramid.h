// Contacts with friction pyramids, as a linear complementarity problem (docs/theory/solve.md#friction-pyramids), to compare with the cones:
//   0 <= P_N  _|_  gamma_N + bias >= 0,      |P_i| <= mu_i P_N, opposed to gamma_i,      each tangent by itself
// Drilling is one more such row, rolling two. Laws on joint axes are intervals.
// Two solvers: Lemke's pivots for small problems (direct), projected Gauss-Seidel with warm start for the others.
#pragma once
#include "sinew/solve/dense.h"

namespace sinew {

// z >= 0, w = M z + q >= 0, z . w = 0; n x n, columns contiguous. False: a ray, or too many pivots.
class Lemke {
 public:
  bool solve(int n, const std::vector<double>& M, const std::vector<double>& q, std::vector<double>& z);

 private:
  std::vector<double> tableau_;
  std::vector<int> basis_;
};

class PyramidSolver {
 public:
  static constexpr int most_pivoted = 60;  // rows: beyond that pivots take longer than sweeps

  // tolerance [m/s]. direct: Lemke's method where there are few rows. Sweeps start at the impulses of the problem and leave
  // redundant ones about there.
  DenseReport solve(DenseProblem& problem, bool direct, double tolerance);

 private:
  bool pivot(DenseProblem& p);
  void sweep(DenseProblem& p) const;

  Lemke lemke_;
  std::vector<double> M_, q_, z_;
};

// Distance from the laws: largest over all rows of |P - proj(P - gamma / G_ii)| G_ii [m/s].
double pyramid_residual(const DenseProblem& p);

}  // namespace sinew
