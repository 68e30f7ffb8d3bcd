// Pyramids by states of rows, by Lemke's pivots and by projected Gauss-Seidel, in this order, each where the one before failed.
#include "sinew/solve/pyramid.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/math/dense_lu.h"

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

// Friction that slides, over the normal impulse.
double slide(const DenseContact& c, int r, bool is_low) { return is_low ? -bound_of(c, r, -1.0) : bound_of(c, r, 1.0); }

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
  SINEW_ASSERT(n >= 0 && M.size() >= std::size_t(n) * n && int(q.size()) >= n && &z != &q);
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
    at(i, 2 * n) = -1.0;
    at(i, 2 * n + 1) = q[i];
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
      if (leave < 0 || ratio < least - 1e-14 || (artificial && ratio <= least + 1e-14)) {
        leave = i;
        least = ratio;
      }
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
    columns.push_back({at, 1.0, &c, r});
    columns.push_back({at, -1.0, &c, r});
    columns.push_back({-1, 0.0, &c, r});
  });
  const int n = int(columns.size());
  M_.assign(std::size_t(n) * n, 0.0);
  q_.assign(n, 0.0);
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

// Where a step of the map P <- set(P - step velocity / G_ii) leads before the set, with the velocities of the compliant laws.
double PyramidSolver::aim(const DenseProblem& p, int at, double stiff) const {
  const double velocity = p.gamma[at] + offset_[at] + stiff * p.P[at] + soft_[at] * (p.P[at] - centre_[at]);
  return p.P[at] - step_ * velocity / (p.at(at, at) + stiff + soft_[at]);
}

// What the present impulses and velocities say of each row.
void PyramidSolver::decide(const DenseProblem& p) {
  for (const DenseContact& c : p.contacts) {
    const bool closed = aim(p, c.first, 0.0) > 0.0;
    state_[c.first] = closed ? Free : Rests;
    for (int r = row::T1; r < row::count; r++) {
      const int at = c.row_of(r);
      if (at < 0) continue;
      const double P_N = std::max(0.0, p.P[c.first]), x = aim(p, at, 0.0);
      const double low = -bound_of(c, r, -1.0) * P_N, high = bound_of(c, r, 1.0) * P_N;
      state_[at] = !closed ? Rests : low == high ? (x < 0.0 ? Low : High) : x < low ? Low : x > high ? High : Free;
    }
  }
  for (const DenseAxis& a : p.axes) {
    const double x = aim(p, a.first, a.law.compliance);
    state_[a.first] = x < a.law.low ? Low : x > a.law.high ? High : Free;
  }
}

// Distance from the compliant laws: twice the energy of what the map would change [J], and the largest velocity in it [m/s].
PyramidSolver::Merit PyramidSolver::merit(const DenseProblem& p) const {
  Merit m;
  const auto add = [&](int at, double stiff, double to) {
    const double change = std::abs(to - p.P[at]), g = p.at(at, at) + stiff + soft_[at];
    m.sum += change * change * g;
    m.velocity = std::max(m.velocity, change * g);
  };
  each_row(p, [&](const DenseContact& c, int r, int at) {
    add(at, 0.0, allowed(c, r, aim(p, at, 0.0), std::max(0.0, p.P[c.first])));
  });
  for (const DenseAxis& a : p.axes) {
    const double stiff = a.law.compliance;
    add(a.first, stiff, std::clamp(aim(p, a.first, stiff), a.law.low, a.law.high));
  }
  return m;
}

// A linear system for the velocities of all free rows by their impulses. Friction that slides goes with the normal impulse.
bool PyramidSolver::factor(const DenseProblem& p) {
  SINEW_ASSERT(int(state_.size()) == p.n && int(column_.size()) == p.n);
  unknown_.clear();
  for (const DenseContact& c : p.contacts)
    for (int r = 0; r < row::count; r++)
      if (const int at = c.row_of(r); at >= 0 && state_[at] == Free)
        unknown_.push_back({at, 0.0, r == row::N ? &c : nullptr});
  for (const DenseAxis& a : p.axes)
    if (state_[a.first] == Free) unknown_.push_back({a.first, a.law.compliance, nullptr});
  const int m = int(unknown_.size());
  A_.resize(std::size_t(m) * m);
  b_.resize(m);
  scale_.resize(m);
  pivots_.resize(m);
  for (int k = 0; k < m; k++) {
    const Unknown& u = unknown_[k];
    std::copy_n(p.G.begin() + std::ptrdiff_t(u.row) * p.n, p.n, column_.begin());
    if (u.normal_of)
      for (int r = row::T1; r < row::count; r++)
        if (const int at = u.normal_of->row_of(r); at >= 0 && state_[at] != Free)
          p.add_column(at, slide(*u.normal_of, r, state_[at] == Low), column_.data());
    for (int i = 0; i < m; i++) A_[std::size_t(k) * m + i] = column_[unknown_[i].row];
    A_[std::size_t(k) * m + k] += soft_[u.row] + u.stiff;
  }
  factored_ = state_;
  return m == 0 || factor_dense(m, A_.data(), m, pivots_.data(), scale_.data());
}

