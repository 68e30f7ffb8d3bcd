#include "sinew/parts/law/penalty.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"

namespace sinew::law {

double damping_number(double e, RestitutionRule rule) {
  SINEW_ASSERT(!(e < 0.0));
  if (e >= 1.0) return 0.0;
  e = std::max(e, 0.01);  // a perfectly plastic impact would need infinite damping
  if (rule == RestitutionRule::Konyev) return (1.0 - e) / e;
  if (rule == RestitutionRule::Closed) return (1.0 - e) / e * (1.0 + e - 0.5 * e * e);
  const double z = 1.0 - e;
  if (z < 0.02) return z * (1.5 + z * (1.5 + z * (1.35 + z * (1.2 + z * (759.0 / 700.0)))));
  double s = (1.0 - e) * (1.0 + e - 0.5 * e * e);  // s = e u; Newton's method on h(s)
  for (int i = 0; i < 6; i++) {
    const double q = math::exp(-(1.0 + e) * s / e), E = (1.0 + s / e) * q;
    const double h = 1.0 - s - E, slope = -1.0 - q / e + (1.0 + e) * E / e;
    s -= h / slope;
  }
  return s / e;
}

// Newton's method on g(e) = (1 + e) u - ln((1 + u) / (1 - e u)), which is concave in e and zero at e = -1 as well.
double restitution_of(double u) {
  SINEW_ASSERT(!(u < 0.0));
  if (u < 0.02) return 1.0 + u * (-2.0 / 3 + u * (4.0 / 9 + u * (-44.0 / 135 + u * (104.0 / 405 - u * (40.0 / 189)))));
  double e = std::min(1.0, (1.0 - 1e-16) / u);
  // from the right end, where g is below its root's side, bisection is safe: g falls through zero exactly once in (0, 1/u)
  double low = 0.0, high = e;
  const auto g = [u](double x) { return (1.0 + x) * u - math::log1p(u) + math::log1p(-x * u); };
  for (int i = 0; i < 200 && high - low > 1e-17; i++) {
    e = 0.5 * (low + high);
    (g(e) > 0.0 ? low : high) = e;
  }
  return e;
}

// kappa = (1 - s) / s (I(-s) - I(u)), s = e u, with I(b) = int_0^b y / ((1+y)^2 X) dy and X^2 = 2 (c - y + ln(1+y)), c = u - ln(1+u)
// (docs/theory/laws.md#penalty-contacts). X is zero at both ends, as a root, which y = b (1 - r^2) takes out.
double load_loss(double e) {
  if (e >= 1.0) return 0.0;
  e = std::max(e, 0.1);  // below, 1 - s is lost in round-off; the loss hardly changes any more
  const double u = damping_number(e, RestitutionRule::Exact), s = e * u, c = u - math::log1p(u);
  const auto integral = [c](double b) {
    constexpr int n = 2000;
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
      const double r = (i + 0.5) / n, y = b * (1.0 - r * r);
      const double X = std::sqrt(std::max(2.0 * (c - y + math::log1p(y)), 1e-300));
      sum += y / ((1.0 + y) * (1.0 + y) * X) * 2.0 * b * r / n;
    }
    return sum;
  };
  return (1.0 - s) / s * (integral(-s) - integral(u));
}

double damping_under_load(const PenaltyLaw<double>& law, double gamma) {
  const double e = law.restitution + law.load_loss * gamma;
  return e > 0.5 * (1.0 + law.restitution) ? law.u : damping_number(e, law.rule);
}

WorstRestitution worst_restitution(RestitutionRule rule) {
  const auto error = [rule](double e) { return std::abs(restitution_of(damping_number(e, rule)) - e); };
  constexpr double step = 1e-3;
  double at = 0.01;
  for (double e = at; e < 1.0; e += step)
    if (error(e) > error(at)) at = e;
  double low = std::max(0.01, at - step), high = std::min(1.0, at + step);
  for (int i = 0; i < 40; i++) {  // between its neighbours the error has one top: thirds are taken off
    const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
    (error(a) < error(b) ? low : high) = error(a) < error(b) ? a : b;
  }
  return {0.5 * (low + high), error(0.5 * (low + high))};
}

}  // namespace sinew::law
