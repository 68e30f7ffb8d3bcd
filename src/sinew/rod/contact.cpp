// Rows of all contacts, solved by singular values because they are often redundant and sometimes too few.
#include "sinew/rod/contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/math/check.h"

namespace sinew::rod {
namespace {

// The system of rows: A is kept apart because the decomposition overwrites it.
template <class G>
struct Rows {
  int count = 0;
  double A[Svd::most_rows][G::n];
  double v[Svd::most_rows], a[Svd::most_rows];  // right sides for velocity and acceleration

  void load(Svd& svd) const {
    SINEW_ASSERT(count >= 0 && count <= Svd::most_rows);
    svd.rows = count;
    svd.columns = G::n;
    for (int i = 0; i < count; i++)
      for (int k = 0; k < G::n; k++) svd.u[k][i] = A[i][k];
    svd.decompose();
  }
  double violation(const Vec<G::n>& x) const {
    double worst = 0.0;
    for (int i = 0; i < count; i++) {
      double left = -v[i];
      for (int k = 0; k < G::n; k++) left += A[i][k] * x[k];
      worst = std::max(worst, std::abs(left));
    }
    return worst;
  }
};

template <class G>
struct Place {
  Node<G> node;  // for eta_o = 0
  Strain<G> strain;
};

template <class G>
void velocity_rows(const Contact<G>& c, const Place<G>& p, Rows<G>& rows) {
  SINEW_ASSERT(rows.count + row_count<G>(c.kind) <= Svd::most_rows);
  const auto eta_s = p.node.eta();
  const bool site = c.kind == ContactKind::SweepFixedSite;
  for (int k = 0; k < row_count<G>(c.kind); k++) {
    const int e = first_row<G>(c.kind) + k;
    const auto row = to_base(p.node.g, G::Twist::unit(e));
    for (int i = 0; i < G::n; i++) rows.A[rows.count][i] = row[i];
    rows.v[rows.count] = c.eta_c[e] - eta_s[e] - (site ? p.strain.xi[e] * c.C_t : 0.0);
    rows.count++;
  }
}

// zeta for the head's true motion: its rate in head coordinates is Z - [E_s, eta_o], because E = eta_o + E_s.
template <class G>
void acceleration_rows(const Contact<G>& c, const Place<G>& p, const typename G::Twist& eta_o, int first,
                       Rows<G>& rows) {
  SINEW_ASSERT(first >= 0 && first + row_count<G>(c.kind) <= rows.count);
  using Twist = typename G::Twist;
  const Twist eta = adjoint_inverse(p.node.g, p.node.E + eta_o);
  const Twist zeta = adjoint_inverse(p.node.g, p.node.Z - bracket(p.node.E, eta_o));
  const Twist eta_X = p.strain.xi_t - bracket(p.strain.xi, eta);
  Twist right = c.eta_c_t - zeta - eta_X * c.C_t;
  if (c.kind == ContactKind::SweepFixedSite)
    right -= (p.strain.xi_t + p.strain.xi_X * c.C_t) * c.C_t + p.strain.xi * c.C_tt;
  for (int k = 0; k < row_count<G>(c.kind); k++) rows.a[first + k] = right[first_row<G>(c.kind) + k];
}

// z with N^T M_o N z = N^T (F_o - M_o eta_p'), added to eta_p'.
template <class G>
void accelerate_free(const Totals<G>& totals, Connection<G>& c) {
  SINEW_ASSERT(c.free > 0 && c.free <= G::n);
  using Twist = typename G::Twist;
  Mat<G::n> m = Mat<G::n>::zero();
  Vec<G::n> f = Vec<G::n>::zero();
  const Twist rest = totals.F_o - totals.M_o * c.eta_o_t;
  for (int i = 0; i < G::n; i++) m(i, i) = 1.0;
  for (int i = 0; i < c.free; i++) {
    const Twist column = totals.M_o * c.kernel[i];
    for (int j = 0; j < c.free; j++) m(j, i) = dot(c.kernel[j], column);
    f[i] = dot(c.kernel[i], rest);
  }
  const Vec<G::n> z = solve_positive(m, f);
  for (int i = 0; i < c.free; i++) c.eta_o_t += c.kernel[i] * z[i];
}

}  // namespace

template <class G>
Connection<G> connect(const Rod<G>& rod, double t, const G& head, const Holds<G>& by, Workspace<G>& work, Svd& svd) {
  const auto& [contacts, free_twist] = by;
  SINEW_ASSERT(int(contacts.size()) <= most_contacts && work.nodes.size() == std::size_t(rod.grid().N + 1));
  using Twist = typename G::Twist;
  Connection<G> c{Twist::zero(), Twist::zero(), G::n, 1.0, 0.0, 0, {}};
  Rows<G> rows;
  Place<G> places[most_contacts];
  pass_along(rod, t, head, Twist::zero(), Depth::Motion, work);
  for (std::size_t i = 0; i < contacts.size(); i++) {
    places[i] = {node_at(rod, t, contacts[i].C, work, Depth::Motion), rod.law->at(contacts[i].C, t)};
    velocity_rows(contacts[i], places[i], rows);
  }
  rows.load(svd);
  c.rank = rows.count ? svd.rank(rank_tolerance) : 0;
  c.condition = svd.condition(c.rank);
  c.free = G::n - c.rank;
  for (int i = 0; i < c.free; i++)
    for (int k = 0; k < G::n; k++) c.kernel[i][k] = svd.v[c.rank + i][k];
  svd.solve(c.rank, rows.v, c.eta_o.e);
  for (int i = 0; i < c.free; i++) c.eta_o += c.kernel[i] * dot(c.kernel[i], free_twist);
  c.residual = rows.violation(c.eta_o);
  int first = 0;
  for (std::size_t i = 0; i < contacts.size(); i++) {
    acceleration_rows(contacts[i], places[i], c.eta_o, first, rows);
    first += row_count<G>(contacts[i].kind);
  }
  svd.solve(c.rank, rows.a, c.eta_o_t.e);
  if (c.free > 0) accelerate_free(pass_along(rod, t, head, c.eta_o, Depth::Forces, work), c);
  return c;
}

template <class G>
Connection<G> connect_by_shape(const Rod<G>& rod, double t) {
  using Twist = typename G::Twist;
  Connection<G> c{Twist::zero(), Twist::zero(), G::n, 1.0, 0.0, 0, {}};
  if constexpr (G::n > 1) {
    constexpr int samples = Grid::probes, bends = G::n == 6 ? 2 : 1, first = G::n - bends;  // K_Y, K_Z or K_Z
    double slope[samples][2], rate[samples][2], square = 0.0, product = 0.0, second = 0.0, size = 0.0;
    double slope_t[samples][2], rate_t[samples][2];
    Strain<G> probe[samples];
    rod.law->probe(t, probe);
    const Strain<G>& nose = probe[0];
    for (int i = 0; i < samples; i++) {
      const Strain<G>& s = probe[i];
      for (int b = 0; b < bends; b++) {
        slope[i][b] = s.xi_X[first + b];
        slope_t[i][b] = s.xi_tX[first + b];
        rate[i][b] = s.xi_t[first + b];
        rate_t[i][b] = s.xi_tt[first + b];
        size = std::max(size, std::abs(s.xi[first + b]));
      }
      if constexpr (G::n == 6) {  // a constant twist K_X turns the plane of bending
        slope[i][0] -= s.xi[3] * s.xi[5];
        slope[i][1] += s.xi[3] * s.xi[4];
        slope_t[i][0] -= s.xi[3] * s.xi_t[5];
        slope_t[i][1] += s.xi[3] * s.xi_t[4];
      }
      for (int b = 0; b < bends; b++) {
        square += slope[i][b] * slope[i][b];
        product += slope[i][b] * rate[i][b];
      }
    }
    const double V = product / square;
    for (int i = 0; i < samples; i++)
      for (int b = 0; b < bends; b++) {
        second += slope[i][b] * (rate_t[i][b] - V * slope_t[i][b]);
        c.residual = std::max(c.residual, std::abs(rate[i][b] - V * slope[i][b]));
      }
    const double V_t = second / square;
    const double steep = std::sqrt(square / samples) * rod.grid().l;
    c.condition = steep > 0.0 ? size / steep : std::numeric_limits<double>::infinity();
    if (!(steep > rank_tolerance * size)) {
      c.rank = G::n - 1;
      c.free = 1;
    }
    c.eta_o[0] = V;
    c.eta_o_t[0] = V_t;
    for (int b = 0; b < bends; b++) {
      c.eta_o[first + b] = V * nose.xi[first + b];
      c.eta_o_t[first + b] = V_t * nose.xi[first + b] + V * nose.xi_t[first + b];
    }
  }
  return c;
}

#define SINEW_INSTANTIATE_CONTACT(G)                                                                        \
  template Connection<G> connect<G>(const Rod<G>&, double, const G&, const Holds<G>&, Workspace<G>&, Svd&); \
  template Connection<G> connect_by_shape<G>(const Rod<G>&, double);
SINEW_FOR_GROUPS(SINEW_INSTANTIATE_CONTACT)

}  // namespace sinew::rod
