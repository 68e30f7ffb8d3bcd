// Both methods of dense.h: start and compliances, sweeps, and how they end. Newton's step itself is in dense_step.cpp.
#include "sinew/solve/dense.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/math/check.h"
#include "sinew/math/dense_lu.h"
#include "sinew/math/elementary.h"

namespace sinew {
namespace {

// Steps of Newton's maps over those that sweeps can take: long ones need fewer changes of state, and the normal's must be
// the longest. Measured on random problems: a third of the failures of 1 and 1.
constexpr double steps[][2] = {
    {10.0, 3.0}, {3.0, 1.0}, {30.0, 10.0}, {10.0, 1.0}};  // normal, others; the first is best

void write_rows(const DenseContact& c, const double* from, std::vector<double>& to) {
  for (int r = 0; r < row::count; r++)
    if (c.row_of(r) >= 0) to[c.row_of(r)] = from[r];
}

void change_P(DenseProblem& p, int r, double P) {
  SINEW_ASSERT(r >= 0 && r < p.n);
  const double d = P - p.P[r];
  if (d == 0.0) return;
  p.P[r] = P;
  p.add_column(r, d, p.gamma.data());
}

double inverse_or_one(double x) { return x > 0.0 ? 1.0 / x : 1.0; }

}  // namespace

void DenseProblem::reserve(int n_contacts, int n_axes) {
  const std::size_t rows = std::size_t(n_contacts) * row::count + n_axes;
  contacts.reserve(n_contacts);
  axes.reserve(n_axes);
  G.reserve(rows * rows);
  for (auto* v : {&c, &P, &gamma}) v->reserve(rows);
}

void DenseSolver::reserve(int contacts, int axes) {
  const std::size_t rows = std::size_t(contacts) * row::count + axes;
  for (auto* v :
       {&b_, &scale_, &column_, &best_P_, &old_P_, &old_gamma_, &new_P_, &new_gamma_, &soft_, &centre_, &first_centre_})
    v->reserve(rows);
  contact_.reserve(contacts);
  axis_.reserve(axes);
  pivots_.reserve(rows);
  unknown_.reserve(rows);
  A_.reserve(rows * rows);
}

void DenseProblem::add_column(int r, double factor, double* to) const {
  SINEW_ASSERT(r >= 0 && r < n && to);
  lu::subtract(0, n, G.data() + std::size_t(r) * n, -factor, to);
}

void DenseProblem::update_gamma() {
  SINEW_ASSERT(int(c.size()) >= n && int(P.size()) >= n && int(gamma.size()) >= n);
  SINEW_ASSERT(G.size() >= std::size_t(n) * n);
  std::copy_n(c.begin(), n, gamma.begin());
  for (int k = 0; k < n; k++)
    if (P[k] != 0.0) add_column(k, P[k], gamma.data());
}

void DenseSolver::read(const DenseProblem& p, const DenseContact& c, double* P, double* g) const {
  for (int r = 0; r < row::count; r++) {
    const int i = c.row_of(r);
    P[r] = i < 0 ? 0.0 : p.P[i];
    g[r] = i < 0 ? 0.0 : velocity(p, i);
  }
}

void DenseSolver::start(DenseProblem& p) {
  SINEW_ASSERT(p.n >= 0 && p.soft > 0.0 && p.soft_N > 0.0);
  const std::size_t n = p.n;
  if (b_.size() < n) {
    for (auto* v : {&b_, &scale_, &column_, &best_P_, &old_P_, &old_gamma_, &new_P_, &new_gamma_, &soft_, &centre_,
                    &first_centre_})
      v->resize(n);
    pivots_.resize(n);
    A_.resize(n * n);
    unknown_.reserve(n);
  }
  contact_.resize(std::max(contact_.size(), p.contacts.size()));
  axis_.resize(std::max(axis_.size(), p.axes.size()));
  best_ = std::numeric_limits<double>::infinity();
  std::fill_n(best_P_.begin(), n, 0.0);  // if nothing is ever better than a velocity that is not a number
  // nothing of the last problem may show: a run must not depend on what the solver saw before
  iterations_ = n_merits_ = 0;
  merit_ = 0.0;
  changed_ = true;
  std::fill(contact_.begin(), contact_.end(), Contact{});
  std::fill(axis_.begin(), axis_.end(), Axis{});
  std::fill_n(first_centre_.begin(), n, 0.0);
  for (const DenseContact& c : p.contacts)
    for (int r = row::D; r < row::count; r++)
      if (c.inertia > 0.0 && c.row_of(r) >= 0) first_centre_[c.row_of(r)] = p.P[c.row_of(r)];
  step_N_ = steps[0][0];
  step_T_ = steps[0][1];
  mass_ = std::numeric_limits<double>::min();
  for (std::size_t i = 0; i < p.contacts.size(); i++)
    mass_ += contact_[i].mass = inverse_or_one(p.at(p.contacts[i].first, p.contacts[i].first));
  for (std::size_t i = 0; i < p.axes.size(); i++)
    mass_ += axis_[i].mass = inverse_or_one(p.at(p.axes[i].first, p.axes[i].first) + p.axes[i].law.compliance);
  p.update_gamma();
}

// Multipliers of turning rows go on from the guess; see solve/recursion.cpp.
void DenseSolver::centre_at_first(const DenseProblem& p) { std::copy_n(first_centre_.begin(), p.n, centre_.begin()); }

// part: of the diagonal that each compliance has at least; 0: the problem's own; less: there are none.
void DenseSolver::set_soft(const DenseProblem& p, double part) {
  for (std::size_t i = 0; i < p.contacts.size(); i++) {
    const DenseContact& c = p.contacts[i];
    Contact& l = contact_[i];
    l.factored = -1;
    const auto set = [&](int r, double soft) { soft_[r] = part < 0.0 ? 0.0 : std::max(part * p.at(r, r), soft); };
    const auto inverse = [&](int r) { return inverse_or_one(p.at(r, r) + soft_[r]); };
    // of the largest eigenvalue of two rows, in scaled variables
    const auto inverse2 = [&](int r, double a) {
      const double mean = 0.5 * (p.at(r, r) + p.at(r + 1, r + 1)), half = 0.5 * (p.at(r, r) - p.at(r + 1, r + 1));
      const double soft = std::max(soft_[r], soft_[r + 1]);
      return inverse_or_one((mean + math::hypot(half, p.at(r, r + 1)) + soft) * a * a);
    };
    set(c.first, p.soft_N);
    l.r_N = inverse(c.first);
    for (int r = row::T1; r < row::count; r++) {
      if (c.row_of(r) < 0) continue;
      if (r >= row::D && c.inertia > 0.0)  // as in solve/recursion.cpp
        set(c.row_of(r), 1.0 / (turning_stiffness * c.inertia));
      else  // turns: as soft as a push at the same inertia
        set(c.row_of(r), p.soft * (r < row::D ? 1.0 : p.at(c.row_of(r), c.row_of(r)) * l.mass));
    }
    const double mu = std::max({c.law.mu_forward, c.law.mu_backward, c.law.mu_trans, 1e-12});
    if (c.slides) l.r_T = inverse2(c.row_of(row::T1), mu);
    if (c.drills) l.r_D = inverse(c.row_of(row::D));
    if (c.rolls) l.r_V = inverse2(c.row_of(row::V1), std::max(c.law.rolling, 1e-12));
  }
  for (std::size_t i = 0; i < p.axes.size(); i++) {
    const int r = p.axes[i].first;
    soft_[r] = part < 0.0 ? 0.0 : std::max(part * p.at(r, r), p.soft);
    axis_[i].r = inverse_or_one(p.at(r, r) + soft_[r] + p.axes[i].law.compliance);
    axis_[i].factored = -1;
  }
  n_merits_ = 0;
}

// softly: of the problem with the compliances.
double DenseSolver::residual(const DenseProblem& p, bool softly) const {
  double worst = 0.0, P[row::count], g[row::count];
  for (std::size_t i = 0; i < p.contacts.size(); i++) {
    const DenseContact& c = p.contacts[i];
    read(p, c, P, g);
    if (!softly)
      for (int r = 0; r < row::count; r++) g[r] = c.row_of(r) < 0 ? 0.0 : p.gamma[c.row_of(r)];
    const double r = law_residual(c.law, c.bias, contact_[i].mass, P, g);
    if (!(r <= worst)) worst = r;
  }
  for (std::size_t i = 0; i < p.axes.size(); i++) {
    const AxisLaw<double>& l = p.axes[i].law;
    const int k = p.axes[i].first;
    const double P_i = p.P[k], m = axis_[i].mass, v = (softly ? velocity(p, k) : p.gamma[k]) + l.compliance * P_i;
    const double r = std::abs(P_i - l.project(P_i - m * (v + l.bias))) / m;
    if (!(r <= worst)) worst = r;
  }
  return worst;
}

void DenseSolver::look(const DenseProblem& p) {
  const double r = residual(p, false);
  if (!(r < best_)) return;
  best_ = r;
  std::copy_n(p.P.begin(), p.n, best_P_.begin());
}

// One visit of a contact: its blocks step in turn against their velocities and are projected, several times among
// themselves before the others hear of it, which is the costly part.
void DenseSolver::sweep_contact(DenseProblem& p, int i) {
  SINEW_ASSERT(i >= 0 && i < int(p.contacts.size()));
  const DenseContact& c = p.contacts[i];
  const Contact& l = contact_[i];
  double P[row::count], g[row::count];
  read(p, c, P, g);
  double moved;
  const auto move = [&](int r, double x) {
    const double d = x - P[r];
    moved = std::max(moved, std::abs(d) * p.at(c.row_of(r), c.row_of(r)));
    P[r] = x;
    g[r] += soft_[c.row_of(r)] * d;
    for (int k = 0; k < row::count; k++)
      if (c.row_of(k) >= 0) g[k] += p.at(c.row_of(k), c.row_of(r)) * d;
  };
  const auto disk = [&](int r, const Vec2<double>& a, double step, double more) {
    const Vec2<double> y{over(P[r], a.x) - step * a.x * g[r], over(P[r + 1], a.y) - step * a.y * g[r + 1]};
    const Vec2<double> q = law::project_disk(y, P[row::N] + more);
    move(r, a.x * q.x);
    move(r + 1, a.y * q.y);
  };
  double first = 0.0;
  for (int pass = 0; pass < 10; pass++) {
    moved = 0.0;
    move(row::N, std::max(0.0, P[row::N] - l.r_N * (g[row::N] + c.bias)));
    const double bound = c.law.drilling * P[row::N];
    if (c.slides) disk(row::T1, sliding_axes(c.law, P[row::T1], g[row::T1]), l.r_T, c.law.shear);
    if (c.drills) move(row::D, law::project_interval(P[row::D] - l.r_D * g[row::D], -bound, bound));
    if (c.rolls) disk(row::V1, {c.law.rolling, c.law.rolling}, l.r_V, 0.0);
    if (pass == 0) first = moved;
    if (moved <= 0.05 * first) break;
  }
  for (int r = 0; r < row::count; r++)
    if (c.row_of(r) >= 0) change_P(p, c.row_of(r), P[r]);
}

void DenseSolver::sweep(DenseProblem& p) {
  iterations_++;
  for (int i = 0; i < int(p.contacts.size()); i++) sweep_contact(p, i);
  for (std::size_t i = 0; i < p.axes.size(); i++) {
    const int r = p.axes[i].first;
    const AxisLaw<double>& l = p.axes[i].law;
    change_P(p, r, l.project(p.P[r] - axis_[i].r * (velocity(p, r) + l.compliance * p.P[r] + l.bias)));
  }
}

// Newton's method for the problem with the present compliances, beyond the tolerance to the goal if it gets there easily.
bool DenseSolver::settle(DenseProblem& p, int steps, double tolerance, double goal) {
  constexpr int window = 4;
  n_merits_ = 0;
  decide(p);
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < steps; k++) {
    double now = std::sqrt(merit_ / mass_);  // far from the solution a mean speed will do, which is there already
    if (now < 1e3 * tolerance) now = residual(p, true);
    if (now <= goal || (before <= tolerance && now <= tolerance && now > 0.1 * before)) return true;
    if (!std::isfinite(now)) return false;
    merits_[n_merits_ < window ? n_merits_++ : k % window] = merit_;
    // close to the solution the last factors will do
    if (changed_ || now > 0.01 * before || !step_again(p)) {
      if (!newton_step(p, false)) return false;
      search(p);
    }
    before = now;
  }
  return residual(p, true) <= tolerance;
}

