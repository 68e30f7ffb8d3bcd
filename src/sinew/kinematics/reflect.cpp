// Reflected inertia: what rotors of drives add to the mass matrix on the axes of their joints.
//   A = diag(armature),  T = u^T A u / 2,  tau = A du/dt
// A rotor with the inertia I_r [kg m^2] behind a gear of ratio N turns N times as fast as its joint, so it counts as N^2 I_r there. It
// is a torque between the two links of the joint: the gyroscopic torque of a rotor that is carried along is left out.
// docs/theory/transmissions.md#reflected-inertia.
#include "sinew/kinematics/frames.h"
#include "sinew/math/check.h"

namespace sinew {

template <Real S>
void reflect(const Model& model, const Params<S>& params, const SplitMotion<S>& at, const Prescribed<S>& driven,
             Frames<S>& out) {
  SINEW_ASSERT(int(out.reflected.size()) == 6 * model.n_frame_axes && int(params.armature.size()) == model.n_axes);
  for (const ReflectedInfo& info : model.reflected) {
    const Link& link = model.links[info.link];
    const S* u = (link.driven ? driven.u.data() : at.u) + link.u;
    S* A = out.reflected.data() + 6 * link.axis;
    for (int c = 0; c < info.n_axes; c++) {
      const S& a = A[c * info.n_axes + c] = params.armature[info.axis + c];
      out.reflected_u[link.axis + c] = u[c];
      out.reflected_bias[link.axis + c] = link.driven ? a * driven.u_rate[link.u + c] : S(0.0);
    }
  }
}

template void reflect(const Model&, const Params<double>&, const SplitMotion<double>&, const Prescribed<double>&,
                      Frames<double>&);
template void reflect(const Model&, const Params<Lanes>&, const SplitMotion<Lanes>&, const Prescribed<Lanes>&,
                      Frames<Lanes>&);

}  // namespace sinew
