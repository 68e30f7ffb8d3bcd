// Faults of the thesis' scheme stay in on purpose: it is here to be compared with, docs/theory/solve.md#dense-engine.
#include "sinew/solve/newton_normal.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/math/dense_lu.h"
#include "sinew/math/elementary.h"

namespace sinew {
namespace {

// Impulses of one contact for N = 1: friction is opposed to the velocity c that it has without impulses.
void for_unit_normal(const DenseProblem& p, const DenseContact& contact, std::vector<double>& column) {
  SINEW_ASSERT(int(column.size()) == p.n && contact.first < p.n);
  std::fill(column.begin(), column.end(), 0.0);
  column[contact.first] = 1.0;
  if (!contact.slides) return;
  const int t = contact.row_of(row::T1);
  const double x = p.c[t], y = p.c[t + 1], speed = math::hypot(x, y);
  if (!(speed > 0.0)) return;
  column[t] = -(x < 0.0 ? contact.law.mu_backward : contact.law.mu_forward) * x / speed;
  column[t + 1] = -contact.law.mu_trans * y / speed;
}

struct Newton {
  DenseProblem& p;
  std::vector<int> bearing;   // contacts
  std::vector<double> units;  // impulses of all rows for N = 1 of each, column by column
  std::vector<double> J, N, scale, column;
  std::vector<int> pivots;

  void impulses() {
    std::fill(p.P.begin(), p.P.end(), 0.0);
    for (std::size_t b = 0; b < bearing.size(); b++)
      for (int i = 0; i < p.n; i++) p.P[i] += units[b * p.n + i] * N[b];
    p.update_gamma();
  }
  double residual() const {
    double most = 0.0;
    for (const int c : bearing) most = std::max(most, std::abs(p.gamma[p.contacts[c].first]));
    return most;
  }
  // False: no inverse.
  bool factor() {
    const int n = int(bearing.size());
    units.assign(std::size_t(n) * p.n, 0.0);
    column.resize(p.n);
    J.assign(std::size_t(n) * n, 0.0);
    scale.assign(n, 0.0);
    pivots.assign(n, 0);
    for (int b = 0; b < n; b++) {
      for_unit_normal(p, p.contacts[bearing[b]], column);
      std::copy(column.begin(), column.end(), units.begin() + std::size_t(b) * p.n);
      for (int a = 0; a < n; a++)
        for (int i = 0; i < p.n; i++) J[std::size_t(b) * n + a] += p.at(p.contacts[bearing[a]].first, i) * column[i];
    }
    if (!factor_dense(n, J.data(), n, pivots.data(), scale.data())) return false;
    for (int b = 0; b < n; b++)  // scale: rows over their largest entry, in the order of the pivots
      if (!(std::abs(J[std::size_t(b) * n + b]) * scale[b] > 1e-12)) return false;
    return true;
  }
};

}  // namespace

DenseReport solve_newton_normal(DenseProblem& p, double tolerance) {
  SINEW_ASSERT(tolerance > 0.0 && int(p.P.size()) == p.n && int(p.c.size()) == p.n);
  constexpr int most = 20;  // steps of Newton's method for one set of points
  DenseReport report;
  Newton newton{p, {}, {}, {}, {}, {}, {}, {}};
  for (int c = 0; c < int(p.contacts.size()); c++) newton.bearing.push_back(c);
  while (true) {
    const int n = int(newton.bearing.size());
    newton.N.assign(n, 0.0);
    const bool regular = n == 0 || newton.factor();
    newton.impulses();
    report.residual = newton.residual();
    if (!regular) return report;
    for (int k = 0; k < most && report.residual > tolerance; k++) {
      std::vector<double> step(n);
      for (int b = 0; b < n; b++) step[b] = -p.gamma[p.contacts[newton.bearing[b]].first];
      solve_factored(n, newton.J.data(), n, newton.pivots.data(), step.data());
      for (int b = 0; b < n; b++) newton.N[b] += step[b];
      newton.impulses();
      report.residual = newton.residual();
      report.iterations = std::max(report.iterations, k + 1);
    }
    if (!(report.residual <= tolerance)) return report;
    std::vector<int> kept;
    for (int b = 0; b < n; b++)
      if (newton.N[b] >= 0.0) kept.push_back(newton.bearing[b]);
    report.converged = int(kept.size()) == n;
    if (report.converged) return report;
    newton.bearing = std::move(kept);
  }
}

}  // namespace sinew
