#include "sinew/control/legs/preview.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"

namespace sinew::legged {
namespace {

using ColumnOfFour = std::array<double, 4>;
using SquareOfFour = std::array<ColumnOfFour, 4>;

struct PreviewSystem {
  SquareOfFour A{};
  ColumnOfFour B{};
};

PreviewSystem system_of(const CartTable& cart) {
  const double T = cart.T, h = cart.z_c / cart.g;
  PreviewSystem s;
  s.B = {T * T * T / 6.0 - h * T, T * T * T / 6.0, 0.5 * T * T, T};
  s.A[0] = {1.0, 1.0, T, 0.5 * T * T - h};
  s.A[1] = {0.0, 1.0, T, 0.5 * T * T};
  s.A[2] = {0.0, 0.0, 1.0, T};
  s.A[3] = {0.0, 0.0, 0.0, 1.0};
  return s;
}

ColumnOfFour times(const SquareOfFour& m, const ColumnOfFour& v) {
  ColumnOfFour out{};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++) out[i] += m[i][k] * v[k];
  return out;
}

double inner(const ColumnOfFour& a, const ColumnOfFour& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

SquareOfFour transposed(const SquareOfFour& m) {
  SquareOfFour out;
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++) out[k][i] = m[i][k];
  return out;
}

// One step of the recursion P <- A' P (A - B K) + Q with its gain K; returns the largest relative change.
struct PreviewCost {
  SquareOfFour P{};
  ColumnOfFour K{};
  SquareOfFour closed{};  // A - B K
  double weight = 0.0;    // R + B' P B

  void solve(const PreviewSystem& s, double R) {
    const ColumnOfFour PB = times(P, s.B);
    weight = R + inner(s.B, PB);
    K = times(transposed(s.A), PB);
    for (double& k : K) k /= weight;
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < 4; k++) closed[i][k] = s.A[i][k] - s.B[i] * K[k];
  }

  double advance(const PreviewSystem& s, double Q_e) {
    SquareOfFour next;
    const SquareOfFour by_column = transposed(closed), At = transposed(s.A);
    for (int k = 0; k < 4; k++) {
      const ColumnOfFour column = times(At, times(P, by_column[k]));
      for (int i = 0; i < 4; i++) next[i][k] = column[i];
    }
    next[0][0] += Q_e;
    double change = 0.0;
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < 4; k++) {
        const double mean = 0.5 * (next[i][k] + next[k][i]);
        change = std::max(change, std::abs(mean - P[i][k]) / (std::abs(mean) + 1e-12 * next[0][0]));
      }
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < 4; k++) P[i][k] = 0.5 * (next[i][k] + next[k][i]);
    return change;
  }
};

}  // namespace

PreviewGains preview_gains(const CartTable& cart) {
  SINEW_CHECK(cart.z_c > 0.0 && cart.g > 0.0 && cart.T > 0.0 && cart.Q_e > 0.0 && cart.R > 0.0 && cart.horizon > 0,
              "preview_gains: height, gravity, sample, weights and horizon must be positive");
  const PreviewSystem s = system_of(cart);
  PreviewCost cost;
  cost.P[0][0] = cart.Q_e;
  PreviewGains out;
  double change = 1.0;
  for (int i = 0; i < 100000 && change > 1e-13; i++) {
    cost.solve(s, cart.R);
    change = cost.advance(s, cart.Q_e);
  }
  cost.solve(s, cart.R);
  if (!(change <= 1e-13)) {
    out.problem = "the recursion for the gains of preview control did not converge";
    return out;
  }
  out.G_i = cost.K[0];
  out.G_x = {cost.K[1], cost.K[2], cost.K[3]};
  const SquareOfFour turn = transposed(cost.closed);
  ColumnOfFour X = times(turn, {-cost.P[0][0], -cost.P[1][0], -cost.P[2][0], -cost.P[3][0]});
  out.G_d.push_back(-out.G_i);
  for (int j = 1; j < cart.horizon; j++) {
    out.G_d.push_back(inner(s.B, X) / cost.weight);
    X = times(turn, X);
  }
  return out;
}

double cart_zmp(const CartTable& cart, const CartState& s) { return s.x - cart.z_c / cart.g * s.a; }

void choose_jerk(const CartTable& cart, const PreviewGains& gains, std::span<const double> reference, CartState& s) {
  SINEW_ASSERT(reference.size() == gains.G_d.size() + 1);
  s.sum += cart_zmp(cart, s) - reference[0];
  double u = -gains.G_i * s.sum - gains.G_x[0] * s.x - gains.G_x[1] * s.v - gains.G_x[2] * s.a;
  for (std::size_t j = 0; j < gains.G_d.size(); j++) u -= gains.G_d[j] * reference[j + 1];
  s.u = u;
}

CartState cart_after(const CartState& s, double t) {
  CartState out = s;
  out.x += t * (s.v + t * (0.5 * s.a + t * s.u / 6.0));
  out.v += t * (s.a + 0.5 * t * s.u);
  out.a += t * s.u;
  return out;
}

}  // namespace sinew::legged
