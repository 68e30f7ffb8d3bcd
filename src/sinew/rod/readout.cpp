// Numbers of a snapshot in the order of their names (readout_names.cpp).
#include "sinew/rod/readout.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/math/check.h"

namespace sinew::rod {
namespace {

// World axes, about the world's origin.
struct Momenta {
  Vec3d linear, angular;
};
template <class G>
Momenta momenta(const typename G::Twist& h, const G& head) {
  const Posed X = head.pose();
  Vec3d p, L = Vec3d::zero();
  if constexpr (G::n == 1) p = Vec3d(h[0], 0, 0);
  if constexpr (G::n == 3) {
    p = Vec3d(h[0], h[1], 0);
    L = Vec3d(0, 0, h[2]);
  }
  if constexpr (G::n == 6) {
    p = linear(h);
    L = angular(h);
  }
  p = X.R * p;
  return {p, X.R * L + cross(X.p, p)};
}

// Force and couple in the section's axes, as far as the group has them.
template <class G>
typename G::Twist wrench_of(const Vec3d& f, const Vec3d& n) {
  if constexpr (G::n == 1) return {f[0]};
  if constexpr (G::n == 3) return {f[0], f[1], n[2]};
  if constexpr (G::n == 6) return join(f, n);
}

template <class G>
typename G::Twist pose_numbers(const G& g) {
  if constexpr (G::n == 1) return {g.x};
  if constexpr (G::n == 3) return {g.x, g.y, g.turn()};
  if constexpr (G::n == 6) return join(g.p, angular(logarithm(g)));
}

void put(double*& out, double x) { *out++ = x; }
template <int n>
void put(double*& out, const Vec<n>& a) {
  for (int i = 0; i < n; i++) *out++ = a[i];
}
void put(double*& out, const Vec3d& a, int n) {
  for (int i = 0; i < n; i++) *out++ = a[i];
}

// Integral of the area along the body, by the stations' own rule.
template <class G>
double volume(const Rod<G>& rod, const ReadoutPlan& looks, const Workspace<G>& work) {
  constexpr double five[5] = {1.0 / 20, 49.0 / 180, 16.0 / 45, 49.0 / 180, 1.0 / 20};
  constexpr double three[3] = {1.0 / 6, 4.0 / 6, 1.0 / 6};
  const double area = std::numbers::pi * rod.radius * rod.radius;
  const Grid& grid = rod.grid();
  double sum = 0.0;
  for (int i = 0; i < grid.N; i++)
    for (int k = 0; k < grid.nodes; k++) {
      const double stretch = work.table.xi[i * (grid.nodes - 1) + k][0], a = looks.swells ? area / stretch : area;
      sum += a * stretch * (grid.nodes == 5 ? five[k] : three[k]);
    }
  return sum * grid.cell();
}

// Largest velocity across: V_Y, V_Z, and the roll.
template <class G>
double largest_slip(const Workspace<G>& work) {
  double worst = 0.0;
  for (const Node<G>& node : work.nodes) {
    const auto eta = node.eta();
    for (int i = 1; i < (G::n == 6 ? 4 : directions<G>); i++) worst = std::max(worst, std::abs(eta[i]));
  }
  return worst;
}

}  // namespace

template <class G>
typename G::Twist Snapshot<G>::wrench(const Node<G>& node, const Mat<G::n>* added, double X) const {
  SINEW_ASSERT(contacts >= 0 && contacts <= most_contacts);
  Twist L = node.L + node.M * eta_o_t - totals.F_minus;
  if (added) L += *added * eta_o_t;
  for (int i = 0; i < contacts; i++)
    if (contact[i].C < X || contact[i].C <= 0.0) L -= reaction_at_head[i];
  for (const Push& push : pushes)
    if (push.X < X || push.X <= 0.0) L -= push.at_head;
  return to_section(node.g, L);
}

template <class G>
typename G::Twist push_sections(const Rod<G>& rod, const std::vector<Section>& sections,
                                std::span<const Wrench<double>> external, Workspace<G>& work, Snapshot<G>& s) {
  auto sum = G::Twist::zero();
  s.pushes.clear();
  for (std::size_t i = 0; i < external.size(); i++) {
    const Wrench<double>& F = external[i];
    if (dot(F.f, F.f) + dot(F.n, F.n) == 0.0) continue;
    const Node<G> node = node_at(rod, s.t, sections[i].X, work, Depth::Motion);
    const Mat3d R = (s.head * node.g).pose().R;
    const auto at_head = to_base(node.g, wrench_of<G>(transpose_times(R, F.f), transpose_times(R, F.n)));
    s.pushes.push_back({sections[i].X, at_head, node.E});
    sum += at_head;
  }
  return sum;
}

template <class G>
void settle_power(Snapshot<G>& s) {
  const Totals<G>& k = s.totals;
  const auto& end = k.end;
  double act = k.act + dot(k.act_head, s.eta_o_t) - dot(k.F_minus, end.E - s.eta_o);
  double external =
      k.other + dot(k.F_minus, s.eta_o) + dot(k.F_plus, end.eta()) - k.drag_of_rate - dot(k.added_momentum, s.eta_o_t);
  for (int i = 0; i < s.contacts; i++) {
    act -= dot(s.reaction_at_head[i], end.E - s.contact_node[i].E);
    external += dot(s.reaction_at_head[i], s.contact_node[i].E);
  }
  for (const auto& push : s.pushes) {
    act -= dot(push.at_head, end.E - push.E);
    external += dot(push.at_head, push.E);
  }
  s.power = {-act, external, 0.0, -k.friction};
}

template <class G>
double potential_energy(const Rod<G>& rod, const Totals<G>& totals, const G& head) {
  const Posed X = head.pose();
  const auto& M = totals.end.M;
  const double share = 1.0 - rod.loads.buoyancy / rod.inertia[0];
  return -share * dot(rod.loads.gravity, X.p * M.m + X.R * M.moment());
}

template <class G>
double Readout<G>::torque(const Snapshot<G>& s, const Workspace<G>& work) const {
  SINEW_ASSERT(work.nodes.size() >= 2);
  constexpr int first = G::n == 1 ? 0 : directions<G>;
  const int last = int(work.nodes.size()) - 1, stride = std::max(1, last / 16);
  double worst = 0.0;
  for (int i = 0; i <= last; i += stride) {
    const auto wrench = s.wrench(work.nodes[i], work.added.empty() ? nullptr : &work.added[i], work.loads.l * i / last);
    for (int c = first; c < G::n; c++) worst = std::max(worst, std::abs(wrench[c]));
  }
  return worst;
}

template <class G>
void Readout<G>::write(const Rod<G>& rod, const Snapshot<G>& s, Workspace<G>& work, std::span<double> values) const {
  SINEW_ASSERT(values.size() == readings_.size());
  double* out = values.data();
  write_head(rod, s, work, out);
  write_contacts(s, work, out);
  write_profile(rod, s, work, out);
  SINEW_ASSERT(out == values.data() + values.size());  // as many as were named
}

template <class G>
void Readout<G>::write_head(const Rod<G>& rod, const Snapshot<G>& s, const Workspace<G>& work, double*& out) const {
  constexpr int n = G::n, d = directions<G>;
  const Totals<G>& k = s.totals;
  const Posed X = s.head.pose();
  put(out, s.pose);
  put(out, s.eta_o);
  put(out, pose_numbers(s.head * k.end.g));
  put(out, k.end.eta());
  put(out, s.eta_o_t);
  put(out, X.p + X.R * (k.end.M.moment() * (1.0 / k.end.M.m)), d);
  const Momenta p = momenta(k.momentum, s.head);
  put(out, p.linear, d);
  if (n == 3) put(out, p.angular[2]);
  if (n == 6) put(out, p.angular, 3);
  double trace = 0.0;
  for (int i = 0; i < n; i++) trace += k.M_o(i, i);
  put(out, k.kinetic);
  put(out, s.power.actuators);
  put(out, trace);
  put(out, norm(sinew::rod::place(k.end.g)));
  put(out, s.touch_time);
  put(out, volume(rod, looks_, work));
}

template <class G>
void Readout<G>::write_contacts(const Snapshot<G>& s, const Workspace<G>& work, double*& out) const {
  constexpr int n = G::n;
  put(out, s.eta_o[0]);
  put(out, largest_slip(work));
  put(out, s.connection.rank);
  put(out, s.connection.condition);
  put(out, s.connection.residual);
  put(out, s.F_c);
  put(out, s.feasible ? 1.0 : 0.0);
  put(out, s.left);
  for (int i = 0; i < n; i++) put(out, s.contacts ? s.singular[i] : 0.0);
  double* const C = out;
  double* const reaction = out + looks_.slots;
  out += looks_.slots * (1 + n);
  std::fill(C, reaction, -1.0);
  std::fill(reaction, out, 0.0);
  for (int i = 0; i < s.contacts; i++) {
    const int slot = s.contact[i].slot;
    if (slot < 0 || slot >= looks_.slots) continue;
    C[slot] = s.contact[i].C;
    for (int c = 0; c < n; c++) reaction[slot * n + c] = s.reaction[i][c];
  }
}

template <class G>
void Readout<G>::write_profile(const Rod<G>& rod, const Snapshot<G>& s, Workspace<G>& work, double*& out) const {
  using Twist = typename G::Twist;
  constexpr int n = G::n, d = directions<G>;
  const Grid& grid = rod.grid();
  const bool has_added = !work.added.empty();
  const auto last = s.wrench(work.nodes[grid.N], has_added ? &work.added[grid.N] : nullptr, 2.0 * grid.l);
  put(out, norm(last - s.totals.F_plus));
  Twist peak = Twist::zero();
  const auto look = [&](const Twist& wrench) {
    for (int c = 0; c < n; c++) peak[c] = std::max(peak[c], std::abs(wrench[c]));
  };
  for (int i = 0; i <= grid.N; i++)
    look(s.wrench(work.nodes[i], has_added ? &work.added[i] : nullptr, i * grid.cell()));
  Mat<n> added = Mat<n>::zero();
  for (int i = 0; i < s.contacts; i++) {  // both sides of each jump
    const double C = s.contact[i].C;
    const Node<G> node = node_at(rod, s.t, C, work, Depth::Forces, &added);
    look(s.wrench(node, has_added ? &added : nullptr, C));
    look(s.wrench(node, has_added ? &added : nullptr, C + 1e-12 * grid.l));
  }
  put(out, peak);
  double ratio = 0.0;
  for (int c = 0; c < n; c++)
    if (looks_.limits[c] > 0.0) ratio = std::max(ratio, peak[c] / looks_.limits[c]);
  put(out, ratio);
  const std::size_t m = looks_.X_profile.size();
  double *const X = out, *const p = X + m, *const wrench = p + m * d, *const strain = wrench + m * n;
  double *const twist = strain + m * n, *const radius = twist + m * n;
  for (std::size_t k = 0; k < m; k++) {
    const double at = X[k] = looks_.X_profile[k];
    const Node<G> node = node_at(rod, s.t, at, work, Depth::Forces, &added);
    const Twist w = s.wrench(node, has_added ? &added : nullptr, at), eta = node.eta();
    const Strain<G> law = rod.law->at(at, s.t);
    const Vec3d where = (s.head * node.g).pose().p;
    for (int i = 0; i < d; i++) p[i * m + k] = where[i];
    for (int c = 0; c < n; c++) {
      wrench[c * m + k] = w[c];
      strain[c * m + k] = law.xi[c];
      twist[c * m + k] = eta[c];
    }
    radius[k] = looks_.swells ? rod.radius / std::sqrt(law.xi[0]) : rod.radius;
  }
  out = radius + m;
}

template <class G>
void Readout<G>::place(const Rod<G>& rod, double t, const G& head, const typename G::Twist& eta_o, Workspace<G>& work,
                       std::span<SectionMotion> out) const {
  SINEW_ASSERT(out.size() >= sections_.size());
  pass_along(rod, t, head, eta_o, Depth::Motion, work);
  for (std::size_t i = 0; i < sections_.size(); i++) {
    const Node<G> node = node_at(rod, t, sections_[i].X, work, Depth::Motion);
    const Posed X = (head * node.g).pose();
    const auto eta = node.eta();
    Vec3d v, w = Vec3d::zero();
    if constexpr (G::n == 1) v = Vec3d(eta[0], 0, 0);
    if constexpr (G::n == 3) {
      v = Vec3d(eta[0], eta[1], 0);
      w = Vec3d(0, 0, eta[2]);
    }
    if constexpr (G::n == 6) {
      v = linear(eta);
      w = angular(eta);
    }
    out[i] = {X, X.R * w, X.R * v};
  }
}

#define SINEW_INSTANTIATE_READOUT(G)                                                                              \
  template struct Snapshot<G>;                                                                                    \
  template void settle_power<G>(Snapshot<G>&);                                                                    \
  template G::Twist push_sections<G>(const Rod<G>&, const std::vector<Section>&, std::span<const Wrench<double>>, \
                                     Workspace<G>&, Snapshot<G>&);                                                \
  template double potential_energy<G>(const Rod<G>&, const Totals<G>&, const G&);                                 \
  template double Readout<G>::torque(const Snapshot<G>&, const Workspace<G>&) const;                              \
  template void Readout<G>::write(const Rod<G>&, const Snapshot<G>&, Workspace<G>&, std::span<double>) const;     \
  template void Readout<G>::place(const Rod<G>&, double, const G&, const G::Twist&, Workspace<G>&,                \
                                  std::span<SectionMotion>) const;
SINEW_FOR_GROUPS(SINEW_INSTANTIATE_READOUT)

}  // namespace sinew::rod
