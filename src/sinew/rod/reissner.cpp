// Planar rods with shear whose sections nowhere slip sideways (docs/theory/rods.md#gaits), Gamma_X = 1.
//   (i)  Gamma_Y = g for ever, an arc of curvature kappa at the start: the heading Theta solves Theta = kappa (X + S E), E =
//        exp(-g Theta), with S_t = V_o exp(g Theta_o). With Q = S E: K = kappa / (1 + g kappa Q), Theta_t = K S_t E.
//        It holds for either sign of kappa and g and for 0, until (1 + g Theta_o)^2 = 1 + 2 g kappa V_o t comes to 0.
//   (ii) K and Omega_o, V_o for ever: Gamma_Y = K u t f1(q) + g0 f0(q), q = K Omega_o X t, u = V_o - Omega_o / K, g0 at the
//        start, where f0(q) = J0(2 sqrt q), f1(q) = J1(2 sqrt q) / sqrt q; power series serve both signs of q.
#include <cmath>

#include "sinew/math/elementary.h"
#include "sinew/rod/gaits.h"

namespace sinew::rod {
namespace {

class ShearedArcLaw : public StrainLaw<Plane> {
 public:
  ShearedArcLaw(const Grid& grid, const ShearedArc& gait) : StrainLaw<Plane>(grid), gait_(gait) {}

  Strain<Plane> at(double X, double t) const override {
    const double kappa = gait_.kappa, g = gait_.gamma, V = gait_.V_o;
    const double grown = 2.0 * g * kappa * V * t, root = std::sqrt(1.0 + grown);  // 1 + g Theta_o
    // the same three times: where little has grown, root - 1 has lost its digits
    const bool is_small = grown != 0.0 && std::abs(grown) < 1e-6;
    const double Theta_o = g == 0.0 ? kappa * V * t : is_small ? 2.0 * kappa * V * t / (root + 1.0) : (root - 1.0) / g;
    const double e = math::exp(g * Theta_o);
    const double S = (kappa == 0.0 ? V * t : Theta_o / kappa) * e, S_t = V * e, S_tt = g * V * V * kappa * e / root;
    double Theta = Theta_o + kappa * X;
    for (int k = 0; k < 50; k++) {  // Newton's method; monotone in Theta while 1 + g kappa Q > 0
      const double E = math::exp(-g * Theta);
      const double step = (Theta - kappa * (X + S * E)) / (1.0 + g * kappa * S * E);
      Theta -= step;
      if (std::abs(step) < 1e-15 * (1.0 + std::abs(Theta))) break;
    }
    const double E = math::exp(-g * Theta), Q = S * E, K = kappa / (1.0 + g * kappa * Q);
    const double Theta_t = K * S_t * E, Q_t = S_t * E - g * Q * Theta_t, K_t = -g * K * K * Q_t;
    const double Theta_tt = K_t * S_t * E + K * (S_tt * E - g * S_t * E * Theta_t);
    const double Q_tt = S_tt * E - g * S_t * E * Theta_t - g * (Q_t * Theta_t + Q * Theta_tt);
    const double K_tt = -g * (2.0 * K * K_t * Q_t + K * K * Q_tt);
    const double K_tX = g * g * (3.0 * K * K * K_t * Q + K * K * K * Q_t);
    return {{1.0, g, K}, {0.0, 0.0, K_t}, {0.0, 0.0, K_tt}, {0.0, 0.0, g * g * K * K * K * Q}, {0.0, 0.0, K_tX}};
  }

 private:
  ShearedArc gait_;
};

class ShearLaw : public StrainLaw<Plane> {
 public:
  ShearLaw(const Grid& grid, const ShearGait& gait) : StrainLaw<Plane>(grid), gait_(gait) {}

  Strain<Plane> at(double X, double t) const override {
    const double K = gait_.K, u = gait_.V_o - gait_.Omega_o / K, a = K * gait_.Omega_o;
    double f0 = 1.0, f1 = 1.0, f2 = 0.5, term = 1.0;  // f0' = -f1, f1' = -f2
    const double q = a * X * t;
    for (int k = 1; k < 200; k++) {
      term *= -q / (double(k) * k);
      f0 += term;
      f1 += term / (k + 1);
      f2 += term / (double(k + 1) * (k + 2));
      if (std::abs(term) < 1e-18 * std::abs(f0)) break;
    }
    const double Ku = K * u, g0 = gait_.start, aX = a * X;
    return {{1.0, Ku * t * f1 + g0 * f0, K},
            {0.0, Ku * f0 - g0 * aX * f1, 0.0},
            {0.0, -Ku * aX * f1 + g0 * aX * aX * f2, 0.0},
            {0.0, -Ku * t * t * a * f2 - g0 * a * t * f1, 0.0},
            {0.0, -Ku * a * t * f1 - g0 * a * (f1 - q * f2), 0.0}};
  }

 private:
  ShearGait gait_;
};

}  // namespace

StrainLawPtr<Plane> sheared_arc_law(const Grid& grid, const ShearedArc& gait) {
  return std::make_shared<ShearedArcLaw>(grid, gait);
}
StrainLawPtr<Plane> shear_law(const Grid& grid, const ShearGait& gait) {
  return std::make_shared<ShearLaw>(grid, gait);
}

}  // namespace sinew::rod
