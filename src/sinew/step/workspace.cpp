// All memory of a step, sized once by the model: a step allocates nothing.
#include "sinew/step/workspace.h"

#include <algorithm>

namespace sinew {

template <Real S>
Workspace<S>::Workspace(const Model& model)
    : frames(model),
      frames_E(model),
      blocks(model),
      cuts(model),
      contacts(model),
      rows(model),
      recursion(model),
      delassus(model),
      soft(model),
      impact(model),
      sweeps(model),
      held(model),
      devices(model),
      pad_count(model.pads.size(), S(0.0)),
      pad_pull(model.pads.size(), S(0.0)),
      cable_length(model.cables.size(), S(0.0)),
      cable_tension(model.cables.size(), S(0.0)),
      load_factor(model.loads.size(), S(0.0)),
      penetrations(model),
      depenetrated_by(model.nu),
      inverse(model),
      driven(model),
      driven_M(model),
      driven_E(model),
      axis(model.n_axes),
      axis_u(model.n_axes),
      tau(model.nu),
      diag(model.nu),
      weight(model.freeze_forces ? model.nu : 0),
      weight_A(model.freeze_forces ? model.nu : 0),
      applied(model.links.size()),
      u_rate(model.nu),
      axis_torque(model.n_frame_axes),
      V(model.links.size()),
      V_0(model.links.size()),
      q(model.nq),
      u(model.nu),
      u_mean(model.nu),
      u_b(model.nu),
      driven_u_b(model.n_prescribed_u),
      touches_other(model.n_robots),
      late_given(model.flyers.size()),
      jumps(model.n_robots),
      start_q(model.nq),
      start_u(model.nu),
      near(model),
      phi(model.nu),
      open_q(model.nq) {
  if (model.contact.beta <= 0.0) std::vector<ContactRow<S>>().swap(penetrations.contact);  // of many bodies it is large
  for (auto& k : k_q) k.resize(model.nu);
  for (auto& k : k_u) k.resize(model.nu);
}

template <Real S>
void Workspace<S>::poison() {
#ifndef NDEBUG
  const S nan = S(std::numeric_limits<double>::quiet_NaN());
  const Vec3<S> nan3{nan, nan, nan};
  for (auto* array : {&axis_u, &tau, &diag, &weight, &weight_A, &u_rate, &axis_torque, &q, &u, &u_mean, &phi, &blocks.D,
                      &blocks.x, &cuts.rhs, &cuts.du, &cuts.bias, &axis.actuator, &axis.damper, &axis.spring})
    std::fill(array->begin(), array->end(), nan);
  for (auto& k : k_q) std::fill(k.begin(), k.end(), nan);
  for (auto& k : k_u) std::fill(k.begin(), k.end(), nan);
  std::fill(frames.axis.begin(), frames.axis.end(), nan3);
  std::fill(V.begin(), V.end(), Twist<S>{nan3, nan3});
  std::fill(applied.begin(), applied.end(), Wrench<S>{nan3, nan3});
#endif
}

template struct Workspace<double>;
template struct Workspace<Lanes>;

}  // namespace sinew
