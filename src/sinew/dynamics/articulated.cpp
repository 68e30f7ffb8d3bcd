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
      a(model.links.size()) {}

namespace {

template <Real S>
SINEW_INLINE Wrench<S> apply(const ArticulatedInertia<S>& I, const Twist<S>& a) {
  return {I.A * a.w + I.B * a.v, transpose_times(I.B, a.w) + I.C * a.v};
}

// I^A S_i for one axis
template <Dir dir, Real S>
SINEW_INLINE Wrench<S> column(const ArticulatedInertia<S>& I, const Vec3<S>& s) {
  if constexpr (dir == Dir::Angular)
    return {I.A * s, transpose_times(I.B, s)};
  else
    return {I.B * s, I.C * s};
}

// I about the parent's origin:  B' = B + r x C,  A' = A + r x B'^T + (r x B^T)^T
template <Real S>
SINEW_INLINE ArticulatedInertia<S> shifted(const ArticulatedInertia<S>& I, const Vec3<S>& r) {
  const Sym3<S>& C = I.C;
  const Mat3<S>& B = I.B;
  ArticulatedInertia<S> out;
  out.C = C;
  out.B = {B.c[0] + cross(r, {C.xx, C.xy, C.xz}), B.c[1] + cross(r, {C.xy, C.yy, C.yz}),
           B.c[2] + cross(r, {C.xz, C.yz, C.zz})};
  // (r x M^T)(i, j) = r_k M(j, l) - r_l M(j, k), (i, k, l) cyclic
  const auto K = [&r](const Mat3<S>& M, int i, int j) {
    const int k = (i + 1) % 3, l = (i + 2) % 3;
    return r[k] * M(j, l) - r[l] * M(j, k);
  };
  out.A.xx = I.A.xx + K(out.B, 0, 0) + K(B, 0, 0);
  out.A.xy = I.A.xy + K(out.B, 0, 1) + K(B, 1, 0);
  out.A.xz = I.A.xz + K(out.B, 0, 2) + K(B, 2, 0);
  out.A.yy = I.A.yy + K(out.B, 1, 1) + K(B, 1, 1);
  out.A.yz = I.A.yz + K(out.B, 1, 2) + K(B, 2, 1);
  out.A.zz = I.A.zz + K(out.B, 2, 2) + K(B, 2, 2);
  return out;
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

template <Real S>
SINEW_INLINE void hand_over(const Link& link, const Vec3<S>& r, const ArticulatedInertia<S>& I, const Wrench<S>& p,
                            Blocks<S>& b) {
  if (link.parent < 0) return;
  const ArticulatedInertia<S> to_parent = shifted(I, r);
  const Wrench<S> p_parent = shift_to_parent(p, r);
  ArticulatedInertia<S>& I_P = b.I[link.parent];
  Wrench<S>& p_P = b.p[link.parent];
  if (link.last_child) {
    I_P = to_parent, p_P = p_parent;
  } else {
    I_P.A += to_parent.A, I_P.B += to_parent.B, I_P.C += to_parent.C;
    p_P += p_parent;
  }
}

// Eliminates the joint's freedom from the link's inertia and wrench and hands the rest to the parent.
template <class J, Real S>
SINEW_INLINE void eliminate(const Link& link, const Frame<S>& F, const Vec3<S>* axis, const S* tau, const S* diag,
                            ArticulatedInertia<S>& I, Wrench<S>& p, Blocks<S>& b) {
  constexpr int n = J::nu;
  p += apply(I, F.zeta);
  if constexpr (n > 0) {
    if (!link.driven) {
      Wrench<S> U[n];
      S e[n];
      S* D = b.D.data() + 6 * link.axis;
      each_column<J, 0>(I, axis, U);
      factor_axes<J>(axis, U, diag ? diag + link.u : nullptr, D);
      axis_solve<J>(axis, p, tau + link.u, D, e, b.x.data() + link.axis);
      if (link.parent < 0) return;
      Wrench<S>* Y = b.Y.data() + link.axis;
      times_inverse<n>(U, D, Y);
      for (int c = 0; c < n; c++) {
        I.A.subtract_outer(Y[c].n, U[c].n);
        I.C.subtract_outer(Y[c].f, U[c].f);
        for (int k = 0; k < 3; k++) I.B.col(k) -= Y[c].n * U[c].f[k];
        p.n += Y[c].n * e[c], p.f += Y[c].f * e[c];
      }
    }
  }
  hand_over(link, F.r, I, p, b);
}

// The way back: the link's acceleration and its joint's du from the parent's acceleration.
template <class J, bool with_zeta, Real S>
SINEW_INLINE void back_substitute(const Link& link, const Frame<S>& F, const Vec3<S>* axis, Blocks<S>& b, S* du,
                                  int i) {
  constexpr int n = J::nu;
  Twist<S> a = Twist<S>::zero();
  if (link.parent >= 0) a = shift_to_child(b.a[link.parent], F.r);
  Twist<S> own = a;
  if constexpr (n > 0) {
    if (!link.driven) {
      for (int c = 0; c < n; c++) {
        S d = b.x[link.axis + c];
        if (link.parent >= 0) {
          const Wrench<S>& Y = b.Y[link.axis + c];
          d -= dot(Y.n, a.w) + dot(Y.f, a.v);
        }
        du[link.u + c] = d;
        if (J::dirs[c] == Dir::Angular)
          own.w += axis[c] * d;
        else
          own.v += axis[c] * d;
      }
    }
  }
  if constexpr (with_zeta) own = own + F.zeta;
  b.a[i] = own;
}

// The link's own inertia in world axes, and p = velocity terms - gravity.
template <Real S>
SINEW_INLINE void inertia_and_bias(const LinkParams<S>& link, const Frame<S>& F, const Gravity<S>& gravity,
                                   ArticulatedInertia<S>& I, Wrench<S>& p) {
  const Mat3<S>& R = F.X.R;
  const Vec3<S>& w = F.V.w;
  const Vec3<S> mc = R * link.I_F.mc;
  const S m = link.I_F.m;
  I.A = rotate(R, link.I_F.I);
  I.B = skew(mc);
  I.C = Sym3<S>::diagonal(m);
  p.n = cross(w, I.A * w);
  p.f = cross(w, cross(w, mc));
  if (gravity.kind == GravityKind::None) return;
  if (gravity.kind == GravityKind::Uniform) {
    p.f -= gravity.g * m;
    p.n -= cross(mc, gravity.g);
    return;
  }
  const Vec3<S> c = R * link.c_F;
  const Vec3<S> g = fall(gravity, F.X.p + c, F.V.v + cross(w, c));
  p.f -= g * m;
  p.n -= cross(mc, g);
  if (gravity.kind == GravityKind::Spinning) p.n -= turning_torque(gravity.spin, central(I.A, c, mc), w);
}

template <Real S>
void subtract_external(const Frame<S>& F, const LinkParams<S>& link, const Wrench<S>& external, Wrench<S>& p) {
  const Vec3<S> c = F.X.R * link.c_F;
  p.f -= external.f;
  p.n -= external.n + cross(c, external.f);
}

}  // namespace

template <Real S>
void forward_dynamics(const Model& model, const Params<S>& params, const Frames<S>& frames, const S* tau,
                      const std::vector<Wrench<S>>* external, const S* diag, Blocks<S>& b, S* u_rate) {
  const int n = model.link_count();
  for (int i = n - 1; i >= 0; i--) {
    const Link& link = model.links[i];
    const Frame<S>& F = frames.link[i];
    ArticulatedInertia<S> I;
    Wrench<S> p;
    inertia_and_bias(params.links[i], F, params.gravity, I, p);
    if (external) subtract_external(F, params.links[i], (*external)[i], p);
    if (!link.leaf) {
      I.A += b.I[i].A, I.B += b.I[i].B, I.C += b.I[i].C;
      p += b.p[i];
    }
    joint::visit(link.kind,
                 [&]<class J>() { eliminate<J>(link, F, frames.axis.data() + link.axis, tau, diag, I, p, b); });
  }
  for (int i = 0; i < n; i++) {
    const Link& link = model.links[i];
    joint::visit(link.kind, [&]<class J>() {
      back_substitute<J, true>(link, frames.link[i], frames.axis.data() + link.axis, b, u_rate, i);
    });
  }
}

template <Real S>
void solve_impulse(const Model& model, const Frames<S>& frames, int first, int last, Blocks<S>& b, S* du) {
  for (int i = last - 1; i >= first; i--) {
    const Link& link = model.links[i];
    Wrench<S> p = b.p[i];
    joint::visit(link.kind, [&]<class J>() {
      if constexpr (J::nu > 0)
        if (!link.driven) {
          S e[J::nu];
          axis_solve<J>(frames.axis.data() + link.axis, p, static_cast<const S*>(nullptr), b.D.data() + 6 * link.axis,
                        e, b.x.data() + link.axis);
          if (link.parent >= 0)
            for (int c = 0; c < J::nu; c++) {
              const Wrench<S>& Y = b.Y[link.axis + c];
              p.n += Y.n * e[c], p.f += Y.f * e[c];
            }
        }
    });
    if (link.parent >= 0) b.p[link.parent] += shift_to_parent(p, frames.link[i].r);
  }
  for (int i = first; i < last; i++) {
    const Link& link = model.links[i];
    joint::visit(link.kind, [&]<class J>() {
      back_substitute<J, false>(link, frames.link[i], frames.axis.data() + link.axis, b, du, i);
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
