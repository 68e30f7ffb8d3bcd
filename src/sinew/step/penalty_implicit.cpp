// Penalty forces that agree with the velocities they lead to. With gamma = c + G P (G: responses of the robot, any loops
// included) the equations are, contact by contact,
//   P = dt F( x - a (gamma_N - gamma_ref), v = mean of velocities, s + b v_t )
// End:     gap of the start, velocities of the end (implicit Euler)                        a = dt,   b = dt
// Middle:  gap at q_M = q_A (+) dt/2 u_A, mean velocities (implicit midpoint)              a = dt/4, b = dt/2
// Stiff:   gap at q_M, velocities of the end; gap and slide look half a step beyond it      a = dt,   b = dt
// A contact that swings much faster than the step turns round in every step by the rule of the middle, and may gain energy. By the
// stiff one u_E tends to -x / dt: the overlap is gone in two steps and nothing swings or bounces.
// F' has the signs of stiffness and damping, so I - dt F' G is well conditioned; where F is not smooth (touch, stick and
// slip) Newton's step is halved until the residual falls. Friction that slips on an anchor is the pull f of its spring, projected onto
// the ellipse of half axes a_x, a_y, which grow with the normal force. The projection g solves
//   g_i = D_i f_i,   D_i = a_i^2 / (a_i^2 + t),   sum (g_i / a_i)^2 = 1,   so that with w_i = f_i a_i^2 / (a_i^2 + t)^2
//   dg/df = D - w w^T / sum f_i^2 a_i^2 / (a_i^2 + t)^3,   dg/dN = (g - dg/df f) / N
#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/math/dense_lu.h"
#include "sinew/math/elementary.h"
#include "sinew/step/laws.h"
#include "sinew/step/penalty.h"

namespace sinew {
namespace {

using Point = SoftPoint;

template <Real S>
struct SoftNewton final : LaneSolver {
  const Params<S>& params;
  double dt, depth_rate, mean, slide;
  SoftRule rule;
  Workspace<S>& ws;
  std::vector<SoftPoint>& points;
  std::vector<law::PenaltyForce<double>>& forces;
  SolveReport report = {};

  SoftNewton(const Params<S>& p, SoftRule how, double step, Workspace<S>& w)
      : params(p),
        dt(step),
        depth_rate(how == SoftRule::Middle ? 0.25 * step : step),
        mean(how == SoftRule::Middle ? 0.5 : 1.0),
        slide(how == SoftRule::Middle ? 0.5 * step : step),
        rule(how),
        ws(w),
        points(w.soft.points),
        forces(w.soft.forces) {}

  static ContactLaw<double> lane_law(const ContactLaw<S>& l, int k) {
    return {.mu_forward = lane(l.mu_forward, k),
            .mu_backward = lane(l.mu_backward, k),
            .mu_trans = lane(l.mu_trans, k),
            .static_ratio = lane(l.static_ratio, k),
            .stribeck_speed = lane(l.stribeck_speed, k)};
  }

  void load(int k) {
    points.clear();
    for (int i = 0; i < ws.rows.n_contacts; i++) {
      const ContactRow<S>& c = ws.rows.contact[i];
      if (!lane(c.closed, k)) continue;
      const SoftContact<S>& s = ws.soft.contact[i];
      Point p{lane_law(c.law, k), law_in_lane(*s.law, k), {}, {}};
      p.at = {lane(s.at.depth, k),
              lane(s.at.speed, k),
              lane(s.at.d, k),
              lane(s.at.share, k),
              {lane(s.at.sliding.x, k), lane(s.at.sliding.y, k)},
              {lane(s.at.stretch.x, k), lane(s.at.stretch.y, k)},
              slide,
              lane(s.at.stick, k),
              lane(s.at.mass, k),
              lane(s.at.cap, k)};
      for (int r = 0; r < 3; r++) p.before[r] = lane(c.before[r], k);
      points.push_back(p);
    }
  }

  // Force of one contact for the velocities of the end.
  law::PenaltyForce<double> force(const Point& p, const double* gamma, bool slides) const {
    law::PenaltyPoint<double> at = p.at;
    const double v_N = (1.0 - mean) * p.before[0] + mean * gamma[0];
    at.depth -= depth_rate * (gamma[0] - (rule == SoftRule::Middle ? p.before[0] : 0.0));
    at.speed = -v_N;
    at.sliding = {0.0, 0.0};
    if (slides)
      at.sliding = {(1.0 - mean) * p.before[1] + mean * gamma[1], (1.0 - mean) * p.before[2] + mean * gamma[2]};
    at.stretch = {p.at.stretch.x + slide * at.sliding.x, p.at.stretch.y + slide * at.sliding.y};
    return law::penalty_force(p.law, p.penalty, at);
  }

