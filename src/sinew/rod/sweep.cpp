#include "sinew/rod/sweep.h"

#include <cmath>
#include <numbers>

namespace sinew::rod {
namespace {

// One fourth-order step of classical Runge-Kutta on g' = g xi, entry by entry; xi at the start, middle and end.
Line classical(const Line& g, const Vec<1>& a, const Vec<1>& b, const Vec<1>& e, double h) {
  return {g.x + h / 6.0 * (a[0] + 4.0 * b[0] + e[0])};
}
Plane classical(const Plane& g, const Vec<3>& a, const Vec<3>& b, const Vec<3>& e, double h) {
  struct Rate {
    double c, s, x, y;
  };
  const auto rate = [](const Plane& p, const Vec<3>& u) -> Rate {
    return {-p.s * u[2], p.c * u[2], p.c * u[0] - p.s * u[1], p.s * u[0] + p.c * u[1]};
  };
  const auto move = [&g](const Rate& k, double w) -> Plane {
    return {g.c + w * k.c, g.s + w * k.s, g.x + w * k.x, g.y + w * k.y};
  };
  const Rate k1 = rate(g, a), k2 = rate(move(k1, 0.5 * h), b), k3 = rate(move(k2, 0.5 * h), b),
             k4 = rate(move(k3, h), e);
  const auto mean = [](double p, double q, double r, double s) { return (p + 2.0 * (q + r) + s) / 6.0; };
  return move({mean(k1.c, k2.c, k3.c, k4.c), mean(k1.s, k2.s, k3.s, k4.s), mean(k1.x, k2.x, k3.x, k4.x),
               mean(k1.y, k2.y, k3.y, k4.y)},
              h);
}
Space classical(const Space& g, const Vec<6>& a, const Vec<6>& b, const Vec<6>& e, double h) {
  const auto rate = [](const Space& p, const Vec<6>& u) -> Space { return {p.R * skew(angular(u)), p.R * linear(u)}; };
  const auto move = [](const Space& p, const Space& k, double w) -> Space {
    Space out = p;
    for (int i = 0; i < 3; i++) out.R.c[i] += k.R.c[i] * w;
    out.p += k.p * w;
    return out;
  };
  const Space k1 = rate(g, a), k2 = rate(move(g, k1, 0.5 * h), b), k3 = rate(move(g, k2, 0.5 * h), b);
  const Space k4 = rate(move(g, k3, h), e);
  return move(move(move(move(g, k1, h / 6.0), k2, h / 3.0), k3, h / 3.0), k4, h / 6.0);
}

// Strains of a cell: at its two pairs of Gauss points, its start, middle and end.
template <class G>
struct CellStrains {
  using Twist = typename G::Twist;
  const Twist *gauss, *xi, *xi_t, *xi_tt;  // 4; 3 of each
};

// Integrands at a station.
template <class G>
struct Flow {
  using Twist = typename G::Twist;
  Twist E, A, L, h, ha;
  Inertia<G> P;
  double kinetic, friction, other, rate, work;
};

template <class G, Depth depth, bool bends = false>
struct Pass {
  using Twist = typename G::Twist;
  const Rod<G>& rod;
  const HeadLoads<G>& loads;
  Node<G> node;
  Flow<G> flow;  // at the node
  Mat<G::n> added = Mat<G::n>::zero(), flow_added = Mat<G::n>::zero();
  Totals<G>* totals;

  // Everything at a station whose motion is known: X, g, E, Z. The inertia P that M_o needs anyway gives the section's forces in the
  // head's axes, Ad* (M zeta - ad*_eta M eta) = P Z - ad*_E P E: nothing is turned to the section and back.
  SINEW_INLINE void forces(double X, const G& g, const Twist& E, const Twist& Z, const Twist& xi, const Twist& xi_t,
                           Flow<G>& f, Mat<G::n>& f_added) {
    f.P = Inertia<G>::at(g, rod.inertia);
    const Twist h = f.P * E;
    f.L = f.P * Z - cobracket(E, h);
    if constexpr (depth == Depth::Powers) {
      f.kinetic = 0.5 * dot(h, E), f.h = h;
      f.friction = f.other = f.rate = 0.0, f.ha = Twist::zero();
    }
    if (loads.active) outside(X, g, E, Z, xi, xi_t, f, f_added);
    if constexpr (depth == Depth::Powers) f.work = dot(f.L, E);
  }

  // Ad_g of a rate of strain.
  SINEW_INLINE static Twist seen(const G& g, const Twist& xi_t) {
    if constexpr (bends) return adjoint_turn(g, xi_t);
    return adjoint(g, xi_t);
  }

