// Reflected inertia: what rotors and other moving masses of drives add to the mass matrix on the axes of their joints.
//   A = diag(armature) + J^T m J,   T = u^T A u / 2,   tau = A du/dt + J^T m (dJ/dt) u
// A rotor with the inertia I_r [kg m^2] behind a gear of ratio N turns N times as fast as its joint, so it counts as N^2 I_r there. J is that of the
// joint's transmission (parts/transmission/transmission.h), m what moves with each of its drives [kg]. It acts between the two links of
// the joint: what a rotor feels because it is carried along is left out. docs/theory/transmissions.md#reflected-inertia.
#include "sinew/kinematics/frames.h"
#include "sinew/math/check.h"

namespace sinew {
namespace {

template <Real S>
struct DrivenMotion {  // of one joint: velocities for the quadratic terms, accelerations that are given
  const S *q, *u_b, *u_rate;
};

template <Real S>
void add_transmission(const ReflectedInfo& info, const JointTransmission<S>& moved, const DrivenMotion<S>& motion,
                      const Link& link, Frames<S>& out) {
  const int n = info.n_axes;
  Strokes<S>& at = out.strokes[info.transmission];
  at = transmission::strokes(moved.rods, motion.q, out.trig.data() + link.angle, motion.u_b);
  const S m[2] = {moved.mass, moved.mass};
  S A[4], bias[2];
  transmission::reflected_inertia(moved.rods, at, m, A, bias);
  for (int k = 0; k < n * n; k++) out.reflected[6 * link.axis + k] += A[k];
  for (int c = 0; c < n; c++) out.reflected_bias[link.axis + c] += bias[c];
}

}  // namespace

template <Real S>
void reflect(const Model& model, const Params<S>& params, const SplitMotion<S>& at, const Prescribed<S>& driven,
             Frames<S>& out) {
  SINEW_ASSERT(int(out.reflected.size()) == 6 * model.n_frame_axes && int(params.armature.size()) == model.n_axes);
  for (const ReflectedInfo& info : model.reflected) {
    const Link& link = model.links[info.link];
    const int n = info.n_axes;
    const S* u = (link.driven ? driven.u.data() : at.u) + link.u;
    const DrivenMotion<S> motion{(link.driven ? driven.q.data() : at.q) + link.q,
                                 (link.driven ? at.driven_u_b : at.u_b) + link.u,
                                 link.driven ? driven.u_rate.data() + link.u : nullptr};
    S *A = out.reflected.data() + 6 * link.axis, *bias = out.reflected_bias.data() + link.axis;
    for (int k = 0; k < n * n; k++) A[k] = S(0.0);
    for (int c = 0; c < n; c++) {
      A[c * n + c] = params.armature[info.axis + c];
      bias[c] = S(0.0);
      out.reflected_u[link.axis + c] = u[c];
    }
    if (info.transmission >= 0) add_transmission(info, params.transmissions[info.transmission], motion, link, out);
    for (int r = 0; r < n && link.driven; r++)
      for (int c = 0; c < n; c++) bias[r] += A[r * n + c] * motion.u_rate[c];
  }
}

template void reflect(const Model&, const Params<double>&, const SplitMotion<double>&, const Prescribed<double>&,
                      Frames<double>&);
template void reflect(const Model&, const Params<Lanes>&, const SplitMotion<Lanes>&, const Prescribed<Lanes>&,
                      Frames<Lanes>&);

}  // namespace sinew