  // residual = P - dt F(gamma); largest as a velocity [m/s]
  double evaluate(DenseProblem& p, const std::vector<double>& P, std::vector<double>& residual) {
    SINEW_ASSERT(int(P.size()) == p.n && int(residual.size()) == p.n && points.size() == p.contacts.size());
    p.P = P;
    p.update_gamma();
    double most = 0.0;
    for (std::size_t i = 0; i < points.size(); i++) {
      const DenseContact& c = p.contacts[i];
      forces[i] = force(points[i], p.gamma.data() + c.first, c.slides);
      const double F[3] = {forces[i].normal, forces[i].friction.x, forces[i].friction.y};
      for (int r = 0; r < c.n_rows(); r++) {
        residual[c.first + r] = r < 3 ? P[c.first + r] - dt * F[r] : P[c.first + r];
        most = std::max(most, std::abs(residual[c.first + r]) / points[i].at.mass);
      }
    }
    return most;
  }

  // dg/df of the projection g of f; false: friction is zero, whatever pulls.
  static bool project_slope(const law::PenaltyForce<double>& of, double (&G)[2][2]) {
    const double f[2] = {of.pull.x, of.pull.y}, g[2] = {of.friction.x, of.friction.y};
    const double a[2] = {of.allowed.x * of.allowed.x, of.allowed.y * of.allowed.y};
    const int i = std::abs(g[0]) * of.allowed.y > std::abs(g[1]) * of.allowed.x ? 0 : 1;
    if (g[i] == 0.0) return false;
    const double t = std::max(0.0, a[i] * (f[i] / g[i] - 1.0));
    double w[2], sum = 0.0;
    for (int k = 0; k < 2; k++) {
      const double whole = a[k] + t;
      w[k] = f[k] * a[k] / (whole * whole);
      sum += f[k] * w[k] / whole;
    }
    for (int k = 0; k < 2; k++)
      for (int j = 0; j < 2; j++) G[k][j] = (k == j ? a[k] / (a[k] + t) : 0.0) - w[k] * w[j] / sum;
    return true;
  }

  // dF / dgamma of an anchor that slips.
  void slope_of_slip(const law::PenaltyForce<double>& f, double dN, double (&J)[3][3]) const {
    double G[2][2] = {{0.0, 0.0}, {0.0, 0.0}};
    const bool rubs = project_slope(f, G);
    const double g[2] = {f.friction.x, f.friction.y}, by_N = rubs ? dN / f.normal : 0.0;
    for (int k = 0; k < 2; k++) {
      J[1 + k][0] = by_N * (g[k] - G[k][0] * f.pull.x - G[k][1] * f.pull.y);
      for (int j = 0; j < 2; j++) J[1 + k][1 + j] = -mean * f.across * G[k][j];
    }
  }

  // dF / dgamma of one contact: 3x3, row by row.
  void slope(const Point& p, const law::PenaltyForce<double>& f, double (&J)[3][3]) const {
    const double dN = -(depth_rate * f.normal_by_depth + mean * f.normal_by_speed);
    const double size = math::hypot(f.friction.x, f.friction.y);
    const double ex = size > 0.0 ? f.friction.x / size : 1.0, ey = size > 0.0 ? f.friction.y / size : 0.0;
    const double along = mean * f.along, across = mean * f.across;
    J[0][0] = dN;
    J[0][1] = J[0][2] = 0.0;
    if (p.penalty.friction == FrictionRule::Anchor && !f.stick && f.normal > 0.0) return slope_of_slip(f, dN, J);
    J[1][0] = f.friction_by_normal.x * dN;
    J[2][0] = f.friction_by_normal.y * dN;
    J[1][1] = -(along * ex * ex + across * ey * ey);
    J[2][2] = -(along * ey * ey + across * ex * ex);
    J[1][2] = J[2][1] = -(along - across) * ex * ey;
  }

  void fill(const DenseProblem& p, std::vector<double>& A) const {
    std::fill(A.begin(), A.begin() + std::ptrdiff_t(p.n) * p.n, 0.0);
    for (int k = 0; k < p.n; k++) A[std::size_t(k) * p.n + k] = 1.0;
    for (std::size_t i = 0; i < points.size(); i++) {
      const DenseContact& c = p.contacts[i];
      double J[3][3];
      slope(points[i], forces[i], J);
      const int rows = std::min(3, c.n_rows());
      for (int k = 0; k < p.n; k++)
        for (int a = 0; a < rows; a++)
          for (int b = 0; b < rows; b++) A[std::size_t(k) * p.n + c.first + a] -= dt * J[a][b] * p.at(c.first + b, k);
    }
  }

