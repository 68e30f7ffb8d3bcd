// A cell with five stations (cell.h) in one register: the first station is known from the cell before, the other four are its lanes.
// For rods without loads, which need nothing of a section but its inertia.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "sinew/rod/cell.h"

namespace sinew::rod {

// Four scalars, or one four times.
SINEW_INLINE Lanes four(double a, double b, double c, double d) { return Lanes(Lanes::Raw{a, b, c, d}); }
template <int k>
SINEW_INLINE Lanes spread(Lanes x) {
  return shuffle<k, k, k, k>(x, x);
}
// Sums over the lanes of each of four registers, and their last lanes.
struct Gathered {
  Lanes sums, last;
};
SINEW_INLINE Gathered gathered(Lanes a, Lanes b, Lanes c, Lanes d) {
  const Lanes ab_odd = shuffle<1, 5, 3, 7>(a, b), cd_odd = shuffle<1, 5, 3, 7>(c, d);
  const Lanes ab = shuffle<0, 4, 2, 6>(a, b) + ab_odd, cd = shuffle<0, 4, 2, 6>(c, d) + cd_odd;
  return {shuffle<0, 1, 4, 5>(ab, cd) + shuffle<2, 3, 6, 7>(ab, cd), shuffle<2, 3, 6, 7>(ab_odd, cd_odd)};
}

// f of each number of a pose, and of the same number of the identity.
template <class F>
SINEW_INLINE LineOf<Lanes> map(const LineOf<Lanes>& g, const F& f) {
  return {f(g.x, 0.0)};
}
template <class F>
SINEW_INLINE PlaneOf<Lanes> map(const PlaneOf<Lanes>& g, const F& f) {
  return {f(g.c, 1.0), f(g.s, 0.0), f(g.x, 0.0), f(g.y, 0.0)};
}
template <class F>
SINEW_INLINE SpaceOf<Lanes> map(const SpaceOf<Lanes>& g, const F& f) {
  SpaceOf<Lanes> out;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) out.R(i, j) = f(g.R(i, j), i == j ? 1.0 : 0.0);
  for (int i = 0; i < 3; i++) out.p[i] = f(g.p[i], 0.0);
  return out;
}
// One pose in all lanes; a lane.
SINEW_INLINE LineOf<Lanes> wide(const Line& g) { return {g.x}; }
SINEW_INLINE PlaneOf<Lanes> wide(const Plane& g) { return {g.c, g.s, g.x, g.y}; }
SINEW_INLINE SpaceOf<Lanes> wide(const Space& g) { return SpaceOf<Lanes>(broadcast<Lanes>(g.pose())); }
template <int n>
SINEW_INLINE Vec<n> of_lane(const Vec<n, Lanes>& x, int k) {
  Vec<n> out;
  for (int i = 0; i < n; i++) out[i] = x[i][k];
  return out;
}
template <int n>
SINEW_INLINE Vec<n, Lanes> wide(const Vec<n>& x) {
  Vec<n, Lanes> out;
  for (int i = 0; i < n; i++) out[i] = x[i];
  return out;
}

// The numbers of a pose, and of an inertia but its mass, in the order in which they are stored.
SINEW_INLINE void list(const LineOf<Lanes>& g, Lanes* out) { out[0] = g.x; }
SINEW_INLINE void list(const PlaneOf<Lanes>& g, Lanes* out) {
  out[0] = g.c;
  out[1] = g.s;
  out[2] = g.x;
  out[3] = g.y;
}
SINEW_INLINE void list(const SpaceOf<Lanes>& g, Lanes* out) {
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) out[3 * j + i] = g.R(i, j);
  for (int i = 0; i < 3; i++) out[9 + i] = g.p[i];
}
template <int n>
SINEW_INLINE void list(const Vec<n, Lanes>& x, Lanes* out) {
  for (int i = 0; i < n; i++) out[i] = x[i];
}
SINEW_INLINE void list(const Inertia<LineOf<Lanes>>& P, Lanes* out) { out[0] = P.x; }
SINEW_INLINE void list(const Inertia<PlaneOf<Lanes>>& P, Lanes* out) {
  out[0] = P.x;
  out[1] = P.y;
  out[2] = P.J;
}
SINEW_INLINE void list(const Inertia<SpaceOf<Lanes>>& P, Lanes* out) {
  for (int i = 0; i < 3; i++) out[i] = P.c[i];
  out[3] = P.J.xx;
  out[4] = P.J.xy;
  out[5] = P.J.xz;
  out[6] = P.J.yy;
  out[7] = P.J.yz;
  out[8] = P.J.zz;
}

// A pass from the head on; `bends`: of a law that only bends the rod (law.h). What goes from cell to cell stays in lanes as the next
// cell needs it, and the numbers of a node are stored four at once: one by one they took nearly half as many instructions as the mechanics.
template <class G, bool bends>
struct LanePass {
  using Wide = typename G::template On<Lanes>;
  using Twist = typename G::Twist;
  using Twists = typename Wide::Twist;
  static constexpr int n = G::n, size = sizeof(double);
  // A node begins with what moves, g, E, Z; then comes what is summed, L and M.
  static constexpr int moves = sizeof(G) / size + 2 * n, sums = n + sizeof(Inertia<G>) / size, quads = (sums + 3) / 4;
  static_assert(sizeof(Node<G>) == size * (moves + sums) && std::is_trivially_copyable_v<Node<G>>);

