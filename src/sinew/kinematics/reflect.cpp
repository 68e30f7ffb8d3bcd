// Reflected inertia: what rotors and other moving masses of drives add to the mass matrix on the axes of their joints.
//   A = diag(armature) + J^T m J,   T = u^T A u / 2,   tau = A du/dt + J^T m (dJ/dt) u
// A rotor with the inertia I_r [kg m^2] behind a gear of ratio N turns N times as fast as its joint, so it counts as N^2 I_r there. J is that of the
// joint's transmission (parts/transmission/transmission.h), m what moves with each of its drives [kg]. It acts between the two links of
// the joint: what a rotor feels because it is carried along is left out. docs/theory/transmissions.md#reflected-inertia.
// A cut joint has no coordinates of its own: they are measured on its two bodies. solve/axis_inertia.h makes rows of what is found here.
#include "sinew/kinematics/reflect.h"
#include "sinew/math/check.h"

namespace sinew {
namespace {

// Of one joint: how its axes move, and what comes of it.
template <Real S>
struct ReflectedJoint {
  const ReflectedInfo& info;
  const S *q, *u;         // coordinates, velocities
  const S* u_b;           // velocities for the quadratic terms
  const S* u_rate;        // accelerations that are given; nullptr: none
  const SinCos<S>* trig;  // of angles
  S *A, *bias, *out_u;
};

template <Real S>
void add_transmission(const ReflectedJoint<S>& j, const JointTransmission<S>& moved, Strokes<S>& at) {
  const int n = j.info.n_axes;
  at = transmission::strokes(moved.rods, j.q, j.trig, j.u_b);
  const S m[2] = {moved.mass, moved.mass};
  S A[4], bias[2];
  transmission::reflected_inertia(moved.rods, at, m, A, bias);
  for (int k = 0; k < n * n; k++) j.A[k] += A[k];
  for (int c = 0; c < n; c++) j.bias[c] += bias[c];
}

template <Real S>
void reflect_joint(const Params<S>& params, const ReflectedJoint<S>& j, Frames<S>& out) {
  const int n = j.info.n_axes;
  for (int k = 0; k < n * n; k++) j.A[k] = S(0.0);
  for (int c = 0; c < n; c++) {
    j.A[c * n + c] = params.armature[j.info.axis + c];
    j.bias[c] = S(0.0);
    j.out_u[c] = j.u[c];
  }
  if (j.info.transmission >= 0)
    add_transmission(j, params.transmissions[j.info.transmission], out.strokes[j.info.transmission]);
  for (int r = 0; r < n && j.u_rate; r++)
    for (int c = 0; c < n; c++) j.bias[r] += j.A[r * n + c] * j.u_rate[c];
}

}  // namespace

template <Real S>
void read_cut(const Cut& cut, const CutParams<S>& p, const Frames<S>& frames, CutMotion<S>& out) {
  const Frame<S>& F2 = frames.link[cut.body2];
  const Frame<S>& F1 = frames.link[cut.body1 >= 0 ? cut.body1 : cut.body2];
  const Pose<S> X_WJ = cut.body1 < 0 ? p.X_1J : F1.X * p.X_1J, X_WF = F2.X * p.X_2F;
  joint::visit(cut.kind, [&]<class J>() {
    if constexpr (J::nu > 0 && J::nq == J::nu) {
      J::coordinates(Pose<S>{transpose_times(X_WJ.R, X_WF.R), transpose_times(X_WJ.R, X_WF.p - X_WJ.p)}, out.q);
      Vec3<S> axis[J::nu];
      J::axes(X_WJ.R, X_WF.R, axis);
      const auto along = [&](const Twist<S>& V2, const Twist<S>& V1, S* u) {
        Twist<S> rel = shift_to_child(V2, X_WF.p - F2.X.p);
        if (cut.body1 >= 0) rel = rel - shift_to_child(V1, X_WF.p - F1.X.p);
        for (int c = 0; c < J::nu; c++) u[c] = dot(axis[c], J::dirs[c] == joint::Dir::Angular ? rel.w : rel.v);
      };
      along(F2.V, F1.V, out.u);
      along(F2.V_b, F1.V_b, out.u_b);
    }
  });
}

template <Real S>
void reflect(const Model& model, const Params<S>& params, const SplitMotion<S>& at, const Prescribed<S>& driven,
             Frames<S>& out) {
  SINEW_ASSERT(out.reflected.size() == 6 * out.reflected_u.size() && int(params.armature.size()) == model.n_axes);
  for (const ReflectedInfo& info : model.reflected) {
    const int first = reflected_axis(model, info);
    S *A = out.reflected.data() + 6 * first, *bias = out.reflected_bias.data() + first;
    S* out_u = out.reflected_u.data() + first;
    if (is_cut(info)) {
      CutMotion<S> m;
      SinCos<S> trig[2] = {};
      read_cut(cut_of(model, info), params.cuts[-1 - info.link], out, m);
      for (int c = 0; c < info.n_axes && c < 2; c++) sincos(m.q[c], trig[c].sin, trig[c].cos);
      reflect_joint(params, {info, m.q, m.u, m.u_b, nullptr, trig, A, bias, out_u}, out);
      continue;
    }
    const Link& link = model.links[info.link];
    reflect_joint(params,
                  {info, (link.driven ? driven.q.data() : at.q) + link.q,
                   (link.driven ? driven.u.data() : at.u) + link.u, (link.driven ? at.driven_u_b : at.u_b) + link.u,
                   link.driven ? driven.u_rate.data() + link.u : nullptr, out.trig.data() + link.angle, A, bias, out_u},
                  out);
  }
}

template void read_cut(const Cut&, const CutParams<double>&, const Frames<double>&, CutMotion<double>&);
template void read_cut(const Cut&, const CutParams<Lanes>&, const Frames<Lanes>&, CutMotion<Lanes>&);
template void reflect(const Model&, const Params<double>&, const SplitMotion<double>&, const Prescribed<double>&,
                      Frames<double>&);
template void reflect(const Model&, const Params<Lanes>&, const SplitMotion<Lanes>&, const Prescribed<Lanes>&,
                      Frames<Lanes>&);

}  // namespace sinew
