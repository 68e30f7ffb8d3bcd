#include "sinew/dynamics/unsymmetric.h"

#include <algorithm>

#include "sinew/math/check.h"
#include "sinew/math/lane_pack.h"
#include "sinew/math/small_solve.h"

namespace sinew {
namespace {

using joint::Dir;

template <Real S>
SINEW_INLINE Mat3<S> full(const Sym3<S>& a) {
  return {{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}};
}

template <Real S>
SINEW_INLINE void subtract_outer(const Vec3<S>& a, const Vec3<S>& b, Mat3<S>& M) {
  for (int k = 0; k < 3; k++) M.col(k) -= a * b[k];
}

// M [r]x, by columns M (r x e_k)
template <Real S>
SINEW_INLINE Mat3<S> times_skew(const Mat3<S>& M, const Vec3<S>& r) {
  return {M.col(1) * r[2] - M.col(2) * r[1], M.col(2) * r[0] - M.col(0) * r[2], M.col(0) * r[1] - M.col(1) * r[0]};
}

// The block, moved to the parent's origin:
//   E' = E - C [r],  B' = B + [r] C,  A' = A - B [r] + [r] E'
template <Real S>
SINEW_INLINE void shift(const Vec3<S>& r, Block6<S>& I) {
  const Mat3<S> Cr = times_skew(I.C, r), Br = times_skew(I.B, r);
  for (int k = 0; k < 3; k++) {
    I.E.col(k) -= Cr.col(k);
    I.B.col(k) += cross(r, I.C.col(k));
    I.A.col(k) = I.A.col(k) - Br.col(k) + cross(r, I.E.col(k));
  }
}
template <Real S>
SINEW_INLINE void add(const Block6<S>& other, Block6<S>& I) {
  for (int k = 0; k < 3; k++) {
    I.A.col(k) += other.A.col(k);
    I.B.col(k) += other.B.col(k);
    I.E.col(k) += other.E.col(k);
    I.C.col(k) += other.C.col(k);
  }
}

// Without pivoting: D is a positive mass with a smaller unsymmetric part.
template <int n, Real S>
SINEW_INLINE void invert_small(S* D) {
  if constexpr (n == 1) {
    D[0] = S(1.0) / D[0];
  } else if constexpr (n == 2) {
    const S d = S(1.0) / (D[0] * D[3] - D[1] * D[2]), a = D[0];
    D[0] = D[3] * d;
    D[3] = a * d;
    D[1] = -(D[1] * d);
    D[2] = -(D[2] * d);
  } else if constexpr (n == 3) {
    const Mat3<S> inv = inverse(Mat3<S>{{D[0], D[3], D[6]}, {D[1], D[4], D[7]}, {D[2], D[5], D[8]}});
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) D[3 * r + c] = inv(r, c);
  } else {  // Gauss and Jordan, in place
    for (int k = 0; k < n; k++) {
      const S pivot = S(1.0) / D[k * n + k];
      D[k * n + k] = S(1.0);
      for (int c = 0; c < n; c++) D[k * n + c] *= pivot;
      for (int r = 0; r < n; r++) {
        if (r == k) continue;
        const S f = D[r * n + k];
        D[r * n + k] = S(0.0);
        for (int c = 0; c < n; c++) D[r * n + c] -= f * D[k * n + c];
      }
    }
  }
}

template <class J, Real S>
SINEW_INLINE void columns(const Block6<S>& I, const Vec3<S>* axis, Wrench<S>* U, Twist<S>* V) {
  joint::each_axis<J>([&]<int i>() SINEW_INLINE_LAMBDA {
    const Vec3<S>& s = axis[i];
    if constexpr (J::dirs[i] == Dir::Angular) {
      U[i] = {I.A * s, I.E * s};
      V[i] = {transpose_times(I.A, s), transpose_times(I.B, s)};
    } else {
      U[i] = {I.B * s, I.C * s};
      V[i] = {transpose_times(I.E, s), transpose_times(I.C, s)};
    }
  });
}

template <Real S>
struct Pass {
  const Model& model;
  const Frames<S>& frames;
  const S *tau, *diag;
  UnsymmetricWork<S>& w;
  S* u_rate;
};

// Of one joint, or of a lane of joints: what is known of its axes, and where what is found of them goes. diag, reflected and bias may be null.
template <Real S>
struct JointNumbers {
  const Vec3<S>* axis;
  const S *tau, *diag, *reflected, *bias;
  S *D, *x;
  Twist<S>* Z;
  Wrench<S>* U;
};
template <class J, Real S>
SINEW_INLINE JointNumbers<S> numbers_of(const Pass<S>& at, const Link& link) {
  const bool reflects = J::nu > 0 && !at.frames.reflected.empty();
  return {at.frames.axis.data() + link.axis,
          at.tau + link.u,
          at.diag ? at.diag + link.u : nullptr,
          reflects ? at.frames.reflected.data() + 6 * link.axis : nullptr,
          reflects ? at.frames.reflected_bias.data() + link.axis : nullptr,
          at.w.D.data() + 6 * link.axis,
          at.w.x.data() + link.axis,
          at.w.Z.data() + link.axis,
          at.w.U.data() + link.axis};
}

template <class J, Real S>
SINEW_INLINE void reduce(const JointNumbers<S>& at, Block6<S>& I) {
  constexpr int n = J::nu;
  Wrench<S> U[n];
  Twist<S> V[n];
  S D[n * n];
  columns<J>(I, at.axis, U, V);
  for (int r = 0; r < n; r++) {
    for (int c = 0; c < n; c++) D[r * n + c] = dot(at.axis[r], J::dirs[r] == Dir::Angular ? U[c].n : U[c].f);
    if (at.diag) D[r * n + r] += at.diag[r];
  }
  if (at.reflected)
    for (int k = 0; k < n * n; k++) D[k] += at.reflected[k];
  invert_small<n>(D);
  std::copy_n(D, n * n, at.D);
  for (int r = 0; r < n; r++) {
    Twist<S> Z = Twist<S>::zero();
    for (int c = 0; c < n; c++) {
      Z.w += V[c].w * D[r * n + c];
      Z.v += V[c].v * D[r * n + c];
    }
    at.Z[r] = Z;
    at.U[r] = U[r];
    // I - U D^-1 V^T = I - sum_r U_r Z_r
    subtract_outer(U[r].n, Z.w, I.A);
    subtract_outer(U[r].n, Z.v, I.B);
    subtract_outer(U[r].f, Z.w, I.E);
    subtract_outer(U[r].f, Z.v, I.C);
  }
}

// e = tau - bias - S^T p,  x = D^-1 e,  p + U x
template <class J, Real S>
SINEW_INLINE void push_through(const JointNumbers<S>& at, Wrench<S>& p) {
  constexpr int n = J::nu;
  S e[n];
  for (int r = 0; r < n; r++) e[r] = at.tau[r] - dot(at.axis[r], J::dirs[r] == Dir::Angular ? p.n : p.f);
  if (at.bias)
    for (int r = 0; r < n; r++) e[r] -= at.bias[r];
  for (int r = 0; r < n; r++) {
    S x = S(0.0);
    for (int c = 0; c < n; c++) x += at.D[r * n + c] * e[c];
    at.x[r] = x;
    const Wrench<S>& U = at.U[r];
    p.n += U.n * x;
    p.f += U.f * x;
  }
}

// A free root moves by all six: I change = -p in world axes, by blocks of three.
template <Real S>
void factor_root(const Pass<S>& at, const Link& link, Block6<S>& I) {
  const Vec3<S>* axis = at.frames.axis.data() + link.axis;
  if (at.diag)
    for (int i = 0; i < 3; i++) {
      subtract_outer(axis[i] * -at.diag[link.u + i], axis[i], I.A);
      subtract_outer(axis[3 + i] * -at.diag[link.u + 3 + i], axis[3 + i], I.C);
    }
  const Mat3<S> C = inverse(I.C), G = I.B * C;  // A' = A - B C^-1 E
  const Mat3<S> GE = G * I.E;
  const Mat3<S> A = inverse(Mat3<S>{I.A.col(0) - GE.col(0), I.A.col(1) - GE.col(1), I.A.col(2) - GE.col(2)});
  I.A = A;
  I.B = G;
  I.C = C;
}
template <Real S>
Twist<S> solve_root(const Pass<S>& at, const Link& link, const Block6<S>& factored, const Wrench<S>& p) {
  const auto& [A, G, E, C] = factored;
  Twist<S> push = Twist<S>::zero();
  joint::add_motion<joint::Free>(at.frames.axis.data() + link.axis, at.tau + link.u, push);
  const Vec3<S> n = push.w - p.n, f = push.v - p.f;
  const Vec3<S> alpha = A * (n - G * f);
  return {alpha, C * (f - E * alpha)};
}

// With `factored` blocks only the wrenches go to the parent.
template <class J, bool factored, Real S>
[[gnu::noinline]] void eliminate(const Pass<S>& at, int i) {
  const Link& link = at.model.links[i];
  Block6<S>& I = at.w.I[i];
  Wrench<S>& p = at.w.p[i];
  if constexpr (std::same_as<J, joint::Free>) {
    if constexpr (!factored) factor_root(at, link, I);
    at.w.change[i] = solve_root(at, link, I, p);
  } else {
    if constexpr (J::nu > 0) {
      const JointNumbers<S> numbers = numbers_of<J>(at, link);
      if constexpr (!factored) reduce<J>(numbers, I);
      push_through<J>(numbers, p);
    }
    if (link.parent < 0) return;
    const Vec3<S>& r = at.frames.link[i].r;
    if constexpr (!factored) {
      shift(r, I);
      add(I, at.w.I[link.parent]);
    }
    at.w.p[link.parent] += shift_to_parent(p, r);
  }
}

// What a rank gives to the one before: block and wrench of its limbs up to there, about the origins of the parents.
struct Carried {
  Block6<Lanes> I;
  Wrench<Lanes> p;
};

// eliminate for the links of a rank, one a lane. What leaves the limbs waits in I and p of their first links.
template <class J, bool factored>
[[gnu::noinline]] void eliminate_rank(const Pass<double>& at, int index, Carried& carried) {
  constexpr int n = J::nu;
  const Rank& rank = at.model.ranks[index];
  const Link* links = at.model.links.data();
  UnsymmetricWork<double>& w = at.w;
  Wrench<Lanes> p = gather<Wrench<Lanes>>(rank.link, SINEW_OF_LINK(w.p[i]));
  Block6<Lanes> I;
  if constexpr (!factored) I = gather<Block6<Lanes>>(rank.link, SINEW_OF_LINK(w.I[i]));
  if (!factored && !rank.ends) add(carried.I, I);
  if (!rank.ends) p += carried.p;
  if constexpr (n > 0) {
    Lanes tau[n], diag[n], reflected[n * n], bias[n];
    const bool reflects = !at.frames.reflected.empty();
    for (int c = 0; c < n; c++) {
      tau[c] = gather_number(rank.link, SINEW_OF_LINK(at.tau[links[i].u + c]));
      if (at.diag) diag[c] = gather_number(rank.link, SINEW_OF_LINK(at.diag[links[i].u + c]));
      if (reflects) bias[c] = gather_number(rank.link, SINEW_OF_LINK(at.frames.reflected_bias[links[i].axis + c]));
    }
    for (int k = 0; !factored && reflects && k < n * n; k++)
      reflected[k] = gather_number(rank.link, SINEW_OF_LINK(at.frames.reflected[6 * links[i].axis + k]));
    const JointNumbers<Lanes> numbers{at.frames.rank_axis.data() + rank.axis,
                                      tau,
                                      at.diag ? diag : nullptr,
                                      reflects ? reflected : nullptr,
                                      reflects ? bias : nullptr,
                                      w.rank.D.data() + 6 * rank.axis,
                                      w.rank.x.data() + rank.axis,
                                      w.rank.Z.data() + rank.axis,
                                      w.rank.U.data() + rank.axis};
    if constexpr (!factored) reduce<J>(numbers, I);
    push_through<J>(numbers, p);
  }
  const Vec3<Lanes>& r = at.frames.rank[index].r;
  if constexpr (!factored) {
    shift(r, I);
    carried.I = I;
    if (rank.above < rank.count) scatter(I, rank.link, rank.above, rank.count, SINEW_OF_LINK(w.I[i]));
  }
  carried.p = shift_to_parent(p, r);
  if (rank.above < rank.count) scatter(carried.p, rank.link, rank.above, rank.count, SINEW_OF_LINK(w.p[i]));
}

template <class J, Real S>
[[gnu::noinline]] void accelerate(const Pass<S>& at, int i) {
  const Link& link = at.model.links[i];
  const Vec3<S>* axis = at.frames.axis.data() + link.axis;
  if constexpr (std::same_as<J, joint::Free>) {
    const Twist<S>& a = at.w.change[i];
    for (int k = 0; k < 3; k++) {
      at.u_rate[link.u + k] = dot(axis[k], a.w);
      at.u_rate[link.u + 3 + k] = dot(axis[3 + k], a.v);
    }
  } else {
    Twist<S> a = Twist<S>::zero();
    if (link.parent >= 0) a = shift_to_child(at.w.change[link.parent], at.frames.link[i].r);
    if constexpr (J::nu > 0) {
      S d[J::nu];
      for (int c = 0; c < J::nu; c++) {
        const Twist<S>& Z = at.w.Z[link.axis + c];
        d[c] = at.w.x[link.axis + c] - (dot(Z.w, a.w) + dot(Z.v, a.v));
      }
      joint::add_motion<J>(axis, d, a);
      for (int c = 0; c < J::nu; c++) at.u_rate[link.u + c] = d[c];
    }
    at.w.change[i] = a;
  }
}

// accelerate for the links of a rank
template <class J>
[[gnu::noinline]] void accelerate_rank(const Pass<double>& at, int index) {
  constexpr int n = J::nu;
  const Rank& rank = at.model.ranks[index];
  const Link* links = at.model.links.data();
  UnsymmetricWork<double>& w = at.w;
  Twist<Lanes> a;
  if (rank.above == rank.count)
    a = w.rank.change[index - 1];
  else
    a = gather<Twist<Lanes>>(rank.link, SINEW_OF_LINK(w.change[links[i].parent]));
  a = shift_to_child(a, at.frames.rank[index].r);
  if constexpr (n > 0) {
    Lanes d[n];
    for (int c = 0; c < n; c++) {
      const Twist<Lanes>& Z = w.rank.Z[rank.axis + c];
      d[c] = w.rank.x[rank.axis + c] - (dot(Z.w, a.w) + dot(Z.v, a.v));
    }
    joint::add_motion<J>(at.frames.rank_axis.data() + rank.axis, d, a);
    for (int c = 0; c < n; c++)
      scatter_number(d[c], rank.link, 0, rank.count, SINEW_OF_LINK(at.u_rate[links[i].u + c]));
  }
  w.rank.change[index] = a;
  scatter(a, rank.link, 0, rank.count, SINEW_OF_LINK(w.change[i]));
}

SINEW_INLINE JointKind kind_of(const Link& link) { return link.driven ? JointKind::Weld : link.kind; }

template <bool factored, Real S>
void pass_through(const Pass<S>& at) {
  SINEW_ASSERT(at.frames.link.size() == at.model.links.size() && at.w.I.size() == at.model.links.size());
  SINEW_ASSERT(int(at.w.Z.size()) == at.model.n_frame_axes && int(at.w.x.size()) == at.model.n_frame_axes);
  SINEW_ASSERT(at.model.nu == 0 || (at.tau && at.u_rate && at.tau != at.u_rate));
  const int n = at.model.link_count(), n_ranks = int(at.model.ranks.size());
  constexpr bool in_ranks = std::same_as<S, double>;
  if constexpr (in_ranks) {  // limbs first; what leaves them is added in its turn, so that sums are those of a batch
    Carried carried;
    for (int r = n_ranks - 1; r >= 0; r--)
      visit_joint(at.model.ranks[r], [&]<class J>() { eliminate_rank<J, factored>(at, r, carried); });
  }
  for (int i = n - 1; i >= 0; i--) {
    const Link& link = at.model.links[i];
    if (!in_ranks || link.limb < 0) {
      joint::visit(kind_of(link), [&at, i]<class J>() { eliminate<J, factored>(at, i); });
    } else if (at.model.links[link.parent].limb < 0) {
      if constexpr (!factored) add(at.w.I[i], at.w.I[link.parent]);
      at.w.p[link.parent] += at.w.p[i];
    }
  }
  const auto accelerate_link = [&at](int i) {
    joint::visit(kind_of(at.model.links[i]), [&at, i]<class J>() { accelerate<J>(at, i); });
  };
  if constexpr (in_ranks) {  // limbs carry nobody else
    for (const int i : at.model.single) accelerate_link(i);
    for (int r = 0; r < n_ranks; r++) visit_joint(at.model.ranks[r], [&]<class J>() { accelerate_rank<J>(at, r); });
  } else {
    for (int i = 0; i < n; i++) accelerate_link(i);
  }
}

}  // namespace

