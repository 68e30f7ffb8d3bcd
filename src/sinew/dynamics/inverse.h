// Inverse dynamics: the joint torques that give the accelerations du/dt (Newton-Euler recursion, linear in links).
//   a = shift(a_parent) + zeta + S du/dt;  F = I a + p;  tau = S^T (F + sum of children's F shifted) + reflected du/dt + bias
// The same pass reads back the torque of driven joints: tau is delivered per frame axis, driven ones included.
#pragma once
#include "sinew/dynamics/articulated.h"

namespace sinew {

template <Real S>
struct InverseWork {                // scratch
  std::vector<Twist<S>> change, a;  // accelerations: due to du/dt, and all
  std::vector<Wrench<Lanes>> own;   // what each link needs, several links in one (rigid.h)
  std::vector<Wrench<S>> F;         // what the children of each link hand over
  explicit InverseWork(const Model& model)
      : change(model.links.size()),
        a(model.links.size()),
        own(packs_of<S>(model.link_count())),
        F(model.links.size()) {}
};

template <Real S>
struct InverseInput {
  const S* u_rate;                                   // wanted
  const std::vector<Wrench<S>>* external = nullptr;  // what acts on the links besides
};

// axis_torque: per frame axis (Link::axis).
template <Real S>
void inverse_dynamics(const Model& model, const Params<S>& params, const Frames<S>& frames, const InverseInput<S>& in,
                      InverseWork<S>& work, S* axis_torque);

// What a joint hands on to its child, about the child's origin: all that the child and what it carries need besides `external`. After
// inverse_dynamics with the same input.
template <Real S>
Wrench<S> joint_wrench(const Model& model, const Params<S>& params, const Frames<S>& frames, const InverseInput<S>& in,
                       InverseWork<S>& work, int link);

}  // namespace sinew
