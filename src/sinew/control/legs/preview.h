// Preview control of a cart on a table (docs/theory/biped.md#preview; Kajita et al., ICRA 2003): the mass centre whose zero-moment point follows
// a reference that is known ahead. One horizontal axis, samples of T seconds, state (x, x', x''), input the jerk u:
//   p = x - (z_c / g) x'';   cost sum Q_e e^2 + R (u - u_before)^2 becomes, with the summed error,
//   u = -G_i sum (p - p_ref) - G_x (x, x', x'') - sum_j G_d,j p_ref(k + j),   j = 1 ... N
// Gains: the least cost of A~ = [1, C A; 0, A], B~ = [C B; B], Q = diag(Q_e, 0, 0, 0) over an endless time.
#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

namespace sinew::legged {

struct CartTable {
  double z_c = 0.68, g = 9.81;  // [m, m/s^2]
  double T = 0.005;             // [s]
  double Q_e = 1.0, R = 1e-6;   // weights of error and jerk
  int horizon = 320;            // N
};

struct PreviewGains {
  double G_i = 0.0;
  std::array<double, 3> G_x{};
  std::vector<double> G_d;
  std::string problem;  // empty: found; else why not
};
PreviewGains preview_gains(const CartTable& cart);

struct CartState {
  double x = 0.0, v = 0.0, a = 0.0;  // [m, m/s, m/s^2]
  double sum = 0.0;                  // of errors [m]
  double u = 0.0;                    // jerk of the present sample [m/s^3]
};
double cart_zmp(const CartTable& cart, const CartState& s);
// Chooses the jerk of the sample from p_ref(k), p_ref(k + 1), ... p_ref(k + N): N + 1 numbers.
void choose_jerk(const CartTable& cart, const PreviewGains& gains, std::span<const double> reference, CartState& s);
// t seconds into a sample: constant jerk, exactly.
CartState cart_after(const CartState& s, double t);

}  // namespace sinew::legged
