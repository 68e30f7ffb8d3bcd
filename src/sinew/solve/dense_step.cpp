// One step of Newton's method: the states of all laws at the present impulses, and the linear system of these states.
#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/math/dense_lu.h"
#include "sinew/solve/dense.h"

namespace sinew {

// Alart and Curnier's map P = projection of y, linear around the guess: on the rim P follows P_N, and turns with y.
DenseSolver::Disk DenseSolver::make_disk(const double* P, const double* g, const Vec2<double>& a, double s, double r,
                                         double& error) const {
  const Vec2<double> q{over(P[0], a.x), over(P[1], a.y)}, y{q.x - r * a.x * g[0], q.y - r * a.y * g[1]};
  const double n = std::sqrt(dot(y, y)), shrink = n > s ? s / n : 1.0;
  const double dx = q.x - shrink * y.x, dy = q.y - shrink * y.y;
  error += (dx * dx + dy * dy) / r;
  Disk d{n <= s, a, {0.0, 0.0}, {0.0, 0.0}, 0.0};
  if (d.stick || s <= 0.0) return d;
  const Vec2<double> e{y.x / n, y.y / n};
  d.slip = {a.x * e.x, a.y * e.y};
  d.t = {-a.x * e.y, a.y * e.x};
  d.turn = (n - s) / (r * s);
  return d;
}

// Returns the contact's share of the merit: squares of what P lacks to its map, as an energy.
double DenseSolver::decide_contact(const DenseProblem& p, int i) {
  SINEW_ASSERT(i >= 0 && i < int(p.contacts.size()) && p.contacts[i].first + p.contacts[i].n_rows() <= p.n);
  const DenseContact& c = p.contacts[i];
  Contact& l = contact_[i];
  double P[row::count], g[row::count];
  read(p, c, P, g);
  const double r_N = step_N_ * l.r_N, r_D = step_T_ * l.r_D;
  l.s = std::max(0.0, P[row::N] - r_N * (g[row::N] + c.bias));
  int code = l.s > 0.0 ? 1 : 0;
  double error = (P[row::N] - l.s) * (P[row::N] - l.s) / r_N;
  if (c.slides) {
    l.T = make_disk(P + row::T1, g + row::T1, sliding_axes(c.law, P[row::T1], g[row::T1]), l.s + c.law.shear,
                    step_T_ * l.r_T, error);
    code += l.T.stick ? 2 : 0;
  }
  if (c.drills) {
    const double bound = c.law.drilling * l.s, y = P[row::D] - r_D * g[row::D];
    const double x = law::project_interval(y, -bound, bound);
    code += std::abs(y) <= bound && bound > 0.0 ? 4 : 0;
    l.slip_D = y > 0.0 ? c.law.drilling : -c.law.drilling;
    error += (P[row::D] - x) * (P[row::D] - x) / r_D;
  }
  if (c.rolls) {
    l.V = make_disk(P + row::V1, g + row::V1, {c.law.rolling, c.law.rolling}, l.s, step_T_ * l.r_V, error);
    code += l.V.stick ? 8 : 0;
  }
  changed_ |= code != l.factored;
  l.code = code;
  return error;
}

// The states of all laws for the present P, and how far P is from them: merit_.
void DenseSolver::decide(const DenseProblem& p) {
  merit_ = 0.0;
  changed_ = false;
  for (int i = 0; i < int(p.contacts.size()); i++) merit_ += decide_contact(p, i);
  for (std::size_t i = 0; i < p.axes.size(); i++) {
    const AxisLaw<double>& law = p.axes[i].law;
    const double P = p.P[p.axes[i].first];
    const double y = P - axis_[i].r * (velocity(p, p.axes[i].first) + law.compliance * P + law.bias);
    const double x = law.project(y);
    merit_ += (P - x) * (P - x) / axis_[i].r;
    const int code = y <= law.low ? 1 : y >= law.high ? 2 : 3;
    changed_ |= code != axis_[i].factored;
    axis_[i].code = code;
  }
}

// Open contacts have none, slipping blocks only the turn of their slip.
void DenseSolver::choose_unknowns(const DenseProblem& p) {
  unknown_.clear();
  const auto take = [&](int r) { unknown_.push_back({r, -1, -1, 1.0, 0.0, 0.0}); };
  const auto disk = [&](int r, const Disk& d) {
    if (d.stick) {
      if (d.a.x > 0.0) take(r);
      if (d.a.y > 0.0) take(r + 1);
    } else if (dot(d.t, d.t) > 0.0) {
      unknown_.push_back({r, r + 1, -1, d.t.x, d.t.y, d.turn});
    }
  };
  for (std::size_t i = 0; i < p.contacts.size(); i++) {
    const DenseContact& c = p.contacts[i];
    const Contact& l = contact_[i];
    if (!(l.code & 1)) {
      if (c.slides && c.law.shear > 0.0) disk(c.row_of(row::T1), l.T);
      continue;
    }
    unknown_.push_back({c.first, -1, int(i), 1.0, 0.0, 0.0});
    if (c.slides) disk(c.row_of(row::T1), l.T);
    if (c.drills && l.code & 4) take(c.row_of(row::D));
    if (c.rolls) disk(c.row_of(row::V1), l.V);
  }
  for (std::size_t i = 0; i < p.axes.size(); i++)
    if (axis_[i].code == 3) unknown_.push_back({p.axes[i].first, -1, -1, 1.0, 0.0, p.axes[i].law.compliance});
}

// The impulses that the unknown's unit brings, times y.
void DenseSolver::spread(const DenseProblem& p, const Unknown& u, double y, double* P) const {
  SINEW_ASSERT(u.row >= 0 && u.row < p.n && u.row2 < p.n);
  P[u.row] += u.x * y;
  if (u.row2 >= 0) P[u.row2] += u.y * y;
  if (u.contact < 0) return;
  const DenseContact& c = p.contacts[u.contact];
  const Contact& l = contact_[u.contact];
  const auto disk = [&](int r, const Disk& d) {
    P[r] += d.slip.x * y;
    P[r + 1] += d.slip.y * y;
  };
  if (c.slides && !l.T.stick) disk(c.row_of(row::T1), l.T);
  if (c.drills && !(l.code & 4)) P[c.row_of(row::D)] += l.slip_D * y;
  if (c.rolls && !l.V.stick) disk(c.row_of(row::V1), l.V);
}

bool DenseSolver::factor(const DenseProblem& p) {
  for (std::size_t i = 0; i < p.contacts.size(); i++) contact_[i].factored = contact_[i].code;
  for (std::size_t i = 0; i < p.axes.size(); i++) axis_[i].factored = axis_[i].code;
  const int n = int(unknown_.size());
  double* impulses = b_.data();
  std::fill_n(impulses, p.n, 0.0);
  for (int k = 0; k < n; k++) {
    const Unknown& u = unknown_[k];
    spread(p, u, 1.0, impulses);
    std::fill_n(column_.begin(), p.n, 0.0);
    const int first = u.contact < 0 ? u.row : p.contacts[u.contact].first;
    const int last = u.contact < 0 ? std::max(u.row, u.row2) + 1 : first + p.contacts[u.contact].n_rows();
    for (int r = first; r < last; r++) {
      if (impulses[r] == 0.0) continue;
      p.add_column(r, impulses[r], column_.data());
      column_[r] += soft_[r] * impulses[r];
      impulses[r] = 0.0;
    }
    double* to = A_.data() + std::size_t(k) * n;
    for (int i = 0; i < n; i++) {
      const Unknown& v = unknown_[i];
      to[i] = v.row2 < 0 ? column_[v.row] : v.x * column_[v.row] + v.y * column_[v.row2];
    }
    to[k] += u.turn;
  }
  return factor_dense(n, A_.data(), n, pivots_.data(), scale_.data());
}

// What the states say without a linear system: nothing in open contacts, slip on the rim, bounds on axes.
void DenseSolver::move_to_rim(DenseProblem& p) const {
  for (std::size_t i = 0; i < p.contacts.size(); i++) {
    const DenseContact& c = p.contacts[i];
    const Contact& l = contact_[i];
    const auto disk = [&](int r, const Disk& d, double rim) {
      if (!d.stick) {
        p.P[r] = d.slip.x * rim;
        p.P[r + 1] = d.slip.y * rim;
      }
      if (!(d.a.x > 0.0)) p.P[r] = 0.0;
      if (!(d.a.y > 0.0)) p.P[r + 1] = 0.0;
    };
    if (!(l.code & 1)) {
      const bool shears = c.slides && c.law.shear > 0.0;  // also without a normal impulse
      for (int r = 0; r < row::count; r++)
        if (c.row_of(r) >= 0 && !(shears && (r == row::T1 || r == row::T2))) p.P[c.row_of(r)] = 0.0;
      if (shears) disk(c.row_of(row::T1), l.T, c.law.shear);
      continue;
    }
    const double P_N = p.P[c.first];
    if (c.slides) disk(c.row_of(row::T1), l.T, P_N + c.law.shear);
    if (c.drills && !(l.code & 4)) p.P[c.row_of(row::D)] = l.slip_D * P_N;
    if (c.rolls) disk(c.row_of(row::V1), l.V, P_N);
  }
  for (std::size_t i = 0; i < p.axes.size(); i++)
    if (axis_[i].code != 3) p.P[p.axes[i].first] = axis_[i].code == 1 ? p.axes[i].law.low : p.axes[i].law.high;
  p.update_gamma();
}

// again: with the factors of the last step, whose states were the same.
bool DenseSolver::newton_step(DenseProblem& p, bool again) {
  iterations_++;
  std::copy_n(p.P.begin(), p.n, old_P_.begin());
  std::copy_n(p.gamma.begin(), p.n, old_gamma_.begin());
  move_to_rim(p);
  choose_unknowns(p);
  if (!again && !factor(p)) return false;
  const int n = int(unknown_.size());
  for (int i = 0; i < n; i++) {
    const Unknown& u = unknown_[i];
    b_[i] = -u.x * velocity(p, u.row) - (u.row2 < 0 ? 0.0 : u.y * velocity(p, u.row2));
    if (u.contact >= 0) b_[i] -= p.contacts[u.contact].bias;
  }
  for (int i = n, k = int(p.axes.size()) - 1; k >= 0; k--)
    if (axis_[k].code == 3) b_[--i] -= p.axes[k].law.compliance * p.P[p.axes[k].first] + p.axes[k].law.bias;
  solve_factored(n, A_.data(), n, pivots_.data(), b_.data());
  for (int i = 0; i < n; i++)
    if (!std::isfinite(b_[i])) return false;
  for (int i = 0; i < n; i++) spread(p, unknown_[i], b_[i], p.P.data());
  p.update_gamma();
  return true;
}

// Shortens the step until the merit is no worse than that of one of the last points.
void DenseSolver::search(DenseProblem& p) {
  decide(p);
  const double limit = *std::max_element(merits_, merits_ + n_merits_);
  if (merit_ < limit) return;
  std::copy_n(p.P.begin(), p.n, new_P_.begin());
  std::copy_n(p.gamma.begin(), p.n, new_gamma_.begin());
  const auto go = [&](double part) {
    for (int i = 0; i < p.n; i++) {
      p.P[i] = old_P_[i] + part * (new_P_[i] - old_P_[i]);
      p.gamma[i] = old_gamma_[i] + part * (new_gamma_[i] - old_gamma_[i]);
    }
    decide(p);
  };
  double best = merit_, best_part = 1.0;
  for (double part = 0.5; part > 0.01; part *= 0.5) {
    go(part);
    if (merit_ < limit) return;
    if (merit_ < best) {
      best = merit_;
      best_part = part;
    }
  }
  go(best_part);
}

// With the last factors; if they do not take the merit far down, nothing is changed.
bool DenseSolver::step_again(DenseProblem& p) {
  const double merit = merit_;
  const bool solved = newton_step(p, true);
  decide(p);
  if (solved && merit_ < 0.01 * merit) return true;
  std::copy_n(old_P_.begin(), p.n, p.P.begin());
  std::copy_n(old_gamma_.begin(), p.n, p.gamma.begin());
  decide(p);
  return false;
}

}  // namespace sinew
