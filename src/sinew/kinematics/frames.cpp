#include "sinew/kinematics/frames.h"

namespace sinew {

template <Real S>
Prescribed<S>::Prescribed(const Model& model)
    : q(model.n_prescribed_q, S(0.0)),
      u(model.n_prescribed_u, S(0.0)),
      u_rate(model.n_prescribed_u, S(0.0)),
      motion(model.n_motions, S(0.0)),
      motion_rate(model.n_motions, S(0.0)),
      motion_accel(model.n_motions, S(0.0)) {}

template <Real S>
void prescribe(const Model& model, const Params<S>& params, double t, Prescribed<S>& out) {
  for (int i = 0; i < model.n_motions; i++)
    params.motions[i].evaluate(t, out.motion[i], out.motion_rate[i], out.motion_accel[i]);
  if (!model.has_driven) return;
  for (const Link& link : model.links) {
    if (!link.driven) continue;
    const int m = model.joints[link.joint].motion;
    joint::visit(link.kind, [&]<class J>() {
      J::prescribe(&out.motion[m], &out.motion_rate[m], &out.motion_accel[m], out.q.data() + link.q,
                   out.u.data() + link.u, out.u_rate.data() + link.u);
    });
  }
}

namespace {

template <class J, Real S>
Twist<S> relative_velocity(const Vec3<S>* axis, const S* u) {
  Twist<S> V = Twist<S>::zero();
  for (int i = 0; i < J::nu; i++) {
    if (J::dirs[i] == joint::Dir::Angular)
      V.w += axis[i] * u[i];
    else
      V.v += axis[i] * u[i];
  }
  return V;
}

template <class J, Real S>
SINEW_INLINE void place_link(const Link& link, const LinkParams<S>& p, const Frame<S>* parent, const S* q,
                             const SinCos<S>* trig, const S* u, const S* u_rate, Frame<S>& F, Vec3<S>* axis) {
  Pose<S> X_WJ = p.X_PJ;
  Vec3<S> r = p.X_PJ.p;
  if (parent) {
    r = parent->X.R * p.X_PJ.p;
    X_WJ.p = parent->X.p + r;
    X_WJ.R = link.aligned ? parent->X.R : parent->X.R * p.X_PJ.R;
  }
  F.X = J::place(X_WJ, q, trig);
  J::axes(X_WJ.R, F.X.R, axis);
  constexpr bool slides = J::nu > 0 && J::dirs[0] == joint::Dir::Linear;
  if constexpr (slides) r += F.X.p - X_WJ.p;
  F.r = r;
  const Twist<S> rel = relative_velocity<J>(axis, u);
  F.zeta = J::drift(axis, u);
  if (parent) {
    const Twist<S>& V_P = parent->V;
    const Vec3<S> carried = cross(V_P.w, r);
    F.V = {V_P.w + rel.w, V_P.v + carried + rel.v};
    F.zeta.w += cross(V_P.w, rel.w);
    if constexpr (slides)
      F.zeta.v += cross(V_P.w, carried + rel.v * S(2.0));
    else
      F.zeta.v += cross(V_P.w, carried);
  } else {
    F.V = rel;
  }
  if (link.driven) {
    const Twist<S> pushed = relative_velocity<J>(axis, u_rate);
    F.zeta = F.zeta + pushed;
  }
}

}  // namespace

template <Real S>
void evaluate_frames(const Model& model, const Params<S>& params, const S* q, const S* u, const Prescribed<S>& driven,
                     Frames<S>& out) {
  const int n = model.link_count(), n_angles = int(model.angles.size());
  for (int i = 0; i < n_angles; i++) {
    const int at = model.angles[i];
    out.angle[i] = at >= 0 ? q[at] : driven.q[-1 - at];
  }
  sincos_all(out.angle.data(), n_angles, out.trig.data());
  for (int i = 0; i < n; i++) {
    const Link& link = model.links[i];
    const Frame<S>* parent = link.parent < 0 ? nullptr : &out.link[link.parent];
    const S* qi = link.driven ? driven.q.data() + link.q : q + link.q;
    const S* ui = link.driven ? driven.u.data() + link.u : u + link.u;
    const S* rate = link.driven ? driven.u_rate.data() + link.u : nullptr;
    joint::visit(link.kind, [&]<class J>() {
      place_link<J>(link, params.links[i], parent, qi, out.trig.data() + link.angle, ui, rate, out.link[i],
                    out.axis.data() + link.axis);
    });
  }
}

template <Real S>
void evaluate_velocities(const Model& model, const Frames<S>& frames, const S* u, const Prescribed<S>& driven,
                         double drive_scale, std::vector<Twist<S>>& V) {
  for (int i = 0; i < model.link_count(); i++) {
    const Link& link = model.links[i];
    Twist<S> Vi = link.parent < 0 ? Twist<S>::zero() : shift_to_child(V[link.parent], frames.link[i].r);
    joint::visit(link.kind, [&]<class J>() {
      const Vec3<S>* axis = frames.axis.data() + link.axis;
      if (!link.driven) {
        Vi = Vi + relative_velocity<J>(axis, u + link.u);
      } else if (drive_scale != 0.0) {
        const Twist<S> rel = relative_velocity<J>(axis, driven.u.data() + link.u);
        Vi = Vi + Twist<S>{rel.w * S(drive_scale), rel.v * S(drive_scale)};
      }
    });
    V[i] = Vi;
  }
}

template <Real S>
void advance(const Model& model, const S* u, S dt, S* q) {
  for (const Link& link : model.links)
    if (!link.driven) joint::visit(link.kind, [&]<class J>() { J::advance(q + link.q, u + link.u, dt); });
}

#define SINEW_INSTANTIATE(S)                                                                                           \
  template struct Prescribed<S>;                                                                                       \
  template void prescribe(const Model&, const Params<S>&, double, Prescribed<S>&);                                     \
  template void evaluate_frames(const Model&, const Params<S>&, const S*, const S*, const Prescribed<S>&, Frames<S>&); \
  template void evaluate_velocities(const Model&, const Frames<S>&, const S*, const Prescribed<S>&, double,            \
                                    std::vector<Twist<S>>&);                                                           \
  template void advance(const Model&, const S*, S, S*);
SINEW_INSTANTIATE(double)
SINEW_INSTANTIATE(Lanes)

}  // namespace sinew