  // Kept out of the way of rods without loads.
  [[gnu::noinline]] void outside(double X, const G& g, const Twist& E, const Twist& Z, const Twist& xi,
                                 const Twist& xi_t, Flow<G>& f, Mat<G::n>& f_added) {
    const Twist eta = adjoint_inverse(g, E);
    SectionLoad<G> load;
    density<G>(loads, X, g, eta, xi, xi_t, load);
    Twist F = -(load.weight + load.friction + load.other);
    if constexpr (depth == Depth::Powers) f.friction = dot(load.friction, eta), f.other = dot(load.other, eta);
    if (loads.added) {
      const Twist zeta = adjoint_inverse(g, Z);
      const double ma = added_mass(*loads.loads, X, loads.l);
      f_added = Mat<G::n>::zero();
      for (int i = 1; i < directions<G>; i++) {
        F[i] += ma * zeta[i];
        const Twist e = to_base(g, Twist::unit(i));
        for (int a = 0; a < G::n; a++)
          for (int b = 0; b < G::n; b++) f_added(a, b) += ma * e[a] * e[b];
        if constexpr (depth == Depth::Powers) f.rate += ma * eta[i] * zeta[i], f.ha += e * (ma * eta[i]);
      }
    }
    f.L += to_base(g, F);
  }

  SINEW_INLINE void advance_pose(const CellStrains<G>& s, double h, G& g_m, G& g_1) const {
    const double half = 0.5 * h;
    if (rod.scheme == Scheme::Magnus) {
      g_m = node.g * exponential<G>(magnus<G>(s.gauss[0], s.gauss[1], half));
      g_1 = g_m * exponential<G>(magnus<G>(s.gauss[2], s.gauss[3], half));
    } else if (rod.scheme ==
               Scheme::RungeKutta) {  // the middle, of which nothing else knows, by a cubic through the strains
      const Twist q = (s.xi[0] * 3.0 + s.xi[1] * 6.0 - s.xi[2]) * 0.125,
                  r = (s.xi[2] * 3.0 + s.xi[1] * 6.0 - s.xi[0]) * 0.125;
      g_m = classical(node.g, s.xi[0], q, s.xi[1], half);
      g_1 = classical(g_m, s.xi[1], r, s.xi[2], half);
    } else {
      const bool mid = rod.scheme == Scheme::Midpoint;
      g_m = node.g * exponential<G>((mid ? (s.gauss[0] + s.gauss[1]) * 0.5 : s.xi[0]) * half);
      g_1 = g_m * exponential<G>((mid ? (s.gauss[2] + s.gauss[3]) * 0.5 : s.xi[1]) * half);
    }
  }

  // The two rules of 11.1: to the middle and to the end of a cell.
  SINEW_INLINE static Twist middle(const Twist& y, double h, const Twist& a, const Twist& b, const Twist& c) {
    return y + (a * 5.0 + b * 8.0 - c) * (h / 24.0);
  }
  SINEW_INLINE static Twist whole(const Twist& y, double h, const Twist& a, const Twist& b, const Twist& c) {
    return y + (a + b * 4.0 + c) * (h / 6.0);
  }

  void begin(const Node<G>& at, double X, const Twist& xi, const Twist& xi_t, const Twist& xi_tt) {
    node = at;
    flow.E = seen(at.g, xi_t), flow.A = seen(at.g, xi_tt) - bracket(flow.E, at.E);
    if constexpr (depth != Depth::Motion) forces(X, at.g, at.E, at.Z, xi, xi_t, flow, flow_added);
  }

  SINEW_INLINE void cell(double X, double h, const CellStrains<G>& s) {
    G g_m, g_1;
    advance_pose(s, h, g_m, g_1);
    Flow<G> m, e;
    m.E = seen(g_m, s.xi_t[1]), e.E = seen(g_1, s.xi_t[2]);
    const Twist E_m = middle(node.E, h, flow.E, m.E, e.E), E_1 = whole(node.E, h, flow.E, m.E, e.E);
    m.A = seen(g_m, s.xi_tt[1]) - bracket(m.E, E_m), e.A = seen(g_1, s.xi_tt[2]) - bracket(e.E, E_1);
    const Twist Z_m = middle(node.Z, h, flow.A, m.A, e.A), Z_1 = whole(node.Z, h, flow.A, m.A, e.A);
    if constexpr (depth != Depth::Motion) {
      Mat<G::n> m_added, e_added;
      forces(X + 0.5 * h, g_m, E_m, Z_m, s.xi[1], s.xi_t[1], m, m_added);
      forces(X + h, g_1, E_1, Z_1, s.xi[2], s.xi_t[2], e, e_added);
      node.L = whole(node.L, h, flow.L, m.L, e.L);
      node.M.add(flow.P, h / 6.0), node.M.add(m.P, h / 1.5), node.M.add(e.P, h / 6.0);
      if (loads.added) {
        added.add(flow_added, h / 6.0), added.add(m_added, h / 1.5), added.add(e_added, h / 6.0);
        flow_added = e_added;
      }
      if constexpr (depth == Depth::Powers) tally(h, m, e);
    }
    node.g = g_1, node.E = E_1, node.Z = Z_1;
    flow = e;
  }

