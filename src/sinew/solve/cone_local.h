// One contact of a cone problem by itself: projections on its cone, and its law solved exactly while all others rest.
#pragma once
#include <algorithm>
#include <cmath>

namespace sinew::cone {

inline double length(double x, double y) { return std::sqrt(x * x + y * y); }

// The nearest point of the cone |p_T| <= mu p_N. D, if asked for: its derivative, row-major.
inline void project(double mu, const double* z, double* p, double* D = nullptr) {
  const double t = length(z[1], z[2]);
  if (D) std::fill_n(D, 9, 0.0);
  if (t <= mu * z[0]) {
    std::copy_n(z, 3, p);
    if (D) D[0] = D[4] = D[8] = 1.0;
    return;
  }
  if (mu * t <= -z[0]) {
    std::fill_n(p, 3, 0.0);
    return;
  }
  const double m = 1.0 / (1.0 + mu * mu), s = (z[0] + mu * t) * m, x = t > 0.0 ? z[1] / t : 0.0,
               y = t > 0.0 ? z[2] / t : 0.0;
  p[0] = s;
  p[1] = mu * s * x;
  p[2] = mu * s * y;
  if (!D) return;
  const double along = mu * mu * m, across = t > 0.0 ? mu * s / t : 0.0;
  D[0] = m;
  D[1] = D[3] = mu * m * x;
  D[2] = D[6] = mu * m * y;
  D[4] = along * x * x + across * y * y;
  D[5] = D[7] = (along - across) * x * y;
  D[8] = along * y * y + across * x * x;
}

// Alart and Curnier's projection: the normal part on the half line, then friction on the disk of that radius.
inline void project_in_turn(double mu, const double* z, double* p, double* D = nullptr) {
  if (D) std::fill_n(D, 9, 0.0);
  std::fill_n(p, 3, 0.0);
  if (z[0] <= 0.0) return;
  const double t = length(z[1], z[2]), radius = mu * z[0];
  p[0] = z[0];
  if (D) D[0] = 1.0;
  if (t <= radius) {
    p[1] = z[1];
    p[2] = z[2];
    if (D) D[4] = D[8] = 1.0;
    return;
  }
  const double x = z[1] / t, y = z[2] / t, turn = radius / t;
  p[1] = radius * x;
  p[2] = radius * y;
  if (!D) return;
  D[3] = mu * x;
  D[6] = mu * y;
  D[4] = turn * y * y;
  D[5] = D[7] = -turn * x * y;
  D[8] = turn * x * x;
}

// r of one contact: W its own block, b its velocity without r. Friction that slides against u_T = -a r_T, a > 0, satisfies
//   (S + a) r_T = -b_S,   S = W_TT - W_TN W_NT / W_NN,
// so that mu r_N / |r_T| = 1 is one equation for a: Newton's method between two bounds.
inline void solve_contact(const double* W, double mu, const double* b, double* r) {
  std::fill_n(r, 3, 0.0);
  if (b[0] >= 0.0) return;
  const double n = W[0], S11 = W[4] - W[3] * W[1] / n, S12 = W[5] - W[3] * W[2] / n, S21 = W[7] - W[6] * W[1] / n,
               S22 = W[8] - W[6] * W[2] / n;
  const double b1 = b[1] - W[3] * b[0] / n, b2 = b[2] - W[6] * b[0] / n, size = W[4] + W[8];
  const auto against = [&](double a, double x, double y, double& to1, double& to2) {  // -(S + a)^-1 (x, y)
    const double det = (S11 + a) * (S22 + a) - S12 * S21;
    to1 = -((S22 + a) * x - S12 * y) / det;
    to2 = -((S11 + a) * y - S21 * x) / det;
  };
  const auto normal = [&](double x, double y) { return -(b[0] + W[1] * x + W[2] * y) / n; };
  if (mu == 0.0) {
    r[0] = -b[0] / n;
    return;
  }
  const bool regular = S11 * S22 - S12 * S21 > 1e-14 * size * size;
  double a = regular ? 0.0 : 1e-12 * size, low = 0.0, high = -1.0;
  double t1, t2;
  against(a, b1, b2, t1, t2);
  double r_N = normal(t1, t2), T = length(t1, t2);
  if (!(r_N > 0.0 && T <= mu * r_N)) {
    for (int pass = 0; pass < 60 && T > 0.0; pass++) {
      double d1, d2;
      against(a, t1, t2, d1, d2);
      const double slope_N = -(W[1] * d1 + W[2] * d2) / n, slope_T = (t1 * d1 + t2 * d2) / T;
      const double off = mu * r_N / T - 1.0, slope = mu * (slope_N * T - r_N * slope_T) / (T * T);
      if (std::abs(off) < 1e-15) break;
      (off < 0.0 ? low : high) = a;
      double next = slope > 0.0 ? a - off / slope : -1.0;
      if (!(next > low && (high < 0.0 || next < high))) next = high < 0.0 ? 2.0 * a + size : 0.5 * (low + high);
      const bool settled = std::abs(next - a) <= 1e-16 * a;
      a = next;
      against(a, b1, b2, t1, t2);
      r_N = normal(t1, t2);
      T = length(t1, t2);
      if (settled) break;
    }
  }
  r[0] = std::max(r_N, 0.0);
  const double shrink = T > mu * r[0] ? mu * r[0] / T : 1.0;
  r[1] = shrink * t1;
  r[2] = shrink * t2;
}

}  // namespace sinew::cone
