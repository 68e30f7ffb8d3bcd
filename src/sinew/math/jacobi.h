// Jacobi's rotation: makes the symmetric matrix (a ab; ab b) diagonal, or two columns with these products perpendicular.
//   x <- c x - s y,  y <- s x + c y,  t = s / c, by the smaller of the two angles that do it
#pragma once
#include <cmath>

namespace sinew {

struct JacobiRotation {
  double c, s, t;

  void turn(double* x, double* y, int n) const {
    for (int i = 0; i < n; i++) {
      const double p = x[i];
      x[i] = c * p - s * y[i];
      y[i] = s * p + c * y[i];
    }
  }
};

// ab is not 0.
inline JacobiRotation jacobi_rotation(double a, double b, double ab) {
  const double z = (b - a) / (2.0 * ab);
  const double t = (z >= 0.0 ? 1.0 : -1.0) / (std::abs(z) + std::sqrt(1.0 + z * z));
  const double c = 1.0 / std::sqrt(1.0 + t * t);
  return {c, c * t, t};
}

}  // namespace sinew
