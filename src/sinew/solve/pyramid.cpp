#include "sinew/solve/pyramid.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Friction of row r of a contact over its normal impulse, for a force of this sign.
double bound_of(const DenseContact& c, int r, double P) {
  switch (r) {
    case row::T1:
      return P > 0.0 ? c.law.mu_backward : c.law.mu_forward;
    case row::T2:
      return c.law.mu_trans;
    case row::D:
      return c.law.drilling;
    default:
      return c.law.rolling;
  }
}

double allowed(const DenseContact& c, int r, double P, double P_N) {
  if (r == row::N) return std::max(0.0, P);
  return std::clamp(P, -bound_of(c, r, -1.0) * P_N, bound_of(c, r, 1.0) * P_N);
}

// f(contact or nullptr, kind of row, row of the problem, bias)
template <class F>
void each_row(const DenseProblem& p, F f) {
  for (const DenseContact& c : p.contacts)
    for (int r = 0; r < row::count; r++)
      if (const int at = c.row_of(r); at >= 0) f(c, r, at);
}

}  // namespace

// Lemke's method with the artificial column of ones. The tableau holds [basis | nonbasic...] as the rows of
// w - M z - d z0 = q; a lexicographic rule is not needed: problems here are made definite by their compliance.
bool Lemke::solve(int n, const std::vector<double>& M, const std::vector<double>& q, std::vector<double>& z) {
  z.assign(n, 0.0);
  int leave = 0;
  for (int i = 1; i < n; i++)
    if (q[i] < q[leave]) leave = i;
  if (n == 0 || q[leave] >= 0.0) return true;
  const int width = 2 * n + 2;  // w, z, z0, q
  tableau_.assign(std::size_t(n) * width, 0.0);
  basis_.resize(n);
  const auto at = [&](int i, int k) -> double& { return tableau_[std::size_t(i) * width + k]; };
  for (int i = 0; i < n; i++) {
    basis_[i] = i;
    at(i, i) = 1.0;
    for (int k = 0; k < n; k++) at(i, n + k) = -M[std::size_t(k) * n + i];
    at(i, 2 * n) = -1.0, at(i, 2 * n + 1) = q[i];
  }
  int enter = 2 * n;
  for (int pivots = 0; pivots < 50 * n + 100; pivots++) {
    const int out = basis_[leave];
    const double inverse = 1.0 / at(leave, enter);
    for (int k = 0; k < width; k++) at(leave, k) *= inverse;
    for (int i = 0; i < n; i++) {
      const double factor = at(i, enter);
      if (i == leave || factor == 0.0) continue;
      for (int k = 0; k < width; k++) at(i, k) -= factor * at(leave, k);
    }
    basis_[leave] = enter;
    if (out == 2 * n) {  // the artificial variable is gone
      for (int i = 0; i < n; i++)
        if (basis_[i] >= n && basis_[i] < 2 * n) z[basis_[i] - n] = std::max(0.0, at(i, 2 * n + 1));
      return true;
    }
    enter = out < n ? out + n : out - n;
    leave = -1;
    double least = 0.0;
    for (int i = 0; i < n; i++) {
      if (!(at(i, enter) > 1e-13)) continue;
      const double ratio = at(i, 2 * n + 1) / at(i, enter);
      const bool artificial = basis_[i] == 2 * n;  // goes first where several may
      if (leave < 0 || ratio < least - 1e-14 || (artificial && ratio <= least + 1e-14)) leave = i, least = ratio;
    }
    if (leave < 0) return false;
  }
  return false;
}

double pyramid_residual(const DenseProblem& p) {
  double most = 0.0;
  each_row(p, [&](const DenseContact& c, int r, int at) {
    const double g = p.at(at, at), gamma = p.gamma[at] + (r == row::N ? c.bias : 0.0);
    if (!(g > 0.0)) return;
    most = std::max(most, std::abs(p.P[at] - allowed(c, r, p.P[at] - gamma / g, p.P[c.first])) * g);
  });
  for (const DenseAxis& a : p.axes) {
    const double g = p.at(a.first, a.first) + a.law.compliance;
    const double gamma = p.gamma[a.first] + a.law.bias + a.law.compliance * p.P[a.first];
    most = std::max(most, std::abs(p.P[a.first] - std::clamp(p.P[a.first] - gamma / g, a.law.low, a.law.high)) * g);
  }
  return most;
}

