// One way along a soft rod (docs/theory/soft_rods.md#equations-of-motion). With S = [Ad_k, J] or J
//   residual = [int S^T M S] (eta_o', q'') + int S^T (M a - ad*_eta M eta - F) + (0, K q + D q' + Q_c) - sum S^T F_p - (0, tau)
// In the base's axes all of it is quadrature: twist and acceleration are integrals of Ad_g xi' and Ad_g (xi'' - ad_xi' eta), and
// so is Ad_g J = int Ad_g Phi. The residual needs no J: the transposed quadrature, run from the tip, takes each wrench to the
// modes in O(cells nq). Only the mass matrix has J, O(cells nq^2). Gravity is an acceleration of the base.
#pragma once
#include "sinew/model/section_plant.h"
#include "sinew/rod/soft_model.h"

namespace sinew::rod {

// What moves: v and a have the base's twist first, if it floats.
template <class G>
struct SoftMotion {
  double t;
  G base;
  const double *q, *v, *a;
  double load = 1.0;      // share of gravity, loads and tensions that acts (statics)
  PlantInput input = {};  // on the stations, and to cables and servo
};

template <class G>
struct SoftScratch : Scratch {
  using Twist = typename G::Twist;
  explicit SoftScratch(const SoftModel<G>& m);

  // [component][point]: strain and rate at the Gauss points; rates at the cells' own points; generalised wrenches
  std::vector<double> xi, xi_rate, xi_t, xi_tt, z, stress;
  std::vector<G> g;                        // poses of stations seen from the base
  std::vector<Twist> eta, force, beyond;   // twist; wrench, times weight, in the base's axes; sum of those further out
  std::vector<double> J0, J1, Jm, Js, Jw;  // [component][nv]
  std::vector<double> M;                   // [nv][row]
  std::vector<double> cable_length;
  PlantPower power;
  double torque = 0.0;  // largest of an actuator
  // of the integrators
  std::vector<double> q, v, a, r, k, dv, dq, x;
  std::vector<int> pivots;
};

// residual[nv]. Fills poses, twists, `beyond`, lengths and power of the scratch.
template <class G>
void inverse_dynamics(const SoftModel<G>& m, const SoftMotion<G>& s, SoftScratch<G>& w, double* residual);

// Of the poses of the last inverse_dynamics; into w.M, the lower half.
template <class G>
void mass_matrix(const SoftModel<G>& m, SoftScratch<G>& w);

// a[nv] with residual zero, at the motion's q, v; imposed modes have theirs. residual[nv] is that of a: what imposed modes take.
template <class G>
bool forward_dynamics(const SoftModel<G>& m, const SoftMotion<G>& s, SoftScratch<G>& w, double* a);

template <class G>
PlantEnergy soft_energy(const SoftModel<G>& m, const SoftMotion<G>& s, SoftScratch<G>& w);

// Wrench that the part beyond a station exerts on the part before it, in the section's axes.
template <class G>
typename G::Twist internal_wrench(const SoftScratch<G>& w, int station) {
  return to_section(w.g[station], -w.beyond[station]);
}

// q, v of imposed modes at time t.
template <class G>
void impose(const SoftModel<G>& m, double t, double* q, double* v);

}  // namespace sinew::rod
