#include "sinew/dynamics/inverse.h"

#include "sinew/math/check.h"

namespace sinew {
namespace {

// F = I a + velocity terms - gravity, about the link's origin, for the links of one pack. Vectors are turned into the
// link's axes instead of the inertia into the world's: cheaper when each is used once.
template <Real S>
SINEW_INLINE Wrench<Lanes> newton_euler(const Pack<S>& pack, const Params<S>& params, const Frames<S>& frames,
                                        const Gravity<Lanes>& gravity, const std::vector<Twist<S>>& accelerations) {
  const Mat3<Lanes> R = pack.matrix(SINEW_OF_LINK(frames.link[i].X.R));
  const Vec3<Lanes> w = pack.vector(SINEW_OF_LINK(frames.link[i].V_b.w));
  const Vec3<Lanes> alpha = pack.vector(SINEW_OF_LINK(accelerations[i].w));
  const Lanes m = pack.number(SINEW_OF_LINK(params.links[i].I_F.m));
  const Vec3<Lanes> mc_F = pack.vector(SINEW_OF_LINK(params.links[i].I_F.mc)), mc = R * mc_F;
  const Sym3<Lanes> I = pack.symmetric(SINEW_OF_LINK(params.links[i].I_F.I));
  Vec3<Lanes> lift = pack.vector(SINEW_OF_LINK(accelerations[i].v));
  Vec3<Lanes> c_F = Vec3<Lanes>::zero();
  if (gravity.kind == GravityKind::Uniform) {
    lift -= gravity.g;
  } else if (gravity.kind != GravityKind::None) {
    c_F = pack.vector(SINEW_OF_LINK(params.links[i].c_F));
    const Vec3<Lanes> c = R * c_F, p = pack.vector(SINEW_OF_LINK(frames.link[i].X.p));
    lift -= fall(gravity, p + c, pack.vector(SINEW_OF_LINK(frames.link[i].V_b.v)) + cross(w, c));
  }
  const Vec3<Lanes> w_F = transpose_times(R, w), alpha_F = transpose_times(R, alpha);
  Wrench<Lanes> out;
  out.f = lift * m + cross(alpha, mc) + cross(w, cross(w, mc));
  out.n = R * (I * alpha_F + cross(w_F, I * w_F)) + cross(mc, lift);
  if (turns(gravity.kind)) out.n -= turning_torque(gravity.spin, rotate(R, central(I, c_F, mc_F)), w);
  return out;
}

template <Real S>
struct Inverting {  // what inverse_dynamics hands to each link
  const Model& model;
  const Params<S>& params;
  const Frames<S>& frames;
  InverseInput<S> in;
  InverseWork<S>& work;
  S* axis_torque;
};

template <class J, Real S>
SINEW_INLINE void accelerate(const Inverting<S>& at, int i) {
  const Link& link = at.model.links[i];
  const Frame<S>& F = at.frames.link[i];
  Twist<S> change = Twist<S>::zero();
  if (link.parent >= 0) change = shift_to_child(at.work.change[link.parent], F.r);
  if (!link.driven) joint::add_motion<J>(at.frames.axis.data() + link.axis, at.in.u_rate + link.u, change);
  at.work.change[i] = change;
  at.work.a[i] = change + F.coast;
}

// What a joint's rotors take: A du/dt + bias. It acts between the joint's links, so no wrench goes on to the parent.
template <class J, Real S>
SINEW_INLINE void add_reflected(const Inverting<S>& at, const Link& link) {
  const S* A = at.frames.reflected.data() + 6 * link.axis;
  for (int r = 0; r < J::nu; r++) {
    S need = at.frames.reflected_bias[link.axis + r];
    for (int c = 0; c < J::nu && !link.driven; c++) need += A[r * J::nu + c] * at.in.u_rate[link.u + c];
    at.axis_torque[link.axis + r] += need;
  }
}

// F, all that the link and what it carries need of its joint.
template <Real S>
SINEW_INLINE Wrench<S> need_of(const Inverting<S>& at, int i) {
  Wrench<S> F = take<S>(at.work.own[i / links_per_pack<S>], i % links_per_pack<S>);
  if (at.in.external) {
    const Wrench<S>& X = (*at.in.external)[i];
    F.n -= X.n + cross(at.frames.link[i].X.R * at.params.links[i].c_F, X.f);
    F.f -= X.f;
  }
  if (!at.model.links[i].leaf) F += at.work.F[i];
  return F;
}

template <class J, Real S>
SINEW_INLINE void collect(const Inverting<S>& at, int i) {
  InverseWork<S>& work = at.work;
  const Link& link = at.model.links[i];
  const Frame<S>& frame = at.frames.link[i];
  const Wrench<S> F = need_of(at, i);
  for (int c = 0; c < J::nu; c++)
    at.axis_torque[link.axis + c] = dot(at.frames.axis[link.axis + c], J::dirs[c] == joint::Dir::Angular ? F.n : F.f);
  if (J::nu > 0 && !at.frames.reflected.empty()) add_reflected<J>(at, link);
  if (link.parent < 0) return;
  Wrench<S> to_parent = shift_to_parent(F, frame.r);
  if (!link.last_child) to_parent += work.F[link.parent];
  work.F[link.parent] = to_parent;
}

}  // namespace

template <Real S>
void inverse_dynamics(const Model& model, const Params<S>& params, const Frames<S>& frames, const InverseInput<S>& in,
                      InverseWork<S>& work, S* axis_torque) {
  SINEW_ASSERT(params.links.size() == model.links.size() && frames.link.size() == model.links.size());
  SINEW_ASSERT(work.a.size() == model.links.size() && work.F.size() == model.links.size());
  SINEW_ASSERT((model.nu == 0 || in.u_rate) && (model.n_frame_axes == 0 || axis_torque));
  SINEW_ASSERT(!in.external || in.external->size() == model.links.size());
  const int n = model.link_count();
  const Inverting<S> at{model, params, frames, in, work, axis_torque};
  for (int i = 0; i < n; i++) joint::visit(model.links[i].kind, [&at, i]<class J>() { accelerate<J>(at, i); });
  const Gravity<Lanes>& gravity = in_all_lanes(params.gravity);
  for (int i = 0; i < int(work.own.size()); i++)
    work.own[i] = newton_euler(Pack<S>(i, n), params, frames, gravity, work.a);
  for (int i = n - 1; i >= 0; i--) joint::visit(model.links[i].kind, [&at, i]<class J>() { collect<J>(at, i); });
}

template <Real S>
Wrench<S> joint_wrench(const Model& model, const Params<S>& params, const Frames<S>& frames, const InverseInput<S>& in,
                       InverseWork<S>& work, int link) {
  SINEW_ASSERT(link >= 0 && link < model.link_count());
  return need_of(Inverting<S>{model, params, frames, in, work, nullptr}, link);
}

#define SINEW_INSTANTIATE_INVERSE(S)                                                                        \
  template void inverse_dynamics(const Model&, const Params<S>&, const Frames<S>&, const InverseInput<S>&,  \
                                 InverseWork<S>&, S*);                                                      \
  template Wrench<S> joint_wrench(const Model&, const Params<S>&, const Frames<S>&, const InverseInput<S>&, \
                                  InverseWork<S>&, int);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_INVERSE)

}  // namespace sinew
