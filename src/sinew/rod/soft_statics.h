// Equilibria and small vibrations of soft rods (docs/theory/soft_rods.md).
#pragma once
#include "sinew/rod/soft_pass.h"

namespace sinew::rod {

struct SoftStaticsOptions {
  int steps = 10;            // of the load, at least; halved where Newton's method fails
  double tolerance = 1e-11;  // change of shape that is left
  const SoftTipHold* hold = nullptr;
  double first_load = 0.0;  // q is an equilibrium at this share already
};

struct SoftEquilibrium {
  bool converged = false;
  int iterations = 0;
  double residual = 0.0;  // largest generalised force that is left
  Six reaction{};         // of the hold on the tip, world axes
};

// From q (often zeros) to the equilibrium under all loads at time t. Clamped rods only.
template <class G>
SoftEquilibrium solve_statics(const SoftModel<G>& m, double t, std::vector<double>& q,
                              const SoftStaticsOptions& options);

struct SoftVibration {
  std::vector<double> frequency;  // [Hz], rising; zero modes left out
  int zero_modes = 0;
};

// Small vibrations about q at rest under the loads of time t (all of them conservative).
template <class G>
SoftVibration vibrations(const SoftModel<G>& m, double t, const std::vector<double>& q);

// Derivative of the static residual by base motion and q, [nv][nv] row by row, by central differences; the linear material exactly.
template <class G>
std::vector<double> static_tangent(const SoftModel<G>& m, double t, double load, const std::vector<double>& q,
                                   SoftScratch<G>& w);

}  // namespace sinew::rod