// Proximal points: compliances large enough that Newton's method gets there, around the point found so far. What keeps it
// from getting there is often a cycle of states, and other steps of the maps lead past it.
bool DenseSolver::continuation(DenseProblem& p, double tolerance) {
  std::fill_n(p.P.begin(), p.n, 0.0);
  centre_at_first(p);
  p.update_gamma();
  double part = 0.1;
  // a few points more than needed: the projection on the cones at the end moves impulses by the residual
  for (int k = 0, more = 0, failures = 0; k < 200 && more < 5 && best_ > 0.01 * tolerance; k++) {
    more += best_ <= tolerance;
    set_soft(p, part);
    step_N_ = steps[failures % 4][0];
    step_T_ = steps[failures % 4][1];
    const int before = iterations_;
    const double near = std::max(1e-3 * tolerance, 1e-3 * residual(p, true));
    if (settle(p, std::min(20 + 2 * failures, 60), near, near)) {
      look(p);
      std::copy_n(p.P.begin(), p.n, centre_.begin());
      part = std::max((iterations_ - before < 8 ? 0.2 : 0.5) * part, 1e-9);
    } else {
      std::copy_n(centre_.begin(), p.n, p.P.begin());
      p.update_gamma();
      part *= 5.0;
      failures++;
    }
  }
  return best_ <= tolerance;
}

