#include "tests/support/elliptic.h"

#include <cmath>
#include <numbers>

namespace sinew::test {

double complete_K(double k_prime) {
  double a = 1.0, b = k_prime;
  for (int i = 0; i < 12; i++) {  // doubles its digits each time
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b), a = mean;
  }
  return std::numbers::pi / (2 * a);
}

Jacobi jacobi(double u, double k_prime) {
  const double k2 = (1 - k_prime) * (1 + k_prime);
  double a[16], c[16], b = k_prime;
  a[0] = 1.0, c[0] = std::sqrt(k2);
  int n = 0;
  while (std::abs(c[n]) > 1e-16 && n < 15) {
    a[n + 1] = (a[n] + b) / 2, c[n + 1] = (a[n] - b) / 2;
    b = std::sqrt(a[n] * b);
    n++;
  }
  double phi = std::ldexp(a[n] * u, n);
  for (; n > 0; n--) phi = (phi + std::asin(c[n] / a[n] * std::sin(phi))) / 2;
  const double sn = std::sin(phi), cn = std::cos(phi);
  return {sn, cn, std::sqrt(k_prime * k_prime + k2 * cn * cn)};
}

}  // namespace sinew::test
