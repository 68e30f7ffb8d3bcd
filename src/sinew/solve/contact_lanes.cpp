// Filling packs keeps the order of contacts as far as bodies allow: sweeps converge by what is solved before what.
#include "sinew/solve/contact_lanes.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/solve/local.h"
#include "sinew/solve/sparse.h"

namespace sinew {
namespace {

constexpr std::size_t open = 12;  // packs that still take contacts: more would leave the order of the problem too far
// Neighbours in the order of a problem share bodies, and each would wait for the velocities of the one before: a sweep goes along
// the list in as many places at once. It took no more sweeps than along one.
constexpr std::size_t streams = 4;

void set(Vec3<Lanes>& to, int k, const Vec3d& x) {
  for (int i = 0; i < 3; i++) to[i].set(k, x[i]);
}
void set(Sym3<Lanes>& to, int k, const Sym3d& x) {
  to.xx.set(k, x.xx);
  to.xy.set(k, x.xy);
  to.xz.set(k, x.xz);
  to.yy.set(k, x.yy);
  to.yz.set(k, x.yz);
  to.zz.set(k, x.zz);
}

// Every lane empty: it parts, and nothing moves.
void set_empty(int world, PackedContacts& q) {
  q.contact.fill(-1);
  q.body1.fill(world);
  q.body2.fill(world);
  q.n = q.t1 = q.t2 = Vec3<Lanes>::zero();
  q.per_m1 = q.per_m2 = q.give = q.rim = Lanes(0.0);
  for (int r = 0; r < 3; r++) {
    q.c[r] = Lanes(1.0);
    q.P[r] = q.P_last[r] = Lanes(0.0);
  }
}
void set_empty(int world, ContactLanes& q) {
  set_empty(world, static_cast<PackedContacts&>(q));
  q.arm1 = q.arm2 = Vec3<Lanes>::zero();
  q.r_N = q.r_T = Lanes(0.0);
  q.per_I1 = q.per_I2 = q.K = Sym3<Lanes>::diagonal(Lanes(0.0));
  q.G = Sym3<Lanes>::diagonal(Lanes(1.0));
  q.sticks = mask_of<Lanes>(false);
  q.mu_forward = q.mu_backward = q.mu_trans = q.per_forward = q.per_backward = q.per_trans = Lanes(0.0);
}
void set_empty(int world, BallLanes& q) {
  set_empty(world, static_cast<PackedContacts&>(q));
  q.r1 = q.r2 = q.turn1 = q.turn2 = q.K_N = q.K_T = q.mu = q.per_mu = Lanes(0.0);
  q.G_N = q.G_T = Lanes(1.0);
}

void place_common(const SparseProblem& p, int contact, int k, PackedContacts& q) {
  SINEW_ASSERT(contact >= 0 && contact < int(p.contacts.size()) && k >= 0 && k < lane_count && q.contact[k] < 0);
  SINEW_ASSERT(p.contacts[contact].side1.tree < 0 && p.contacts[contact].side2.tree < 0);
  SINEW_ASSERT(p.contacts[contact].turning < 0);
  const SparseContact& c = p.contacts[contact];
  q.contact[k] = contact;
  set(q.n, k, c.n);
  set(q.t1, k, c.t1);
  set(q.t2, k, c.t2);
  if (c.side1.body >= 0) {
    q.body1[k] = c.side1.body;
    q.per_m1.set(k, p.loose[c.side1.body].per_m);
  }
  if (c.side2.body >= 0) {
    q.body2[k] = c.side2.body;
    q.per_m2.set(k, p.loose[c.side2.body].per_m);
  }
  for (int r = 0; r < 3; r++) {
    q.c[r].set(k, c.c[r]);
    q.P[r].set(k, c.P[r]);
    q.P_last[r].set(k, c.P[r]);
  }
  q.give.set(k, c.give);
}

void place(const SparseProblem& p, int contact, int k, ContactLanes& q) {
  place_common(p, contact, k, q);
  const SparseContact& c = p.contacts[contact];
  if (c.side1.body >= 0) {
    set(q.per_I1, k, p.loose[c.side1.body].per_I);
    set(q.arm1, k, c.arm1);
  }
  if (c.side2.body >= 0) {
    set(q.per_I2, k, p.loose[c.side2.body].per_I);
    set(q.arm2, k, c.arm2);
  }
  const ContactLaw<double>& l = p.laws[c.law];
  const double mu = std::max({l.mu_forward, l.mu_backward, l.mu_trans});
  const double answer_T = c.r_T > 0.0 ? 1.0 / c.r_T : 0.0;  // of friction to itself, in scaled variables
  const double between = mu * std::sqrt(c.G.xy * c.G.xy + c.G.xz * c.G.xz);
  const double larger = 1.0 + (between > 0.0 ? between / std::sqrt(c.G.xx * answer_T) : 0.0);  // metric of both: >= G
  q.r_N.set(k, 1.0 / (larger * c.G.xx));
  q.r_T.set(k, c.r_T / larger);
  q.rim.set(k, answer_T / (c.G.xx + answer_T));
  set(q.G, k, c.G);
  if (c.sticks) set(q.K, k, c.K);
  set_lane(q.sticks, k, c.sticks);
  const auto put = [k](double mu, Lanes& to, Lanes& per) {
    to.set(k, mu);
    per.set(k, mu > 0.0 ? 1.0 / mu : 0.0);
  };
  put(l.mu_forward, q.mu_forward, q.per_forward);
  put(l.mu_backward, q.mu_backward, q.per_backward);
  put(l.mu_trans, q.mu_trans, q.per_trans);
}

void place(const SparseProblem& p, int contact, int k, BallLanes& q) {
  place_common(p, contact, k, q);
  const SparseContact& c = p.contacts[contact];
  if (c.side1.body >= 0) {
    q.r1.set(k, dot(c.arm1, c.n));
    q.turn1.set(k, p.loose[c.side1.body].per_I.xx * q.r1[k]);
  }
  if (c.side2.body >= 0) {
    q.r2.set(k, dot(c.arm2, c.n));
    q.turn2.set(k, p.loose[c.side2.body].per_I.xx * q.r2[k]);
  }
  const double mu = p.laws[c.law].mu_forward, answer_T = c.G.yy * (mu * mu);  // of friction, in scaled variables
  q.G_N.set(k, c.G.xx);
  q.G_T.set(k, c.G.yy);
  q.K_N.set(k, 1.0 / c.G.xx);
  q.K_T.set(k, mu > 0.0 ? 1.0 / c.G.yy : 0.0);
  q.rim.set(k, answer_T / (c.G.xx + answer_T));
  q.mu.set(k, mu);
  q.per_mu.set(k, mu > 0.0 ? 1.0 / mu : 0.0);
}

// The first free lane of a pack that moves neither body; -1: none.
int free_lane(const PackedContacts& q, int body1, int body2) {
  for (int k = 0; k < lane_count; k++) {
    if (q.contact[k] < 0) return k;
    for (const int body : {q.body1[k], q.body2[k]})
      if (body == body1 || body == body2) return -1;
  }
  return -1;
}

// One step against the velocities g at P, N with de Saxce's correction, and the nearest impulses of the cone, both in the metric
// of r_N and r_T: the convex problem with this correction held only falls.
SINEW_INLINE Vec3<Lanes> slide(const ContactLanes& q, const Vec3<Lanes>& P, const Vec3<Lanes>& g) {
  const Lanes zero(0.0), one(1.0);
  const LaneMask forward = (P[1] > zero) | ((P[1] >= zero) & (g[1] < zero));  // as sliding_axes
  const Lanes a = select(forward, q.mu_backward, q.mu_forward), per_a = select(forward, q.per_backward, q.per_forward);
  const Lanes y_N = P[0] - q.r_N * g[0];
  const Vec2<Lanes> y{P[1] * per_a - q.r_T * a * g[1], P[2] * q.per_trans - q.r_T * q.mu_trans * g[2]};
  const Lanes n = sqrt(dot(y, y));
  const LaneMask outside = n > y_N;
  const Lanes N = select(outside, max(zero, y_N + q.rim * (n - y_N)), y_N);
  const Lanes part = select(outside, N / select(n > zero, n, one), one);
  return {N, a * part * y.x, q.mu_trans * part * y.y};
}

// What the disk of friction does against the velocities g: de Saxce's correction of the normal one.
SINEW_INLINE Lanes support(const ContactLanes& q, const Vec3<Lanes>& g) {
  const Lanes x = select(g[1] < Lanes(0.0), q.mu_backward, q.mu_forward) * g[1], y = q.mu_trans * g[2];
  return sqrt(x * x + y * y);
}

// The impulses that satisfy the laws while all else rests, with de Saxce's correction of the present velocities g, which makes
// them laws of a convex problem.
SINEW_INLINE Vec3<Lanes> solve(const ContactLanes& q, const Vec3<Lanes>& P, Vec3<Lanes> g) {
  const Lanes zero(0.0);
  g[0] += support(q, g);
  const Vec3<Lanes> b = g - q.G * P;
  const LaneMask parts = b[0] >= support(q, b);
  const Vec3<Lanes> x = -(q.K * b);
  const Lanes a = select(x[1] > zero, q.mu_backward, q.mu_forward), along = x[1] * q.mu_trans, across = x[2] * a,
              rim = a * q.mu_trans * x[0];
  const LaneMask sticks = q.sticks & (x[0] > zero) & (rim > zero) & (along * along + across * across <= rim * rim);
  Vec3<Lanes> out;
  for (int r = 0; r < 3; r++) out[r] = select(parts, zero, x[r]);
  const LaneMask slips = negate(parts | sticks);
  if (!any(slips)) return out;
  const Vec3<Lanes> slipping = slide(q, P, g);
  for (int r = 0; r < 3; r++) out[r] = select(slips, slipping[r], out[r]);
  return out;
}

struct Twists {
  Lanes x[6];  // w, v
  Vec3<Lanes> w() const { return {x[0], x[1], x[2]}; }
  Vec3<Lanes> v() const { return {x[3], x[4], x[5]}; }
};
SINEW_INLINE void read(Twist<double>* V, const LaneLinks& body, lane_pack::Each<double>& at, Twists& out) {
  lane_pack::Each<const double> from;
  for (int k = 0; k < lane_count; k++) from[k] = at[k] = &V[body[k]].w[0];
  lane_pack::load<6>(from, out.x);
}
SINEW_INLINE void add(Twists& to, const Vec3<Lanes>& w, const Vec3<Lanes>& v) {
  for (int i = 0; i < 3; i++) {
    to.x[i] += w[i];
    to.x[3 + i] += v[i];
  }
}

// Impulses on along the way of the last sweep.
SINEW_INLINE Vec3<Lanes> go_on(PackedContacts& q, const Lanes& beta) {
  Vec3<Lanes> P;
  for (int r = 0; r < 3; r++) {
    P[r] = q.P[r] + beta * (q.P[r] - q.P_last[r]);
    q.P_last[r] = q.P[r];
  }
  return P;
}

SINEW_INLINE void visit(ContactLanes& q, const Lanes& beta, Twist<double>* V, Lanes& largest, Lanes& energy) {
  static_assert(sizeof(Twist<double>) == 6 * sizeof(double));
  lane_pack::Each<double> at1, at2;
  Twists V1, V2;
  read(V, q.body1, at1, V1);
  read(V, q.body2, at2, V2);
  const Vec3<Lanes> v = V2.v() + cross(V2.w(), q.arm2) - V1.v() - cross(V1.w(), q.arm1);
  const Vec3<Lanes> P = go_on(q, beta);
  const Vec3<Lanes> g{q.c[0] + dot(q.n, v) + q.give * P[0], q.c[1] + dot(q.t1, v), q.c[2] + dot(q.t2, v)};
  const Vec3<Lanes> P_new = solve(q, P, g), d = P_new - P;
  const Lanes moved[3] = {d[0] * q.G.xx, d[1] * q.G.yy, d[2] * q.G.zz};
  for (int r = 0; r < 3; r++) {
    q.P[r] = P_new[r];
    largest = max(largest, abs(moved[r]));
    energy += d[r] * moved[r];
  }
  const Vec3<Lanes> f = q.n * d[0] + q.t1 * d[1] + q.t2 * d[2];
  add(V2, q.per_I2 * cross(q.arm2, f), f * q.per_m2);
  lane_pack::store<6>(V2.x, at2);
  add(V1, -(q.per_I1 * cross(q.arm1, f)), -(f * q.per_m1));
  lane_pack::store<6>(V1.x, at1);
}

// As `solve`, where G is diagonal: what would stick without a bound, x, is the step of friction that slides as well, and the nearest
// point of the cone is right for all three, parting (N = 0), stuck (x itself) and slipping.
SINEW_INLINE Vec3<Lanes> solve(const BallLanes& q, const Vec3<Lanes>& P, const Vec3<Lanes>& g) {
  const Lanes zero(0.0), one(1.0);
  const Lanes x_N = P[0] - q.K_N * (g[0] + q.mu * sqrt(g[1] * g[1] + g[2] * g[2]));
  const Lanes x1 = P[1] - q.K_T * g[1], x2 = P[2] - q.K_T * g[2];
  const Lanes n = sqrt(x1 * x1 + x2 * x2) * q.per_mu;
  const LaneMask outside = n > x_N;
  const Lanes N = select(outside, max(zero, x_N + q.rim * (n - x_N)), x_N);
  const Lanes part = select(outside, N / select(n > zero, n, one), one);
  return {N, part * x1, part * x2};
}

// n x t1 = t2 and n x t2 = -t1, so turning needs no products with arms.
SINEW_INLINE void visit(BallLanes& q, const Lanes& beta, Twist<double>* V, Lanes& largest, Lanes& energy) {
  lane_pack::Each<double> at1, at2;
  Twists V1, V2;
  read(V, q.body1, at1, V1);
  read(V, q.body2, at2, V2);
  const Vec3<Lanes> v = V2.v() - V1.v(), roll = V2.w() * q.r2 - V1.w() * q.r1;
  const Vec3<Lanes> P = go_on(q, beta);
  const Vec3<Lanes> g{q.c[0] + dot(q.n, v) + q.give * P[0], q.c[1] + dot(q.t1, v) + dot(q.t2, roll),
                      q.c[2] + dot(q.t2, v) - dot(q.t1, roll)};
  const Vec3<Lanes> P_new = solve(q, P, g), d = P_new - P;
  const Lanes moved[3] = {d[0] * q.G_N, d[1] * q.G_T, d[2] * q.G_T};
  for (int r = 0; r < 3; r++) {
    q.P[r] = P_new[r];
    largest = max(largest, abs(moved[r]));
    energy += d[r] * moved[r];
  }
  const Vec3<Lanes> f = q.n * d[0] + q.t1 * d[1] + q.t2 * d[2], couple = q.t2 * d[1] - q.t1 * d[2];
  add(V2, couple * q.turn2, f * q.per_m2);
  lane_pack::store<6>(V2.x, at2);
  add(V1, -(couple * q.turn1), -(f * q.per_m1));
  lane_pack::store<6>(V1.x, at1);
}

template <class Pack>
void fill(const SparseProblem& p, std::span<const int> contacts, std::vector<Pack>& packs) {
  const int world = int(p.loose.size());
  packs.clear();
  std::size_t first_open = 0;
  for (const int i : contacts) {
    const SparseContact& c = p.contacts[i];
    int k = -1;
    std::size_t at = first_open;
    for (; at < packs.size() && k < 0; at++) k = free_lane(packs[at], c.side1.body, c.side2.body);
    if (k < 0) {
      set_empty(world, packs.emplace_back());
      k = 0;
    } else
      at--;
    place(p, i, k, packs[at]);
    while (first_open < packs.size() && packs[first_open].contact.back() >= 0) first_open++;
    if (packs.size() - first_open > open) first_open = packs.size() - open;
  }
}

template <class Pack>
SweepChange sweep_over(std::span<Pack> packs, double beta, Twist<double>* V) {
  SINEW_ASSERT(V && beta >= 0.0 && beta <= 1.0);
  const Lanes part(beta);
  Lanes largest(0.0), energy(0.0);
  const std::size_t n = packs.size(), stride = (n + streams - 1) / streams;
  for (std::size_t i = 0; i < stride; i++)
    for (std::size_t k = i; k < n; k += stride) visit(packs[k], part, V, largest, energy);
  SweepChange change{0.0, 0.0};
  for (int k = 0; k < lane_count; k++) {
    change.largest = std::max(change.largest, largest[k]);
    change.energy += energy[k];
  }
  return change;
}

template <class Pack>
void write_back(std::span<const Pack> packs, SparseProblem& p) {
  for (const Pack& q : packs)
    for (int k = 0; k < lane_count; k++)
      if (q.contact[k] >= 0)
        for (int r = 0; r < 3; r++) p.contacts[q.contact[k]].P[r] = q.P[r][k];
}

bool is_along(const Vec3d& arm, const Vec3d& n) {
  const Vec3d across = arm - n * dot(arm, n);
  return dot(across, across) <= 1e-20 * dot(arm, arm);
}
bool is_round(const Sym3d& I) {
  const double off =
      std::max({std::abs(I.yy - I.xx), std::abs(I.zz - I.xx), std::abs(I.xy), std::abs(I.xz), std::abs(I.yz)});
  return off <= 1e-12 * I.xx;
}

}  // namespace

bool fits_lanes(const SparseContact& c) {
  return c.side1.tree < 0 && c.side2.tree < 0 && c.turning < 0 && c.G.xx > 0.0;
}

bool fits_balls(const SparseProblem& p, const SparseContact& c) {
  if (!fits_lanes(c)) return false;
  if (c.side1.body >= 0 && !(is_along(c.arm1, c.n) && is_round(p.loose[c.side1.body].per_I))) return false;
  if (c.side2.body >= 0 && !(is_along(c.arm2, c.n) && is_round(p.loose[c.side2.body].per_I))) return false;
  const ContactLaw<double>& l = p.laws[c.law];
  return l.mu_backward == l.mu_forward && l.mu_trans == l.mu_forward;
}

void fill_lanes(const SparseProblem& p, std::span<const int> contacts, std::vector<ContactLanes>& packs) {
  fill(p, contacts, packs);
}
void fill_lanes(const SparseProblem& p, std::span<const int> contacts, std::vector<BallLanes>& packs) {
  fill(p, contacts, packs);
}

SweepChange sweep(std::span<ContactLanes> packs, double beta, Twist<double>* V) { return sweep_over(packs, beta, V); }
SweepChange sweep(std::span<BallLanes> packs, double beta, Twist<double>* V) { return sweep_over(packs, beta, V); }

void put_back(std::span<const ContactLanes> packs, SparseProblem& p) { write_back(packs, p); }
void put_back(std::span<const BallLanes> packs, SparseProblem& p) { write_back(packs, p); }

}  // namespace sinew
