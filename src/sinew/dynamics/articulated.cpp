#include "sinew/dynamics/articulated.h"

#include "sinew/dynamics/eliminate.h"
#include "sinew/math/check.h"

namespace sinew {

template <Real S>
Blocks<S>::Blocks(const Model& model)
    : I(model.links.size()),
      p(model.links.size()),
      Y(model.n_frame_axes),
      D(6 * model.n_frame_axes),
      x(model.n_frame_axes),
      a(model.links.size()),
      handed(model.links.size()),
      rigid(std::same_as<S, double> ? packs_of<S>(int(model.single.size())) : 0),
      rank(model, std::same_as<S, double>) {}

RankBlocks::RankBlocks(const Model& model, bool single_robot) {
  if (!single_robot) return;
  Y.resize(model.n_rank_axes);
  x.resize(model.n_rank_axes);
  a.resize(model.ranks.size());
  limb.resize(model.n_limbs);
}

namespace {

template <Real S>
SINEW_INLINE void subtract_external(const Frame<S>& F, const LinkParams<S>& link, const Wrench<S>& external,
                                    Wrench<S>& p) {
  const Vec3<S> c = F.X.R * link.c_F;
  p.f -= external.f;
  p.n -= external.n + cross(c, external.f);
}

template <Real S>
struct Solving {  // what forward_dynamics hands to each link
  const Model& model;
  const Params<S>& params;
  const Frames<S>& frames;
  const S* tau;
  const std::vector<Wrench<S>>* external;
  const S* diag;
  const Gravity<Lanes>& gravity;
  Blocks<S>& b;
  S* u_rate;
};

// The links' own inertias in world axes, and p = I a_coast + velocity terms - gravity, of one pack.
template <Real S>
SINEW_INLINE RigidPart rigid_part(const Pack<S>& pack, const LinkParams<S>* params, const Frame<S>* frames,
                                  const Gravity<Lanes>& gravity) {
  const Mat3<Lanes> R = pack.matrix(SINEW_OF_LINK(frames[i].X.R));
  const Vec3<Lanes> w = pack.vector(SINEW_OF_LINK(frames[i].V_b.w));
  const Vec3<Lanes> mc = R * pack.vector(SINEW_OF_LINK(params[i].I_F.mc));
  const Sym3<Lanes> A = rotate(R, pack.symmetric(SINEW_OF_LINK(params[i].I_F.I)));
  Wrench<Lanes> p{cross(w, A * w), cross(w, cross(w, mc))};
  Vec3<Lanes> lift = pack.vector(SINEW_OF_LINK(frames[i].coast.v));
  if (gravity.kind == GravityKind::Uniform) {
    lift -= gravity.g;
  } else if (gravity.kind != GravityKind::None) {
    const Vec3<Lanes> c = R * pack.vector(SINEW_OF_LINK(params[i].c_F));
    const Vec3<Lanes> at = pack.vector(SINEW_OF_LINK(frames[i].X.p)) + c;
    lift -= fall(gravity, at, pack.vector(SINEW_OF_LINK(frames[i].V_b.v)) + cross(w, c));
    if (turns(gravity.kind)) p.n -= turning_torque(gravity.spin, central(A, c, mc), w);
  }
  const Vec3<Lanes> alpha = pack.vector(SINEW_OF_LINK(frames[i].coast.w));
  p.n += A * alpha + cross(mc, lift);
  p.f += lift * pack.number(SINEW_OF_LINK(params[i].I_F.m)) + cross(alpha, mc);
  return {A, mc, p};
}

template <Real S>
struct JointFactor {  // places for it
  S *D, *x;
  Wrench<S>* Y;
};

// Removes the joint's freedom from the link's inertia and wrench; leaves its factor.
template <class J, Real S>
SINEW_INLINE void reduce(const JointInput<S>& joint, ArticulatedInertia<S>& I, Wrench<S>& p,
                         const JointFactor<S>& out) {
  constexpr int n = J::nu;
  Wrench<S> U[n], Y[n];
  S e[n], x[n], D[n * n];
  joint::each_axis<J>([&]<int i>() SINEW_INLINE_LAMBDA { U[i] = column<J::dirs[i]>(I, joint.axis[i]); });
  factor_axes<J>(joint, U, D);
  axis_solve<J>(joint, p, D, e, x);
  times_inverse<n>(U, D, Y);
  for (int c = 0; c < n; c++) {
    I.A.subtract_outer(Y[c].n, U[c].n);
    I.C.subtract_outer(Y[c].f, U[c].f);
    for (int k = 0; k < 3; k++) I.B.col(k) -= Y[c].n * U[c].f[k];
    p.n += Y[c].n * e[c];
    p.f += Y[c].f * e[c];
  }
  // Element by element: std::copy is a memmove to the compiler, which then keeps the sources in memory from the start.
  for (int c = 0; c < n * n; c++) out.D[c] = D[c];
  for (int c = 0; c < n; c++) {
    out.x[c] = x[c];
    out.Y[c] = Y[c];
  }
}

template <Real S>
SINEW_INLINE void reduce_root(const JointInput<S>& joint, ArticulatedInertia<S>& I, const Wrench<S>& p,
                              ArticulatedInertia<S>& factor, Wrench<S>& rest, S* D) {
  Twist<S> push = Twist<S>::zero();
  joint::add_motion<joint::Free>(joint.axis, joint.tau, push);
  if (joint.diag) add_diagonal(joint.axis, joint.diag, I);
  const ArticulatedInertia<S> f = factor_free(I);
  const S inverses[6] = {f.A.xx, f.A.yy, f.A.zz, f.C.xx, f.C.yy, f.C.zz};
  for (int i = 0; i < 6; i++) D[7 * i] = inverses[i];  // as for the other joints: what tells a missing inertia
  factor = f;
  rest = {p.n - push.w, p.f - push.v};
}

template <Real S>
SINEW_INLINE void add(const Handed<S>& other, ArticulatedInertia<S>& I, Wrench<S>& p) {
  I.A += other.I.A;
  I.B += other.I.B;
  I.C += other.I.C;
  p += other.p;
}

// A link's own inertia and wrench, from its lane of a pack.
template <Real S>
SINEW_INLINE void start(const RigidPart& rigid, int k, S m, ArticulatedInertia<S>& I, Wrench<S>& p) {
  I = {take<S>(rigid.A, k), skew(take<S>(rigid.mc, k)), Sym3<S>::diagonal(m)};
  p = take<S>(rigid.p, k);
}

// What waits to be taken by a parent lies on a stack: links come in the reverse of depth first, so the next to take finds
// its own on top, and the few entries that a tree needs stay in the cache. Returns the new top.
template <Real S>
SINEW_INLINE Handed<S>* hand_over(const Link& link, ArticulatedInertia<S>& I, Wrench<S>& p, Handed<S>* top) {
  if (!link.last_child) add(*--top, I, p);
  *top = {I, p};
  return top + 1;
}

// Eliminates the joint's freedom from the link's inertia and wrench and hands the rest to the parent. rigid: the link's
// place in b.rigid. One function for each joint kind, not inlined: the compiler keeps its numbers in registers.
template <class J, Real S>
[[gnu::noinline]] Handed<S>* eliminate(const Solving<S>& at, int i, int rigid, Handed<S>* top) {
  Blocks<S>& b = at.b;
  const Link& link = at.model.links[i];
  const LinkParams<S>& params = at.params.links[i];
  const Frame<S>& F = at.frames.link[i];
  const JointInput<S> joint = joint_input<J>(at.frames, link, at.tau, at.diag);
  ArticulatedInertia<S> I;
  Wrench<S> p;
  if constexpr (std::same_as<S, Lanes>)
    start(rigid_part(Pack<S>(0, 1), &params, &F, at.gravity), 0, params.I_F.m, I, p);
  else
    start(b.rigid[unsigned(rigid) / links_per_pack<S>], unsigned(rigid) % links_per_pack<S>, params.I_F.m, I, p);
  if (at.external) subtract_external(F, params, (*at.external)[i], p);
  if (!link.leaf) add(*--top, I, p);
  if constexpr (std::same_as<J, joint::Free>) {
    reduce_root(joint, I, p, b.I[i], b.p[i], b.D.data() + 6 * link.axis);
    return top;
  } else {
    if constexpr (J::nu > 0)
      reduce<J>(joint, I, p, {b.D.data() + 6 * link.axis, b.x.data() + link.axis, b.Y.data() + link.axis});
    if (link.parent < 0) return top;
    shift(F.r, I);
    p = shift_to_parent(p, F.r);
    return hand_over(link, I, p, top);
  }
}

// eliminate for the links of a rank. handed: from rank to rank; what leaves the limbs goes to b.rank.limb.
template <class J>
[[gnu::noinline]] void eliminate_rank(const Solving<double>& at, int index, Handed<Lanes>& handed) {
  constexpr int n = J::nu;
  Blocks<double>& b = at.b;
  const Rank& rank = at.model.ranks[index];
  const Link* links = at.model.links.data();
  const Frame<Lanes>& F = at.frames.rank[index];
  LinkParams<Lanes> params;
  params.I_F = gather<Inertia<Lanes>>(rank.link, SINEW_OF_LINK(at.params.links[i].I_F));
  params.c_F = gather<Vec3<Lanes>>(rank.link, SINEW_OF_LINK(at.params.links[i].c_F));
  ArticulatedInertia<Lanes> I;
  Wrench<Lanes> p;
  start(rigid_part(Pack<Lanes>(0, 1), &params, &F, at.gravity), 0, params.I_F.m, I, p);
  if (at.external) subtract_external(F, params, gather<Wrench<Lanes>>(rank.link, SINEW_OF_LINK((*at.external)[i])), p);
  if (!rank.ends) add(handed, I, p);
  if constexpr (n > 0) {
    Lanes tau[n], diag[n], D[n * n], reflected[n * n], bias[n];
    const bool reflects = !at.frames.reflected.empty();
    if (reflects) {
      for (int c = 0; c < n * n; c++)
        reflected[c] = gather_number(rank.link, SINEW_OF_LINK(at.frames.reflected[6 * links[i].axis + c]));
      for (int c = 0; c < n; c++)
        bias[c] = gather_number(rank.link, SINEW_OF_LINK(at.frames.reflected_bias[links[i].axis + c]));
    }
    for (int c = 0; c < n; c++) {
      tau[c] = gather_number(rank.link, SINEW_OF_LINK(at.tau[links[i].u + c]));
      if (at.diag) diag[c] = gather_number(rank.link, SINEW_OF_LINK(at.diag[links[i].u + c]));
    }
    Wrench<Lanes>* Y = b.rank.Y.data() + rank.axis;
    const JointInput<Lanes> joint{at.frames.rank_axis.data() + rank.axis, tau, at.diag ? diag : nullptr,
                                  reflects ? reflected : nullptr, reflects ? bias : nullptr};
    reduce<J>(joint, I, p, {D, b.rank.x.data() + rank.axis, Y});
    for (int c = 0; c < n * n; c++)
      scatter_number(D[c], rank.link, 0, rank.count, SINEW_OF_LINK(b.D[6 * links[i].axis + c]));
    for (int c = 0; c < n; c++) scatter(Y[c], rank.link, 0, rank.count, SINEW_OF_LINK(b.Y[links[i].axis + c]));
  }
  shift(F.r, I);
  handed = {I, shift_to_parent(p, F.r)};
  if (rank.above < rank.count)
    scatter(handed, rank.link, rank.above, rank.count, SINEW_OF_LINK(b.rank.limb[links[i].limb]));
}

// A driven joint has no freedom to eliminate.
SINEW_INLINE JointKind kind_for_elimination(const Link& link) { return link.driven ? JointKind::Weld : link.kind; }

// A single robot's limbs first, in ranks; what they hand over waits for its turn among the other links, so that sums over
// children are in the order of a batch.
template <Real S>
void eliminate_all(const Solving<S>& at) {
  Handed<S>* top = at.b.handed.data();
  const auto one = [&](int i, int rigid) SINEW_INLINE_LAMBDA {
    top = joint::visit(kind_for_elimination(at.model.links[i]),
                       [&]<class J>() { return eliminate<J>(at, i, rigid, top); });
  };
  if constexpr (std::same_as<S, Lanes>) {
    for (int i = at.model.link_count() - 1; i >= 0; i--) one(i, 0);
  } else {
    Handed<Lanes> handed;
    for (int r = int(at.model.ranks.size()) - 1; r >= 0; r--)
      visit_joint(at.model.ranks[r], [&]<class J>() { eliminate_rank<J>(at, r, handed); });
    int rigid = int(at.model.single.size());
    for (int i = at.model.link_count() - 1; i >= 0; i--) {
      const Link& link = at.model.links[i];
      if (link.limb < 0) {
        one(i, --rigid);
      } else if (at.model.links[link.parent].limb < 0) {
        Handed<double>& limb = at.b.rank.limb[link.limb];
        top = hand_over(link, limb.I, limb.p, top);
      }
    }
  }
}

// The way back: the change of the link's motion and its joint's du from the parent's change.
template <class J, Real S>
SINEW_INLINE Twist<S> back_substitute(const Vec3<S>* axis, const Twist<S>& carried, const Wrench<S>* Y, const S* x,
                                      S* du) {
  constexpr int n = J::nu;
  Twist<S> a = carried;
  if constexpr (n > 0) {
    S d[n];
    for (int c = 0; c < n; c++) d[c] = x[c] - (dot(Y[c].n, carried.w) + dot(Y[c].f, carried.v));
    joint::add_motion<J>(axis, d, a);
    for (int c = 0; c < n; c++) du[c] = d[c];
  }
  return a;
}

// parent_change(parent): what back_substitute or this function gave for it
template <class J, Real S, class ParentChange>
SINEW_INLINE Twist<S> change_of(const Model& model, const Frames<S>& frames, const Blocks<S>& b, int i, S* du,
                                ParentChange parent_change) {
  const Link& link = model.links[i];
  const Vec3<S>* axis = frames.axis.data() + link.axis;
  if constexpr (std::same_as<J, joint::Free>) {
    return move_free(b.I[i], b.p[i], axis, du + link.u);
  } else {
    Twist<S> carried = Twist<S>::zero();
    if (link.parent >= 0) carried = shift_to_child(parent_change(link.parent), frames.link[i].r);
    return back_substitute<J>(axis, carried, b.Y.data() + link.axis, b.x.data() + link.axis, part_of<J>(du, link));
  }
}

template <class J, Real S>
[[gnu::noinline]] void accelerate(const Solving<S>& at, int i) {
  const auto parent_change = [&at](int parent)
                                 SINEW_INLINE_LAMBDA { return at.b.a[parent] - at.frames.link[parent].coast; };
  at.b.a[i] = change_of<J>(at.model, at.frames, at.b, i, at.u_rate, parent_change) + at.frames.link[i].coast;
}

// accelerate for the links of a rank
template <class J>
[[gnu::noinline]] void accelerate_rank(const Solving<double>& at, int index) {
  Blocks<double>& b = at.b;
  const Rank& rank = at.model.ranks[index];
  const Link* links = at.model.links.data();
  const Frame<Lanes>& F = at.frames.rank[index];
  Twist<Lanes> a, coast;  // of the parents
  if (rank.above == rank.count) {
    a = b.rank.a[index - 1];
    coast = at.frames.rank[index - 1].coast;
  } else {
    a = gather<Twist<Lanes>>(rank.link, SINEW_OF_LINK(b.a[links[i].parent]));
    coast = gather<Twist<Lanes>>(rank.link, SINEW_OF_LINK(at.frames.link[links[i].parent].coast));
  }
  Lanes du[J::nu + 1];
  a = back_substitute<J>(at.frames.rank_axis.data() + rank.axis, shift_to_child(a - coast, F.r),
                         b.rank.Y.data() + rank.axis, b.rank.x.data() + rank.axis, du) +
      F.coast;
  b.rank.a[index] = a;
  scatter(a, rank.link, 0, rank.count, SINEW_OF_LINK(b.a[i]));
  for (int c = 0; c < J::nu; c++)
    scatter_number(du[c], rank.link, 0, rank.count, SINEW_OF_LINK(at.u_rate[links[i].u + c]));
}

template <Real S>
void accelerate_all(const Solving<S>& at) {
  const auto one = [&at](int i) SINEW_INLINE_LAMBDA {
    joint::visit(kind_for_elimination(at.model.links[i]), [&]<class J>() { accelerate<J>(at, i); });
  };
  if constexpr (std::same_as<S, Lanes>) {
    for (int i = 0; i < at.model.link_count(); i++) one(i);
  } else {
    for (int i : at.model.single) one(i);
    for (int r = 0; r < int(at.model.ranks.size()); r++)
      visit_joint(at.model.ranks[r], [&]<class J>() { accelerate_rank<J>(at, r); });
  }
}

}  // namespace

template <Real S>
void forward_dynamics(const Model& model, const Params<S>& params, const Frames<S>& frames,
                      const ActingForces<S>& acting, Blocks<S>& b, S* u_rate) {
  SINEW_ASSERT(params.links.size() == model.links.size() && frames.link.size() == model.links.size());
  SINEW_ASSERT(b.I.size() == model.links.size() && int(b.D.size()) == 6 * model.n_frame_axes);
  SINEW_ASSERT(model.nu == 0 || (acting.tau && u_rate && acting.tau != u_rate));
  SINEW_ASSERT(!acting.external || acting.external->size() == model.links.size());
  const Gravity<Lanes>& gravity = in_all_lanes(params.gravity);
  const Solving<S> at{model, params, frames, acting.tau, acting.external, acting.diag, gravity, b, u_rate};
  for (int i = 0; i < int(b.rigid.size()); i++)
    b.rigid[i] = rigid_part(Pack<S>(i, model.single), params.links.data(), frames.link.data(), gravity);
  eliminate_all(at);
  accelerate_all(at);
}

template <Real S>
void own_parts(const Model& model, const Params<S>& params, const Frames<S>& frames,
               const std::vector<Wrench<S>>* external, Handed<S>* own) {
  SINEW_ASSERT(own && params.links.size() == model.links.size() && frames.link.size() == model.links.size());
  SINEW_ASSERT(!external || external->size() == model.links.size());
  const int n = model.link_count();
  const Gravity<Lanes>& gravity = in_all_lanes(params.gravity);
  for (int pack = 0; pack < packs_of<S>(n); pack++) {
    const RigidPart rigid = rigid_part(Pack<S>(pack, n), params.links.data(), frames.link.data(), gravity);
    for (int k = 0, i = pack * links_per_pack<S>; k < links_per_pack<S> && i < n; k++, i++) {
      start(rigid, k, params.links[i].I_F.m, own[i].I, own[i].p);
      if (external) subtract_external(frames.link[i], params.links[i], (*external)[i], own[i].p);
    }
  }
}

template <Real S>
void solve_impulse(const Model& model, const Frames<S>& frames, int first, int last, Blocks<S>& b, S* du) {
  SINEW_ASSERT(first >= 0 && first <= last && last <= model.link_count());
  SINEW_ASSERT(first == last ||
               (model.links[first].root == first && model.links[last - 1].tree_end == last));  // whole trees
  SINEW_ASSERT(b.p.size() == model.links.size() && (model.nu == 0 || du));
  for (int i = last - 1; i >= first; i--) {
    const Link& link = model.links[i];
    Wrench<S> p = b.p[i];
    joint::visit(kind_for_elimination(link), [&]<class J>() {
      if constexpr (J::nu > 0 && !std::same_as<J, joint::Free>) {
        S e[J::nu];
        const JointInput<S> no_force{frames.axis.data() + link.axis, nullptr, nullptr, nullptr, nullptr};
        axis_solve<J>(no_force, p, b.D.data() + 6 * link.axis, e, b.x.data() + link.axis);
        for (int c = 0; c < J::nu; c++) {
          const Wrench<S>& Y = b.Y[link.axis + c];
          p.n += Y.n * e[c];
          p.f += Y.f * e[c];
        }
      }
    });
    if (link.parent >= 0) b.p[link.parent] += shift_to_parent(p, frames.link[i].r);
  }
  for (int i = first; i < last; i++) {
    joint::visit(kind_for_elimination(model.links[i]), [&]<class J>() {
      b.a[i] = change_of<J>(model, frames, b, i, du, [&b](int parent) { return b.a[parent]; });
    });
  }
}

#define SINEW_INSTANTIATE_ARTICULATED(S)                                                                               \
  template struct Blocks<S>;                                                                                           \
  template void forward_dynamics(const Model&, const Params<S>&, const Frames<S>&, const ActingForces<S>&, Blocks<S>&, \
                                 S*);                                                                                  \
  template void own_parts(const Model&, const Params<S>&, const Frames<S>&, const std::vector<Wrench<S>>*,             \
                          Handed<S>*);                                                                                 \
  template void solve_impulse(const Model&, const Frames<S>&, int, int, Blocks<S>&, S*);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_ARTICULATED)

}  // namespace sinew
