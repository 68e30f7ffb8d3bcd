// Quadratures over one cell of a pass along a rod (docs/theory/rods.md#the-pass). A cell has stations at the nodes of Lobatto's rule: its
// ends and middle (S4, order 4) or five of them (S8, order 8 where the strain is smooth). With f at the stations z_k,
//   y(x + z_j h) = y(x) + h sum over k of a_jk f_k,
// where a integrates the polynomial through them. Each integrand depends only on what is integrated before it, so this is
// collocation without a system to solve. Between two stations g goes by one exponential of Magnus' fourth order.
#pragma once
#include "sinew/math/check.h"
#include "sinew/rod/classical.h"
#include "sinew/rod/pass.h"

namespace sinew::rod {

template <int nodes>
struct Rule;
template <>
struct Rule<3> {
  static constexpr double a[3][3] = {{0, 0, 0}, {5.0 / 24, 8.0 / 24, -1.0 / 24}, {1.0 / 6, 4.0 / 6, 1.0 / 6}};
};
template <>
struct Rule<5> {
  static constexpr double r = 4.58257569495584;  // sqrt(21)
  static constexpr double a[5][5] = {
      {0, 0, 0, 0, 0},
      {(119 + 3 * r) / 1960, (343 - 9 * r) / 2520, (392 - 96 * r) / 2205, (343 - 69 * r) / 2520, (-21 + 3 * r) / 1960},
      {13.0 / 320, (392 + 105 * r) / 2880, 8.0 / 45, (392 - 105 * r) / 2880, 3.0 / 320},
      {(119 - 3 * r) / 1960, (343 + 69 * r) / 2520, (392 + 96 * r) / 2205, (343 + 9 * r) / 2520, (-21 - 3 * r) / 1960},
      {1.0 / 20, 49.0 / 180, 16.0 / 45, 49.0 / 180, 1.0 / 20}};
};

// Strains of a cell: at its stations, and at the two Gauss points between each and the next.
template <class G>
struct CellStrains {
  using Twist = typename G::Twist;
  const Twist *gauss, *xi, *xi_t, *xi_tt;
};

template <class G>
struct Station {
  G g;
  typename G::Twist E;
};

// Integrands at a station.
template <class G>
struct Flow {
  using Twist = typename G::Twist;
  Twist E, A, L, h, ha;
  Inertia<G> P;
  double kinetic, friction, other, rate, work;
};

template <class G, Depth depth, int nodes>
struct Pass {
  using Twist = typename G::Twist;
  static constexpr int last = nodes - 1;
  const Rod<G>& rod;
  const HeadLoads<G>& loads;
  Totals<G>* totals;
  Node<G> node;
  // Of the cell that was passed last: stations, integrands, and those of the added inertia. The last are the next cell's first.
  Station<G> at[nodes];
  Flow<G> flow[nodes];
  Mat<G::n> added = Mat<G::n>::zero(), flow_added[nodes];

  Pass(const Rod<G>& r, const HeadLoads<G>& l, Totals<G>* t) : rod(r), loads(l), totals(t) {}

  // Everything at station k, whose motion at[k] and Z is known. The inertia P that M_o needs anyway gives the section's forces in the
  // head's axes, Ad* (M zeta - ad*_eta M eta) = P Z - ad*_E P E: nothing is turned to the section and back.
  SINEW_INLINE void forces(int k, double X, const Twist& Z, const Twist& xi, const Twist& xi_t) {
    const Twist& E = at[k].E;
    Flow<G>& f = flow[k];
    f.P = Inertia<G>::at(at[k].g, rod.inertia);
    const Twist h = f.P * E;
    f.L = f.P * Z - cobracket(E, h);
    if constexpr (depth == Depth::Powers) {
      f.kinetic = 0.5 * dot(h, E);
      f.h = h;
      f.friction = f.other = f.rate = 0.0;
      f.ha = Twist::zero();
    }
    if (loads.active) outside(k, X, Z, xi, xi_t);
    if constexpr (depth == Depth::Powers) f.work = dot(f.L, E);
  }

  // Ad_g of a rate of strain.
  SINEW_INLINE Twist seen(const G& g, const Twist& xi_t) const {
    return rod.law->bends ? adjoint_turn(g, xi_t) : adjoint(g, xi_t);
  }

  // Kept out of the way of rods without loads.
  [[gnu::noinline]] void outside(int k, double X, const Twist& Z, const Twist& xi, const Twist& xi_t) {
    const G& g = at[k].g;
    Flow<G>& f = flow[k];
    const Twist eta = adjoint_inverse(g, at[k].E);
    SectionLoad<G> load;
    density<G>(loads, {X, g, xi, xi_t}, eta, load);
    Twist F = -(load.weight + load.friction + load.other);
    if constexpr (depth == Depth::Powers) {
      f.friction = dot(load.friction, eta);
      f.other = dot(load.other, eta);
    }
    if (loads.added) {
      const Twist zeta = adjoint_inverse(g, Z);
      const double ma = added_mass(*loads.loads, X, loads.l);
      Mat<G::n>& f_added = flow_added[k];
      f_added = Mat<G::n>::zero();
      for (int i = 1; i < directions<G>; i++) {
        F[i] += ma * zeta[i];
        const Twist e = to_base(g, Twist::unit(i));
        for (int a = 0; a < G::n; a++)
          for (int b = 0; b < G::n; b++) f_added(a, b) += ma * e[a] * e[b];
        if constexpr (depth == Depth::Powers) {
          f.rate += ma * eta[i] * zeta[i];
          f.ha += e * (ma * eta[i]);
        }
      }
    }
    f.L += to_base(g, F);
  }

