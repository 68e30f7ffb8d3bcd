// A solver of impacts for each robot, on the matrix of responses, and the bound on the energy they may leave.
#include "sinew/step/impact.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/solve/newton_normal.h"
#include "sinew/step/laws.h"
#include "sinew/step/rebound.h"

namespace sinew {
namespace {

constexpr double still = 1e-12;  // approach that is none any more, over the fastest at the beginning

template <Real S>
struct Strike final : LaneSolver {
  const Model& model;
  Workspace<S>& ws;

  Strike(const Model& m, Workspace<S>& w) : model(m), ws(w) {}

  // One contact by itself: its normal impulse as far as the approach asks, friction up to its bound.
  static void hit(DenseProblem& p, int i, double restitution) {
    SINEW_ASSERT(i >= 0 && i < int(p.contacts.size()) && !(p.at(p.contacts[i].first, p.contacts[i].first) <= 0.0));
    const DenseContact& c = p.contacts[i];
    const int N = c.first;
    const double P_N = -(1.0 + restitution) * p.gamma[N] / p.at(N, N);
    p.P[N] += P_N;
    p.add_column(N, P_N, p.gamma.data());
    if (!c.slides) return;
    double P[2];
    for (int k = 0; k < 2; k++) P[k] = -p.gamma[N + 1 + k] / p.at(N + 1 + k, N + 1 + k);
    const law::Coulomb<double> set{c.law.mu_forward, c.law.mu_backward, c.law.mu_trans};
    const Vec2<double> inside = set.project({P[0], P[1]}, P_N);
    for (int k = 0; k < 2; k++) {
      const double change = k == 0 ? inside.x : inside.y;
      p.P[N + 1 + k] += change;
      p.add_column(N + 1 + k, change, p.gamma.data());
    }
  }

  DenseReport propagate(int k, DenseProblem& p) {
    SINEW_ASSERT(k >= 0 && k < lanes_of<S>);
    std::vector<ImpactCandidate>& order = ws.impact.order;
    order.clear();
    for (int i = 0; i < ws.rows.n_contacts; i++)
      if (const ContactRow<S>& c = ws.rows.contact[i]; lane(c.closed, k))
        order.push_back({int(order.size()), lane(ws.contacts.point[i].gap, k), lane(c.law.restitution, k)});
    std::ranges::stable_sort(order, {}, &ImpactCandidate::gap);
    SINEW_ASSERT(order.size() == p.contacts.size());
    std::ranges::fill(p.P, 0.0);
    p.update_gamma();
    double fastest = 0.0;
    for (const DenseContact& c : p.contacts) fastest = std::max(fastest, -p.gamma[c.first]);
    DenseReport report;
    for (bool approaches = true; approaches && report.iterations < 10000;) {
      approaches = false;
      for (const ImpactCandidate& c : order)
        if (p.gamma[p.contacts[c.contact].first] < -still * fastest) {
          hit(p, c.contact, c.restitution);
          approaches = true;
          report.iterations++;
          break;
        }
    }
    report.converged = true;
    return report;
  }

  DenseReport solve(int k, DenseProblem& p) override {
    if (model.contact.response == Response::ImpulsePropagation) return propagate(k, p);
    std::ranges::fill(p.P, 0.0);
    return ws.delassus.solver.solve(p, DenseMethod::Newton, model.contact.tolerance);
  }
};

template <Real S>
struct OtherRules final : LaneSolver {
  const Model& model;
  Workspace<S>& ws;
  SolveReport report = {};

  OtherRules(const Model& m, Workspace<S>& w) : model(m), ws(w) {}
  DenseReport pyramids(DenseProblem& p) {
    const bool direct = model.contact.solver != ContactSolver::Sweep;
    // Where supports are redundant, friction goes by which of them bear how much. The cones bear as evenly as they may (of
    // least norm), and sweeps that start there stay near.
    if (!direct || p.n > PyramidSolver::most_pivoted)
      ws.delassus.solver.solve(p, DenseMethod::Newton, model.contact.tolerance);
    return ws.impact.pyramid.solve(p, direct, model.contact.tolerance);
  }

