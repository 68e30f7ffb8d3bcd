// Cables, chambers, servos and materials that are not linear: wrenches at the Gauss points (docs/theory/soft_rods.md).
//   cable     tau = Gamma + K x d + d',  Q = T int Phi^T (t; d x t),  t = tau / |tau|,  length int |tau|
//   servo     tau_q = int Phi^T tau_a
//   material  int Phi^T Lambda(xi - xi*, xi')
// What they are told from outside is added: to the tension, and to the strain that the servo wants, all along the rod.
#pragma once
#include "sinew/rod/soft_pass.h"

namespace sinew::rod {

// Into w.stress, with the sign of the residual and times the weights; also lengths, power and largest torque.
template <class G>
void actuate(const SoftModel<G>& m, const SoftMotion<G>& s, SoftScratch<G>& w);

}  // namespace sinew::rod
