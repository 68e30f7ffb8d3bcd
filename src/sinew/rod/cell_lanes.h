// A cell with five stations (cell.h) in one register: the first station is known from the cell before, the other four are its lanes.
// For rods without loads, which need nothing of a section but its inertia.
#pragma once
#include "sinew/rod/cell.h"

namespace sinew::rod {

// Four scalars, or one four times.
SINEW_INLINE Lanes four(double a, double b, double c, double d) { return Lanes(Lanes::Raw{a, b, c, d}); }
template <int k>
SINEW_INLINE Lanes spread(Lanes x) {
  return shuffle<k, k, k, k>(x, x);
}
// Sums over the lanes of each of four registers.
SINEW_INLINE Lanes sums(Lanes a, Lanes b, Lanes c, Lanes d) {
  const Lanes ab = shuffle<0, 4, 2, 6>(a, b) + shuffle<1, 5, 3, 7>(a, b);
  const Lanes cd = shuffle<0, 4, 2, 6>(c, d) + shuffle<1, 5, 3, 7>(c, d);
  return shuffle<0, 1, 4, 5>(ab, cd) + shuffle<2, 3, 6, 7>(ab, cd);
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
// One pose in all lanes; the pose of a lane.
SINEW_INLINE LineOf<Lanes> wide(const Line& g) { return {g.x}; }
SINEW_INLINE PlaneOf<Lanes> wide(const Plane& g) { return {g.c, g.s, g.x, g.y}; }
SINEW_INLINE SpaceOf<Lanes> wide(const Space& g) {
  SpaceOf<Lanes> out;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) out.R(i, j) = g.R(i, j);
  for (int i = 0; i < 3; i++) out.p[i] = g.p[i];
  return out;
}
SINEW_INLINE Line of_lane(const LineOf<Lanes>& g, int k) { return {g.x[k]}; }
SINEW_INLINE Plane of_lane(const PlaneOf<Lanes>& g, int k) { return {g.c[k], g.s[k], g.x[k], g.y[k]}; }
SINEW_INLINE Space of_lane(const SpaceOf<Lanes>& g, int k) {
  Space out;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) out.R(i, j) = g.R(i, j)[k];
  for (int i = 0; i < 3; i++) out.p[i] = g.p[i][k];
  return out;
}
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

// The numbers of an inertia but its mass, in a row.
SINEW_INLINE void list(const Inertia<LineOf<Lanes>>& P, Lanes* out) { out[0] = P.x; }
SINEW_INLINE void list(const Inertia<PlaneOf<Lanes>>& P, Lanes* out) { out[0] = P.x, out[1] = P.y, out[2] = P.J; }
SINEW_INLINE void list(const Inertia<SpaceOf<Lanes>>& P, Lanes* out) {
  for (int i = 0; i < 3; i++) out[i] = P.c[i];
  out[3] = P.J.xx, out[4] = P.J.xy, out[5] = P.J.xz, out[6] = P.J.yy, out[7] = P.J.yz, out[8] = P.J.zz;
}
SINEW_INLINE void add(Inertia<Line>& M, const double* d) { M.x += d[0]; }
SINEW_INLINE void add(Inertia<Plane>& M, const double* d) { M.x += d[0], M.y += d[1], M.J += d[2]; }
SINEW_INLINE void add(Inertia<Space>& M, const double* d) {
  for (int i = 0; i < 3; i++) M.c[i] += d[i];
  M.J += Sym3d{d[3], d[4], d[5], d[6], d[7], d[8]};
}

template <class G>
struct LanePass {
  using Wide = typename G::template On<Lanes>;
  using Twist = typename G::Twist;
  using Twists = typename Wide::Twist;
  static constexpr int n = G::n, numbers = n == 1 ? 1 : n == 3 ? 3 : 9, all = n + numbers, padded = (all + 3) / 4 * 4;

  explicit LanePass(const Rod<G>& r) : rod(r) {}
  const Rod<G>& rod;
  Node<G> node{};
  Twist E{}, A{};              // integrands at the node
  double before[padded] = {};  // there: of L, and of the inertia
  // Sums over all stations that lie behind a station, with the weight of an inner end of a cell: 2/20.
  Twists momentum = Twists::zero();
  Lanes kinetic = 0.0, work = 0.0;
  double first_kinetic = 0.0, first_work = 0.0, last_kinetic = 0.0, last_work = 0.0;
  Twist first_momentum{}, last_momentum{};

  static Lanes column(int k) {
    const auto& a = Rule<5>::a;
    return four(a[1][k], a[2][k], a[3][k], a[4][k]);
  }

