// Islands one after the other; within one, sweeps run in packs of lanes where all its bodies are loose.
#include "sinew/solve/sparse.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "sinew/math/check.h"
#include "sinew/solve/sparse_local.h"

namespace sinew {
namespace {

double inverse_or_zero(double x) { return x > 0.0 ? 1.0 / x : 0.0; }

// Inverse of a symmetric matrix; false if it has none, as far as numbers can tell.
bool invert(const Sym3d& G, Sym3d& K) {
  const double xx = G.yy * G.zz - G.yz * G.yz, xy = G.xz * G.yz - G.xy * G.zz, xz = G.xy * G.yz - G.xz * G.yy;
  const double det = G.xx * xx + G.xy * xy + G.xz * xz;
  if (!(det > 1e-10 * G.xx * G.yy * G.zz)) return false;
  const double d = 1.0 / det;
  K = {xx * d,
       xy * d,
       xz * d,
       (G.xx * G.zz - G.xz * G.xz) * d,
       (G.xy * G.xz - G.xx * G.yz) * d,
       (G.xx * G.yy - G.xy * G.xy) * d};
  return true;
}

// The step of a disk: over the larger eigenvalue of [a b; b c], in scaled variables.
double disk_step(double a, double b, double c, double coefficient) {
  const double largest = 0.5 * (a + c) + std::sqrt(0.25 * (a - c) * (a - c) + b * b);
  return inverse_or_zero(largest) / (coefficient * coefficient);
}

}  // namespace

void SparseProblem::clear() {
  loose.clear();
  trees.clear();
  contacts.clear();
  turning.clear();
  laws.clear();
  axes.clear();
  pool.clear();
}

void SparseProblem::reserve(int n_contacts, int n_axes, int links, int freedoms) {
  loose.reserve(links);
  trees.reserve(links);
  V.reserve(links + 1);
  u.reserve(freedoms);
  contacts.reserve(n_contacts);
  turning.reserve(n_contacts);
  laws.reserve(n_contacts);
  axes.reserve(n_axes);
}

void SparseSolver::reserve(int contacts, int axes, int links, int freedoms) {
  const std::size_t n = std::size_t(contacts) * 6 + axes;
  P_last_.reserve(n);
  V_last_.reserve(links + 1);
  u_last_.reserve(freedoms);
  contact_order_.reserve(contacts);
  axis_order_.reserve(axes);
  node_order_.reserve(links);
  parent_.reserve(links);
  island_of_.reserve(links);
  islands_.reserve(links);
  packs_.reserve(contacts / 2 + 1);  // most are full
  balls_.reserve(contacts / 2 + 1);
  dense_.reserve(small_island / 3, small_island);
  dense_solver_.reserve(small_island / 3, small_island);
}

void set_own_response(SparseProblem& p, SparseContact& c) {
  SINEW_ASSERT(c.side1.body < int(p.loose.size()) && c.side2.body < int(p.loose.size()));
  SINEW_ASSERT(c.side1.tree < int(p.trees.size()) && c.side2.tree < int(p.trees.size()));
  SINEW_ASSERT(c.law >= 0 && c.law < int(p.laws.size()) && c.turning < int(p.turning.size()));
  const int rows = sparse::rows_of(c);
  double G[6][6] = {};
  const Vec3d* axes[3] = {&c.n, &c.t1, &c.t2};
  const auto add_loose = [&](int body, const Vec3d& arm) {
    if (body < 0) return;
    const LooseBody& b = p.loose[body];
    Vec3d torque[6];  // of unit impulses
    for (int k = 0; k < rows; k++) {
      torque[k] = k < 3 ? cross(arm, *axes[k]) : *axes[k - 3];
      const Vec3d turn = b.per_I * torque[k];
      for (int r = 0; r <= k; r++) G[r][k] += dot(torque[r], turn);
      if (k < 3) G[k][k] += b.per_m;
    }
  };
  add_loose(c.side1.body, c.arm1);
  add_loose(c.side2.body, c.arm2);
  for (const SparseSide* side : {&c.side1, &c.side2}) {
    if (side->tree < 0) continue;
    const int n = p.trees[side->tree].n;
    const double *J = p.pool.data() + side->at, *Y = J + std::size_t(rows) * n;
    SINEW_ASSERT(side->at + 2 * std::size_t(rows) * n <= p.pool.size());
    for (int k = 0; k < rows; k++)
      for (int r = 0; r <= k; r++)
        for (int i = 0; i < n; i++) G[r][k] += J[r * n + i] * Y[k * n + i];
  }
  G[0][0] += c.give;
  const ContactLaw<double>& law = p.laws[c.law];
  c.G = {G[0][0], G[0][1], G[0][2], G[1][1], G[1][2], G[2][2]};
  c.sticks = invert(c.G, c.K);
  c.r_T = disk_step(G[1][1], G[1][2], G[2][2], std::max({law.mu_forward, law.mu_backward, law.mu_trans, 1e-12}));
  if (c.turning < 0) return;
  SparseTurning& t = p.turning[c.turning];
  for (int k = 0; k < 6; k++)
    for (int r = 0; r <= k; r++) t.G[r][k] = t.G[k][r] = G[r][k];
  t.r_D = inverse_or_zero(G[3][3]);
  t.r_V = disk_step(G[4][4], G[4][5], G[5][5], std::max(law.rolling, 1e-12));
}

void start_velocities(SparseProblem& p) {
  p.V.assign(p.loose.size() + 1, Twist<double>::zero());
  int freedoms = 0;
  for (const TreeSpan& tree : p.trees) freedoms = std::max(freedoms, tree.first + tree.n);
  p.u.assign(freedoms, 0.0);
}

void SparseSolver::prepare(SparseProblem& p) {
  for (SparseContact& c : p.contacts) set_own_response(p, c);
  for (SparseAxis& a : p.axes) {
    const int n = p.trees[a.side.tree].n;
    const double *J = p.pool.data() + a.side.at, *Y = J + n;
    SINEW_ASSERT(a.side.at + 2 * std::size_t(n) <= p.pool.size());
    a.G = 0.0;
    for (int i = 0; i < n; i++) a.G += J[i] * Y[i];
  }
  start_velocities(p);
  P_last_.resize(p.contacts.size() * 6 + p.axes.size());
  V_last_.resize(p.V.size());
  u_last_.resize(p.u.size());
}

std::span<const int> SparseSolver::contacts_of(const Island& island) const {
  SINEW_ASSERT(island.first_contact >= 0 && island.first_contact + island.contacts <= int(contact_order_.size()));
  return {contact_order_.data() + island.first_contact, std::size_t(island.contacts)};
}

// Contacts side by side, if all of the island can be.
void SparseSolver::fill_packs(const SparseProblem& p, const Island& island) {
  packs_.clear();
  balls_.clear();
  if (island.axes > 0) return;
  const std::span<const int> contacts = contacts_of(island);
  if (std::ranges::all_of(contacts, [&](int i) { return fits_balls(p, p.contacts[i]); }))
    fill_lanes(p, contacts, balls_);
  else if (std::ranges::all_of(contacts, [&](int i) { return fits_lanes(p.contacts[i]); }))
    fill_lanes(p, contacts, packs_);
}
void SparseSolver::put_back(SparseProblem& p) {
  sinew::put_back(packs_, p);
  sinew::put_back(balls_, p);
}
void SparseSolver::leave_packs(SparseProblem& p) {
  put_back(p);
  packs_.clear();
  balls_.clear();
}

// One sweep over an island. beta: by which the impulses of packs first go on, as `extrapolate` has done with all else.
SweepChange SparseSolver::sweep(SparseProblem& p, const Island& island, double beta) {
  if (!balls_.empty()) return sinew::sweep(balls_, beta, p.V.data());
  if (!packs_.empty()) return sinew::sweep(packs_, beta, p.V.data());
  SweepChange change{0.0, 0.0};
  double P[6], g[6], d[6];
  const auto visit = [&](SparseContact& c) {
    if (!(c.G.xx > 0.0)) return;  // nothing that moves
    sparse::velocities(p, c, g);
    sparse::read_P(p, c, P);
    std::copy_n(P, 6, d);
    g[row::N] += c.give * P[row::N];
    sparse::solve_contact(p, c, P, g);
    for (int r = 0; r < sparse::rows_of(c); r++) d[r] = P[r] - d[r];
    const double moved[3] = {d[0] * c.G.xx, d[1] * c.G.yy, d[2] * c.G.zz};
    for (int r = 0; r < 3; r++) {
      change.largest = std::max(change.largest, std::abs(moved[r]));
      change.energy += d[r] * moved[r];
    }
    if (c.turning >= 0) {
      const SparseTurning& t = p.turning[c.turning];
      for (int r = 3; r < 6; r++) change.energy += d[r] * t.G[r][r] * d[r];
    }
    sparse::push(p, c, d);
    sparse::write_P(p, c, P);
  };
  for (int i = 0; i < island.contacts; i++) visit(p.contacts[contact_order_[island.first_contact + i]]);
  for (int i = 0; i < island.axes; i++) {
    SparseAxis& a = p.axes[axis_order_[island.first_axis + i]];
    const double all = a.G + a.law.compliance;
    if (!(all > 0.0)) continue;
    const double P_new = a.law.project(a.P - (sparse::velocity(p, a) + a.law.compliance * a.P + a.law.bias) / all);
    const double dP = P_new - a.P;
    a.P = P_new;
    sparse::push(p, a, dP);
    change.largest = std::max(change.largest, std::abs(dP) * all);
    change.energy += dP * all * dP;
  }
  return change;
}

// The largest residual, or the first beyond `enough`. suspect: the contact to begin with, and where it was found.
double SparseSolver::residual(const SparseProblem& p, const Island& island, double enough, int& suspect) const {
  double worst = 0.0, P[6] = {}, g[6] = {};
  for (int n = 0, i = suspect; n < island.contacts; n++, i = i + 1 < island.contacts ? i + 1 : 0) {
    const SparseContact& c = p.contacts[contact_order_[island.first_contact + i]];
    sparse::velocities(p, c, g);
    sparse::read_P(p, c, P);
    const double r = law_residual(p.laws[c.law], c.give * P[row::N], c.mass, P, g);
    if (!(r <= worst)) worst = r;
    if (worst <= enough) continue;
    suspect = i;
    return worst;
  }
  for (int i = 0; i < island.axes; i++) {
    const SparseAxis& a = p.axes[axis_order_[island.first_axis + i]];
    const double v = sparse::velocity(p, a) + a.law.compliance * a.P + a.law.bias;
    const double r = std::abs(a.P - a.law.project(a.P - a.mass * v)) / a.mass;
    if (!(r <= worst)) worst = r;
  }
  return worst;
}

// f(number, index) for all impulses of an island.
template <class F>
void SparseSolver::each_impulse(SparseProblem& p, const Island& island, F f) {
  for (int i = 0; i < island.contacts; i++) {
    const int k = contact_order_[island.first_contact + i];
    SparseContact& c = p.contacts[k];
    for (int r = 0; r < 3; r++) f(c.P[r], 6 * k + r);
    if (c.turning < 0) continue;
    for (int r = 0; r < 3; r++) f(p.turning[c.turning].P[r], 6 * k + 3 + r);
  }
  for (int i = 0; i < island.axes; i++) {
    const int k = axis_order_[island.first_axis + i];
    f(p.axes[k].P, 6 * int(p.contacts.size()) + k);
  }
}
void SparseSolver::push_all(SparseProblem& p, const Island& island) {
  double P[6];
  for (int i = 0; i < island.contacts; i++) {
    const SparseContact& c = p.contacts[contact_order_[island.first_contact + i]];
    sparse::read_P(p, c, P);
    sparse::push(p, c, P);
  }
  for (int i = 0; i < island.axes; i++) {
    const SparseAxis& a = p.axes[axis_order_[island.first_axis + i]];
    sparse::push(p, a, a.P);
  }
}

SINEW_INLINE void go_on(double& x, double& last, double beta) {
  const double now = x;
  x += beta * (now - last);
  last = now;
}
// The same for the velocities of n loose bodies that follow one another, four numbers at once.
void go_on(Twist<double>* x, Twist<double>* last, int n, double beta) {
  static_assert(sizeof(Twist<double>) == 6 * sizeof(double));
  double *to = &x->w[0], *from = &last->w[0];
  int i = 0;
  for (; i + lane_count <= 6 * n; i += lane_count) {
    Lanes now, before;
    std::memcpy(&now, to + i, sizeof(Lanes));
    std::memcpy(&before, from + i, sizeof(Lanes));
    const Lanes on = now + Lanes(beta) * (now - before);
    std::memcpy(to + i, &on, sizeof(Lanes));
    std::memcpy(from + i, &now, sizeof(Lanes));
  }
  for (; i < 6 * n; i++) go_on(to[i], from[i], beta);
}

// On along the way from the last sweep's end to this one's, by the part beta of it; beta 0: only remembers where it is. Impulses of packs
// go on in the next sweep.
void SparseSolver::extrapolate(SparseProblem& p, const Island& island, double beta) {
  if (!in_packs()) each_impulse(p, island, [&](double& x, int i) { go_on(x, P_last_[i], beta); });
  const int* node = node_order_.data() + island.first_node;  // ascending
  const int n_loose = int(std::lower_bound(node, node + island.nodes, int(p.loose.size())) - node);
  for (int i = 0, n = 0; i < n_loose; i += n) {
    n = n_loose - i;
    if (node[n_loose - 1] != node[i] + n - 1)
      for (n = 1; node[i + n] == node[i] + n;) n++;
    go_on(&p.V[node[i]], &V_last_[node[i]], n, beta);
  }
  for (int i = n_loose; i < island.nodes; i++) {
    const TreeSpan& tree = p.trees[node[i] - int(p.loose.size())];
    for (int k = tree.first; k < tree.first + tree.n; k++) go_on(p.u[k], u_last_[k], beta);
  }
}

// The impulses of a pile go a long way, and friction lets them creep; momentum shortens both. Where it leads round in
// circles (no sweep changes less than before for a while) plain sweeps take over for as long.
double SparseSolver::solve_by_sweeps(SparseProblem& p, const Island& island, double tolerance, int limit,
                                     int& iterations) {
  constexpr double worse = 1.05;  // than the last sweep's change: momentum is too large. 1 would say so at round-off
  constexpr double less = 0.7;    // of it goes on then: from nothing it would take as many sweeps again to come back
  constexpr double most = 12.0;   // weight: with more, towers that stand are never quite at rest
  constexpr int patience = 100;
  constexpr int many = 100;  // sweeps, before single contacts are solved to the end
  constexpr int few = 10;    // sweeps are made unless nothing is left: what is below the tolerance must not creep
  // Near the end momentum moves impulses by more than they are off: now and then the certificate itself is asked.
  // Most often the answer is one contact's, the one of the last time.
  constexpr double near = 4.0;  // times the tolerance
  constexpr int every = 2;      // sweeps
  push_all(p, island);
  fill_packs(p, island);
  double before = std::numeric_limits<double>::infinity(), least = before, weight = 1.0;
  double beta = 0.0;  // by which all goes on after a sweep
  int since = 0;      // sweeps since the least change
  int suspect = 0;    // where the certificate was not enough
  bool plain = true;  // without momentum
  for (iterations = 1;; iterations++) {
    const SweepChange change = sweep(p, island, beta);
    const double settled = iterations < few ? 0.01 : iterations % every == 0 ? near : 1.0;
    const bool last = iterations == limit;
    if (change.largest <= settled * tolerance || last) {
      put_back(p);
      const double r = residual(p, island, last ? std::numeric_limits<double>::infinity() : tolerance, suspect);
      if (r <= tolerance || last) return r;
    }
    if (change.energy < 0.5 * least) {
      least = change.energy;
      since = 0;
    } else if (++since > patience) {
      plain = !plain;
      since = 0;
      least = change.energy;
    }
    if (iterations == std::max(limit * 3 / 4, many) && in_packs()) {
      leave_packs(p);
      extrapolate(p, island, 0.0);
      weight = 1.0;
      since = 0;
    }
    if (iterations == 1) plain = false;
    if (change.energy > worse * before) weight = std::max(1.0, less * weight);
    if (plain) weight = 1.0;
    const double next = std::min(most, 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * weight * weight)));
    beta = iterations == 1 || plain ? 0.0 : (weight - 1.0) / next;
    extrapolate(p, island, beta);
    weight = plain ? 1.0 : next;
    before = change.energy;
  }
}

SparseReport SparseSolver::solve(SparseProblem& p, const SparseLimits& limits) {
  SINEW_ASSERT(limits.tolerance > 0.0 && limits.sweeps >= 1);
  SINEW_ASSERT(!limits.exact || p.soft > 0.0);
  SparseReport report;
  find_islands(p);
  prepare(p);
  const double tolerance = 0.9 * limits.tolerance;  // the motion is computed once more from P
  for (const Island& island : islands_) {
    int sweeps = 0, systems = 0;
    double r = std::numeric_limits<double>::infinity();
    const bool small = limits.exact && island.rows <= small_island;
    if (!small) r = solve_by_sweeps(p, island, tolerance, limits.sweeps, sweeps);
    if (small || (limits.exact && !(r <= tolerance) && island.rows <= dense_island))
      r = solve_dense(p, island, limits.tolerance, systems);
    if (limits.exact && !(r <= limits.tolerance) && is_of_cones(p, island))
      r = solve_by_cones(p, island, tolerance, systems);
    report.iterations = std::max(report.iterations, sweeps + systems);
    if (!(r <= report.residual)) report.residual = r;
  }
  return report;
}

}  // namespace sinew
