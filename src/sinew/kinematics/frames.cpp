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

using joint::Dir;

template <Real S>
struct Placing {  // what evaluate_frames hands to each link
  const Model& model;
  const Params<S>& params;
  const S *q, *u;
  const Prescribed<S>& driven;
  Frames<S>& out;
};

template <class J, Real S>
SINEW_INLINE void place_root(const LinkParams<S>& p, const S* q, const SinCos<S>* trig, const S* u, Frame<S>& F,
                             Vec3<S>* axis) {
  F.X = J::place(p.X_PJ, q, trig);
  F.r = p.X_PJ.p;
  if constexpr (joint::moves_along<J, Dir::Linear>) F.r = F.X.p;
  J::axes(p.X_PJ.R, F.X.R, axis);
  F.V = F.zeta = Twist<S>::zero();
  joint::add_motion<J>(axis, u, F.V);
  if constexpr (J::drifts) F.zeta.w = J::drift(axis, u).w;
  F.coast = F.zeta;
}

template <class J, Real S>
SINEW_INLINE void place_on_parent(const Mat3<S>& R_WJ, const Vec3<S>& p_PJ, const Frame<S>& parent, const S* q,
                                  const SinCos<S>* trig, const S* u, Frame<S>& F, Vec3<S>* axis) {
  constexpr bool turns = joint::moves_along<J, Dir::Angular>, slides = joint::moves_along<J, Dir::Linear>;
  const Vec3<S> w_P = parent.V.w;
  Vec3<S> r = parent.X.R * p_PJ;
  const Pose<S> X_WJ{R_WJ, parent.X.p + r};
  const Pose<S> X = J::place(X_WJ, q, trig);
  Vec3<S> s[J::nu + 1];
  J::axes(X_WJ.R, X.R, s);
  if constexpr (slides) r = X.p - parent.X.p;
  const Vec3<S> carried = cross(w_P, r);
  Twist<S> V{w_P, parent.V.v + carried};
  Twist<S> zeta, coast = shift_to_child(parent.coast, r);
  if constexpr (turns) {
    const Vec3<S> w_rel = joint::sum_along<J, Dir::Angular>(s, u);
    V.w += w_rel;
    zeta.w = cross(w_P, w_rel);
    if constexpr (J::drifts) zeta.w += J::drift(s, u).w;
    coast.w += zeta.w;
  } else {
    zeta.w = Vec3<S>::zero();
  }
  if constexpr (slides) {
    const Vec3<S> v_rel = joint::sum_along<J, Dir::Linear>(s, u);
    V.v += v_rel;
    zeta.v = cross(w_P, carried + v_rel * S(2.0));
  } else {
    zeta.v = cross(w_P, carried);
  }
  coast.v += zeta.v;
  // Stored only now: F and parent may be the same memory for all the compiler knows.
  F = {X, V, zeta, coast, r};
  for (int i = 0; i < J::nu; i++) axis[i] = s[i];
}

// One function for each joint kind, not inlined: the compiler keeps its numbers in registers.
template <class J, Real S>
[[gnu::noinline]] void place_link(const Placing<S>& at, int i) {
  const Link& link = at.model.links[i];
  const LinkParams<S>& p = at.params.links[i];
  Frame<S>& F = at.out.link[i];
  Vec3<S>* axis = at.out.axis.data() + link.axis;
  const SinCos<S>* trig = at.out.trig.data() + link.angle;
  const S* q = (link.driven ? at.driven.q.data() : at.q) + link.q;
  const S* u = (link.driven ? at.driven.u.data() : at.u) + link.u;
  if (link.parent < 0) {
    place_root<J>(p, q, trig, u, F, axis);
  } else if constexpr (!std::same_as<J, joint::Free>) {
    const Frame<S>& parent = at.out.link[link.parent];
    const Mat3<S> R_WJ = link.aligned ? parent.X.R : parent.X.R * p.X_PJ.R;
    place_on_parent<J>(R_WJ, p.X_PJ.p, parent, q, trig, u, F, axis);
  }
  if (link.driven) {
    const S* u_rate = at.driven.u_rate.data() + link.u;
    joint::add_motion<J>(axis, u_rate, F.zeta);
    joint::add_motion<J>(axis, u_rate, F.coast);
  }
}

}  // namespace

template <Real S>
void evaluate_frames(const Model& model, const Params<S>& params, const S* q, const S* u, const Prescribed<S>& driven,
                     Frames<S>& out) {
  const int n = model.link_count();
  sincos_of(model.angles, q, driven.q.data(), out.trig.data());
  const Placing<S> at{model, params, q, u, driven, out};
  for (int i = 0; i < n; i++) joint::visit(model.links[i].kind, [&at, i]<class J>() { place_link<J>(at, i); });
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
        joint::add_motion<J>(axis, u + link.u, Vi);
      } else if (drive_scale != 0.0) {
        Twist<S> rel = Twist<S>::zero();
        joint::add_motion<J>(axis, driven.u.data() + link.u, rel);
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
