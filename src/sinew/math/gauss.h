// Points and weights of Gauss and Legendre on [-1, 1], largest point first: with n of them the integral of a polynomial of degree
// 2 n - 1 is exact. By Newton's method on the Legendre polynomial.
#pragma once
#include <array>
#include <cmath>
#include <numbers>

#include "sinew/math/elementary.h"

namespace sinew {

template <int n>
struct GaussRule {
  std::array<double, n> x, w;

  GaussRule() {
    for (int i = 0; i < n; i++) {
      double z = math::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1.0;
      for (int iteration = 0; iteration < 100; iteration++) {
        double before = 0.0, now = 1.0;
        for (int k = 0; k < n; k++) {
          const double next = ((2 * k + 1) * z * now - k * before) / (k + 1);
          before = now;
          now = next;
        }
        slope = n * (z * now - before) / (z * z - 1.0);
        const double step = now / slope;
        z -= step;
        if (std::abs(step) < 1e-15) break;
      }
      x[i] = z;
      w[i] = 2.0 / ((1.0 - z * z) * slope * slope);
    }
  }
};

}  // namespace sinew