  const Rod<G>& rod;
  const double h;
  Twists E = Twists::zero(), A = Twists::zero();  // integrands at the node, in all lanes
  // Of L and of M but its mass: what they have come to, and the node's weighted share of the next cell.
  Lanes sum[quads], before[quads];
  // Sums over all stations that lie behind a station, with the weight of an inner end of a cell: 2/20.
  Twists momentum = Twists::zero();
  Lanes kinetic = 0.0, work = 0.0;

  explicit LanePass(const Rod<G>& r) : rod(r), h(r.grid().cell()) {}

  static Lanes column(int k) {
    const auto& a = Rule<5>::a;
    return four(a[1][k], a[2][k], a[3][k], a[4][k]);
  }

  // Ad_g of the rates of strain at four stations.
  SINEW_INLINE static Twists seen(const Wide& g, const Twist* at) {
    Twists rates = Twists::zero();
    for (int c = bends ? directions<G> : 0; c < n; c++) rates[c] = four(at[0][c], at[1][c], at[2][c], at[3][c]);
    return bends ? adjoint_turn(g, rates) : adjoint(g, rates);
  }

  // exp of each lane.
  SINEW_INLINE static Wide turn(const Twists& u) {
    Lanes a2 = 0.0;
    for (int c = directions<G>; c < n; c++) a2 += u[c] * u[c];
    if (!any(a2 >= Lanes(0.09))) return exponential_near(u);
    return turn_far(u);
  }
  [[gnu::noinline]] static Wide turn_far(const Twists& u) {
    G g[4];
    for (int k = 0; k < 4; k++) g[k] = exponential<G>(of_lane(u, k));
    return gather(g);
  }
  static Wide gather(const G (&g)[4]) {
    Wide out = wide(g[0]);
    for (int k = 1; k < 4; k++) {
      const Wide next = wide(g[k]);
      const auto* from = reinterpret_cast<const Lanes*>(&next);
      auto* to = reinterpret_cast<Lanes*>(&out);
      for (std::size_t i = 0; i < sizeof(Wide) / sizeof(Lanes); i++) to[i].set(k, from[i][k]);
    }
    return out;
  }

  // One weight of the strains at the Gauss points before the four stations.
  template <int k, bool second>
  static Lanes between() {
    return four(station_weight(k, station_gauss(1, second)), station_weight(k, station_gauss(2, second)),
                station_weight(k, station_gauss(3, second)), station_weight(k, station_gauss(4, second)));
  }
  template <bool second>
  SINEW_INLINE static Lanes at_gauss(const Twist* xi, int c) {
    return between<0, second>() * xi[0][c] + between<1, second>() * xi[1][c] + between<2, second>() * xi[2][c] +
           between<3, second>() * xi[3][c] + between<4, second>() * xi[4][c];
  }

  // Poses at the four stations: the products of the first k exponentials, in two rounds.
  SINEW_INLINE Wide poses(const G& start, const Twist* xi) const {
    constexpr double z = 0.17267316464601143;
    const Lanes length = four(z * h, (0.5 - z) * h, (0.5 - z) * h, z * h);
    constexpr double s = 0.14433756729740643;  // sqrt(3) / 12
    constexpr int from = bends ? directions<G> : 0;
    Twists a, b;
    for (int c = 0; c < from; c++) a[c] = b[c] = xi[0][c];
    for (int c = from; c < n; c++) {
      a[c] = at_gauss<false>(xi, c);
      b[c] = at_gauss<true>(xi, c);
    }
    const Wide e = turn((a + b) * (length * 0.5) + bracket(a, b) * (length * length * s));
    const Wide one = map(e, [](Lanes x, double i) SINEW_INLINE_LAMBDA { return shuffle<4, 0, 1, 2>(x, Lanes(i)); }) * e;
    const Wide two =
        map(one, [](Lanes x, double i) SINEW_INLINE_LAMBDA { return shuffle<4, 5, 0, 1>(x, Lanes(i)); }) * one;
    return wide(start) * two;
  }

  // y at the four stations, from its rates there and, in all lanes, at the node. Those at the last are the next node's.
  SINEW_INLINE Twists integral(const Twist& y, Twists& f_0, const Twists& f) const {
    Twists out;
    for (int c = 0; c < n; c++) {
      const Lanes last = spread<3>(f[c]);
      const Lanes total = column(0) * f_0[c] + column(1) * spread<0>(f[c]) + column(2) * spread<1>(f[c]) +
                          column(3) * spread<2>(f[c]) + column(4) * last;
      out[c] = Lanes(y[c]) + total * h;
      f_0[c] = last;
    }
    return out;
  }