  SINEW_INLINE void tally(double h, const Flow<G>& m, const Flow<G>& e) {
    Totals<G>& s = *totals;
    const auto sum = [h](double a, double b, double c) { return (a + 4.0 * b + c) * (h / 6.0); };
    s.kinetic += sum(flow.kinetic, m.kinetic, e.kinetic);
    s.momentum = whole(s.momentum, h, flow.h, m.h, e.h);
    s.act -= sum(flow.work, m.work, e.work);
    if (!loads.active) return;
    s.friction += sum(flow.friction, m.friction, e.friction), s.other += sum(flow.other, m.other, e.other);
    if (!loads.added) return;
    s.drag_of_rate += sum(flow.rate, m.rate, e.rate);
    s.added_momentum = whole(s.added_momentum, h, flow.ha, m.ha, e.ha);
  }
};

template <class G, Depth depth, bool bends>
void run(const Rod<G>& rod, const Node<G>& start, Workspace<G>& work, bool store, Totals<G>& totals) {
  Pass<G, depth, bends> pass{rod, work.loads, {}, {}, Mat<G::n>::zero(), Mat<G::n>::zero(), &totals};
  const Table<G>& s = work.table;
  const Grid& grid = rod.grid();
  const double h = grid.cell();
  pass.begin(start, 0.0, s.xi[0], s.xi_t[0], s.xi_tt[0]);
  if (store) work.nodes[0] = start;
  for (int i = 0; i < grid.N; i++) {
    pass.cell(i * h, h, {&s.gauss[4 * i], &s.xi[2 * i], &s.xi_t[2 * i], &s.xi_tt[2 * i]});
    if (!store) continue;
    work.nodes[i + 1] = pass.node;
    if (work.loads.added) work.added[i + 1] = pass.added;
  }
  totals.end = pass.node;
  if (depth == Depth::Motion) return;
  totals.M_o = matrix_of(pass.node.M);
  if (work.loads.added) totals.M_o.add(pass.added, 1.0);
  if (depth == Depth::Forces) return;
  // by parts: the integrals of L . E' and M E' from those of L' . E and M' E
  totals.act += dot(pass.node.L, pass.node.E);
  totals.act_head = totals.M_o * pass.node.E - totals.momentum - totals.added_momentum;
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

template <class G>
Totals<G> sweep(const Rod<G>& rod, double t, const G& head, const typename G::Twist& eta_o, Depth depth,
                Workspace<G>& work, bool store) {
  using Twist = typename G::Twist;
  const Twist zero = Twist::zero();
  if (work.table.t != t) {  // also when it is NaN
    rod.law->fill(t, work.table);
    work.table.t = t;
  }
  const bool outside = rod.loads.has_ends() || work.loads.active;
  if (outside) work.loads.look_from(head, rod.inertia[0]);
  Totals<G> totals{{}, Mat<G::n>::zero(), zero, zero, zero, zero, 0, 0, 0, 0, zero, 0, zero};
  const Node<G> start{G::identity(), eta_o, zero, zero, Inertia<G>::zero()};
  if (depth == Depth::Motion) run<G, Depth::Motion, false>(rod, start, work, store, totals);
  if (depth == Depth::Forces) run<G, Depth::Forces, false>(rod, start, work, store, totals);
  if (depth == Depth::Powers && rod.law->bends) run<G, Depth::Powers, true>(rod, start, work, store, totals);
  if (depth == Depth::Powers && !rod.law->bends) run<G, Depth::Powers, false>(rod, start, work, store, totals);
  if (outside) {
    totals.F_minus = work.loads.F_minus;
    if (work.loads.added) totals.F_minus += nose<G>(rod.loads, eta_o);
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

template <class G>
Node<G> node_at(const Rod<G>& rod, double t, double X, Workspace<G>& work, Depth depth, Mat<G::n>* added) {
  const Grid& grid = rod.grid();
  const double h = grid.cell();
  const int i = std::min(std::max(int(X / h), 0), grid.N - 1);
  const double x = i * h, rest = X - x;
  if (added && !work.added.empty()) *added = work.added[i];
  if (std::abs(rest) < 1e-13 * grid.l) return work.nodes[i];
  if (std::abs(rest - h) < 1e-13 * grid.l) {
    if (added && !work.added.empty()) *added = work.added[i + 1];
    return work.nodes[i + 1];
  }
  const Law<G>& law = *rod.law;
  const Grid one{rest, 1};
  typename G::Twist gauss[4], xi[3], xi_t[3], xi_tt[3];
  for (int k = 0; k < 4; k++) gauss[k] = law.at(x + one.gauss_point(k), t).xi;
  for (int k = 0; k < 3; k++) {
    const Strain<G> s = law.at(x + one.station(k), t);
    xi[k] = s.xi, xi_t[k] = s.xi_t, xi_tt[k] = s.xi_tt;
  }
  if (depth == Depth::Motion) {
    Pass<G, Depth::Motion> pass{rod, work.loads, {}, {}, Mat<G::n>::zero(), Mat<G::n>::zero(), nullptr};
    pass.begin(work.nodes[i], x, xi[0], xi_t[0], xi_tt[0]);
    pass.cell(x, rest, {gauss, xi, xi_t, xi_tt});
    return pass.node;
  }
  Pass<G, Depth::Forces> pass{rod, work.loads, {}, {}, Mat<G::n>::zero(), Mat<G::n>::zero(), nullptr};
  if (!work.added.empty()) pass.added = work.added[i];
  pass.begin(work.nodes[i], x, xi[0], xi_t[0], xi_tt[0]);
  pass.cell(x, rest, {gauss, xi, xi_t, xi_tt});
  if (added) *added = pass.added;
  return pass.node;
}

namespace {

// Weights at z in [0, 1] of a cell's stations and Gauss points: their polynomial of degree 6.
constexpr double root = 0.28867513459481288;  // sqrt(3) / 6
constexpr double at[7] = {0.0, 0.5, 1.0, 0.25 - 0.5 * root, 0.25 + 0.5 * root, 0.75 - 0.5 * root, 0.75 + 0.5 * root};
constexpr double over(int i) {  // 1 / product of at[i] - at[j]
  double down = 1.0;
  for (int j = 0; j < 7; j++)
    if (j != i) down *= at[i] - at[j];
  return 1.0 / down;
}
void cell_weights(double z, double (&w)[7]) {
  constexpr double factor[7] = {over(0), over(1), over(2), over(3), over(4), over(5), over(6)};
  for (int i = 0; i < 7; i++) {
    double up = factor[i];
    for (int j = 0; j < 7; j++)
      if (j != i) up *= z - at[j];
    w[i] = up;
  }
}

}  // namespace

template <class G>
Node<G> place_at(const Rod<G>& rod, double X, const Workspace<G>& work) {
  using Twist = typename G::Twist;
  const Grid& grid = rod.grid();
  const Table<G>& table = work.table;
  const double h = grid.cell();
  const int i = std::min(std::max(int(X / h), 0), grid.N - 1);
  const double z = (X - i * h) / h;
  const auto strain = [&](double at) {
    double w[7];
    cell_weights(at, w);
    Twist xi = table.xi[2 * i] * w[0] + table.xi[2 * i + 1] * w[1] + table.xi[2 * i + 2] * w[2];
    for (int k = 0; k < 4; k++) xi += table.gauss[4 * i + k] * w[3 + k];
    return xi;
  };
  const Node<G>&a = work.nodes[i], &b = work.nodes[i + 1];
  Node<G> node = a;
  node.g = a.g * exponential<G>(magnus<G>(strain(z * (0.5 - root)), strain(z * (0.5 + root)), z * h));
  // E' = Ad_g xi_t is known at both ends: Hermite's cubic
  const Twist f = adjoint(a.g, table.xi_t[2 * i]), g = adjoint(b.g, table.xi_t[2 * i + 2]);
  const double u = 1.0 - z;
  node.E = (a.E * (1.0 + 2.0 * z) + f * (z * h)) * (u * u) + (b.E * (3.0 - 2.0 * z) - g * (u * h)) * (z * z);
  return node;
}

#define SINEW_ROD_SWEEP(G)                                                                                   \
  template G::Twist circular<G>(double, double);                                                             \
  template struct Workspace<G>;                                                                              \
  template Totals<G> sweep<G>(const Rod<G>&, double, const G&, const G::Twist&, Depth, Workspace<G>&, bool); \
  template Node<G> node_at<G>(const Rod<G>&, double, double, Workspace<G>&, Depth, Mat<G::n>*);              \
  template Node<G> place_at<G>(const Rod<G>&, double, const Workspace<G>&);
SINEW_ROD_SWEEP(Line)
SINEW_ROD_SWEEP(Plane)
SINEW_ROD_SWEEP(Space)
#undef SINEW_ROD_SWEEP

}  // namespace sinew::rod
