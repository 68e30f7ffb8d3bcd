// Penalty forces that agree with the velocities they lead to. With gamma = c + G P (G: responses of the robot, any loops
// included) the equations are, contact by contact,
//   P = dt F( x - a (gamma_N - gamma_ref), v = mean of velocities, s + b v_t )
// End:     gap of the start, velocities of the end (implicit Euler)                        a = dt,   b = dt
// Middle:  gap at q_M = q_A (+) dt/2 u_A, mean velocities (implicit midpoint)              a = dt/4, b = dt/2
// Stiff:   gap at q_M, velocities of the end; gap and slide look half a step beyond it      a = dt,   b = dt
// A contact that swings much faster than the step turns round in every step by the rule of the middle, and may gain energy. By the
// stiff one u_E tends to -x / dt: the overlap is gone in two steps and nothing swings or bounces.
// F' has the signs of stiffness and damping, so I - dt F' G is well conditioned; where F is not smooth (touch, stick and
// slip) Newton's step is halved until the residual falls.
#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/math/dense_lu.h"
#include "sinew/step/laws.h"
#include "sinew/step/soft_newton.h"
#include "sinew/step/soft_point.h"
#include "sinew/step/soft_recursion.h"

namespace sinew {
namespace {

template <Real S>
struct SoftNewton final : LaneSolver {
  const ImplicitRule rule;
  Workspace<S>& ws;
  std::vector<SoftPoint>& points;
  std::vector<law::PenaltyForce<double>>& forces;
  SolveReport report = {};
  DenseProblem* problem = nullptr;  // of the lane at work

  SoftNewton(const SoftSpan& span, Workspace<S>& w) : rule(span), ws(w), points(w.soft.points), forces(w.soft.forces) {}

  void load(int k) {
    points.clear();
    for (int i = 0; i < ws.rows.n_contacts; i++) {
      const ContactRow<S>& c = ws.rows.contact[i];
      if (!lane(c.closed, k)) continue;
      points.push_back(soft_point(c, ws.soft.contact[i], rule, k));
    }
  }

  // residual = P - dt F(gamma); largest as a velocity [m/s]
  double evaluate(const std::vector<double>& P, std::vector<double>& residual) {
    DenseProblem& p = *problem;
    SINEW_ASSERT(int(P.size()) == p.n && int(residual.size()) == p.n && points.size() == p.contacts.size());
    p.P = P;
    p.update_gamma();
    double most = 0.0;
    for (std::size_t i = 0; i < points.size(); i++) {
      const DenseContact& c = p.contacts[i];
      forces[i] = soft_force(points[i], p.gamma.data() + c.first, c.slides, rule);
      const double F[3] = {forces[i].normal, forces[i].friction.x, forces[i].friction.y};
      for (int r = 0; r < c.n_rows(); r++) {
        residual[c.first + r] = r < 3 ? P[c.first + r] - rule.dt * F[r] : P[c.first + r];
        most = std::max(most, std::abs(residual[c.first + r]) / points[i].at.mass);
      }
    }
    return most;
  }

  void fill(const DenseProblem& p, std::vector<double>& A) const {
    std::fill(A.begin(), A.begin() + std::ptrdiff_t(p.n) * p.n, 0.0);
    for (int k = 0; k < p.n; k++) A[std::size_t(k) * p.n + k] = 1.0;
    for (std::size_t i = 0; i < points.size(); i++) {
      const DenseContact& c = p.contacts[i];
      double J[3][3];
      soft_slope(points[i], forces[i], rule, J);
      const int rows = std::min(3, c.n_rows());
      for (int k = 0; k < p.n; k++)
        for (int a = 0; a < rows; a++)
          for (int b = 0; b < rows; b++)
            A[std::size_t(k) * p.n + c.first + a] -= rule.dt * J[a][b] * p.at(c.first + b, k);
    }
  }

  DenseReport solve(int k, DenseProblem& p) override {
    const DenseReport done = iterate(k, p);
    add_lane(done, k, report);
    int next = 0;
    for (int i = 0; i < ws.rows.n_contacts; i++)
      if (lane(ws.rows.contact[i].closed, k)) {
        const int at = next++;
        const DenseContact& c = p.contacts[std::size_t(at)];
        keep_soft(points[at], forces[at], {p.gamma.data() + c.first, c.slides}, rule, k, ws.soft.contact[i].force);
      }
    return done;
  }

  bool direction(const std::vector<double>& residual, std::vector<double>& way) {
    SoftWork<S>& w = ws.soft;
    const int n = problem->n;
    w.matrix.resize(std::size_t(n) * n);
    w.pivots.resize(n);
    w.scale.resize(n);
    fill(*problem, w.matrix);
    if (!factor_dense(n, w.matrix.data(), n, w.pivots.data(), w.scale.data())) return false;
    way = residual;
    solve_factored(n, w.matrix.data(), n, w.pivots.data(), way.data());
    return true;
  }
  static double next_length(double length, double found, double before) {
    return found < before ? length : 0.5 * length;
  }

  DenseReport iterate(int k, DenseProblem& p) {
    problem = &p;
    load(k);
    forces.resize(points.size());
    return soft_newton(*this, p.P, ws.soft);
  }
};

// Where a matrix of all rows would take longer than products with it.
template <Real S>
bool are_many(const Model& model, const Rows<S>& rows) {
  constexpr int many = 100;
  int n = 0;
  for (int i = 0; i < rows.n_contacts; i++) n += any(rows.contact[i].closed) ? (rows.contact[i].slides ? 3 : 1) : 0;
  return !model.has_rows() && n > many;
}

}  // namespace

template <Real S>
SolveReport solve_soft(const Model& model, SoftSpan span, Mask<S> which, S* u_E, Workspace<S>& ws) {
  SINEW_ASSERT(span.dt > 0.0 && (model.nu == 0 || u_E) && (ws.rows.n_soft == 0 || ws.rows.n_contacts == 0));
  Rows<S>& rows = ws.rows;
  if (rows.n_soft == 0) return {};
  evaluate_velocities(model, ws.frames, u_E, ws.driven_E, 1.0, ws.V);
  const int axes = rows.n_axes;
  rows.n_contacts = rows.n_soft;
  rows.n_axes = 0;  // for the length of this function they are rows to solve
  for (int i = 0; i < rows.n_contacts; i++) contact_velocity(rows.contact[i], ws.V.data(), rows.contact[i].gamma);
  SolveReport report;
  if (are_many(model, rows)) {
    report = solve_soft_sparsely(model, span, which, u_E, ws);
  } else {
    SoftNewton<S> newton(span, ws);
    report.iterations =
        solve_by_responses({model, ws.frames, ws.blocks, ws.cuts}, newton, which & acting(rows), rows, ws.delassus, u_E)
            .iterations;
    newton.report.iterations = report.iterations;
    report = newton.report;
  }
  rows.n_contacts = 0;
  rows.n_axes = axes;
  return report;
}

template <Real S>
SolveReport solve_soft(const Model& model, const Params<S>&, SoftRule rule, double dt, S* u_E, Workspace<S>& ws) {
  return solve_soft(model, {rule, dt}, mask_of<S>(true), u_E, ws);
}

#define SINEW_INSTANTIATE_SOFT(S)                                                      \
  template SolveReport solve_soft(const Model&, SoftSpan, Mask<S>, S*, Workspace<S>&); \
  template SolveReport solve_soft(const Model&, const Params<S>&, SoftRule, double, S*, Workspace<S>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_SOFT)

}  // namespace sinew