  // One component of the strains at four places.
  SINEW_INLINE static Twists load(const Twist* at, int from) {
    Twists out = Twists::zero();
    for (int c = from; c < n; c++) out[c] = four(at[0][c], at[1][c], at[2][c], at[3][c]);
    return out;
  }
  SINEW_INLINE Twists seen(const Wide& g, const Twist* rates) const {
    if (rod.law->bends) return adjoint_turn(g, load(rates, directions<G>));
    return adjoint(g, load(rates, 0));
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
  SINEW_INLINE static Lanes at_gauss(double x_0, Lanes x) {
    return between<0, second>() * x_0 + between<1, second>() * spread<0>(x) + between<2, second>() * spread<1>(x) +
           between<3, second>() * spread<2>(x) + between<4, second>() * spread<3>(x);
  }

  // Poses at the four stations: the products of the first k exponentials, in two rounds.
  SINEW_INLINE Wide poses(double h, const Twist* xi) const {
    constexpr double z = 0.17267316464601143;
    const Lanes length = four(z * h, (0.5 - z) * h, (0.5 - z) * h, z * h);
    constexpr double s = 0.14433756729740643;  // sqrt(3) / 12
    const int from = rod.law->bends ? directions<G> : 0;
    const Twists at = load(xi + 1, from);
    Twists a, b;
    for (int c = 0; c < from; c++) a[c] = b[c] = xi[0][c];
    for (int c = from; c < n; c++) a[c] = at_gauss<false>(xi[0][c], at[c]), b[c] = at_gauss<true>(xi[0][c], at[c]);
    const Wide e = turn((a + b) * (length * 0.5) + bracket(a, b) * (length * length * s));
    const Wide one = map(e, [](Lanes x, double i) SINEW_INLINE_LAMBDA { return shuffle<4, 0, 1, 2>(x, Lanes(i)); }) * e;
    const Wide two =
        map(one, [](Lanes x, double i) SINEW_INLINE_LAMBDA { return shuffle<4, 5, 0, 1>(x, Lanes(i)); }) * one;
    return wide(node.g) * two;
  }

  SINEW_INLINE static Twists integral(const Twist& y, double h, const Twist& f_0, const Twists& f) {
    Twists out;
    for (int c = 0; c < n; c++) {
      const Lanes sum = column(0) * f_0[c] + column(1) * spread<0>(f[c]) + column(2) * spread<1>(f[c]) +
                        column(3) * spread<2>(f[c]) + column(4) * spread<3>(f[c]);
      out[c] = Lanes(y[c]) + sum * h;
    }
    return out;
  }

  void begin(const Node<G>& start, const Twist& xi_t, const Twist& xi_tt) {
    node = start;
    E = adjoint(start.g, xi_t), A = adjoint(start.g, xi_tt) - bracket(E, start.E);
    const Inertia<G> P = Inertia<G>::at(start.g, rod.inertia);
    const Twist h = P * start.E, L = P * start.Z - cobracket(start.E, h);
    first_momentum = last_momentum = h;
    first_kinetic = 0.5 * dot(h, start.E), first_work = dot(L, start.E);
    Lanes all_lanes[padded];
    for (Lanes& x : all_lanes) x = 0.0;
    for (int c = 0; c < n; c++) all_lanes[c] = L[c];
    list(Inertia<Wide>::at(wide(start.g), rod.inertia), all_lanes + n);
    for (int i = 0; i < padded; i++) before[i] = all_lanes[i][3];
  }

  SINEW_INLINE void cell(double h, const CellStrains<G>& s) {
    const Wide g = poses(h, s.xi);
    const Twists f_E = seen(g, s.xi_t + 1), E_s = integral(node.E, h, E, f_E);
    const Twists f_A = seen(g, s.xi_tt + 1) - bracket(f_E, E_s), Z_s = integral(node.Z, h, A, f_A);
    const Inertia<Wide> P = Inertia<Wide>::at(g, rod.inertia);
    const Twists p = P * E_s, L = P * Z_s - cobracket(E_s, p);
    const Lanes inner = four(49.0 / 180, 16.0 / 45, 49.0 / 180, 2.0 / 20) * h;
    const Lanes f_kinetic = dot(p, E_s) * 0.5, f_work = dot(L, E_s);
    momentum += p * inner, kinetic += f_kinetic * inner, work += f_work * inner;
    last_momentum = of_lane(p, 3), last_kinetic = f_kinetic[3], last_work = f_work[3];

    Lanes f[padded];
    for (int c = 0; c < n; c++) f[c] = L[c];
    list(P, f + n);
    for (int i = all; i < padded; i++) f[i] = 0.0;
    const Lanes weight = four(49.0 / 180, 16.0 / 45, 49.0 / 180, 1.0 / 20);
    double gain[padded];
    for (int i = 0; i < padded; i += 4) {
      const Lanes sum = sums(f[i] * weight, f[i + 1] * weight, f[i + 2] * weight, f[i + 3] * weight);
      for (int k = 0; k < 4; k++) gain[i + k] = h * (sum[k] + before[i + k] * (1.0 / 20)), before[i + k] = f[i + k][3];
    }
    for (int c = 0; c < n; c++) node.L[c] += gain[c];
    node.M.m += h * rod.inertia[0];
    add(node.M, gain + n);
    node.g = of_lane(g, 3), node.E = of_lane(E_s, 3), node.Z = of_lane(Z_s, 3);
    E = of_lane(f_E, 3), A = of_lane(f_A, 3);
  }

  // What the sums come to: the two ends of the rod have the weight 1/20.
  void finish(double h, Totals<G>& totals) const {
    const double end = h / 20.0;
    const auto sum = [](Lanes x) { return (x[0] + x[1]) + (x[2] + x[3]); };
    totals.kinetic = sum(kinetic) + end * (first_kinetic - last_kinetic);
    totals.act = -(sum(work) + end * (first_work - last_work));
    for (int c = 0; c < n; c++) totals.momentum[c] = sum(momentum[c]) + end * (first_momentum[c] - last_momentum[c]);
  }
};

}  // namespace sinew::rod
