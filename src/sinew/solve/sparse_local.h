// One contact of a sparse problem: its velocities, what its impulses do to its sides, and its law solved exactly while all
// others rest.
#pragma once
#include <algorithm>
#include <cmath>

#include "sinew/solve/sparse.h"

namespace sinew::sparse {

inline int rows_of(const SparseContact& c) { return c.turning < 0 ? 3 : 6; }

// Velocities of the rows; N has the bias in it, what gives way is left out. g has room for six.
SINEW_INLINE void velocities(const SparseProblem& p, const SparseContact& c, double* g) {
  Vec3d v = Vec3d::zero(), w = Vec3d::zero();
  if (c.side2.body >= 0) {
    const Twist<double>& V = p.V[c.side2.body];
    v = V.v + cross(V.w, c.arm2);
    w = V.w;
  }
  if (c.side1.body >= 0) {
    const Twist<double>& V = p.V[c.side1.body];
    v -= V.v + cross(V.w, c.arm1);
    w -= V.w;
  }
  g[row::N] = c.c[0] + dot(c.n, v);
  g[row::T1] = c.c[1] + dot(c.t1, v);
  g[row::T2] = c.c[2] + dot(c.t2, v);
  if (c.turning >= 0) {
    const double* c_turning = p.turning[c.turning].c;
    g[row::D] = c_turning[0] + dot(c.n, w);
    g[row::V1] = c_turning[1] + dot(c.t1, w);
    g[row::V2] = c_turning[2] + dot(c.t2, w);
  }
  for (const SparseSide* side : {&c.side1, &c.side2}) {
    if (side->tree < 0) continue;
    const TreeSpan& tree = p.trees[side->tree];
    const double *J = p.pool.data() + side->at, *u = p.u.data() + tree.first;
    for (int r = 0; r < rows_of(c); r++, J += tree.n)
      for (int i = 0; i < tree.n; i++) g[r] += J[i] * u[i];
  }
}

// The sides' velocities change by what the impulses dP do.
SINEW_INLINE void push(SparseProblem& p, const SparseContact& c, const double* dP) {
  const Vec3d f = c.n * dP[row::N] + c.t1 * dP[row::T1] + c.t2 * dP[row::T2];
  Vec3d n = Vec3d::zero();
  if (c.turning >= 0) n = c.n * dP[row::D] + c.t1 * dP[row::V1] + c.t2 * dP[row::V2];
  if (c.side2.body >= 0) {
    const LooseBody& b = p.loose[c.side2.body];
    Twist<double>& V = p.V[c.side2.body];
    V.v += f * b.per_m;
    V.w += b.per_I * (cross(c.arm2, f) + n);
  }
  if (c.side1.body >= 0) {
    const LooseBody& b = p.loose[c.side1.body];
    Twist<double>& V = p.V[c.side1.body];
    V.v -= f * b.per_m;
    V.w -= b.per_I * (cross(c.arm1, f) + n);
  }
  for (const SparseSide* side : {&c.side1, &c.side2}) {
    if (side->tree < 0) continue;
    const TreeSpan& tree = p.trees[side->tree];
    const int rows = rows_of(c);
    const double* Y = p.pool.data() + side->at + std::size_t(rows) * tree.n;
    double* u = p.u.data() + tree.first;
    for (int r = 0; r < rows; r++, Y += tree.n)
      for (int i = 0; i < tree.n; i++) u[i] += Y[i] * dP[r];
  }
}

SINEW_INLINE double velocity(const SparseProblem& p, const SparseAxis& a) {
  const TreeSpan& tree = p.trees[a.side.tree];
  const double *J = p.pool.data() + a.side.at, *u = p.u.data() + tree.first;
  double g = a.c;
  for (int i = 0; i < tree.n; i++) g += J[i] * u[i];
  return g;
}
SINEW_INLINE void push(SparseProblem& p, const SparseAxis& a, double dP) {
  const TreeSpan& tree = p.trees[a.side.tree];
  const double* Y = p.pool.data() + a.side.at + tree.n;
  double* u = p.u.data() + tree.first;
  for (int i = 0; i < tree.n; i++) u[i] += Y[i] * dP;
}

// All impulses of a contact, in the order of its rows.
SINEW_INLINE void read_P(const SparseProblem& p, const SparseContact& c, double* P) {
  std::copy_n(c.P, 3, P);
  if (c.turning >= 0) std::copy_n(p.turning[c.turning].P, 3, P + 3);
}
SINEW_INLINE void write_P(SparseProblem& p, SparseContact& c, const double* P) {
  std::copy_n(P, 3, c.P);
  if (c.turning >= 0) std::copy_n(P + 3, 3, p.turning[c.turning].P);
}

// A disk of friction takes a step against its velocities and is projected, in the variables P / coefficient.
template <class Move>
SINEW_INLINE void step_disk(int r, const Vec2<double>& a, double step, const double* P, const double* g, Move move) {
  const Vec2<double> y{over(P[r], a.x) - step * a.x * g[r], over(P[r + 1], a.y) - step * a.y * g[r + 1]};
  const Vec2<double> q = law::project_disk(y, P[row::N]);
  move(r, a.x * q.x);
  move(r + 1, a.y * q.y);
}

// Blocks in turn until they agree. g: velocities at P, N with the bias and with what gives way.
inline void solve_in_turn(const SparseContact& c, const SparseTurning* turning, const ContactLaw<double>& law,
                          double* P, double* g) {
  const Sym3d& G = c.G;
  const double G3[3][3] = {{G.xx, G.xy, G.xz}, {G.xy, G.yy, G.yz}, {G.xz, G.yz, G.zz}};
  double moved = 0.0, first = 0.0;
  const auto move = [&](int r, double x) {
    const double d = x - P[r];
    P[r] = x;
    if (turning) {
      moved = std::max(moved, std::abs(d) * turning->G[r][r]);
      for (int k = 0; k < row::count; k++) g[k] += turning->G[k][r] * d;
    } else {
      moved = std::max(moved, std::abs(d) * G3[r][r]);
      for (int k = 0; k < 3; k++) g[k] += G3[k][r] * d;
    }
  };
  for (int pass = 0; pass < 20; pass++) {
    moved = 0.0;
    move(row::N, std::max(0.0, P[row::N] - g[row::N] / G.xx));
    step_disk(row::T1, sliding_axes(law, P[row::T1], g[row::T1]), c.r_T, P, g, move);
    if (turning) {
      const double bound = law.drilling * P[row::N];
      if (bound > 0.0 || P[row::D] != 0.0)
        move(row::D, law::project_interval(P[row::D] - turning->r_D * g[row::D], -bound, bound));
      if (law.rolling > 0.0) step_disk(row::V1, {law.rolling, law.rolling}, turning->r_V, P, g, move);
    }
    if (pass == 0) first = moved;
    if (moved <= 1e-3 * first) return;
  }
}

// P that satisfies the contact's law against the present velocities. g: velocities at the present P, as solve_in_turn's.
SINEW_INLINE void solve_contact(const SparseProblem& p, const SparseContact& c, double* P, double* g) {
  const ContactLaw<double>& law = p.laws[c.law];
  if (c.turning >= 0) return solve_in_turn(c, &p.turning[c.turning], law, P, g);
  const Vec3d b = Vec3d(g[0], g[1], g[2]) - c.G * Vec3d(P[0], P[1], P[2]);  // without it
  if (b[0] >= 0.0) {
    P[0] = P[1] = P[2] = 0.0;
    return;
  }
  if (c.sticks) {
    const Vec3d x = -(c.K * b);
    const double a = x[1] > 0.0 ? law.mu_backward : law.mu_forward, t1 = x[1] * law.mu_trans, t2 = x[2] * a;
    const double rim = a * law.mu_trans * x[0];
    if (x[0] > 0.0 && t1 * t1 + t2 * t2 <= rim * rim && rim > 0.0) {
      P[0] = x[0];
      P[1] = x[1];
      P[2] = x[2];
      return;
    }
  }
  solve_in_turn(c, nullptr, law, P, g);
}

}  // namespace sinew::sparse

namespace sinew {

// loose(index) or freedom(index) for all velocities of an island.
template <class F, class T>
void SparseSolver::each_velocity(const SparseProblem& p, const Island& island, F loose, T freedom) const {
  const int n_loose = int(p.loose.size());
  for (int i = 0; i < island.nodes; i++) {
    const int node = node_order_[island.first_node + i];
    if (node < n_loose) {
      loose(node);
    } else {
      const TreeSpan& tree = p.trees[node - n_loose];
      for (int k = tree.first; k < tree.first + tree.n; k++) freedom(k);
    }
  }
}

}  // namespace sinew
