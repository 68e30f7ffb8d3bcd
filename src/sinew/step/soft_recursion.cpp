// Implicit penalty contacts with the ground as laws of their links, solved with all laws on joint axes by articulated recursions: a contact
// touches one link, so that its force made linear around the last velocities,
//   P = dt F(gamma_i) + dt F'(gamma_i) (gamma - gamma_i) = f - K gamma,
// adds K to the block of that link and f to its wrench (solve/recursion.h). Newton's method in full steps, from the velocities of the start;
// where it does not arrive, responses and a search along the step do (step/penalty_implicit.cpp).
#include "sinew/step/soft_recursion.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/solve/link_laws.h"
#include "sinew/solve/point_stiffness.h"
#include "sinew/step/laws.h"

namespace sinew {
namespace {

template <Real S>
struct SoftLinks final : LinkLaws<S> {
  const Params<S>& params;
  const ImplicitRule rule;
  Workspace<S>& ws;
  Rows<S>& rows;
  SoftWork<S>& w;

  SoftLinks(const Params<S>& p, const SoftSpan& span, Workspace<S>& work)
      : params(p), rule(span), ws(work), rows(work.rows), w(work.soft) {
    constexpr int lanes = lanes_of<S>;
    w.points.resize(std::size_t(rows.n_soft * lanes));
    w.forces.resize(std::size_t(rows.n_soft * lanes));
    w.matrix.resize(std::size_t(rows.n_soft * lanes) * line);
    for (int i = 0; i < rows.n_soft; i++) {
      ContactRow<S>& c = rows.contact[i];
      std::copy_n(c.before, int(row::count), c.gamma);
      std::fill(c.P + row::D, c.P + row::count, S(0.0));
      for (int k = 0; k < lanes; k++)
        if (lane(c.closed, k)) w.points[std::size_t(i * lanes + k)] = soft_point(c, w.contact[i], rule, k);
    }
  }

  void velocity(const ContactRow<S>& c, int k, double (&gamma)[3]) const {
    for (int r = 0; r < 3; r++) gamma[r] = lane(c.gamma[r], k);
  }

  S error() override {
    S worst = S(0.0);
    for (int i = 0; i < rows.n_soft; i++) {
      const ContactRow<S>& c = rows.contact[i];
      for (int k = 0; k < lanes_of<S>; k++) {
        if (!lane(c.closed, k)) continue;
        const std::size_t at = std::size_t(i * lanes_of<S> + k);
        double gamma[3];
        velocity(c, k, gamma);
        const law::PenaltyForce<double> f = w.forces[at] = soft_force(w.points[at], gamma, c.slides, rule);
        const double F[3] = {f.normal, f.friction.x, f.friction.y};
        for (int r = 0; r < (c.slides ? 3 : 1); r++) {
          const double off = std::abs(lane(c.P[r], k) - rule.dt * F[r]) / w.points[at].at.mass;
          if (!(off <= lane(worst, k))) set_lane(worst, k, off);
        }
      }
    }
    return worst;
  }

  // Of a contact, by its rows N, T1, T2: f and K, in the lanes where it is closed; else there is no force.
  struct Linear {
    S f[3], K[3][3];
  };
  static constexpr std::size_t line = 12;  // numbers in a lane
  void make_linear(int i) {
    const ContactRow<S>& c = rows.contact[i];
    const int n = c.slides ? 3 : 1;
    for (int k = 0; k < lanes_of<S>; k++) {
      const std::size_t at = std::size_t(i * lanes_of<S> + k);
      double* const out = w.matrix.data() + at * line;  // f, then K
      std::fill_n(out, line, 0.0);
      if (!lane(c.closed, k)) continue;
      const law::PenaltyForce<double>& f = w.forces[at];
      const double F[3] = {f.normal, f.friction.x, f.friction.y};
      double J[3][3], gamma[3];
      velocity(c, k, gamma);
      soft_slope(w.points[at], f, rule, J);
      for (int r = 0; r < n; r++) {
        out[r] = rule.dt * F[r];
        for (int s = 0; s < n; s++) {
          out[r] -= rule.dt * J[r][s] * gamma[s];
          out[3 + 3 * r + s] = -rule.dt * J[r][s];
        }
      }
    }
  }
  Linear linear(int i) const {
    Linear l;
    for (int k = 0; k < lanes_of<S>; k++) {
      const double* const in = w.matrix.data() + std::size_t(i * lanes_of<S> + k) * line;
      for (int r = 0; r < 3; r++) {
        set_lane(l.f[r], k, in[r]);
        for (int s = 0; s < 3; s++) set_lane(l.K[r][s], k, in[3 + 3 * r + s]);
      }
    }
    return l;
  }