// The impulses of least norm: the soft problem's solution, then multiplier steps from there. Nothing yields in the end,
// and no impulses appear that do not answer a velocity.
bool DenseSolver::select_least(DenseProblem& p, double tolerance) {
  centre_at_first(p);
  set_soft(p, 0.0);
  // an error e of the velocities changes the share of redundant contacts by e / soft: hence far below the tolerance
  const double near = 0.1 * tolerance, goal = 1e-5 * tolerance;
  if (!settle(p, 30, near, goal)) return false;
  bool found = false;
  for (int k = 0; k < 30; k++) {
    const double r = residual(p, false);
    // of least norm, it replaces what the proximal points may have found
    if (r < best_ || (r <= tolerance && !found)) {
      best_ = r;
      std::copy_n(p.P.begin(), p.n, best_P_.begin());
    }
    if (found) return true;
    found = r <= tolerance;  // and one more step, which costs little and takes the rest of the compliance away
    if (k >= 4)
      for (int i = 0; i < p.n; i++) soft_[i] *= 0.2;
    std::copy_n(p.P.begin(), p.n, centre_.begin());
    if (!settle(p, 20, near, goal)) return found;
  }
  return found;
}

void DenseSolver::sweeps(DenseProblem& p, int n, double tolerance) {
  set_soft(p, 0.0);
  centre_at_first(p);
  for (int k = 0; k < n; k++) {
    sweep(p);
    if (k % 10 == 9 && residual(p, true) <= tolerance) return;
  }
}

