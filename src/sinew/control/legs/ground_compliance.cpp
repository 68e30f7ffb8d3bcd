#include "sinew/control/legs/ground_compliance.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"

namespace sinew::legged {
namespace {

constexpr std::size_t most = most_legs;

// Of feet at (x, y): what is left of `values` when their plane of least squares is taken away. False: they lie in a line.
struct PlaneOfFeet {
  std::size_t n;
  double x[most], y[most], a = 0.0, b = 0.0, c = 0.0, det = 0.0;

  PlaneOfFeet(std::span<const FootOnGround> feet, std::span<const std::size_t> which) : n(which.size()) {
    double mx = 0.0, my = 0.0;
    for (const std::size_t i : which) {
      mx += feet[i].p[0] / double(n);
      my += feet[i].p[1] / double(n);
    }
    for (std::size_t k = 0; k < n; k++) {
      x[k] = feet[which[k]].p[0] - mx;
      y[k] = feet[which[k]].p[1] - my;
      a += x[k] * x[k];
      b += x[k] * y[k];
      c += y[k] * y[k];
    }
    det = a * c - b * b;
  }
  bool is_flat() const { return det > 1e-3 * a * c; }
  void take_away(double* values) const {
    double mean = 0.0, u = 0.0, v = 0.0;
    for (std::size_t k = 0; k < n; k++) {
      mean += values[k] / double(n);
      u += x[k] * values[k];
      v += y[k] * values[k];
    }
    const double p = (c * u - b * v) / det, q = (a * v - b * u) / det;
    for (std::size_t k = 0; k < n; k++) values[k] -= mean + p * x[k] + q * y[k];
  }
};

// Cholesky of A + ridge for the feet of which anything is known; c and the diagonal of the inverse.
void solve_compliances(GroundCompliance& g, std::size_t n, const GroundComplianceRule& rule) {
  double L[most][most] = {}, ridge = rule.way * rule.way / (rule.spread * rule.spread);
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t j = 0; j <= i; j++) {
      double sum = g.A[i * most + j] + (i == j ? ridge : 0.0);
      for (std::size_t k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
      L[i][j] = i == j ? std::sqrt(std::max(sum, ridge * 1e-9)) : sum / L[j][j];
    }
  const auto solve = [&](std::array<double, most>& b) {
    for (std::size_t i = 0; i < n; i++) {
      for (std::size_t k = 0; k < i; k++) b[i] -= L[i][k] * b[k];
      b[i] /= L[i][i];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; k++) b[i] -= L[k][i] * b[k];
      b[i] /= L[i][i];
    }
  };
  std::array<double, most> c = g.r;
  solve(c);
  for (std::size_t i = 0; i < n; i++) {
    std::array<double, most> e{};
    e[i] = 1.0;
    solve(e);
    const double deviation = rule.way * std::sqrt(std::max(0.0, e[i]));
    const bool is_known = c[i] > 0.0 && deviation < rule.sure * c[i];
    g.stiffness[i] = is_known ? 1.0 / c[i] : 0.0;
    g.deviation[i] = is_known ? deviation / (c[i] * c[i]) : 0.0;
  }
}

// What has changed since the last moment of rest, with the values of this tick or of the one before.
void compare(GroundCompliance& g, std::span<const FootOnGround> feet, bool before, const GroundComplianceRule& rule) {
  std::size_t which[most], n = 0;
  double largest = 0.0, dz[most], dF[most];
  for (std::size_t i = 0; i < feet.size(); i++) {
    const GroundCompliance::Foot& f = g.foot[i];
    if (f.in == 0.0) continue;
    dz[n] = (before ? f.z_now : feet[i].p[2]) - f.z;
    dF[n] = (before ? f.smooth_before : f.smooth) - f.F;
    largest = std::max(largest, std::abs(dF[n]));
    which[n++] = i;
  }
  if (n < 4 || largest < rule.least) return;
  const PlaneOfFeet plane(feet, {which, n});
  if (!plane.is_flat()) return;
  for (double& x : g.A) x *= rule.keep;
  for (double& x : g.r) x *= rule.keep;
  plane.take_away(dz);
  for (std::size_t k = 0; k < n; k++) {
    double column[most] = {};
    column[k] = dF[k];
    plane.take_away(column);
    for (std::size_t l = 0; l < n; l++) g.A[which[l] * most + which[k]] += dF[l] * column[l];
    g.r[which[k]] -= dF[k] * dz[k];
  }
  solve_compliances(g, feet.size(), rule);
}

}  // namespace

void feel_ground(GroundCompliance& g, std::span<const FootOnGround> feet, double tick,
                 const GroundComplianceRule& rule) {
  SINEW_ASSERT(feet.size() <= most);
  bool is_quiet = g.begun != 0.0, touches = false;
  for (std::size_t i = 0; i < feet.size(); i++) {
    GroundCompliance::Foot& f = g.foot[i];
    if (!feet[i].stands && !feet[i].lands) f.in = 0.0;
    touches = touches || (feet[i].lands && feet[i].force > rule.touches && f.F_now <= rule.touches && f.in == 0.0);
    f.smooth_before = f.smooth;
    f.smooth += (feet[i].force - f.smooth) * std::min(1.0, tick / rule.lag);
    if (feet[i].stands && std::abs(feet[i].force - f.smooth) > rule.rest) is_quiet = false;
  }
  const bool rested = g.quiet * tick >= rule.quiet;
  if (touches && rested && g.begun != 0.0) {  // as it was in the tick before, when the foot that lands had no force yet
    compare(g, feet, true, rule);
    for (std::size_t i = 0; i < feet.size(); i++) {
      GroundCompliance::Foot& f = g.foot[i];
      f.in = feet[i].stands || (feet[i].lands && feet[i].force > rule.touches) ? 1.0 : 0.0;
      f.z = f.z_now;
      f.F = feet[i].stands ? f.smooth_before : 0.0;
    }
  }
  g.quiet = is_quiet && !touches ? g.quiet + 1.0 : 0.0;
  if (g.quiet * tick >= rule.quiet && g.quiet * tick < rule.quiet + 1.5 * tick) {
    compare(g, feet, false, rule);
    for (std::size_t i = 0; i < feet.size(); i++) {
      GroundCompliance::Foot& f = g.foot[i];
      f.in = feet[i].stands ? 1.0 : 0.0;
      f.z = feet[i].p[2];
      f.F = f.smooth;
    }
  }
  for (std::size_t i = 0; i < feet.size(); i++) {
    g.foot[i].z_now = feet[i].p[2];
    g.foot[i].F_now = feet[i].force;
  }
  g.begun = 1.0;
}

}  // namespace sinew::legged
