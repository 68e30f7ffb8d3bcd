// Densities of gravity, fluid, friction, ground and pegs at one section; geometry is turned into the head's frame before.
#include "sinew/rod/loads.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"

namespace sinew::rod {
namespace {

bool is_zero(const Vec3d& a) { return a[0] == 0.0 && a[1] == 0.0 && a[2] == 0.0; }
bool is_none(const EndLoad& e) {
  return is_zero(e.dead_force) && is_zero(e.dead_couple) && is_zero(e.follower_force) && is_zero(e.follower_couple);
}

// A wrench from a force and a couple in three dimensions.
template <class G>
typename G::Twist wrench(const Vec3d& f, const Vec3d& c) {
  if constexpr (G::n == 1) return {f[0]};
  if constexpr (G::n == 3) return {f[0], f[1], c[2]};
  if constexpr (G::n == 6) return join(f, c);
}

template <class G>
void add_linear(typename G::Twist& F, const Lin<G>& f) {
  for (int i = 0; i < directions<G>; i++) F[i] += f[i];
}

// Dry friction with the normal load p on the velocity v in section axes.
template <class G>
Lin<G> coulomb(const Loads& k, double p, const Lin<G>& v) {
  const double s = std::sqrt(dot(v, v) + k.vs * k.vs);
  const double mu = 0.5 * (k.mub + k.muf) + 0.5 * (k.mub - k.muf) * math::tanh(v[0] / k.vs);
  Lin<G> f = v * (-p * k.mun / s);
  f[0] = -p * mu * v[0] / s;
  return f;
}

template <class G>
void viscous(const Loads& k, const typename G::Twist& eta, typename G::Twist& F) {
  constexpr int d = directions<G>;
  F[0] -= k.ct * eta[0];
  for (int i = 1; i < d; i++) F[i] -= k.cn * eta[i];
  for (int i = d; i < G::n; i++) F[i] -= (G::n == 6 && i == d ? k.crx : k.crn) * eta[i];
}

template <class G>
void drag(const Loads& k, double z, const typename G::Twist& eta, typename G::Twist& F) {
  const double kt = k.kqt + (k.kqt_tail - k.kqt) * z, kn = k.kqn + (k.kqn_tail - k.kqn) * z;
  F[0] -= kt * std::abs(eta[0]) * eta[0];
  double across = 0.0;
  for (int i = 1; i < directions<G>; i++) across += eta[i] * eta[i];
  across = std::sqrt(across);
  for (int i = 1; i < directions<G>; i++) F[i] -= kn * across * eta[i];
}

// ad*_eta P + W' - ad*_xi W with P = m_a (0, V across), W = V_X P - (P.V)/2 e_X.
template <class G>
void reactive(double ma, double slope, const typename G::Twist& eta, const typename G::Twist& xi,
              const typename G::Twist& xi_t, typename G::Twist& F) {
  using Twist = typename G::Twist;
  const Twist eta_X = xi_t - bracket(xi, eta);
  Twist P = Twist::zero(), P_X = Twist::zero();
  double PV = 0.0, PV_X = 0.0;
  for (int i = 1; i < directions<G>; i++) {
    P[i] = ma * eta[i];
    P_X[i] = ma * eta_X[i] + slope * eta[i];
    PV += P[i] * eta[i];
    PV_X += P_X[i] * eta[i] + P[i] * eta_X[i];
  }
  Twist W = P * eta[0], W_X = P * eta_X[0] + P_X * eta[0];
  W[0] -= 0.5 * PV;
  W_X[0] -= 0.5 * PV_X;
  F += cobracket(eta, P) + W_X - cobracket(xi, W);
}

template <class G>
void ground(const HeadLoads<G>& h, const G& g, const typename G::Twist& eta, SectionLoad<G>& out) {
  const Loads& k = *h.loads;
  const double depth = h.height + k.ground_radius - dot(h.normal, place(g));
  if (depth <= 0.0) return;
  const Lin<G> n = turned_back(g, h.normal), v = linear_of<G>(eta);
  const double rate = -dot(n, v);
  const double f = k.hunt_crossley ? k.ground_k * depth * std::sqrt(depth) * (1.0 + k.ground_d * rate)
                                   : k.ground_k * depth + k.ground_c * rate;
  if (f <= 0.0) return;
  add_linear<G>(out.other, n * f);
  if (k.mun == 0.0 && k.muf == 0.0 && k.mub == 0.0) return;
  const Lin<G> slip = coulomb<G>(k, f, v + n * rate);
  add_linear<G>(out.friction, slip - n * dot(n, slip));
}

template <class G>
void pegs(const HeadLoads<G>& h, const G& g, const typename G::Twist& eta, SectionLoad<G>& out) {
  const Loads& k = *h.loads;
  const Lin<G> r = place(g);
  for (std::size_t j = 0; j < h.pegs.size(); j++) {
    Lin<G> away = r - h.pegs[j];
    if constexpr (G::n == 6) away -= h.peg_axis * dot(h.peg_axis, away);
    const double D = k.pegs[j].D, square = dot(away, away);
    if (square >= D * D || square == 0.0) continue;
    const double distance = std::sqrt(square), depth = D - distance;
    const Lin<G> n = turned_back(g, away * (1.0 / distance)), v = linear_of<G>(eta);
    const double vn = dot(n, v), f = k.kpeg * depth * std::sqrt(depth) * std::max(0.0, 1.0 - k.dpeg * vn);
    const Lin<G> slip = v - n * vn;
    add_linear<G>(out.other, n * f);
    add_linear<G>(out.friction, slip * (-k.mupeg * f / std::sqrt(dot(slip, slip) + 1e-6)));
  }
}

}  // namespace

bool Loads::has_ends() const { return !is_none(head) || !is_none(tail); }
bool Loads::has_density() const {
  return !is_zero(gravity) || ct != 0 || cn != 0 || crx != 0 || crn != 0 || nload != 0 || kqt != 0 || kqn != 0 ||
         kqt_tail != 0 || kqn_tail != 0 || has_added_mass() || ground_k != 0 || (kpeg != 0 && !pegs.empty());
}

template <class G>
HeadLoads<G>::HeadLoads(const Loads& k, double length)
    : loads(&k), active(k.has_density()), added(k.has_added_mass()), l(length), pegs(k.kpeg != 0 ? k.pegs.size() : 0) {
  look_from(G::identity(), 0.0);
}

template <class G>
void HeadLoads<G>::look_from(const G& head, double mass_per_length) {
  SINEW_ASSERT(loads && pegs.size() <= loads->pegs.size());
  const Loads& k = *loads;
  weight = turned_back(head, from3<G>(k.gravity * (mass_per_length - k.buoyancy)));
  normal = turned_back(head, from3<G>(k.ground_normal));
  height = k.ground_height - dot(from3<G>(k.ground_normal), place(head));
  for (std::size_t j = 0; j < pegs.size(); j++)
    pegs[j] = turned_back(head, from3<G>(Vec3d(k.pegs[j].x, k.pegs[j].y, 0.0)) - place(head));
  peg_axis = turned_back(head, from3<G>(Vec3d(0, 0, 1)));
  const Posed X = head.pose();
  const auto seen = [&](const Vec3d& a) { return transpose_times(X.R, a); };
  F_minus =
      wrench<G>(seen(k.head.dead_force) + k.head.follower_force, seen(k.head.dead_couple) + k.head.follower_couple);
  F_tail_dead = wrench<G>(seen(k.tail.dead_force), seen(k.tail.dead_couple));
  F_tail_follower = wrench<G>(k.tail.follower_force, k.tail.follower_couple);
}

template <class G>
void density(const HeadLoads<G>& h, const SectionState<G>& at, const typename G::Twist& eta, SectionLoad<G>& out) {
  const auto& [X, g, xi, xi_t] = at;
  SINEW_ASSERT(!(X < -1e-9 * h.l) && !(X > (1.0 + 1e-9) * h.l));
  using Twist = typename G::Twist;
  const Loads& k = *h.loads;
  out = {Twist::zero(), Twist::zero(), Twist::zero()};
  add_linear<G>(out.weight, turned_back(g, h.weight));
  viscous<G>(k, eta, out.friction);
  if (k.nload != 0.0) add_linear<G>(out.friction, coulomb<G>(k, k.nload, linear_of<G>(eta)));
  if (k.kqt != 0.0 || k.kqn != 0.0 || k.kqt_tail != 0.0 || k.kqn_tail != 0.0) drag<G>(k, X / h.l, eta, out.friction);
  if (h.added) reactive<G>(added_mass(k, X, h.l), (k.ma_tail - k.ma) / h.l, eta, xi, xi_t, out.other);
  if constexpr (G::n > 1) {
    if (k.ground_k != 0.0) ground(h, g, eta, out);
    if (!h.pegs.empty()) pegs(h, g, eta, out);
  }
}

template <class G>
typename G::Twist nose(const Loads& k, const typename G::Twist& eta) {
  typename G::Twist W = G::Twist::zero();
  for (int i = 1; i < directions<G>; i++) {
    W[i] = k.ma * eta[i] * eta[0];
    W[0] -= 0.5 * k.ma * eta[i] * eta[i];
  }
  return W;
}

#define SINEW_INSTANTIATE_LOADS(G)                                                                         \
  template struct HeadLoads<G>;                                                                            \
  template void density<G>(const HeadLoads<G>&, const SectionState<G>&, const G::Twist&, SectionLoad<G>&); \
  template G::Twist nose<G>(const Loads&, const G::Twist&);
SINEW_FOR_GROUPS(SINEW_INSTANTIATE_LOADS)

}  // namespace sinew::rod