  DenseReport solve(int k, DenseProblem& p) override {
    const DenseReport done = iterate(k, p);
    report.residual = std::max(report.residual, done.residual);
    report.lane_residual[std::size_t(k)] = done.residual;
    report.converged = report.converged && done.converged;
    int next = 0;
    for (int i = 0; i < ws.rows.n_contacts; i++)
      if (lane(ws.rows.contact[i].closed, k)) keep(k, p, next++, ws.soft.contact[i].force);
    return done;
  }

  // What will be remembered. The rule of the middle has seen half of the step's slide, the stiff one a whole step with the end's velocity.
  void keep(int k, const DenseProblem& p, int at, law::PenaltyForce<S>& out) const {
    const law::PenaltyForce<double>& f = forces[at];
    const DenseContact& c = p.contacts[at];
    const double* gamma = p.gamma.data() + c.first;
    const bool corrects = rule != SoftRule::End && f.stick && c.slides;
    const auto rest = [&](int r) {
      if (!corrects) return 0.0;
      return rule == SoftRule::Middle ? 0.25 * dt * (points[at].before[r] + gamma[r])
                                      : 0.5 * dt * (points[at].before[r] - gamma[r]);
    };
    set_lane(out.normal, k, f.normal);
    set_lane(out.stretch.x, k, f.stretch.x + rest(1));
    set_lane(out.stretch.y, k, f.stretch.y + rest(2));
    set_lane(out.stick, k, f.stick);
  }

  DenseReport iterate(int k, DenseProblem& p) {
    SoftWork<S>& w = ws.soft;
    load(k);
    forces.resize(points.size());
    w.matrix.resize(std::size_t(p.n) * p.n);
    w.pivots.resize(p.n);
    w.scale.resize(p.n);
    w.residual.resize(p.n);
    w.trial.resize(p.n);
    w.way.resize(p.n);
    w.P = p.P;
    DenseReport report;
    report.residual = evaluate(p, w.P, w.residual);
    constexpr double tolerance = 1e-11;
    for (; report.iterations < 60 && report.residual > tolerance; report.iterations++) {
      fill(p, w.matrix);
      if (!factor_dense(p.n, w.matrix.data(), p.n, w.pivots.data(), w.scale.data())) break;
      w.way = w.residual;
      solve_factored(p.n, w.matrix.data(), p.n, w.pivots.data(), w.way.data());
      double length = 1.0, found = 0.0;
      for (int half = 0; half < 12; half++, length *= 0.5) {
        for (int i = 0; i < p.n; i++) w.trial[i] = w.P[i] - length * w.way[i];
        found = evaluate(p, w.trial, w.residual);
        if (found < report.residual) break;
      }
      w.P = w.trial;
      report.residual = found;
    }
    p.P = w.P;
    report.converged = report.residual <= 1e-8;
    return report;
  }
};

}  // namespace

template <Real S>
SolveReport solve_soft(const Model& model, const Params<S>& params, SoftRule rule, double dt, S* u_E,
                       Workspace<S>& ws) {
  SINEW_ASSERT(dt > 0.0 && (model.nu == 0 || u_E) && (ws.rows.n_soft == 0 || ws.rows.n_contacts == 0));
  Rows<S>& rows = ws.rows;
  if (rows.n_soft == 0) return {};
  evaluate_velocities(model, ws.frames, u_E, ws.driven_E, 1.0, ws.V);
  const int axes = rows.n_axes;
  rows.n_contacts = rows.n_soft;
  rows.n_axes = 0;  // for the length of this function they are rows to solve
  for (int i = 0; i < rows.n_contacts; i++) contact_velocity(rows.contact[i], ws.V.data(), rows.contact[i].gamma);
  SoftNewton<S> newton(params, rule, dt, ws);
  const SolveReport done =
      solve_by_responses({model, ws.frames, ws.blocks, ws.cuts}, newton, acting(rows), rows, ws.delassus, u_E);
  SolveReport report = newton.report;
  report.iterations = done.iterations;
  rows.n_contacts = 0;
  rows.n_axes = axes;
  return report;
}

template SolveReport solve_soft(const Model&, const Params<double>&, SoftRule, double, double*, Workspace<double>&);
template SolveReport solve_soft(const Model&, const Params<Lanes>&, SoftRule, double, Lanes*, Workspace<Lanes>&);

}  // namespace sinew
