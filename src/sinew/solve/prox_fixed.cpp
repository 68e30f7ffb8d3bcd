// Steps are those of the paper and do not follow the robot: where they are too long the answer says so, and nothing is repaired.
#include "sinew/solve/prox_fixed.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"

namespace sinew {
namespace {

// One contact: N, then the others inside the cone of the new normal impulse, so that every iterate is in its cone. Returns the
// largest increment over its step [m/s].
double step_contact(DenseProblem& p, const DenseContact& c, const ProxSteps& r) {
  double worst = 0.0;
  const auto move = [&](int i, double P, double step, double to_speed) {
    if (step > 0.0) worst = std::max(worst, std::abs(P - p.P[i]) / step * to_speed);
    p.P[i] = P;
  };
  const double P_N = std::max(0.0, p.P[c.first] - r.r_N * (p.gamma[c.first] + c.bias));
  move(c.first, P_N, r.r_N, 1.0);
  const auto ahead = [&](int i, double step) { return p.P[i] - step * p.gamma[i]; };
  if (c.slides) {
    const int i = c.row_of(row::T1);
    const law::Coulomb<double> set{c.law.mu_forward, c.law.mu_backward, c.law.mu_trans};
    const Vec2<double> P = set.project({ahead(i, r.r_T), ahead(i + 1, r.r_T)}, P_N + c.law.shear);
    move(i, P.x, r.r_T, 1.0);
    move(i + 1, P.y, r.r_T, 1.0);
  }
  // the paper's steps are those of forces at the sphere's surface; ours are torques
  const double arm = c.radius, turn_V = r.r_V * arm * arm, turn_D = r.r_T * arm * arm;
  if (c.drills) {
    const int i = c.row_of(row::D);
    const double bound = c.law.drilling * P_N;
    move(i, law::project_interval(ahead(i, turn_D), -bound, bound), turn_D, arm);
  }
  if (c.rolls) {
    const int i = c.row_of(row::V1);
    const Vec2<double> P = law::project_disk(Vec2<double>{ahead(i, turn_V), ahead(i + 1, turn_V)}, c.law.rolling * P_N);
    move(i, P.x, turn_V, arm);
    move(i + 1, P.y, turn_V, arm);
  }
  return worst;
}

}  // namespace

DenseReport solve_prox_fixed(DenseProblem& p, const ProxSteps& steps, double tolerance) {
  SINEW_ASSERT(tolerance > 0.0 && steps.r_N > 0.0 && steps.max_iter >= 1);
  DenseReport report;
  p.update_gamma();
  while (!report.converged && report.iterations < steps.max_iter) {
    report.iterations++;
    report.residual = 0.0;
    for (const DenseContact& c : p.contacts) report.residual = std::max(report.residual, step_contact(p, c, steps));
    for (const DenseAxis& a : p.axes) {  // not of the paper: a step that always suits
      const int i = a.first;
      const double r = 1.0 / (p.at(i, i) + a.law.compliance);
      const double P = a.law.project(p.P[i] - r * (p.gamma[i] + a.law.compliance * p.P[i] + a.law.bias));
      report.residual = std::max(report.residual, std::abs(P - p.P[i]) / r);
      p.P[i] = P;
    }
    p.update_gamma();
    if (!std::isfinite(report.residual)) break;
    report.converged = report.residual <= tolerance;
  }
  return report;
}

}  // namespace sinew
