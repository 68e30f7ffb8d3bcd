// Contacts made linear, P = f - K gamma, into the blocks of their links, and what the links' motion makes of their velocities and impulses:
// step 2 of solve/recursion.h. Contacts of a single robot go side by side, as those of a batch do, with the same bits.
#pragma once
#include "sinew/solve/decision.h"
#include "sinew/solve/point_stiffness.h"

namespace sinew {

// factored: the blocks have it already.
template <Real S>
SINEW_INLINE void add_contact(const ContactRow<S>& c, const typename RecursionWork<S>::Contact& l, S rate,
                              bool factored, Block6<S>& I, Wrench<S>& p) {
  const Vec3<S> n_N = (c.n + c.t1 * l.T.slope.x + c.t2 * l.T.slope.y) * l.K_N;  // friction follows the normal force
  const Vec3<S> k1 = c.t1 * l.T.xx + c.t2 * l.T.xy, k2 = c.t1 * l.T.xy + c.t2 * l.T.yy;
  // equal stiffness along all axes is that along any axes
  const auto firm = l.T.stick & (l.T.xx > S(0.0)) & (l.T.yy > S(0.0)) & (c.law.eps_N <= S(0.0));
  if (!factored && !any(negate(firm))) {
    add_firm_point(c.arm2, l.K_N, I);
  } else if (!factored) {
    Mat3<S> K;
    for (int k = 0; k < 3; k++) {
      const Vec3<S> column = n_N * c.n[k] + k1 * c.t1[k] + k2 * c.t2[k];
      for (int i = 0; i < 3; i++) K(i, k) = select(firm, i == k ? l.K_N : S(0.0), column[i]);
    }
    add_point(c.arm2, K, I);
  }
  const S *f = l.f, *g = c.gamma_0;
  const Vec3<S> F =
      c.n * f[row::N] + c.t1 * f[row::T1] + c.t2 * f[row::T2] - (n_N * g[row::N] + k1 * g[row::T1] + k2 * g[row::T2]);
  Vec3<S> torque = cross(c.arm2, F);
  if (turns(c)) {
    const Mat3<S> K_ang = in_world(c, l.K_D, l.V);
    const Vec3<S> m = (c.n * l.slope_D + c.t1 * l.V.slope.x + c.t2 * l.V.slope.y) * l.K_N;
    add_turning(c.arm2, c.n, K_ang, m, I);
    torque += c.n * f[row::D] + c.t1 * f[row::V1] + c.t2 * f[row::V2] - m * g[row::N] -
              K_ang * (c.n * g[row::D] + c.t1 * g[row::V1] + c.t2 * g[row::V2]);
  }
  p.n -= torque * rate;
  p.f -= F * rate;
}

// Of the first n rows: those of turning are there or not.
template <Real S>
SINEW_INLINE void read_velocity(const ContactRow<S>& c, const Twist<S>& change, S dt, int n, S* gamma) {
  const Twist<S> moved = shift_to_child(change, c.arm2);
  const Vec3<S>* axes[3] = {&c.n, &c.t1, &c.t2};
  for (int k = 0; k < 3; k++) gamma[k] = c.gamma_0[k] + dt * dot(*axes[k], moved.v);
  if (n <= 3) return;
  for (int k = 0; k < 3; k++) gamma[3 + k] = c.gamma_0[3 + k] + dt * dot(*axes[k], moved.w);
}

// Velocities and impulses of the first n rows after a change of the link's motion.
template <int n, Real S>
SINEW_INLINE void answer(const ContactRow<S>& c, const typename RecursionWork<S>::Contact& l, const Twist<S>& change,
                         S dt, S* P, S* g) {
  read_velocity(c, change, dt, n, g);
  const S k = l.K_N * g[row::N];  // friction follows the normal impulse f - k
  P[row::N] = l.f[row::N] - k;
  P[row::T1] = l.f[row::T1] - (l.T.xx * g[row::T1] + l.T.xy * g[row::T2] + l.T.slope.x * k);
  P[row::T2] = l.f[row::T2] - (l.T.xy * g[row::T1] + l.T.yy * g[row::T2] + l.T.slope.y * k);
  if constexpr (n <= 3) return;
  P[row::D] = l.f[row::D] - (l.K_D * g[row::D] + l.slope_D * k);
  P[row::V1] = l.f[row::V1] - (l.V.xx * g[row::V1] + l.V.xy * g[row::V2] + l.V.slope.x * k);
  P[row::V2] = l.f[row::V2] - (l.V.xy * g[row::V1] + l.V.yy * g[row::V2] + l.V.slope.y * k);
}

// Four contacts that do not turn, with their laws made linear, one in each lane.
SINEW_INLINE void read_linear(const ContactRow<double>* c, const RecursionWork<double>::Contact* l,
                              ContactRow<Lanes>& row, RecursionWork<Lanes>::Contact& local) {
  read_four<3>([c](int k) { return &c[k].n[0]; }, &row.n[0]);
  read_four<3>([c](int k) { return &c[k].t1[0]; }, &row.t1[0]);
  read_four<3>([c](int k) { return &c[k].t2[0]; }, &row.t2[0]);
  read_four<3>([c](int k) { return &c[k].arm2[0]; }, &row.arm2[0]);
  read_four<3>([c](int k) { return c[k].gamma_0; }, row.gamma_0);
  read_four<3>([l](int k) { return l[k].f; }, local.f);
  read_four<1>([l](int k) { return &l[k].K_N; }, &local.K_N);
  read_four<3>([l](int k) { return &l[k].T.xx; }, &local.T.xx);  // xy, yy
  read_four<2>([l](int k) { return &l[k].T.slope.x; }, &local.T.slope.x);
  row.drills = row.rolls = false;
}
inline bool four_turn(const ContactRow<double>* c) {
  bool any = false;
  for (int k = 0; k < lane_count; k++) any = any || turns(c[k]);
  return any;
}

// Both return how many contacts had their turn: the first ones, up to some that turn.
inline int add_by_fours(const Rows<double>& rows, const std::vector<RecursionWork<double>::Contact>& local, double rate,
                        bool factored, UnsymmetricWork<double>& links) {
  const Lanes zero(0.0);
  int i = 0;
  for (; i + lane_count <= rows.n_contacts; i += lane_count) {
    const ContactRow<double>* c = rows.contact.data() + i;
    const RecursionWork<double>::Contact* l = local.data() + i;
    if (four_turn(c)) break;
    ContactRow<Lanes> row;
    RecursionWork<Lanes>::Contact four;
    read_linear(c, l, row, four);
    read_four<1>([c](int k) { return &c[k].law.eps_N; }, &row.law.eps_N);
    four.T.stick = lane_pack::number([l](int k) { return l[k].T.stick ? 1.0 : 0.0; }) > zero;
    Block6<Lanes> I;
    for (Mat3<Lanes>* m : {&I.A, &I.B, &I.E, &I.C})
      *m = {Vec3<Lanes>::zero(), Vec3<Lanes>::zero(), Vec3<Lanes>::zero()};
    Wrench<Lanes> p = Wrench<Lanes>::zero();
    add_contact<Lanes>(row, four, Lanes(rate), factored, I, p);
    if (!factored) add_four<36>(&I.A.c[0][0], [&](int k) { return &links.I[c[k].link2].A.c[0][0]; });
    add_four<6>(&p.n[0], [&](int k) { return &links.p[c[k].link2].n[0]; });
  }
  return i;
}

inline int read_by_fours(Rows<double>& rows, const std::vector<RecursionWork<double>::Contact>& local,
                         const std::vector<Twist<double>>& change, double dt) {
  int i = 0;
  for (; i + lane_count <= rows.n_contacts; i += lane_count) {
    ContactRow<double>* c = rows.contact.data() + i;
    if (four_turn(c)) break;
    ContactRow<Lanes> row;
    RecursionWork<Lanes>::Contact four;
    read_linear(c, local.data() + i, row, four);
    Twist<Lanes> moved;
    read_four<6>([&](int k) { return &change[c[k].link2].w[0]; }, &moved.w[0]);
    Lanes P[3], g[3];
    answer<3>(row, four, moved, Lanes(dt), P, g);
    write_four<3>(P, [c](int k) { return c[k].P; });
    write_four<3>(g, [c](int k) { return c[k].gamma; });
  }
  return i;
}

}  // namespace sinew
