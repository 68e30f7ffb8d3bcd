// Newton's method on P = dt F(gamma(P)), for any way of solving its linear systems (step/penalty_implicit.cpp has the equations).
#pragma once
#include <algorithm>
#include <vector>

#include "sinew/step/soft_point.h"
#include "sinew/step/workspace.h"

namespace sinew {

// `system` knows evaluate(P, residual), the largest residual [m/s]; direction(residual, way), which solves (I - dt F' G) way =
// residual, false if it cannot; and next_length(length, found, before), the same length if it may stay, else a shorter one: F is not
// smooth (touch, stick and slip). P: guess and solution.
template <Real S, class System>
DenseReport soft_newton(System& system, std::vector<double>& P, SoftWork<S>& w) {
  constexpr double tolerance = 1e-11;
  const std::size_t n = P.size();
  w.residual.resize(n);
  w.trial.resize(n);
  w.way.resize(n);
  w.P = P;
  DenseReport report;
  report.residual = system.evaluate(w.P, w.residual);
  for (; report.iterations < 60 && report.residual > tolerance; report.iterations++) {
    if (!system.direction(w.residual, w.way)) break;
    double length = 1.0, found = 0.0;
    for (int tries = 0; tries < 12; tries++) {
      for (std::size_t i = 0; i < n; i++) w.trial[i] = w.P[i] - length * w.way[i];
      found = system.evaluate(w.trial, w.residual);
      const double next = system.next_length(length, found, report.residual);
      if (!(next < length)) break;
      length = next;
    }
    w.P = w.trial;
    report.residual = found;
  }
  P = w.P;
  report.converged = report.residual <= 1e-8;
  return report;
}

inline void add_lane(const DenseReport& done, int k, SolveReport& report) {
  report.residual = std::max(report.residual, done.residual);
  report.lane_residual[std::size_t(k)] = done.residual;
  report.converged = report.converged && done.converged;
}

// Contacts of many bodies, by products with G alone (step/penalty_sparse.cpp): rows.gamma as solve_by_responses wants it.
template <Real S>
SolveReport solve_soft_sparsely(const Model& model, const SoftSpan& span, Mask<S> which, S* u_E, Workspace<S>& ws);

}  // namespace sinew
