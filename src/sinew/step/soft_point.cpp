#include "sinew/step/soft_point.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"

namespace sinew {

law::PenaltyForce<double> soft_force(const SoftPoint& p, const double* gamma, bool slides, const ImplicitRule& rule) {
  const double mean = rule.mean;
  law::PenaltyPoint<double> at = p.at;
  const double v_N = (1.0 - mean) * p.before[0] + mean * gamma[0];
  at.depth -= rule.depth_rate * (gamma[0] - (rule.rule == SoftRule::Middle ? p.before[0] : 0.0));
  at.speed = -v_N;
  at.sliding = {0.0, 0.0};
  if (slides) at.sliding = {(1.0 - mean) * p.before[1] + mean * gamma[1], (1.0 - mean) * p.before[2] + mean * gamma[2]};
  at.stretch = {p.at.stretch.x + rule.slide * at.sliding.x, p.at.stretch.y + rule.slide * at.sliding.y};
  return law::penalty_force(p.law, p.penalty, at);
}

namespace {

// dg/df of the projection g of f; false: friction is zero, whatever pulls.
bool project_slope(const law::PenaltyForce<double>& of, double (&G)[2][2]) {
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
void slope_of_slip(const law::PenaltyForce<double>& f, double shear, double mean, double dN, double (&J)[3][3]) {
  double G[2][2] = {{0.0, 0.0}, {0.0, 0.0}};
  const bool rubs = project_slope(f, G);
  const double g[2] = {f.friction.x, f.friction.y}, by_N = rubs ? dN / (f.normal + shear) : 0.0;
  for (int k = 0; k < 2; k++) {
    J[1 + k][0] = by_N * (g[k] - G[k][0] * f.pull.x - G[k][1] * f.pull.y);
    for (int j = 0; j < 2; j++) J[1 + k][1 + j] = -mean * f.across * G[k][j];
  }
}

}  // namespace

void soft_slope(const SoftPoint& p, const law::PenaltyForce<double>& f, const ImplicitRule& rule, double (&J)[3][3]) {
  const double mean = rule.mean;
  const double dN = -(rule.depth_rate * f.normal_by_depth + mean * f.normal_by_speed);
  const double size = math::hypot(f.friction.x, f.friction.y);
  const double ex = size > 0.0 ? f.friction.x / size : 1.0, ey = size > 0.0 ? f.friction.y / size : 0.0;
  const double along = mean * f.along, across = mean * f.across;
  J[0][0] = dN;
  J[0][1] = J[0][2] = 0.0;
  if (p.penalty.friction == FrictionRule::Anchor && !f.stick && f.normal > 0.0)
    return slope_of_slip(f, p.law.shear, mean, dN, J);
  J[1][0] = f.friction_by_normal.x * dN;
  J[2][0] = f.friction_by_normal.y * dN;
  J[1][1] = -(along * ex * ex + across * ey * ey);
  J[2][2] = -(along * ey * ey + across * ex * ex);
  J[1][2] = J[2][1] = -(along - across) * ex * ey;
}

}  // namespace sinew
