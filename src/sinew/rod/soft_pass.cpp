// Out along the rod for motion, back for wrenches; modes are multiplied as whole tables, which is where time goes.
#include "sinew/rod/soft_pass.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/math/four.h"
#include "sinew/rod/soft_actuate.h"

namespace sinew::rod {
namespace {

// out[c][p] = start[c] + sum of coefficients times modes, at all points of a table.
template <class G>
void combine(const SoftModel<G>& m, const std::vector<double>& phi, int stride, const double* coefficients,
             const typename G::Twist& start, double* out) {
  SINEW_ASSERT(out && stride % 4 == 0 && phi.size() == std::size_t(m.nq) * stride && (m.nq == 0 || coefficients));
  for (int c = 0; c < G::n; c++)
    for (int p = 0; p < stride; p += 4) {
      Four sum = Four{} + start[c];
      for (int i = m.first[c]; i < m.first[c + 1]; i++)
        sum += load_four(phi.data() + std::size_t(i) * stride + p) * coefficients[i];
      store_four(sum, out + c * stride + p);
    }
}

// r[i] += sum over points of phi[i][p] z[component][p]
template <class G>
void project(const SoftModel<G>& m, const std::vector<double>& phi, int stride, const double* z, double* r) {
  SINEW_ASSERT(z && stride % 4 == 0 && (m.nq == 0 || r));
  for (int c = 0; c < G::n; c++)
    for (int i = m.first[c]; i < m.first[c + 1]; i++) {
      const double *a = phi.data() + std::size_t(i) * stride, *b = z + c * stride;
      Four sum{};
      for (int p = 0; p < stride; p += 4) sum += load_four(a + p) * load_four(b + p);
      r[i] += (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

template <int n>
SINEW_INLINE Vec<n> gather(const std::vector<double>& a, int stride, int p) {
  Vec<n> x;
  for (int c = 0; c < n; c++) x[c] = a[std::size_t(c) * stride + p];
  return x;
}
template <int n>
SINEW_INLINE void scatter(std::vector<double>& a, int stride, int p, const Vec<n>& x) {
  for (int c = 0; c < n; c++) a[std::size_t(c) * stride + p] = x[c];
}
template <int n>
SINEW_INLINE Vec<n> times(const Vec<n>& a, const Vec<n>& b) {
  Vec<n> x;
  for (int i = 0; i < n; i++) x[i] = a[i] * b[i];
  return x;
}

// Wrench of inertia and medium at a station, times its weight, in the base's axes.
template <class G>
SINEW_INLINE void put_force(const SoftModel<G>& m, SoftScratch<G>& w, int station, const typename G::Twist& eta,
                            const typename G::Twist& deta) {
  auto F = times(m.inertia[station], deta) - cobracket(eta, times(m.inertia[station], eta));
  if (m.has_friction) {
    const auto f = times(m.friction[station], eta);
    F += f;
    w.power.friction += m.w_station[station] * dot(f, eta);
  }
  w.eta[station] = eta;
  w.force[station] = to_base(w.g[station], F);
}

// Poses, twists and forces, cell by cell. E, A: twist and acceleration in the base's axes.
template <class G>
void go_out(const SoftModel<G>& m, SoftScratch<G>& w, typename G::Twist E, typename G::Twist A) {
  using Twist = typename G::Twist;
  w.g[0] = G::identity();
  Twist eta0 = E;
  put_force(m, w, 0, E, A);
  for (int c = 0; c < m.cells; c++) {
    const double h = m.h[c];
    const int s = 2 * c, p = 3 * c, q = 4 * c, gs = m.gauss_stride, ls = m.local_stride;
    const G& g0 = w.g[s];
    const G gm = g0 * exponential<G>(magnus<G>(gather<G::n>(w.xi, gs, q), gather<G::n>(w.xi, gs, q + 1), 0.5 * h));
    const G g1 = gm * exponential<G>(magnus<G>(gather<G::n>(w.xi, gs, q + 2), gather<G::n>(w.xi, gs, q + 3), 0.5 * h));
    w.g[s + 1] = gm;
    w.g[s + 2] = g1;
    const Twist t0 = gather<G::n>(w.xi_t, ls, p), tm = gather<G::n>(w.xi_t, ls, p + 1),
                t1 = gather<G::n>(w.xi_t, ls, p + 2);
    const Twist e0 = adjoint(g0, t0), em = adjoint(gm, tm), e1 = adjoint(g1, t1);
    const Twist etam = adjoint_inverse(gm, E + (e0 * 5.0 + em * 8.0 - e1) * (h / 24.0));
    E += (e0 + em * 4.0 + e1) * (h / 6.0);
    const Twist eta1 = adjoint_inverse(g1, E);
    const Twist a0 = adjoint(g0, gather<G::n>(w.xi_tt, ls, p) - bracket(t0, eta0));
    const Twist am = adjoint(gm, gather<G::n>(w.xi_tt, ls, p + 1) - bracket(tm, etam));
    const Twist a1 = adjoint(g1, gather<G::n>(w.xi_tt, ls, p + 2) - bracket(t1, eta1));
    put_force(m, w, s + 1, etam, adjoint_inverse(gm, A + (a0 * 5.0 + am * 8.0 - a1) * (h / 24.0)));
    A += (a0 + am * 4.0 + a1) * (h / 6.0);
    put_force(m, w, s + 2, eta1, adjoint_inverse(g1, A));
    eta0 = eta1;
  }
}

// From the tip to the base: what the quadratures of J do with the wrenches, transposed.
template <class G>
typename G::Twist come_back(const SoftModel<G>& m, SoftScratch<G>& w) {
  using Twist = typename G::Twist;
  Twist C = w.beyond[m.stations - 1];
  const int ls = m.local_stride;
  for (int c = m.cells - 1; c >= 0; c--) {
    const double h = m.h[c];
    const int s = 2 * c, p = 3 * c;
    const Twist F1 = w.force[s + 2] * (h / 6.0), Fm = w.force[s + 1] * (4.0 * h / 6.0), F0 = w.force[s] * (h / 6.0);
    const Twist end = C + F1;
    scatter(w.z, ls, p, to_section(w.g[s], end * (h / 6.0) + Fm * (5.0 * h / 24.0)));
    scatter(w.z, ls, p + 1, to_section(w.g[s + 1], end * (4.0 * h / 6.0) + Fm * (8.0 * h / 24.0)));
    scatter(w.z, ls, p + 2, to_section(w.g[s + 2], end * (h / 6.0) - Fm * (h / 24.0)));
    w.beyond[s + 1] = C + (w.force[s + 1] * 8.0 + w.force[s + 2] * 5.0 - w.force[s]) * (h / 24.0);
    C = end + Fm + F0 + w.beyond[s];
    w.beyond[s] = C;
  }
  return C;
}

SINEW_INLINE Vec<1> dead(const Line&, const Vec<1>& F) { return F; }
SINEW_INLINE Vec<3> dead(const Plane& g, const Vec<3>& F) {
  return {g.c * F[0] + g.s * F[1], g.c * F[1] - g.s * F[0], F[2]};
}
SINEW_INLINE Vec<6> dead(const Space& g, const Vec<6>& F) {
  return join(transpose_times(g.R, linear(F)), transpose_times(g.R, angular(F)));
}

// Wrenches at single sections, with the sign of the residual, into `beyond` of their stations.
template <class G>
void put_points(const SoftModel<G>& m, const SoftMotion<G>& s, SoftScratch<G>& w) {
  for (int k = 0; k < m.stations; k += 2) w.beyond[k] = G::Twist::zero();
  for (const auto& point : m.points) {
    const G& g = w.g[point.station];
    const double f = s.load * drive_at(point.scale, s.t).value;
    const auto F = (dead(s.base * g, point.dead) + point.follower) * f;
    w.power.external += dot(F, w.eta[point.station]);
    w.beyond[point.station] -= to_base(g, F);
  }
}

// Wrenches from outside. One in the middle of a cell is what the cell's quadrature makes of a density there.
template <class G>
void put_pushes(const SoftModel<G>& m, const SoftMotion<G>& s, SoftScratch<G>& w) {
  for (int k = 0; k < int(s.input.external.size()); k++) {
    const Wrench<double>& push = s.input.external[k];
    if (dot(push.f, push.f) + dot(push.n, push.n) == 0.0) continue;
    const auto F =
        dead(s.base * w.g[k], from_six<G>({push.f[0], push.f[1], push.f[2], push.n[0], push.n[1], push.n[2]}));
    w.power.external += dot(F, w.eta[k]);
    if (k % 2 == 0)
      w.beyond[k] -= to_base(w.g[k], F);
    else
      w.force[k] -= to_base(w.g[k], F) * (6.0 / (4.0 * m.h[k / 2]));
  }
}

template <class G>
void add_material(const SoftModel<G>& m, const SoftMotion<G>& s, SoftScratch<G>& w, double* r) {
  const double* rate = s.v + m.nb;
  for (int c = 0; c < G::n; c++)
    for (int i = m.first[c]; i < m.first[c + 1]; i++) {
      const double *K = m.K.data() + std::size_t(i) * m.nq, *D = m.D.data() + std::size_t(i) * m.nq;
      double elastic = 0.0, viscous = 0.0;
      for (int j = m.first[c]; j < m.first[c + 1]; j++) {
        elastic += K[j] * s.q[j];
        viscous += D[j] * rate[j];
      }
      r[i] += elastic + viscous;
      w.power.damping += viscous * rate[i];
    }
}

}  // namespace

template <class G>
SoftScratch<G>::SoftScratch(const SoftModel<G>& m) {
  const std::size_t gauss = std::size_t(G::n) * m.gauss_stride, local = std::size_t(G::n) * m.local_stride;
  xi.assign(gauss, 0.0);
  xi_rate = stress = xi;
  xi_t.assign(local, 0.0);
  xi_tt = z = xi_t;
  g.assign(m.stations, G::identity());
  eta.assign(m.stations, Twist::zero());
  force = beyond = eta;
  J0.assign(std::size_t(G::n) * m.row, 0.0);
  J1 = Jm = Js = Jw = J0;
  M.assign(std::size_t(m.nv) * m.row, 0.0);
  cable_length.assign(m.cables.size(), 0.0);
  q.assign(m.nq, 0.0);
  v.assign(m.nv, 0.0);
  a = r = k = dv = dq = x = v;
  pivots.assign(m.nv, 0);
}

template <class G>
void inverse_dynamics(const SoftModel<G>& m, const SoftMotion<G>& s, SoftScratch<G>& w, double* residual) {
  SINEW_ASSERT(int(w.g.size()) == m.stations && int(w.r.size()) == m.nv);
  SINEW_ASSERT(m.nv == 0 || (s.v && s.a && residual));
  using Twist = typename G::Twist;
  w.power = {};
  w.torque = 0.0;
  combine(m, m.phi_gauss, m.gauss_stride, s.q, m.xi_star, w.xi.data());
  combine(m, m.phi_local, m.local_stride, s.v + m.nb, Twist::zero(), w.xi_t.data());
  combine(m, m.phi_local, m.local_stride, s.a + m.nb, Twist::zero(), w.xi_tt.data());
  Twist E = Twist::zero(), A = dead(s.base, m.gravity) * -s.load;
  for (int i = 0; i < m.nb; i++) {
    E[i] = s.v[i];
    A[i] += s.a[i];
  }
  go_out(m, w, E, A);
  put_points(m, s, w);
  put_pushes(m, s, w);
  const Twist total = come_back(m, w);
  for (int i = 0; i < m.nb; i++) residual[i] = total[i];
  double* r = residual + m.nb;
  std::fill(r, r + m.nq, 0.0);
  project(m, m.phi_local, m.local_stride, w.z.data(), r);
  if (m.has_gauss_forces) {
    combine(m, m.phi_gauss, m.gauss_stride, s.v + m.nb, Twist::zero(), w.xi_rate.data());
    actuate(m, s, w);
    project(m, m.phi_gauss, m.gauss_stride, w.stress.data(), r);
  }
  if (!m.plan.law) add_material(m, s, w, r);
}

namespace {

// J of the cell's middle and end from that of its beginning.
template <class G>
void advance_J(const SoftModel<G>& m, SoftScratch<G>& w, int cell) {
  const double h = m.h[cell];
  const int p = 3 * cell;
  for (int c = 0; c < G::n; c++) {
    if (m.first[c] == m.first[c + 1]) continue;
    const auto unit = G::Twist::unit(c);
    const auto A0 = adjoint(w.g[2 * cell], unit), Am = adjoint(w.g[2 * cell + 1], unit),
               A1 = adjoint(w.g[2 * cell + 2], unit);
    for (int i = m.first[c]; i < m.first[c + 1]; i++) {
      const double* phi = m.phi_local.data() + std::size_t(i) * m.local_stride + p;
      const double f0 = phi[0] * (h / 24.0), fm = phi[1] * (h / 24.0), f1 = phi[2] * (h / 24.0);
      for (int k = 0; k < G::n; k++) {
        const std::size_t at = std::size_t(k) * m.row + m.nb + i;
        w.Jm[at] = w.J0[at] + (5.0 * f0 * A0[k] + 8.0 * fm * Am[k] - f1 * A1[k]);
        w.J1[at] = w.J0[at] + 4.0 * (f0 * A0[k] + 4.0 * fm * Am[k] + f1 * A1[k]);
      }
    }
  }
}

// M += weight S^T inertia S
template <class G>
void add_station(const SoftModel<G>& m, SoftScratch<G>& w, int station, const std::vector<double>& J) {
  const G& g = w.g[station];
  for (int i = 0; i < m.nv; i++) {
    const auto column = adjoint_inverse(g, gather<G::n>(J, m.row, i));
    scatter(w.Js, m.row, i, column);
    scatter(w.Jw, m.row, i, times(m.inertia[station], column) * m.w_station[station]);
  }
  for (int i = 0; i < m.nv; i++)
    for (int j = 0; j <= i; j += 4) {
      double* at = w.M.data() + std::size_t(i) * m.row + j;
      Four sum = load_four(at);
      for (int k = 0; k < G::n; k++)
        sum += load_four(w.Js.data() + std::size_t(k) * m.row + j) * w.Jw[std::size_t(k) * m.row + i];
      store_four(sum, at);
    }
}

// Cholesky of the lower half in place, then x = M^-1 b.
bool solve_in_place(int n, int row, double* M, double* b) {
  SINEW_ASSERT(row >= n);
  for (int i = 0; i < n; i++) {
    double* Mi = M + std::size_t(i) * row;
    for (int j = 0; j <= i; j++) {
      const double* Mj = M + std::size_t(j) * row;
      double sum = Mi[j];
      for (int k = 0; k < j; k++) sum -= Mi[k] * Mj[k];
      if (i > j)
        Mi[j] = sum / Mj[j];
      else if (sum > 0.0)
        Mi[i] = std::sqrt(sum);
      else
        return false;
    }
  }
  for (int i = 0; i < n; i++) {
    const double* Mi = M + std::size_t(i) * row;
    for (int k = 0; k < i; k++) b[i] -= Mi[k] * b[k];
    b[i] /= Mi[i];
  }
  for (int i = n - 1; i >= 0; i--) {
    b[i] /= M[std::size_t(i) * row + i];
    for (int k = 0; k < i; k++) b[k] -= M[std::size_t(i) * row + k] * b[i];
  }
  return true;
}

}  // namespace

template <class G>
void mass_matrix(const SoftModel<G>& m, SoftScratch<G>& w) {
  SINEW_ASSERT(w.M.size() == std::size_t(m.nv) * m.row);
  std::ranges::fill(w.M, 0.0);
  for (auto* J : {&w.J0, &w.Jm, &w.J1}) {
    std::ranges::fill(*J, 0.0);
    for (int i = 0; i < m.nb; i++) (*J)[std::size_t(i) * m.row + i] = 1.0;
  }
  add_station(m, w, 0, w.J0);
  for (int c = 0; c < m.cells; c++) {
    advance_J(m, w, c);
    add_station(m, w, 2 * c + 1, w.Jm);
    add_station(m, w, 2 * c + 2, w.J1);
    std::swap(w.J0, w.J1);
  }
}

template <class G>
bool forward_dynamics(const SoftModel<G>& m, const SoftMotion<G>& s, SoftScratch<G>& w, double* a) {
  SINEW_ASSERT(m.nv == 0 || (s.v && a && a != w.x.data() && a != w.r.data()));
  std::fill(a, a + m.nv, 0.0);
  for (const SoftImposed& imposed : m.plan.imposed) a[m.nb + imposed.mode] = drive_at(imposed.drive, s.t).acceleration;
  SoftMotion<G> given = s;
  given.a = a;
  inverse_dynamics(m, given, w, w.r.data());
  mass_matrix(m, w);
  for (int i = 0; i < m.nv; i++) w.x[i] = -w.r[i];
  for (const SoftImposed& imposed : m.plan.imposed) {
    const int i = m.nb + imposed.mode;
    for (int j = 0; j < m.nv; j++) w.M[std::size_t(std::max(i, j)) * m.row + std::min(i, j)] = i == j ? 1.0 : 0.0;
    w.x[i] = 0.0;
  }
  if (!solve_in_place(m.nv, m.row, w.M.data(), w.x.data())) return false;
  for (int i = 0; i < m.nv; i++) a[i] += w.x[i];
  return true;
}

template <class G>
PlantEnergy soft_energy(const SoftModel<G>& m, const SoftMotion<G>& s, SoftScratch<G>& w) {
  inverse_dynamics(m, s, w, w.r.data());
  PlantEnergy e;
  for (int k = 0; k < m.stations; k++) {
    const auto eta = w.eta[k];
    e.kinetic += 0.5 * m.w_station[k] * dot(eta, times(m.inertia[k], eta));
    e.potential -= m.w_station[k] * m.inertia[k][0] * dot((s.base * w.g[k]).pose().p, m.plan.gravity);
  }
  for (int i = 0; i < m.nq; i++)
    for (int j = 0; j < m.nq; j++) e.elastic += 0.5 * s.q[i] * m.K[std::size_t(i) * m.nq + j] * s.q[j];
  if (m.plan.law)
    for (int p = 0; p < m.gauss; p++)
      e.elastic +=
          m.w_gauss[p] * m.plan.law->energy(m.X_gauss[p], to_six<G>(gather<G::n>(w.xi, m.gauss_stride, p) - m.xi_star));
  return e;
}

template <class G>
void impose(const SoftModel<G>& m, double t, double* q, double* v) {
  SINEW_ASSERT(m.plan.imposed.empty() || (q && v));
  for (const SoftImposed& imposed : m.plan.imposed) {
    const DriveValue d = drive_at(imposed.drive, t);
    q[imposed.mode] = d.value;
    v[m.nb + imposed.mode] = d.rate;
  }
}

#define SINEW_INSTANTIATE_SOFT_PASS(G)                                                                 \
  template struct SoftScratch<G>;                                                                      \
  template void inverse_dynamics(const SoftModel<G>&, const SoftMotion<G>&, SoftScratch<G>&, double*); \
  template void mass_matrix(const SoftModel<G>&, SoftScratch<G>&);                                     \
  template bool forward_dynamics(const SoftModel<G>&, const SoftMotion<G>&, SoftScratch<G>&, double*); \
  template PlantEnergy soft_energy(const SoftModel<G>&, const SoftMotion<G>&, SoftScratch<G>&);        \
  template void impose(const SoftModel<G>&, double, double*, double*);
SINEW_FOR_GROUPS(SINEW_INSTANTIATE_SOFT_PASS)

}  // namespace sinew::rod