void DenseSolver::persevere(DenseProblem& p, double tolerance, DenseReport& report) {
  SINEW_ASSERT(!report.converged);
  if (std::isfinite(report.residual)) more_steps(p, 0.1 * tolerance);
  finish(p, tolerance, report);
}

void DenseSolver::more_steps(DenseProblem& p, double tolerance) {
  for (const int k : {2, 1, 3}) {
    std::copy_n(best_P_.begin(), p.n, p.P.begin());
    p.update_gamma();
    step_N_ = steps[k][0];
    step_T_ = steps[k][1];
    if (select_least(p, tolerance)) return;
  }
  // so many that a step takes some tenths of a second at most
  const int most = int(std::min(2e4, 5e7 / (double(p.n) * p.n)));
  std::fill_n(p.P.begin(), p.n, 0.0);
  p.update_gamma();
  set_soft(p, -1.0);
  for (int k = 1; k <= most && best_ > tolerance; k++) {
    sweep(p);
    if (k % 50 == 0) look(p);
  }
  constexpr double parts[] = {1e-2, 1e-3, 1e-4, 1e-6};
  for (int k = 0; k < 16 && best_ > tolerance; k++) {
    std::copy_n(best_P_.begin(), p.n, p.P.begin());
    std::copy_n(best_P_.begin(), p.n, centre_.begin());
    p.update_gamma();
    set_soft(p, parts[k % 4]);
    step_N_ = steps[k / 4][0];
    step_T_ = steps[k / 4][1];
    settle(p, 60, 1e-3 * tolerance, 1e-3 * tolerance);
    look(p);
  }
}