template <Real S>
void begin_unsymmetric(UnsymmetricWork<S>& w) {
  SINEW_ASSERT(w.I.size() == w.own.size() && w.p.size() == w.own.size());
  for (std::size_t i = 0; i < w.own.size(); i++) {
    const Handed<S>& own = w.own[i];
    w.I[i] = {full(own.I.A), own.I.B, transpose(own.I.B), full(own.I.C)};
    w.p[i] = own.p;
  }
}

template <Real S>
void solve_unsymmetric(const Model& model, const Frames<S>& frames, const S* tau, const S* diag, UnsymmetricWork<S>& w,
                       S* u_rate) {
  pass_through<false>(Pass<S>{model, frames, tau, diag, w, u_rate});
}

template <Real S>
void begin_wrenches(UnsymmetricWork<S>& w) {
  for (std::size_t i = 0; i < w.own.size(); i++) w.p[i] = w.own[i].p;
}

template <Real S>
void resolve_unsymmetric(const Model& model, const Frames<S>& frames, const S* tau, UnsymmetricWork<S>& w, S* u_rate) {
  pass_through<true>(Pass<S>{model, frames, tau, nullptr, w, u_rate});
}

#define SINEW_INSTANTIATE_UNSYMMETRIC(S)                                                                        \
  template void begin_unsymmetric(UnsymmetricWork<S>&);                                                         \
  template void begin_wrenches(UnsymmetricWork<S>&);                                                            \
  template void solve_unsymmetric(const Model&, const Frames<S>&, const S*, const S*, UnsymmetricWork<S>&, S*); \
  template void resolve_unsymmetric(const Model&, const Frames<S>&, const S*, UnsymmetricWork<S>&, S*);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_UNSYMMETRIC)

}  // namespace sinew