  void add(UnsymmetricWork<S>& links, S rate) override {
    for (int i = 0; i < rows.n_soft; i++) {
      const ContactRow<S>& c = rows.contact[i];
      make_linear(i);
      const Linear l = linear(i);
      const Vec3<S>* axes[3] = {&c.n, &c.t1, &c.t2};
      Mat3<S> K;
      for (int j = 0; j < 3; j++) K.col(j) = Vec3<S>::zero();
      Vec3<S> F = Vec3<S>::zero();
      for (int s = 0; s < 3; s++) {
        const Vec3<S> column = c.n * l.K[0][s] + c.t1 * l.K[1][s] + c.t2 * l.K[2][s];
        for (int j = 0; j < 3; j++) K.col(j) += column * (*axes[s])[j];
        F += *axes[s] * l.f[s] - column * c.gamma_0[s];
      }
      add_point(c.arm2, K, links.I[c.link2]);
      links.p[c.link2].n -= cross(c.arm2, F) * rate;
      links.p[c.link2].f -= F * rate;
    }
  }

  void read(const std::vector<Twist<S>>& change, Mask<S> done) override {
    for (int i = 0; i < rows.n_soft; i++) {
      ContactRow<S>& c = rows.contact[i];
      const Linear l = linear(i);
      const Vec3<S>* axes[3] = {&c.n, &c.t1, &c.t2};
      const Twist<S> moved = shift_to_child(change[c.link2], c.arm2);
      S g[3];
      for (int r = 0; r < 3; r++) g[r] = c.gamma_0[r] + S(rule.dt) * dot(*axes[r], moved.v);
      for (int r = 0; r < 3; r++) {
        const S P = l.f[r] - (l.K[r][0] * g[0] + l.K[r][1] * g[1] + l.K[r][2] * g[2]);
        c.P[r] = select(done, c.P[r], P);
        c.gamma[r] = select(done, c.gamma[r], g[r]);
      }
    }
  }

  void push(std::vector<Wrench<S>>& applied, S rate) const override {
    for (int i = 0; i < rows.n_soft; i++) {
      const ContactRow<S>& c = rows.contact[i];
      const Vec3<S> F = (c.n * c.P[row::N] + c.t1 * c.P[row::T1] + c.t2 * c.P[row::T2]) * rate;
      const Vec3<S> from_com = c.arm2 - ws.frames.link[c.link2].X.R * params.links[c.link2].c_F;
      applied[c.link2].f += F;
      applied[c.link2].n += cross(from_com, F);
    }
  }

  // For the next step: in the lanes that are solved. The others begin anew.
  void keep(Mask<S> failed) {
    for (int i = 0; i < rows.n_soft; i++) {
      ContactRow<S>& c = rows.contact[i];
      for (int r = 0; r < row::count; r++) c.P[r] = select(failed | negate(c.closed), S(0.0), c.P[r]);
      for (int k = 0; k < lanes_of<S>; k++) {
        if (!lane(c.closed, k) || lane(failed, k)) continue;
        const std::size_t at = std::size_t(i * lanes_of<S> + k);
        double gamma[3];
        velocity(c, k, gamma);
        keep_soft(w.points[at], w.forces[at], {gamma, c.slides}, rule, k, w.contact[i].force);
      }
    }
    for (int i = 0; i < rows.n_axes; i++) rows.axis[i].P = select(failed, S(0.0), rows.axis[i].P);
  }
};

}  // namespace

template <Real S>
bool use_soft_recursion(const Model& model, const Workspace<S>& ws) {
  const Rows<S>& rows = ws.rows;
  if (rows.n_soft == 0 || rows.n_contacts > 0 || !use_recursion(model, ws)) return false;
  return std::all_of(rows.contact.begin(), rows.contact.begin() + rows.n_soft,
                     [](const ContactRow<S>& c) { return c.link1 < 0; });
}

template <Real S>
SolveReport solve_soft_by_recursion(const Model& model, const Params<S>& params, const S* diag, const S* u_A,
                                    SoftSpan span, Workspace<S>& ws) {
  S* u_E = ws.u.data();
  SINEW_ASSERT(span.dt > 0.0 && (model.nu == 0 || (u_A && u_E && u_A != u_E)));
  SoftLinks<S> soft(params, span, ws);
  const SmoothProblem<S> problem{{model, params, ws.frames, ws.tau.data(), &ws.applied, diag, span.dt}, soft};
  Mask<S> failed;
  const SolveReport report = solve_by_recursion(problem, ws.rows, ws.recursion, ws.blocks, ws.u_rate.data(), failed);
  for (int i = 0; i < model.nu; i++) u_E[i] = u_A[i] + S(span.dt) * ws.u_rate[i];
  soft.keep(failed);
  if (!any(failed)) return report;
  forward_dynamics(model, params, ws.frames, {ws.tau.data(), &ws.applied, diag}, ws.blocks, ws.u_rate.data());
  for (int i = 0; i < model.nu; i++) u_E[i] = select(failed, u_A[i] + S(span.dt) * ws.u_rate[i], u_E[i]);
  SolveReport again = solve_soft(model, span, failed, u_E, ws);
  if (ws.rows.n_axes > 0) again = worse_of(again, solve_laws_by_responses(model, params, failed, u_E, ws));
  again.iterations += report.iterations;
  return again;
}

#define SINEW_INSTANTIATE_SOFT_RECURSION(S)                                                                  \
  template bool use_soft_recursion(const Model&, const Workspace<S>&);                                       \
  template SolveReport solve_soft_by_recursion(const Model&, const Params<S>&, const S*, const S*, SoftSpan, \
                                               Workspace<S>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_SOFT_RECURSION)

}  // namespace sinew