// The best impulses found go into their cones.
void DenseSolver::finish(DenseProblem& p, double tolerance, DenseReport& report) {
  std::copy_n(best_P_.begin(), p.n, p.P.begin());
  double P[row::count], g[row::count];
  for (const DenseContact& c : p.contacts) {
    read(p, c, P, g);
    put_into_cone(c.law, true, P);
    write_rows(c, P, p.P);
  }
  for (const DenseAxis& a : p.axes) p.P[a.first] = a.law.project(p.P[a.first]);
  p.update_gamma();
  report.iterations = iterations_;
  report.residual = residual(p, false);
  report.converged = report.residual <= tolerance;
}

DenseReport DenseSolver::solve(DenseProblem& p, DenseMethod method, double tolerance) {
  SINEW_ASSERT(tolerance > 0.0);
  SINEW_ASSERT(int(p.contacts.size() + p.axes.size()) <= p.n);
  DenseReport report;
  start(p);
  const double target = 0.1 * tolerance;
  // a few sweeps settle most states for less than one linear system, if it is large
  const int few = p.n > 40 ? 5 : 0;
  const bool cold =
      method == DenseMethod::Newton && std::all_of(p.P.begin(), p.P.begin() + p.n, [](double x) { return x == 0.0; });
  sweeps(p, method == DenseMethod::Sweep ? 100 : few, target);
  bool solved = select_least(p, target);
  for (const int n : {few, 50}) {  // whatever the guess and the method were: they must not show in the answer
    if (solved || (cold && n == few)) continue;
    std::fill_n(p.P.begin(), p.n, 0.0);
    p.update_gamma();
    sweeps(p, n, target);
    solved = select_least(p, target);
  }
  if (!solved) look(p);
  solved = solved || !continuation(p, target);
  for (int k = 0; k < 2 && !solved; k++) {  // a solution is known; the one of least norm is often near
    step_N_ = steps[k][0];
    step_T_ = steps[k][1];
    std::copy_n(best_P_.begin(), p.n, p.P.begin());
    p.update_gamma();
    solved = select_least(p, target);
  }
  finish(p, tolerance, report);
  return report;
}

}  // namespace sinew
