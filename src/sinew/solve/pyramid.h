// Contacts with friction pyramids, as a linear complementarity problem (docs/theory/solve.md#friction-pyramids), to compare with the cones:
//   0 <= P_N  _|_  gamma_N + bias >= 0,      |P_i| <= mu_i P_N, opposed to gamma_i,      each tangent by itself
// Drilling is one more such row, rolling two. Laws on joint axes are intervals.
// Direct: Newton's method on the states of the rows (open, sticking, sliding one way or the other), a linear system each time
// (primal-dual active sets; Hintermüller, Ito and Kunisch 2003). Rows are slightly compliant, so that redundant contacts share a
// load, and harden by proximal points, as in solve/dense; a line search keeps the states from going round in a circle. If that
// fails, again with other steps and softer rows, and of small problems from the solution by Lemke's pivots.
// Else, and where all that fails: projected Gauss-Seidel from the impulses of the problem.
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
  static constexpr int most_pivoted = 60;  // rows: beyond that pivots take long

  // tolerance [m/s]. Sweeps start at the impulses of the problem and leave redundant ones about there.
  DenseReport solve(DenseProblem& problem, bool direct, double tolerance);

 private:
  // Of a row: at 0 because its contact is open; held by nothing; at its lower or upper bound.
  enum State : signed char { Unset, Rests, Free, Low, High };
  struct Unknown {  // of the linear system
    int row;
    double stiff;                   // compliance of a law on an axis
    const DenseContact* normal_of;  // nullptr: no normal impulse
  };

  struct Merit {
    double sum = 0.0, velocity = 0.0;
  };

  bool solve_directly(DenseProblem& p, double goal, int& iterations);
  bool newton(DenseProblem& p, double softness, double goal, int& iterations);
  bool settle(DenseProblem& p, double goal, int& iterations);
  double aim(const DenseProblem& p, int at, double stiff) const;
  Merit merit(const DenseProblem& p) const;
  void decide(const DenseProblem& p);
  bool factor(const DenseProblem& p);
  void move(DenseProblem& p);
  bool pivot(DenseProblem& p);
  void sweep(DenseProblem& p) const;

  Lemke lemke_;
  std::vector<double> M_, q_, z_;
  std::vector<State> state_, factored_;             // per row
  std::vector<double> centre_, offset_, start_;     // per row: of the compliance; bias of the law; impulses
  std::vector<double> soft_;                        // per row: compliance
  std::vector<double> column_, old_P_, old_gamma_;  // per row: scratch
  double step_ = 1.0;                               // of the map
  std::vector<Unknown> unknown_;
  std::vector<double> A_, b_, scale_;  // of the linear system
  std::vector<int> pivots_;
};

// Distance from the laws: largest over all rows of |P - proj(P - gamma / G_ii)| G_ii [m/s].
double pyramid_residual(const DenseProblem& p);

}  // namespace sinew