  DenseReport solve(int k, DenseProblem& p) override {
    const DenseReport done = model.contact.response == Response::Complementarity
                                 ? pyramids(p)
                                 : solve_newton_normal(p, model.contact.tolerance);
    if (done.residual > report.residual) report.residual = done.residual;
    report.lane_residual[std::size_t(k)] = done.residual;
    report.converged = report.converged && done.converged;
    return done;
  }
};

// All impacts, from the velocities c.before of the rows; one after the other none of them can put energy in.
template <Real S>
void solve_strike(const Model& model, Mask<S> which, S* u, Workspace<S>& ws) {
  Strike<S> solver(model, ws);
  const auto solve = [&](Mask<S> lanes) {
    return solve_by_responses({model, ws.frames, ws.blocks, ws.cuts}, solver, lanes, ws.rows, ws.delassus, u);
  };
  const bool bounded =
      model.contact.impact != ImpactLaw::Newton && model.contact.response == Response::ImpulseSimultaneous;
  if (bounded) keep_free(model, u, ws);
  const SolveReport report = solve(which);
  if (!bounded) return;
  bound_rebounds(model, 0.0, which, report, ws, [&](Mask<S> again) {
    back_to_free(model, again, u, ws);
    for (int i = 0; i < ws.rows.n_contacts; i++) {
      ContactRow<S>& c = ws.rows.contact[i];
      for (int r = 0; r < row::count; r++) c.gamma[r] = select(again, c.before[r], c.gamma[r]);
    }
    return solve(again);
  });
}

}  // namespace

// Contacts that rest approach by no more than what the solver leaves: no impacts.
template <Real S>
void strike(const Model& model, S* u, Workspace<S>& ws) {
  SINEW_ASSERT(is_impulsive(model.contact.response) && (model.nu == 0 || u));
  Rows<S>& rows = ws.rows;
  const S least = S(-std::max(still, model.contact.tolerance));
  Mask<S> which = mask_of<S>(false);
  for (int i = 0; i < rows.n_contacts; i++) {
    const ContactRow<S>& c = rows.contact[i];
    which = which | (c.closed & (c.before[row::N] < least));
  }
  if (!any(which)) return;
  SINEW_ASSERT(rows.struck.size() >= std::size_t(rows.n_contacts) * row::count);
  SINEW_ASSERT(int(ws.impact.kept_bias.size()) >= rows.n_contacts);
  const int axes = rows.n_axes;
  rows.n_axes = 0;
  evaluate_velocities(model, ws.frames, u, ws.driven_E, 1.0, ws.V);
  for (int i = 0; i < rows.n_contacts; i++) {
    ContactRow<S>& c = rows.contact[i];
    S* half = rows.struck.data() + std::size_t(i) * row::count;
    contact_velocity(c, ws.V.data(), c.gamma);
    for (int r = 0; r < row::count; r++) {
      half[r] = (c.gamma[r] - c.before[r]) * S(0.5);
      c.gamma[r] = c.before[r] += half[r];
    }
    ws.impact.kept_bias[i] = c.bias;
    c.bias = c.law.restitution * min(c.before[row::N], S(0.0));
  }
  solve_strike(model, which, u, ws);
  for (int i = 0; i < rows.n_contacts; i++) {
    ContactRow<S>& c = rows.contact[i];
    S* struck = rows.struck.data() + std::size_t(i) * row::count;  // holds half of the change so far
    S P[row::count];
    for (int r = 0; r < row::count; r++) P[r] = select(which & c.closed, c.P[r], S(0.0));
    rows.lost_in_impact -= P[row::N] * (c.before[row::N] + c.gamma[row::N]) * S(0.5);
    book_friction(P, c.before, c.gamma, rows.lost_in_friction, rows.lost_in_impact);
    c.bias = ws.impact.kept_bias[i];
    // Halves of the forces act before and after the jump, and their work is booked with the mean velocity of the whole step. The
    // laws that follow then do the work P (before + gamma) / 2 with the velocity after the jump less that half.
    for (int r = 0; r < row::count; r++) {
      c.before[r] = select(which, c.gamma[r], c.before[r]) - struck[r];
      c.P[r] = select(which, S(0.0), c.P[r]);
      struck[r] = P[r];
    }
  }
  rows.has_struck = true;
  rows.n_axes = axes;
}

bool has_other_rules(const Model& model) {
  return model.contact.response == Response::Complementarity || model.contact.solver == ContactSolver::NewtonNormal;
}

template <Real S>
SolveReport solve_by_other_rules(const Model& model, Mask<S> which, S* u_E, Workspace<S>& ws) {
  SINEW_ASSERT(has_other_rules(model));
  OtherRules<S> solver(model, ws);
  const SolveReport done =
      solve_by_responses({model, ws.frames, ws.blocks, ws.cuts}, solver, which, ws.rows, ws.delassus, u_E);
  SolveReport report = solver.report;
  report.iterations = done.iterations;
  report.worst_pair = done.worst_pair;
  return report;
}

template void strike(const Model&, double*, Workspace<double>&);
template void strike(const Model&, Lanes*, Workspace<Lanes>&);
template SolveReport solve_by_other_rules(const Model&, Mask<double>, double*, Workspace<double>&);
template SolveReport solve_by_other_rules(const Model&, Mask<Lanes>, Lanes*, Workspace<Lanes>&);

}  // namespace sinew
