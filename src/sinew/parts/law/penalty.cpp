#include "sinew/parts/law/penalty.h"

#include <algorithm>
#include <cmath>

namespace sinew::law {

double damping_number(double e, RestitutionRule rule) {
  if (e >= 1.0) return 0.0;
  e = std::max(e, 0.01);  // a perfectly plastic impact would need infinite damping (A3.3)
  if (rule == RestitutionRule::Seed) return (1.0 - e) / e;
  const double z = 1.0 - e;
  if (z < 0.02) return z * (1.5 + z * (1.5 + z * (1.35 + z * (1.2 + z * (759.0 / 700.0)))));
  double s = (1.0 - e) * (1.0 + e - 0.5 * e * e);  // s = e u; Newton's method on h(s)
  for (int i = 0; i < 6; i++) {
    const double q = std::exp(-(1.0 + e) * s / e), E = (1.0 + s / e) * q;
    const double h = 1.0 - s - E, slope = -1.0 - q / e + (1.0 + e) * E / e;
    s -= h / slope;
  }
  return s / e;
}

// Newton's method on g(e) = (1 + e) u - ln((1 + u) / (1 - e u)), which is concave in e and zero at e = -1 as well.
double restitution_of(double u) {
  if (u < 0.02) return 1.0 + u * (-2.0 / 3 + u * (4.0 / 9 + u * (-44.0 / 135 + u * (104.0 / 405 - u * (40.0 / 189)))));
  double e = std::min(1.0, (1.0 - 1e-16) / u);
  // from the right end, where g is below its root's side, bisection is safe: g falls through zero exactly once in (0, 1/u)
  double low = 0.0, high = e;
  const auto g = [u](double x) { return (1.0 + x) * u - std::log1p(u) + std::log1p(-x * u); };
  for (int i = 0; i < 200 && high - low > 1e-17; i++) {
    e = 0.5 * (low + high);
    (g(e) > 0.0 ? low : high) = e;
  }
  return e;
}

}  // namespace sinew::law
