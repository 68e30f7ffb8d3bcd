// The gaits of docs/theory/rods.md#gaits as strain laws. Numbers only; the laws are made from them.
#pragma once
#include <array>
#include <cmath>
#include <memory>
#include <string_view>
#include <vector>

#include "sinew/math/elementary.h"
#include "sinew/rod/strain_law.h"

namespace sinew::rod {

template <class G>
using StrainLawPtr = std::shared_ptr<const StrainLaw<G>>;

// Worm: Gamma_X = 1 + eps sin(k (phi - X)), k = 2 pi / lam, phi = c0 t + acc t^2 / 2: also for a wave that gets faster.
struct WormGait {
  double eps = 0.004, lam = 0.15, c0 = 0.3, acc = 0.0;
  double phi(double t) const { return t * (c0 + 0.5 * acc * t); }
};
StrainLawPtr<Line> worm_law(const Grid& grid, const WormGait& gait);

// Inchworm: K_Z = alpha sin^2(om t) k cos(k (X - l)), k = 2 pi / l.
struct InchwormGait {
  double alpha = 1.8, om = 1.570796327;
};
StrainLawPtr<Plane> inchworm_law(const Grid& grid, const InchwormGait& gait);

// Snakes: K_Z = f(X + s(t)), f = a cos(2 pi sigma / lam) + b B(sigma - s(t_o + T_o/2)), s the way of the head along its track,
// V_o = V0 + VA sin(Vw t) < 0 head first. In space also K_Y = a_y cos(2 pi sigma / lam_y) + b_y B.
struct SnakeGait {
  double a = 10.0, lam = 0.6, b = 0.0, a_y = 0.0, lam_y = 0.6, b_y = 0.0;
  double t_o = 4.0, T_o = 2.0;
  double V0 = -0.5, VA = 0.0, Vw = 1.0;
  double s(double t) const { return V0 * t + VA / Vw * (1.0 - math::cos(Vw * t)); }
  double V(double t) const { return V0 + VA * math::sin(Vw * t); }
  double V_t(double t) const { return VA * Vw * math::cos(Vw * t); }
  double half_width() const { return 0.5 * std::abs(V0) * T_o; }
};
template <class G>
StrainLawPtr<G> snake_law(const Grid& grid, const SnakeGait& gait);

// exp(-u^2 / (h^2 - u^2)) inside |u| < h, 0 outside, with two derivatives. (54) of Boyer et al. 2012 has the denominator with the other
// sign: that grows without bound at the edges.
struct Bump {
  double B, B_u, B_uu;
};
Bump bump(double u, double h);

// An arc that glides, and frozen shapes.
template <class G>
StrainLawPtr<G> constant_law(const Grid& grid, const typename G::Twist& xi);

// Shear: Gamma_Y = gamma for ever; an arc of curvature kappa that crawls at V_o.
struct ShearedArc {
  double kappa = 2.0, gamma = 0.3, V_o = -0.5;
};
StrainLawPtr<Plane> sheared_arc_law(const Grid& grid, const ShearedArc& gait);
// Shear: K_Z = K for ever, V_o and Omega_o wanted; the shear, `start` everywhere at first, gives way.
struct ShearGait {
  double K = 3.0, V_o = -0.5, Omega_o = -1.2, start = 0.0;
};
StrainLawPtr<Plane> shear_law(const Grid& grid, const ShearGait& gait);

// Arm: strain += amplitude shape(X / l) sin(omega t + phase).
inline constexpr std::array<std::string_view, 4> shape_names{"one", "lin", "dec", "sin"};
struct ArmMode {
  int component = 3;
  double amplitude = 0.0, omega = 0.0, phase = 0.0;
  int shape = 0;  // of shape_names
};
StrainLawPtr<Space> arm_law(const Grid& grid, const std::vector<ArmMode>& modes);

// Swimmers: K_Z = r(t) [bias + (a0 + a1 X/l) cos(2 pi (X/lam - t/T) + phase)], and K_Y likewise in space; r rises smoothly in Tr.
struct WaveGait {
  double a0 = 0.0, a1 = 0.0, bias = 0.0, phase = 0.0;
  double a0_y = 0.0, a1_y = 0.0, bias_y = 0.0, phase_y = 0.0;
  double lam = 1.0, T = 1.0, Tr = 1.0;
};
template <class G>
StrainLawPtr<G> wave_law(const Grid& grid, const typename G::Twist& base, const WaveGait& gait);

}  // namespace sinew::rod
