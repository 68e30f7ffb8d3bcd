#include "sinew/dynamics/articulated.h"

#include "sinew/math/small_solve.h"

namespace sinew {

using joint::Dir;

template <Real S>
Blocks<S>::Blocks(const Model& model)
    : I(model.links.size()),
      p(model.links.size()),
      Y(model.n_frame_axes),
      D(6 * model.n_frame_axes),
      x(model.n_frame_axes),
      a(model.links.size()),
      handed(model.links.size()),
      rigid(std::same_as<S, double> ? pack_count<S>(model) : 0) {}

namespace {

// I^A S_i for one axis
template <Dir dir, Real S>
SINEW_INLINE Wrench<S> column(const ArticulatedInertia<S>& I, const Vec3<S>& s) {
  if constexpr (dir == Dir::Angular)
    return {I.A * s, transpose_times(I.B, s)};
  else
    return {I.B * s, I.C * s};
}

template <class J, int i, Real S>
SINEW_INLINE void each_column(const ArticulatedInertia<S>& I, const Vec3<S>* axis, Wrench<S>* U) {
  if constexpr (i < J::nu) {
    U[i] = column<J::dirs[i]>(I, axis[i]);
    each_column<J, i + 1>(I, axis, U);
  }
}

// D = S^T U + diag, factored
template <class J, Real S>
SINEW_INLINE void factor_axes(const Vec3<S>* axis, const Wrench<S>* U, const S* diag, S* D) {
  constexpr int n = J::nu;
  for (int r = 0; r < n; r++) {
    for (int c = 0; c <= r; c++) D[r * n + c] = dot(axis[r], J::dirs[r] == Dir::Angular ? U[c].n : U[c].f);
    if (diag) D[r * n + r] += diag[r];
  }
  factor_small<n>(D);
}

// Y = U D^-1, row by row
template <int n, Real S>
SINEW_INLINE void times_inverse(const Wrench<S>* U, const S* D, Wrench<S>* Y) {
  for (int k = 0; k < 3; k++) {
    S n_row[n], f_row[n];
    for (int c = 0; c < n; c++) n_row[c] = U[c].n[k], f_row[c] = U[c].f[k];
    solve_small<n>(D, n_row);
    solve_small<n>(D, f_row);
    for (int c = 0; c < n; c++) Y[c].n[k] = n_row[c], Y[c].f[k] = f_row[c];
  }
}

// e = tau - S^T p, x = D^-1 e
template <class J, Real S>
SINEW_INLINE void axis_solve(const Vec3<S>* axis, const Wrench<S>& p, const S* tau, const S* D, S* e, S* x) {
  for (int c = 0; c < J::nu; c++) {
    e[c] = -dot(axis[c], J::dirs[c] == Dir::Angular ? p.n : p.f);
    if (tau) e[c] += tau[c];
    x[c] = e[c];
  }
  solve_small<J::nu>(D, x);
}

// A += k l^T + l' k^T for the column l -> l' of B that is shifted by r; k = r x unit vector of the column.
template <int column, Real S>
SINEW_INLINE void shift_column(const Vec3<S>& r, const Vec3<S>& before, const Vec3<S>& after, Sym3<S>& A) {
  if constexpr (column == 0) {
    A.xy += before[0] * r[2], A.xz -= before[0] * r[1];
    A.yy += (before[1] + after[1]) * r[2], A.zz -= (before[2] + after[2]) * r[1];
    A.yz += after[2] * r[2] - before[1] * r[1];
  } else if constexpr (column == 1) {
    A.xy -= after[1] * r[2], A.yz += before[1] * r[0];
    A.xx -= (before[0] + after[0]) * r[2], A.zz += (before[2] + after[2]) * r[0];
    A.xz += before[0] * r[0] - after[2] * r[2];
  } else {
    A.xz += after[2] * r[1], A.yz -= after[2] * r[0];
    A.xx += (before[0] + after[0]) * r[1], A.yy -= (before[1] + after[1]) * r[0];
    A.xy += after[1] * r[1] - before[0] * r[0];
  }
}

// A free root: its axes span every motion, so I itself is factored, in world axes and by blocks of three.
//   a = -C^-1 f - G^T alpha,  alpha = (A - G B^T)^-1 (G f - n),  G = B C^-1
// The factor is kept as A <- (A - G B^T)^-1, B <- G, C <- C^-1.
template <Real S>
SINEW_INLINE ArticulatedInertia<S> factor_free(const ArticulatedInertia<S>& I) {
  const Sym3<S> C = inverse(I.C);
  const Mat3<S> G{I.B * Vec3<S>(C.xx, C.xy, C.xz), I.B * Vec3<S>(C.xy, C.yy, C.yz), I.B * Vec3<S>(C.xz, C.yz, C.zz)};
  Sym3<S> A = I.A;
  for (int k = 0; k < 3; k++) A.subtract_outer(G.col(k), I.B.col(k));
  return {inverse(A), G, C};
}
template <Real S>
SINEW_INLINE Twist<S> solve_free(const ArticulatedInertia<S>& factor, const Wrench<S>& p) {
  const Vec3<S> alpha = factor.A * (factor.B * p.f - p.n);
  return {alpha, -(factor.C * p.f) - transpose_times(factor.B, alpha)};
}
// I + sum_i diag_i s_i s_i^T: what the additions per freedom are in world axes
template <Real S>
void add_diagonal(const Vec3<S>* axis, const S* diag, ArticulatedInertia<S>& I) {
  for (int i = 0; i < 3; i++) {
    I.A.subtract_outer(axis[i] * -diag[i], axis[i]);
    I.C.subtract_outer(axis[3 + i] * -diag[3 + i], axis[3 + i]);
  }
}
template <Real S>
SINEW_INLINE Twist<S> move_free(const ArticulatedInertia<S>& factor, const Wrench<S>& p, const Vec3<S>* axis, S* du) {
  const Twist<S> a = solve_free(factor, p);
  for (int i = 0; i < 3; i++) du[i] = dot(axis[i], a.w), du[3 + i] = dot(axis[3 + i], a.v);
  return a;
}

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
#define SINEW_OF_LINK(x) \
  [&](int i) SINEW_INLINE_LAMBDA -> const auto& { return x; }
template <Real S>
SINEW_INLINE RigidPart rigid_part(const Pack<S>& pack, const Params<S>& params, const Frames<S>& frames,
                                  const Gravity<Lanes>& gravity) {
  const Mat3<Lanes> R = pack.matrix(SINEW_OF_LINK(frames.link[i].X.R));
  const Vec3<Lanes> w = pack.vector(SINEW_OF_LINK(frames.link[i].V.w));
  const Vec3<Lanes> mc = R * pack.vector(SINEW_OF_LINK(params.links[i].I_F.mc));
  const Sym3<Lanes> A = rotate(R, pack.symmetric(SINEW_OF_LINK(params.links[i].I_F.I)));
  Wrench<Lanes> p{cross(w, A * w), cross(w, cross(w, mc))};
  Vec3<Lanes> lift = pack.vector(SINEW_OF_LINK(frames.link[i].coast.v));
  if (gravity.kind == GravityKind::Uniform) {
    lift -= gravity.g;
  } else if (gravity.kind != GravityKind::None) {
    const Vec3<Lanes> c = R * pack.vector(SINEW_OF_LINK(params.links[i].c_F));
    const Vec3<Lanes> at = pack.vector(SINEW_OF_LINK(frames.link[i].X.p)) + c;
    lift -= fall(gravity, at, pack.vector(SINEW_OF_LINK(frames.link[i].V.v)) + cross(w, c));
    if (gravity.kind == GravityKind::Spinning) p.n -= turning_torque(gravity.spin, central(A, c, mc), w);
  }
  const Vec3<Lanes> alpha = pack.vector(SINEW_OF_LINK(frames.link[i].coast.w));
  p.n += A * alpha + cross(mc, lift);
  p.f += lift * pack.number(SINEW_OF_LINK(params.links[i].I_F.m)) + cross(alpha, mc);
  return {A, mc, p};
}
#undef SINEW_OF_LINK

// I about the parent's origin:  B' = B + r x C,  A' = A + r x B'^T + (r x B^T)^T.
// Column by column, so that few numbers are alive at a time.
template <Real S>
SINEW_INLINE void shift(const Vec3<S>& r, ArticulatedInertia<S>& I) {
  const Sym3<S>& C = I.C;
  Vec3<S> before = I.B.col(0);
  I.B.col(0) += cross(r, {C.xx, C.xy, C.xz});
  shift_column<0>(r, before, I.B.col(0), I.A);
  before = I.B.col(1);
  I.B.col(1) += cross(r, {C.xy, C.yy, C.yz});
  shift_column<1>(r, before, I.B.col(1), I.A);
  before = I.B.col(2);
  I.B.col(2) += cross(r, {C.xz, C.yz, C.zz});
  shift_column<2>(r, before, I.B.col(2), I.A);
}

// Removes the joint's freedom from the link's inertia and wrench; leaves its factor in b.
template <class J, Real S>
SINEW_INLINE void reduce(const Link& link, const Vec3<S>* axis, const S* tau, const S* diag, ArticulatedInertia<S>& I,
                         Wrench<S>& p, Blocks<S>& b) {
  constexpr int n = J::nu;
  Wrench<S> U[n], Y[n];
  S e[n], x[n], D[n * n];
  each_column<J, 0>(I, axis, U);
  factor_axes<J>(axis, U, diag, D);
  axis_solve<J>(axis, p, tau, D, e, x);
  times_inverse<n>(U, D, Y);
  for (int c = 0; c < n; c++) {
    I.A.subtract_outer(Y[c].n, U[c].n);
    I.C.subtract_outer(Y[c].f, U[c].f);
    for (int k = 0; k < 3; k++) I.B.col(k) -= Y[c].n * U[c].f[k];
    p.n += Y[c].n * e[c], p.f += Y[c].f * e[c];
  }
  // Element by element: std::copy is a memmove to the compiler, which then keeps the sources in memory from the start.
  for (int c = 0; c < n * n; c++) b.D[6 * link.axis + c] = D[c];
  for (int c = 0; c < n; c++) b.x[link.axis + c] = x[c], b.Y[link.axis + c] = Y[c];
}

template <Real S>
SINEW_INLINE void reduce_root(const Vec3<S>* axis, const S* tau, const S* diag, ArticulatedInertia<S>& I,
                              const Wrench<S>& p, ArticulatedInertia<S>& factor, Wrench<S>& rest, S* D) {
  Twist<S> push = Twist<S>::zero();
  joint::add_motion<joint::Free>(axis, tau, push);
  if (diag) add_diagonal(axis, diag, I);
  const ArticulatedInertia<S> f = factor_free(I);
  const S inverses[6] = {f.A.xx, f.A.yy, f.A.zz, f.C.xx, f.C.yy, f.C.zz};
  for (int i = 0; i < 6; i++) D[7 * i] = inverses[i];  // as for the other joints: what tells a missing inertia
  factor = f;
  rest = {p.n - push.w, p.f - push.v};
}

template <Real S>
SINEW_INLINE void add(const Handed<S>& other, ArticulatedInertia<S>& I, Wrench<S>& p) {
  I.A += other.I.A, I.B += other.I.B, I.C += other.I.C;
  p += other.p;
}

// A link's own inertia and wrench, from its lane of a pack.
template <Real S>
SINEW_INLINE void start(const RigidPart& rigid, int k, S m, ArticulatedInertia<S>& I, Wrench<S>& p) {
  I = {take<S>(rigid.A, k), skew(take<S>(rigid.mc, k)), Sym3<S>::diagonal(m)};
  p = take<S>(rigid.p, k);
}

// Eliminates the joint's freedom from the link's inertia and wrench and hands the rest to the parent. What waits to be
// taken by a parent lies on a stack: links come in the reverse of depth first, so the next to take finds its own on top,
// and the few entries that a tree needs stay in the cache. Returns the new top.
// One function for each joint kind, not inlined: the compiler keeps its numbers in registers.
template <class J, Real S>
[[gnu::noinline]] Handed<S>* eliminate(const Solving<S>& at, int i, Handed<S>* top) {
  Blocks<S>& b = at.b;
  const Link& link = at.model.links[i];
  const LinkParams<S>& params = at.params.links[i];
  const Frame<S>& F = at.frames.link[i];
  const Vec3<S>* axis = at.frames.axis.data() + link.axis;
  const S *tau = at.tau + link.u, *diag = at.diag ? at.diag + link.u : nullptr;
  ArticulatedInertia<S> I;
  Wrench<S> p;
  if constexpr (std::same_as<S, Lanes>)
    start(rigid_part(Pack<S>(i, i + 1), at.params, at.frames, at.gravity), 0, params.I_F.m, I, p);
  else
    start(b.rigid[unsigned(i) / links_per_pack<S>], unsigned(i) % links_per_pack<S>, params.I_F.m, I, p);
  if (at.external) subtract_external(F, params, (*at.external)[i], p);
  if (!link.leaf) add(*--top, I, p);
  if constexpr (std::same_as<J, joint::Free>) {
    reduce_root(axis, tau, diag, I, p, b.I[i], b.p[i], b.D.data() + 6 * link.axis);
    return top;
  } else {
    if constexpr (J::nu > 0) reduce<J>(link, axis, tau, diag, I, p, b);
    if (link.parent < 0) return top;
    shift(F.r, I);
    p = shift_to_parent(p, F.r);
    if (!link.last_child) add(*--top, I, p);
    *top = {I, p};
    return top + 1;
  }
}

// A driven joint has no freedom to eliminate.
SINEW_INLINE JointKind kind_for_elimination(const Link& link) { return link.driven ? JointKind::Weld : link.kind; }

template <Real S>
void eliminate_all(const Solving<S>& at) {
  Handed<S>* top = at.b.handed.data();
  for (int i = at.model.link_count() - 1; i >= 0; i--)
    top = joint::visit(kind_for_elimination(at.model.links[i]),
                       [&at, i, top]<class J>() { return eliminate<J>(at, i, top); });
}

// The way back: the change of the link's motion and its joint's du from the parent's change.
template <class J, Real S>
SINEW_INLINE Twist<S> back_substitute(const Link& link, const Vec3<S>* axis, const Twist<S>& carried,
                                      const Blocks<S>& b, S* du) {
  constexpr int n = J::nu;
  Twist<S> a = carried;
  if constexpr (n > 0) {
    S d[n];
    for (int c = 0; c < n; c++) {
      const Wrench<S>& Y = b.Y[link.axis + c];
      d[c] = b.x[link.axis + c] - (dot(Y.n, carried.w) + dot(Y.f, carried.v));
    }
    joint::add_motion<J>(axis, d, a);
    for (int c = 0; c < n; c++) du[link.u + c] = d[c];
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
    return back_substitute<J>(link, axis, carried, b, du);
  }
}

template <class J, Real S>
[[gnu::noinline]] void accelerate(const Solving<S>& at, int i) {
  const auto parent_change = [&at](int parent)
                                 SINEW_INLINE_LAMBDA { return at.b.a[parent] - at.frames.link[parent].coast; };
  at.b.a[i] = change_of<J>(at.model, at.frames, at.b, i, at.u_rate, parent_change) + at.frames.link[i].coast;
}

}  // namespace

template <Real S>
void forward_dynamics(const Model& model, const Params<S>& params, const Frames<S>& frames, const S* tau,
                      const std::vector<Wrench<S>>* external, const S* diag, Blocks<S>& b, S* u_rate) {
  const int n = model.link_count();
  const Gravity<Lanes>& gravity = in_all_lanes(params.gravity);
  const Solving<S> at{model, params, frames, tau, external, diag, gravity, b, u_rate};
  for (int i = 0; i < int(b.rigid.size()); i++) b.rigid[i] = rigid_part(Pack<S>(i, n), params, frames, gravity);
  eliminate_all(at);
  for (int i = 0; i < n; i++)
    joint::visit(kind_for_elimination(model.links[i]), [&at, i]<class J>() { accelerate<J>(at, i); });
}

template <Real S>
void solve_impulse(const Model& model, const Frames<S>& frames, int first, int last, Blocks<S>& b, S* du) {
  for (int i = last - 1; i >= first; i--) {
    const Link& link = model.links[i];
    Wrench<S> p = b.p[i];
    joint::visit(kind_for_elimination(link), [&]<class J>() {
      if constexpr (J::nu > 0 && !std::same_as<J, joint::Free>) {
        S e[J::nu];
        axis_solve<J>(frames.axis.data() + link.axis, p, static_cast<const S*>(nullptr), b.D.data() + 6 * link.axis, e,
                      b.x.data() + link.axis);
        for (int c = 0; c < J::nu; c++) {
          const Wrench<S>& Y = b.Y[link.axis + c];
          p.n += Y.n * e[c], p.f += Y.f * e[c];
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

#define SINEW_INSTANTIATE(S)                                                                 \
  template struct Blocks<S>;                                                                 \
  template void forward_dynamics(const Model&, const Params<S>&, const Frames<S>&, const S*, \
                                 const std::vector<Wrench<S>>*, const S*, Blocks<S>&, S*);   \
  template void solve_impulse(const Model&, const Frames<S>&, int, int, Blocks<S>&, S*);
SINEW_INSTANTIATE(double)
SINEW_INSTANTIATE(Lanes)

}  // namespace sinew