void PyramidSolver::sweep(DenseProblem& p) const {
  const auto move = [&](int at, double to) {
    const double change = to - p.P[at];
    if (change == 0.0) return;
    p.P[at] = to;
    p.add_column(at, change, p.gamma.data());
  };
  each_row(p, [&](const DenseContact& c, int r, int at) {
    const double g = p.at(at, at);
    if (!(g > 0.0)) return;
    move(at, allowed(c, r, p.P[at] - (p.gamma[at] + (r == row::N ? c.bias : 0.0)) / g, p.P[c.first]));
  });
  for (const DenseAxis& a : p.axes) {
    const double g = p.at(a.first, a.first) + a.law.compliance;
    const double gamma = p.gamma[a.first] + a.law.bias + a.law.compliance * p.P[a.first];
    move(a.first, std::clamp(p.P[a.first] - gamma / g, a.law.low, a.law.high));
  }
}

// Variables: P_N; of each friction row P+ , P- and the slack of sliding s:
//   w+ = gamma + s,  w- = -gamma + s,  w_s = mu P_N - P+ - P-
bool PyramidSolver::pivot(DenseProblem& p) {
  struct Column {
    int row;      // of the problem; of a slack -1
    double sign;  // of P in it
    const DenseContact* contact;
    int kind;
  };
  std::vector<Column> columns;
  each_row(p, [&](const DenseContact& c, int r, int at) {
    if (r == row::N) return columns.push_back({at, 1.0, &c, r});
    columns.push_back({at, 1.0, &c, r}), columns.push_back({at, -1.0, &c, r}), columns.push_back({-1, 0.0, &c, r});
  });
  const int n = int(columns.size());
  M_.assign(std::size_t(n) * n, 0.0), q_.assign(n, 0.0);
  for (int i = 0; i < n; i++) {
    const Column& a = columns[i];
    if (a.row < 0) {  // the two before it are its P+ and P-
      for (int k = 0; k < n; k++)
        if (columns[k].contact == a.contact && columns[k].kind == row::N)
          M_[std::size_t(k) * n + i] = bound_of(*a.contact, a.kind, 1.0);
      M_[std::size_t(i - 1) * n + i] = M_[std::size_t(i - 2) * n + i] = -1.0;
      continue;
    }
    for (int k = 0; k < n; k++)
      if (columns[k].row >= 0) M_[std::size_t(k) * n + i] = a.sign * columns[k].sign * p.at(a.row, columns[k].row);
    M_[std::size_t(i) * n + i] += p.soft;
    if (a.kind != row::N) M_[std::size_t(a.sign > 0.0 ? i + 2 : i + 1) * n + i] = 1.0;
    q_[i] = a.sign * p.c[a.row] + (a.kind == row::N ? a.contact->bias : 0.0);
  }
  if (!lemke_.solve(n, M_, q_, z_)) return false;
  std::fill(p.P.begin(), p.P.end(), 0.0);
  for (int i = 0; i < n; i++)
    if (columns[i].row >= 0) p.P[columns[i].row] += columns[i].sign * z_[i];
  return true;
}

DenseReport PyramidSolver::solve(DenseProblem& p, bool direct, double tolerance) {
  DenseReport report;
  const bool symmetric =
      std::ranges::all_of(p.contacts, [](const DenseContact& c) { return c.law.mu_forward == c.law.mu_backward; });
  if (direct && p.n <= most_pivoted && p.axes.empty() && symmetric && pivot(p)) report.iterations = 1;
  p.update_gamma();
  report.residual = pyramid_residual(p);
  for (; report.iterations < 20000 && !(report.residual <= 0.1 * tolerance); report.iterations++) {
    sweep(p);
    if (report.iterations % 10 == 0) p.update_gamma();
    report.residual = pyramid_residual(p);
  }
  p.update_gamma();
  report.residual = pyramid_residual(p);
  report.converged = report.residual <= tolerance;
  return report;
}

}  // namespace sinew