  // Of one section.
  struct Section {
    Twist momentum, L;
    double kinetic, work;
  };
  Section section(const Node<G>& at) const {
    const Inertia<G> P = Inertia<G>::at(at.g, rod.inertia);
    const Twist p = P * at.E, L = P * at.Z - cobracket(at.E, p);
    return {p, L, 0.5 * dot(p, at.E), dot(L, at.E)};
  }

  // At a node before which nothing is summed.
  void begin(const Node<G>& start, const Twist& xi_t, const Twist& xi_tt) {
    const Twist E_0 = adjoint(start.g, xi_t);
    E = wide(E_0);
    A = wide(adjoint(start.g, xi_tt) - bracket(E_0, start.E));
    Lanes f[4 * quads];
    for (Lanes& x : f) x = 0.0;
    list(wide(section(start).L), f);
    list(Inertia<Wide>::at(wide(start.g), rod.inertia), f + n + 1);
    for (int q = 0; q < quads; q++) {
      sum[q] = 0.0;
      before[q] = four(f[4 * q][3], f[4 * q + 1][3], f[4 * q + 2][3], f[4 * q + 3][3]) * (1.0 / 20);
    }
  }

  // Numbers of a node, from this index on and before `end`: four, or those that are left.
  template <int index, int end>
  SINEW_INLINE static void store(Lanes x, Node<G>& to) {
    std::memcpy(reinterpret_cast<std::byte*>(&to) + size * index, &x, size * std::min(4, end - index));
  }
  // These two by recursion: GCC leaves a loop as it is, and its copies are then of any length.
  template <int i = 0>
  SINEW_INLINE static void store_last(const Lanes* x, Node<G>& to) {
    store<i, moves>(gathered(x[i], x[i + 1], x[i + 2], x[i + 3]).last, to);
    if constexpr (i + 4 < moves) store_last<i + 4>(x, to);
  }
  template <int q = 0>
  SINEW_INLINE void store_sums(const Lanes* f, Node<G>& to) {
    constexpr int i = 4 * q;
    const Lanes weight = four(49.0 / 180, 16.0 / 45, 49.0 / 180, 1.0 / 20);
    const Gathered x = gathered(f[i] * weight, f[i + 1] * weight, f[i + 2] * weight, f[i + 3] * weight);
    sum[q] += (x.sums + before[q]) * h;
    before[q] = x.last;
    store<moves + i, moves + sums>(sum[q], to);
    if constexpr (q + 1 < quads) store_sums<q + 1>(f, to);
  }

  SINEW_INLINE static void put_moves(const Wide& g, const Twists& E_s, const Twists& Z_s, Node<G>& to) {
    Lanes x[(moves + 3) / 4 * 4];
    list(g, x);
    list(E_s, x + moves - 2 * n);
    list(Z_s, x + moves - n);
    for (int i = moves; i % 4 != 0; i++) x[i] = 0.0;
    store_last(x, to);
  }
  SINEW_INLINE void put_sums(const Twists& L, const Inertia<Wide>& P, double mass, Node<G>& to) {
    Lanes f[4 * quads];
    list(L, f);
    list(P, f + n + 1);
    f[n] = 0.0;
    for (int i = sums; i % 4 != 0; i++) f[i] = 0.0;
    store_sums(f, to);
    to.M.m = mass;
  }

  // From a node to the next, which may be in its place.
  SINEW_INLINE void cell(const CellStrains<G>& s, const Node<G>& from, Node<G>& to) {
    const Wide g = poses(from.g, s.xi);
    const Twists f_E = seen(g, s.xi_t + 1), E_s = integral(from.E, E, f_E);
    const Twists f_A = seen(g, s.xi_tt + 1) - bracket(f_E, E_s), Z_s = integral(from.Z, A, f_A);
    const double mass = from.M.m + h * rod.inertia[0];
    put_moves(g, E_s, Z_s, to);
    const Inertia<Wide> P = Inertia<Wide>::at(g, rod.inertia);
    const Twists p = P * E_s, L = P * Z_s - cobracket(E_s, p);
    const Lanes inner = four(49.0 / 180, 16.0 / 45, 49.0 / 180, 2.0 / 20) * h;
    momentum += p * inner;
    kinetic += dot(p, E_s) * 0.5 * inner;
    work += dot(L, E_s) * inner;
    put_sums(L, P, mass, to);
  }

  // What the sums come to: the two ends of the rod have the weight 1/20.
  void finish(const Node<G>& start, const Node<G>& end, Totals<G>& totals) const {
    const Section first = section(start), last = section(end);
    const double weight = h / 20.0;
    const auto over = [](Lanes x) { return (x[0] + x[1]) + (x[2] + x[3]); };
    totals.kinetic = over(kinetic) + weight * (first.kinetic - last.kinetic);
    totals.act = -(over(work) + weight * (first.work - last.work));
    for (int c = 0; c < n; c++)
      totals.momentum[c] = over(momentum[c]) + weight * (first.momentum[c] - last.momentum[c]);
  }
};

}  // namespace sinew::rod