  // g at the end of the stretch from station k - 1 to station k, of length h.
  SINEW_INLINE G advance(int k, double h, const CellStrains<G>& s) const {
    SINEW_ASSERT(k >= 1 && k < nodes);
    const G& g = at[k - 1].g;
    const Twist &a = s.gauss[2 * k - 2], &b = s.gauss[2 * k - 1];
    if (rod.scheme == Scheme::Magnus || rod.scheme == Scheme::Fine) return g * exponential<G>(magnus<G>(a, b, h));
    if (rod.scheme == Scheme::Midpoint) return g * exponential<G>((a + b) * (0.5 * h));
    if (rod.scheme == Scheme::Constant || nodes != 3) return g * exponential<G>(s.xi[k - 1] * h);
    // Runge-Kutta: the strain in the middle, of which nothing else knows, by a cubic through those of the cell
    const int other = k == 1 ? 2 : 0;
    const Twist mean = (s.xi[2 - other] * 3.0 + s.xi[1] * 6.0 - s.xi[other]) * 0.125;
    return classical(g, s.xi[k - 1], mean, s.xi[k], h);
  }

  void begin(const Node<G>& start, double X, const Twist& xi, const Twist& xi_t, const Twist& xi_tt) {
    node = start;
    at[last] = {start.g, start.E};
    Flow<G>& f = flow[last];
    f.E = seen(start.g, xi_t);
    f.A = seen(start.g, xi_tt) - bracket(f.E, start.E);
    if constexpr (depth != Depth::Motion) forces(last, X, start.Z, xi, xi_t);
  }

  // y + h sum of a_jk f_k; `of` chooses f.
  template <class Of>
  SINEW_INLINE Twist integral(const Twist& y, double h, int j, const Of& of) const {
    Twist sum = of(flow[0]) * Rule<nodes>::a[j][0];
    for (int k = 1; k < nodes; k++) sum += of(flow[k]) * Rule<nodes>::a[j][k];
    return y + sum * h;
  }
  template <class Of>
  SINEW_INLINE double whole(double h, const Of& of) const {
    double sum = of(flow[0]) * Rule<nodes>::a[last][0];
    for (int k = 1; k < nodes; k++) sum += of(flow[k]) * Rule<nodes>::a[last][k];
    return sum * h;
  }

  SINEW_INLINE void cell(double X, double h, const CellStrains<G>& s) {
    const auto E = [](const Flow<G>& f) SINEW_INLINE_LAMBDA { return f.E; };
    const auto A = [](const Flow<G>& f) SINEW_INLINE_LAMBDA { return f.A; };
    Twist Z[nodes];
    at[0] = at[last];
    flow[0] = flow[last];
    for (int k = 1; k < nodes; k++) {
      at[k].g = advance(k, h * (Grid::node(nodes, k) - Grid::node(nodes, k - 1)), s);
      flow[k].E = seen(at[k].g, s.xi_t[k]);
    }
    for (int k = 1; k < nodes; k++) {
      at[k].E = integral(node.E, h, k, E);
      flow[k].A = seen(at[k].g, s.xi_tt[k]) - bracket(flow[k].E, at[k].E);
    }
    for (int k = 1; k < nodes; k++) Z[k] = integral(node.Z, h, k, A);
    if constexpr (depth != Depth::Motion) {
      if (loads.added) flow_added[0] = flow_added[last];
      for (int k = 1; k < nodes; k++) forces(k, X + h * Grid::node(nodes, k), Z[k], s.xi[k], s.xi_t[k]);
      node.L = integral(node.L, h, last, [](const Flow<G>& f) SINEW_INLINE_LAMBDA { return f.L; });
      for (int k = 0; k < nodes; k++) node.M.add(flow[k].P, h * Rule<nodes>::a[last][k]);
      if (loads.added)
        for (int k = 0; k < nodes; k++) added.add(flow_added[k], h * Rule<nodes>::a[last][k]);
      if constexpr (depth == Depth::Powers) tally(h);
    }
    node.g = at[last].g;
    node.E = at[last].E;
    node.Z = Z[last];
  }

  SINEW_INLINE void tally(double h) {
    Totals<G>& s = *totals;
    s.kinetic += whole(h, [](const Flow<G>& f) SINEW_INLINE_LAMBDA { return f.kinetic; });
    s.momentum = integral(s.momentum, h, last, [](const Flow<G>& f) SINEW_INLINE_LAMBDA { return f.h; });
    s.act -= whole(h, [](const Flow<G>& f) SINEW_INLINE_LAMBDA { return f.work; });
    if (!loads.active) return;
    s.friction += whole(h, [](const Flow<G>& f) { return f.friction; });
    s.other += whole(h, [](const Flow<G>& f) { return f.other; });
    if (!loads.added) return;
    s.drag_of_rate += whole(h, [](const Flow<G>& f) { return f.rate; });
    s.added_momentum = integral(s.added_momentum, h, last, [](const Flow<G>& f) { return f.ha; });
  }
};

}  // namespace sinew::rod
