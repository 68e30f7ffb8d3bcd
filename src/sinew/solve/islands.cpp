// Islands of a sparse problem: which contacts belong together, and the small ones as a matrix.
#include <algorithm>

#include "sinew/math/check.h"
#include "sinew/solve/sparse_local.h"

namespace sinew {

int SparseSolver::find(int node) {
  SINEW_ASSERT(node >= 0 && node < int(parent_.size()));
  while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
  return node;
}
void SparseSolver::join(int a, int b) {
  a = find(a);
  b = find(b);
  if (a != b) parent_[std::max(a, b)] = std::min(a, b);
}

// Nodes are loose bodies, then trees. Islands come in the order of their first nodes, and what is in them in the order of
// the problem.
void SparseSolver::find_islands(const SparseProblem& p) {
  const int n_loose = int(p.loose.size()), nodes = n_loose + int(p.trees.size());
  const auto node_of = [n_loose](const SparseSide& s) {
    return s.body >= 0 ? s.body : s.tree >= 0 ? n_loose + s.tree : -1;
  };
  parent_.resize(nodes);
  island_of_.assign(nodes, -1);
  for (int i = 0; i < nodes; i++) parent_[i] = i;
  for (const SparseContact& c : p.contacts)
    if (node_of(c.side1) >= 0 && node_of(c.side2) >= 0) join(node_of(c.side1), node_of(c.side2));
  islands_.clear();
  const auto island_at = [&](int node) -> Island& {
    const int root = find(node);
    if (island_of_[root] < 0) {
      island_of_[root] = int(islands_.size());
      islands_.push_back({});
    }
    return islands_[island_of_[root]];
  };
  const auto first_node = [&](const SparseContact& c) { return std::max(node_of(c.side2), node_of(c.side1)); };
  for (int i = 0; i < nodes; i++) island_at(i).nodes++;
  for (const SparseContact& c : p.contacts) {
    Island& island = island_at(first_node(c));
    island.contacts++;
    island.rows += sparse::rows_of(c);
  }
  for (const SparseAxis& a : p.axes) {
    Island& island = island_at(node_of(a.side));
    island.axes++;
    island.rows++;
  }
  int contact = 0, axis = 0, node = 0;
  for (Island& island : islands_) {
    island.first_contact = contact;
    island.first_axis = axis;
    island.first_node = node;
    contact += island.contacts;
    axis += island.axes;
    node += island.nodes;
    island.contacts = island.axes = island.nodes = 0;
  }
  SINEW_ASSERT(contact == int(p.contacts.size()) && axis == int(p.axes.size()) && node == nodes);
  contact_order_.resize(contact);
  axis_order_.resize(axis);
  node_order_.resize(node);
  for (int i = 0; i < nodes; i++) {
    Island& island = island_at(i);
    node_order_[island.first_node + island.nodes++] = i;
  }
  for (int i = 0; i < int(p.contacts.size()); i++) {
    Island& island = island_at(first_node(p.contacts[i]));
    contact_order_[island.first_contact + island.contacts++] = i;
  }
  for (int i = 0; i < int(p.axes.size()); i++) {
    Island& island = island_at(node_of(p.axes[i].side));
    axis_order_[island.first_axis + island.axes++] = i;
  }
}

void SparseSolver::rest(SparseProblem& p, const Island& island) const {
  each_velocity(
      p, island, [&](int i) { p.V[i] = Twist<double>::zero(); }, [&](int i) { p.u[i] = 0.0; });
}

// Column by column: the velocities of all rows of the island after one unit impulse.
void SparseSolver::fill_matrix(SparseProblem& p, const Island& island) {
  SINEW_ASSERT(int(dense_.contacts.size()) == island.contacts && int(dense_.axes.size()) == island.axes);
  DenseProblem& d = dense_;
  d.G.resize(std::size_t(d.n) * d.n);
  const auto fill = [&](int column) {
    double g[6];
    double* out = d.G.data() + std::size_t(column) * d.n;
    for (int i = 0; i < island.contacts; i++) {
      const SparseContact& c = p.contacts[contact_order_[island.first_contact + i]];
      sparse::velocities(p, c, g);
      for (int r = 0; r < row::count; r++) {
        const int k = d.contacts[i].row_of(r);
        if (k >= 0) out[k] = g[r] - (r < 3 ? c.c[r] : p.turning[c.turning].c[r - 3]);
      }
    }
    for (int i = 0; i < island.axes; i++) {
      const SparseAxis& a = p.axes[axis_order_[island.first_axis + i]];
      out[d.axes[i].first] = sparse::velocity(p, a) - a.c;
    }
    rest(p, island);
  };
  rest(p, island);
  for (int i = 0; i < island.contacts; i++) {
    const SparseContact& c = p.contacts[contact_order_[island.first_contact + i]];
    for (int r = 0; r < row::count; r++) {
      if (d.contacts[i].row_of(r) < 0) continue;
      double unit[6] = {};
      unit[r] = 1.0;
      sparse::push(p, c, unit);
      fill(d.contacts[i].row_of(r));
    }
    const std::size_t N = d.contacts[i].first;
    d.G[N * d.n + N] += c.give;
  }
  for (int i = 0; i < island.axes; i++) {
    sparse::push(p, p.axes[axis_order_[island.first_axis + i]], 1.0);
    fill(d.axes[i].first);
  }
  for (int i = 0; i < d.n; i++)
    for (int k = 0; k < i; k++) {
      double &a = d.G[std::size_t(k) * d.n + i], &b = d.G[std::size_t(i) * d.n + k];
      a = b = 0.5 * (a + b);  // symmetric to the last bit
    }
}

double SparseSolver::solve_dense(SparseProblem& p, const Island& island, double tolerance, int& iterations) {
  DenseProblem& d = dense_;
  d.contacts.clear();
  d.axes.clear();
  d.c.clear();
  d.P.clear();
  for (int i = 0; i < island.contacts; i++) {
    const SparseContact& c = p.contacts[contact_order_[island.first_contact + i]];
    const ContactLaw<double>& law = p.laws[c.law];
    const bool slides = law.mu_forward + law.mu_backward + law.mu_trans > 0.0;
    d.contacts.push_back({int(d.c.size()), slides, law.drilling > 0.0, law.rolling > 0.0, law, 0.0, 0.0, c.inertia});
    for (int r = 0; r < row::count; r++) {
      if (d.contacts.back().row_of(r) < 0) continue;
      d.c.push_back(r < 3 ? c.c[r] : p.turning[c.turning].c[r - 3]);
      d.P.push_back(r < 3 ? c.P[r] : p.turning[c.turning].P[r - 3]);
    }
  }
  for (int i = 0; i < island.axes; i++) {
    const SparseAxis& a = p.axes[axis_order_[island.first_axis + i]];
    d.axes.push_back({int(d.c.size()), a.law});
    d.c.push_back(a.c);
    d.P.push_back(a.P);
  }
  d.n = int(d.c.size());
  SINEW_ASSERT(d.n <= island.rows);  // a contact without friction has fewer
  d.gamma.resize(d.n);
  d.soft_N = d.soft = p.soft;
  fill_matrix(p, island);
  const DenseReport report = dense_solver_.solve(d, DenseMethod::Newton, tolerance);
  iterations = report.iterations;
  for (int i = 0; i < island.contacts; i++) {
    SparseContact& c = p.contacts[contact_order_[island.first_contact + i]];
    double P[6] = {};
    for (int r = 0; r < row::count; r++)
      if (d.contacts[i].row_of(r) >= 0) P[r] = d.P[d.contacts[i].row_of(r)];
    sparse::write_P(p, c, P);
  }
  for (int i = 0; i < island.axes; i++) p.axes[axis_order_[island.first_axis + i]].P = d.P[d.axes[i].first];
  return report.residual;
}

}  // namespace sinew