// To the solution of that system.
void PyramidSolver::move(DenseProblem& p) {
  std::ranges::fill(p.P, 0.0);
  for (const DenseAxis& a : p.axes)
    if (state_[a.first] != Free) p.P[a.first] = state_[a.first] == Low ? a.law.low : a.law.high;
  p.update_gamma();
  const int m = int(unknown_.size());
  for (int i = 0; i < m; i++) {
    const int at = unknown_[i].row;
    b_[i] = soft_[at] * centre_[at] - p.gamma[at] - offset_[at];
  }
  if (m > 0) solve_factored(m, A_.data(), m, pivots_.data(), b_.data());
  for (int k = 0; k < m; k++) p.P[unknown_[k].row] = b_[k];
  for (const Unknown& u : unknown_)
    if (u.normal_of)
      for (int r = row::T1; r < row::count; r++)
        if (const int at = u.normal_of->row_of(r); at >= 0 && state_[at] != Free)
          p.P[at] = slide(*u.normal_of, r, state_[at] == Low) * p.P[u.row];
  p.update_gamma();
}

// To the solution for the present centre: until the states stay, or the compliant laws hold to the goal, where round-off decides
// between states. A step that does not bring it below the worst merit of the last four points is halved. False: it does not settle.
bool PyramidSolver::settle(DenseProblem& p, double goal, int& iterations) {
  constexpr int most_steps = 40, remembered = 4, halves = 6;
  double merits[remembered];
  bool whole = false;
  for (int k = 0; k < most_steps; k++) {
    decide(p);
    if (state_ == factored_ && whole) return true;
    if (state_ != factored_ && !factor(p)) return false;
    merits[k % remembered] = merit(p).sum;
    old_P_ = p.P;
    old_gamma_ = p.gamma;
    move(p);
    iterations++;
    const double worst = *std::max_element(merits, merits + std::min(k + 1, remembered));
    Merit reached = merit(p);
    whole = reached.sum <= worst;
    for (int half = 0; half < halves && !(reached.sum <= worst); half++) {
      for (int i = 0; i < p.n; i++) {
        p.P[i] = 0.5 * (p.P[i] + old_P_[i]);
        p.gamma[i] = 0.5 * (p.gamma[i] + old_gamma_[i]);
      }
      reached = merit(p);
    }
    if (reached.velocity <= goal) return true;
  }
  return false;
}

// From the impulses of the problem to those of the hard laws, by proximal points. softness: of each compliance, at least, over the
// diagonal. The first centre is 0, so that redundant contacts share a load. Where friction slides, redundant normal impulses
// are decided by next to nothing, or the wrong way round; such modes need compliances far below theirs.
bool PyramidSolver::newton(DenseProblem& p, double softness, double goal, int& iterations) {
  constexpr int first_centres = 2, most_centres = 20;
  constexpr double least = 1e-11;  // over the diagonal
  for (int i = 0; i < p.n; i++) soft_[i] = std::max(p.soft, softness * p.at(i, i));
  std::ranges::fill(centre_, 0.0);
  std::ranges::fill(factored_, Unset);
  for (int pass = 0; pass < most_centres; pass++) {
    if (pass > first_centres) {
      for (int i = 0; i < p.n; i++) soft_[i] = std::max(0.1 * soft_[i], least * (p.at(i, i) + p.soft));
      std::ranges::fill(factored_, Unset);
    }
    if (!settle(p, 0.1 * goal, iterations)) return false;
    // one more centre costs next to nothing, and friction goes by how the normal impulses are shared
    if (pass >= first_centres && pyramid_residual(p) <= goal) return true;
    centre_ = p.P;
  }
  return false;
}

bool PyramidSolver::solve_directly(DenseProblem& p, double goal, int& iterations) {
  for (auto* v : {&centre_, &offset_, &column_, &soft_}) v->assign(p.n, 0.0);
  state_.assign(p.n, Free);
  factored_.assign(p.n, Unset);
  for (const DenseContact& c : p.contacts) offset_[c.first] = c.bias;
  for (const DenseAxis& a : p.axes) offset_[a.first] = a.law.bias;
  start_ = p.P;
  constexpr double tries[][2] = {{1.0, 0.0}, {10.0, 0.0}, {1.0, 1e-3}, {3.0, 0.0}, {1.0, 1e-1}};  // step, softness
  for (const auto& [step, softness] : tries) {
    step_ = step;
    p.update_gamma();
    if (newton(p, softness, goal, iterations)) return true;
    p.P = start_;
  }
  const bool symmetric =
      std::ranges::all_of(p.contacts, [](const DenseContact& c) { return c.law.mu_forward == c.law.mu_backward; });
  if (p.n <= most_pivoted && p.axes.empty() && symmetric && pivot(p)) {
    start_ = p.P;
    p.update_gamma();
    step_ = 1.0;
    if (newton(p, 0.0, goal, ++iterations)) return true;
  }
  p.P = start_;
  return false;
}

DenseReport PyramidSolver::solve(DenseProblem& p, bool direct, double tolerance) {
  SINEW_ASSERT(tolerance > 0.0 && int(p.P.size()) == p.n && int(p.gamma.size()) == p.n);
  DenseReport report;
  if (direct) solve_directly(p, 0.1 * tolerance, report.iterations);
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
