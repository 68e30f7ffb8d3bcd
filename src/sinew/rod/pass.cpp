// Cells one after the other; of a rod without loads the stations of a cell side by side (cell_lanes.h).
#include "sinew/rod/pass.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/math/check.h"
#include "sinew/rod/cell.h"
#include "sinew/rod/cell_lanes.h"

namespace sinew::rod {
namespace {

template <class G>
void conclude(Depth depth, const Node<G>& end, const Mat<G::n>* added, Totals<G>& totals) {
  totals.end = end;
  if (depth == Depth::Motion) return;
  totals.M_o = matrix_of(end.M);
  if (added) totals.M_o.add(*added, 1.0);
  if (depth == Depth::Forces) return;
  // by parts: the integrals of L . E' and M E' from those of L' . E and M' E
  totals.act += dot(end.L, end.E);
  totals.act_head = totals.M_o * end.E - totals.momentum - totals.added_momentum;
}

// Part by part: one copy of the whole became a string instruction, which takes longer to start than to copy.
template <class G>
SINEW_INLINE void put(const Node<G>& from, Node<G>& to) {
  to.g = from.g;
  to.E = from.E;
  to.Z = from.Z;
  to.L = from.L;
  to.M = from.M;
}

template <class G, Depth depth, int nodes>
void run(const Rod<G>& rod, const Node<G>& start, Workspace<G>& work, bool store, Totals<G>& totals) {
  SINEW_ASSERT(rod.grid().nodes == nodes && int(work.table.xi.size()) == rod.grid().stations());
  SINEW_ASSERT(int(work.table.gauss.size()) == rod.grid().gauss());
  constexpr int last = nodes - 1;
  Pass<G, depth, nodes> pass(rod, work.loads, &totals);
  const Table<G>& s = work.table;
  const Grid& grid = rod.grid();
  const double h = grid.cell();
  pass.begin(start, 0.0, s.xi[0], s.xi_t[0], s.xi_tt[0]);
  if (store) work.nodes[0] = start;
  for (int i = 0; i < grid.N; i++) {
    const int k = last * i;
    pass.cell(i * h, h, {&s.gauss[2 * k], &s.xi[k], &s.xi_t[k], &s.xi_tt[k]});
    if (!store) continue;
    put(pass.node, work.nodes[i + 1]);
    if (work.loads.added) work.added[i + 1] = pass.added;
  }
  conclude(depth, pass.node, work.loads.added ? &pass.added : nullptr, totals);
}

template <class G, bool bends>
void run_lanes(const Rod<G>& rod, const Node<G>& start, Workspace<G>& work, bool store, Totals<G>& totals) {
  SINEW_ASSERT(rod.grid().nodes == 5 && int(work.table.xi.size()) == rod.grid().stations());
  LanePass<G, bends> pass(rod);
  const Table<G>& s = work.table;
  pass.begin(start, s.xi_t[0], s.xi_tt[0]);
  Node<G> only;  // where none is stored, each takes the place of the one before
  Node<G>* node = store ? work.nodes.data() : &only;
  const int next = store ? 1 : 0;
  *node = start;
  for (int i = 0; i < rod.grid().N; i++, node += next) {
    const int k = 4 * i;
    pass.cell({&s.gauss[2 * k], &s.xi[k], &s.xi_t[k], &s.xi_tt[k]}, *node, node[next]);
  }
  pass.finish(start, *node, totals);
  conclude<G>(Depth::Powers, *node, nullptr, totals);
}

template <class G, int nodes>
void run(const Rod<G>& rod, Depth depth, const Node<G>& start, Workspace<G>& work, bool store, Totals<G>& totals) {
  if (depth == Depth::Motion) run<G, Depth::Motion, nodes>(rod, start, work, store, totals);
  if (depth == Depth::Forces) run<G, Depth::Forces, nodes>(rod, start, work, store, totals);
  if (depth == Depth::Powers) run<G, Depth::Powers, nodes>(rod, start, work, store, totals);
}

}  // namespace

template <class G>
typename G::Twist circular(double rho, double a) {
  constexpr double pi = std::numbers::pi;
  const double m = rho * pi * a * a, J = 0.25 * m * a * a;
  if constexpr (G::n == 1) return {m};
  if constexpr (G::n == 3) return {m, m, J};
  if constexpr (G::n == 6) return {m, m, m, 2.0 * J, J, J};
}

template <class G>
Workspace<G>::Workspace(const Rod<G>& rod)
    : table(rod.grid()),
      loads(rod.loads, rod.grid().l),
      nodes(rod.grid().N + 1),
      added(rod.loads.has_added_mass() ? rod.grid().N + 1 : 0, Mat<G::n>::zero()) {}

namespace {

template <class G>
struct HeadMotion {
  double t;
  const G& head;
  const typename G::Twist& eta_o;
};

template <class G>
Totals<G> pass(const Rod<G>& rod, const HeadMotion<G>& at, Depth depth, Workspace<G>& work, bool store) {
  const double t = at.t;
  SINEW_ASSERT(rod.law && work.nodes.size() == std::size_t(rod.grid().N + 1));
  SINEW_ASSERT(work.added.empty() == !rod.loads.has_added_mass());
  using Twist = typename G::Twist;
  const Twist zero = Twist::zero();
  if (work.table.t != t) {  // also when it is NaN
    rod.law->fill(t, work.table);
    work.table.t = t;
  }
  const bool outside = rod.loads.has_ends() || work.loads.active;
  if (outside) work.loads.look_from(at.head, rod.inertia[0]);
  Totals<G> totals{{}, Mat<G::n>::zero(), zero, zero, zero, zero, 0, 0, 0, 0, zero, 0, zero};
  const Node<G> start{G::identity(), at.eta_o, zero, zero, Inertia<G>::zero()};
  const bool five = rod.grid().nodes == 5;
  const bool lanes = five && depth == Depth::Powers && !work.loads.active;
  if (lanes && rod.law->bends) run_lanes<G, true>(rod, start, work, store, totals);
  if (lanes && !rod.law->bends) run_lanes<G, false>(rod, start, work, store, totals);
  if (five && !lanes) {
    if (work.table.t_gauss != t) fill_gauss(rod.grid(), work.table);
    work.table.t_gauss = t;
    run<G, 5>(rod, depth, start, work, store, totals);
  }
  if (!five) run<G, 3>(rod, depth, start, work, store, totals);
  if (outside) {
    totals.F_minus = work.loads.F_minus;
    if (work.loads.added) totals.F_minus += nose<G>(rod.loads, at.eta_o);
    const G& turn = totals.end.g;  // a dead load is seen in the tail's axes
    Twist dead = work.loads.F_tail_dead;
    const Lin<G> f = turned_back(turn, linear_of<G>(dead));
    for (int i = 0; i < directions<G>; i++) dead[i] = f[i];
    if constexpr (G::n == 6) {
      const Vec3d c = transpose_times(turn.R, angular(dead));
      for (int i = 0; i < 3; i++) dead[3 + i] = c[i];
    }
    totals.F_plus = dead + work.loads.F_tail_follower;
  }
  totals.F_o = totals.F_minus + to_base(totals.end.g, totals.F_plus) - totals.end.L;
  return totals;
}

}  // namespace

template <class G>
Totals<G> pass_along(const Rod<G>& rod, double t, const G& head, const typename G::Twist& eta_o, Depth depth,
                     Workspace<G>& work) {
  return pass<G>(rod, {t, head, eta_o}, depth, work, true);
}
template <class G>
Totals<G> totals_along(const Rod<G>& rod, double t, const G& head, const typename G::Twist& eta_o, Depth depth,
                       Workspace<G>& work) {
  return pass<G>(rod, {t, head, eta_o}, depth, work, false);
}

namespace {

// One short cell from a node on.
template <class G, Depth depth, int nodes>
Node<G> short_cell(const Rod<G>& rod, double t, int i, double rest, Workspace<G>& work, Mat<G::n>* added) {
  SINEW_ASSERT(i >= 0 && i < rod.grid().N);
  const StrainLaw<G>& law = *rod.law;
  const double x = i * rod.grid().cell();
  const Grid one{rest, 1, nodes};
  typename G::Twist gauss[2 * nodes - 2], xi[nodes], xi_t[nodes], xi_tt[nodes];
  for (int k = 0; k < one.gauss(); k++) gauss[k] = law.at(x + one.gauss_point(k), t).xi;
  for (int k = 0; k < nodes; k++) {
    const Strain<G> s = law.at(x + one.station(k), t);
    xi[k] = s.xi;
    xi_t[k] = s.xi_t;
    xi_tt[k] = s.xi_tt;
  }
  Pass<G, depth, nodes> pass(rod, work.loads, nullptr);
  if (!work.added.empty()) pass.added = work.added[i];
  pass.begin(work.nodes[i], x, xi[0], xi_t[0], xi_tt[0]);
  pass.cell(x, rest, {gauss, xi, xi_t, xi_tt});
  if (added) *added = pass.added;
  return pass.node;
}

}  // namespace

template <class G>
Node<G> node_at(const Rod<G>& rod, double t, double X, Workspace<G>& work, Depth depth, Mat<G::n>* added) {
  SINEW_ASSERT(is_on_rod(rod.grid(), X) && work.nodes.size() == std::size_t(rod.grid().N + 1));
  const Grid& grid = rod.grid();
  const double h = grid.cell();
  const int i = std::min(std::max(int(X / h), 0), grid.N - 1);
  const double rest = X - i * h;
  if (added && !work.added.empty()) *added = work.added[i];
  if (std::abs(rest) < 1e-13 * grid.l) return work.nodes[i];
  if (std::abs(rest - h) < 1e-13 * grid.l) {
    if (added && !work.added.empty()) *added = work.added[i + 1];
    return work.nodes[i + 1];
  }
  const bool fine = grid.nodes == 5;
  if (depth == Depth::Motion)
    return fine ? short_cell<G, Depth::Motion, 5>(rod, t, i, rest, work, nullptr)
                : short_cell<G, Depth::Motion, 3>(rod, t, i, rest, work, nullptr);
  return fine ? short_cell<G, Depth::Forces, 5>(rod, t, i, rest, work, added)
              : short_cell<G, Depth::Forces, 3>(rod, t, i, rest, work, added);
}

namespace {

constexpr double root = 0.28867513459481288;  // sqrt(3) / 6

// Strain at X: of five stations by their polynomial; of three by the cubic through those at both ends of half a cell and the
// Gauss points between them.
template <class G>
typename G::Twist strain_at(const Grid& grid, const Table<G>& table, double X) {
  if (grid.nodes == 5) {
    const double z = X / grid.cell();
    const int c = std::min(std::max(int(z), 0), grid.N - 1);
    auto xi = G::Twist::zero();
    for (int k = 0; k < 5; k++) xi += table.xi[4 * c + k] * station_weight(k, z - c);
    return xi;
  }
  constexpr double a = 0.5 - root, b = 0.5 + root, ab = a * b;
  const int i = grid.stretch(X);
  const double x = grid.station(i), z = (X - x) / (grid.station(i + 1) - x);
  const double za = z - a, zb = z - b, z1 = z - 1.0;
  const double w_a = z * zb * z1 * (1.0 / (a * (a - b) * (a - 1.0)));
  const double w_b = z * za * z1 * (1.0 / (b * (b - a) * (b - 1.0)));
  return table.xi[i] * (za * zb * z1 * (-1.0 / ab)) + table.gauss[2 * i] * w_a + table.gauss[2 * i + 1] * w_b +
         table.xi[i + 1] * (z * za * zb * (1.0 / ((1.0 - a) * (1.0 - b))));
}

}  // namespace

template <class G>
Node<G> place_at(const Rod<G>& rod, double X, const Workspace<G>& work) {
  SINEW_ASSERT(is_on_rod(rod.grid(), X) && work.table.t == work.table.t);  // a table that was filled
  using Twist = typename G::Twist;
  const Grid& grid = rod.grid();
  const Table<G>& table = work.table;
  const double h = grid.cell();
  const int i = std::min(std::max(int(X / h), 0), grid.N - 1), k = (grid.nodes - 1) * i;
  const double z = X / h - i, u = 1.0 - z;
  const Node<G>&a = work.nodes[i], &b = work.nodes[i + 1];
  const double x = z < 0.5 ? i * h : (i + 1) * h, rest = X - x;  // from the nearer end
  const Twist xi_a = strain_at(grid, table, x + rest * (0.5 - root));
  const Twist xi_b = strain_at(grid, table, x + rest * (0.5 + root));
  Node<G> node{};
  node.g = (z < 0.5 ? a : b).g * exponential<G>(magnus<G>(xi_a, xi_b, rest));
  // E' = Ad_g xi_t is known at both ends: Hermite's cubic
  const Twist f = adjoint(a.g, table.xi_t[k]), g = adjoint(b.g, table.xi_t[k + grid.nodes - 1]);
  node.E = (a.E * (1.0 + 2.0 * z) + f * (z * h)) * (u * u) + (b.E * (3.0 - 2.0 * z) - g * (u * h)) * (z * z);
  return node;
}

#define SINEW_INSTANTIATE_PASS(G)                                                                             \
  template G::Twist circular<G>(double, double);                                                              \
  template struct Workspace<G>;                                                                               \
  template Totals<G> pass_along<G>(const Rod<G>&, double, const G&, const G::Twist&, Depth, Workspace<G>&);   \
  template Totals<G> totals_along<G>(const Rod<G>&, double, const G&, const G::Twist&, Depth, Workspace<G>&); \
  template Node<G> node_at<G>(const Rod<G>&, double, double, Workspace<G>&, Depth, Mat<G::n>*);               \
  template Node<G> place_at<G>(const Rod<G>&, double, const Workspace<G>&);
SINEW_FOR_GROUPS(SINEW_INSTANTIATE_PASS)

}  // namespace sinew::rod
