// Islands that sweeps cannot solve, as a sparse matrix: proximal points with Newton's method (solve/cone_problem.h). For contacts with
// the same sliding friction in all directions and nothing else. Taken for one step in some hundreds of a large pile, where sweeps go
// round in circles; such a step allocates.
//   W_ij = sum over the bodies that contacts i and j share of J Y, and what gives way on the diagonal
// Impulses are measured in units of 1 / w, w the mean diagonal of W, so that a residual is a velocity.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/math/check.h"
#include "sinew/solve/cone_problem.h"
#include "sinew/solve/sparse_local.h"

namespace sinew {
namespace {

void rest_side(SparseProblem& p, const SparseSide& side) {
  if (side.body >= 0) p.V[side.body] = Twist<double>::zero();
  if (side.tree >= 0) std::fill_n(p.u.begin() + p.trees[side.tree].first, p.trees[side.tree].n, 0.0);
}

}  // namespace

bool SparseSolver::is_of_cones(const SparseProblem& p, const Island& island) const {
  if (island.axes > 0) return false;
  const std::span<const int> contacts = contacts_of(island);
  return std::all_of(contacts.begin(), contacts.end(), [&p](int i) {
    const SparseContact& c = p.contacts[i];
    const ContactLaw<double>& law = p.laws[c.law];
    return c.turning < 0 && c.G.xx > 0.0 && law.shear == 0.0 && law.mu_forward == law.mu_trans &&
           law.mu_backward == law.mu_trans;
  });
}

// Contacts of each node (loose bodies, then trees), as compressed rows of numbers within the island.
void SparseSolver::find_neighbours(const SparseProblem& p, const Island& island) {
  const int n_loose = int(p.loose.size()), nodes = n_loose + int(p.trees.size());
  const std::span<const int> contacts = contacts_of(island);
  const auto each_node = [&](auto f) {
    for (int i = 0; i < island.contacts; i++)
      for (const SparseSide* side : {&p.contacts[contacts[i]].side1, &p.contacts[contacts[i]].side2}) {
        if (side->body >= 0) f(side->body, i);
        if (side->tree >= 0) f(n_loose + side->tree, i);
      }
  };
  neighbour_start_.assign(nodes + 1, 0);
  each_node([&](int node, int) { neighbour_start_[node + 1]++; });
  for (int i = 0; i < nodes; i++) neighbour_start_[i + 1] += neighbour_start_[i];
  neighbours_.resize(neighbour_start_.back());
  std::vector<int> end(neighbour_start_.begin(), neighbour_start_.end() - 1);
  each_node([&](int node, int i) { neighbours_[end[node]++] = i; });
}

// Row after row: the velocities that contact i causes at all that share a body with it. W is symmetric, so they are its row.
ConeProblem SparseSolver::cones_of(SparseProblem& p, const Island& island, double& w) {
  const int n_loose = int(p.loose.size());
  const std::span<const int> contacts = contacts_of(island);
  find_neighbours(p, island);
  ConeProblem cones;
  cones.W.start.push_back(0);
  rest(p, island);
  std::vector<int> touched;
  w = 0.0;
  for (int i = 0; i < island.contacts; i++) {
    const SparseContact& c = p.contacts[contacts[i]];
    touched.clear();
    for (const SparseSide* side : {&c.side1, &c.side2}) {
      const int node = side->body >= 0 ? side->body : side->tree >= 0 ? n_loose + side->tree : -1;
      if (node < 0) continue;
      touched.insert(touched.end(), neighbours_.begin() + neighbour_start_[node],
                     neighbours_.begin() + neighbour_start_[node + 1]);
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    const std::size_t at = cones.W.value.size();
    cones.W.value.resize(at + 9 * touched.size());
    cones.W.column.insert(cones.W.column.end(), touched.begin(), touched.end());
    cones.W.start.push_back(int(cones.W.column.size()));
    for (int r = 0; r < 3; r++) {
      double unit[6] = {}, g[6];
      unit[r] = 1.0;
      sparse::push(p, c, unit);
      for (std::size_t k = 0; k < touched.size(); k++) {
        const SparseContact& other = p.contacts[contacts[touched[k]]];
        sparse::velocities(p, other, g);
        for (int s = 0; s < 3; s++) cones.W.value[at + 9 * k + 3 * r + s] = g[s] - other.c[s];
        if (touched[k] == i && r == 0) cones.W.value[at + 9 * k] += c.give;
      }
      for (const SparseSide* side : {&c.side1, &c.side2}) rest_side(p, *side);
    }
    w += (c.G.xx + c.G.yy + c.G.zz) / (3.0 * island.contacts);
    cones.q.insert(cones.q.end(), c.c, c.c + 3);
    cones.mu.push_back(p.laws[c.law].mu_trans);
  }
  for (double& x : cones.W.value) x /= w;
  return cones;
}

double SparseSolver::solve_by_cones(SparseProblem& p, const Island& island, double tolerance, int& iterations) {
  constexpr int most_systems = 400;
  double w = 0.0;
  const ConeProblem cones = cones_of(p, island, w);
  SINEW_ASSERT(w > 0.0);
  const std::span<const int> contacts = contacts_of(island);
  double size = 0.0;
  for (const double x : cones.q) size += x * x;
  size = size > 0.0 ? std::sqrt(size) : 1.0;
  std::vector<double> r;
  for (const int i : contacts)
    for (int a = 0; a < 3; a++) r.push_back(w * p.contacts[i].P[a]);
  double certified = HUGE_VAL;
  for (const double share : {0.3, 0.03, 0.003}) {  // of the tolerance: the certificate measures by masses of bodies
    const ConeLimits limits{.tolerance = share * tolerance / size, .iterations = most_systems};
    iterations += solve_by_proximal_points(cones, limits, r).systems;
    for (int i = 0; i < island.contacts; i++)
      for (int a = 0; a < 3; a++) p.contacts[contacts[i]].P[a] = r[3 * i + a] / w;
    rest(p, island);
    push_all(p, island);
    int first = 0;
    certified = residual(p, island, std::numeric_limits<double>::infinity(), first);
    if (certified <= tolerance) break;
  }
  return certified;
}

}  // namespace sinew
