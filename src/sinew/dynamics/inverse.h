// Inverse dynamics: the joint torques that give the accelerations du/dt (Newton-Euler recursion, linear in links).
//   a = shift(a_parent) + zeta + S du/dt;  F = I a + p;  tau = S^T (F + sum of children's F shifted)
// The same pass reads back the torque of driven joints: tau is delivered per frame axis, driven ones included.
#pragma once
#include "sinew/dynamics/articulated.h"

namespace sinew {

template <Real S>
struct InverseWork {  // scratch
  std::vector<Twist<S>> a;
  std::vector<Wrench<S>> F;
  explicit InverseWork(const Model& model) : a(model.links.size()), F(model.links.size()) {}
};

// axis_torque: per frame axis (Link::axis). external may be null.
template <Real S>
void inverse_dynamics(const Model& model, const Params<S>& params, const Frames<S>& frames, const S* u_rate,
                      const std::vector<Wrench<S>>* external, InverseWork<S>& work, S* axis_torque);

}  // namespace sinew
